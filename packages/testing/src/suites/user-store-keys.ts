import { DuplicateError, InvalidArgumentError, type UserStore } from 'fastify-accounts'
import { inTurns, type Laws } from './cases.js'
import {
  check,
  hostileTexts,
  nearlyEqualTexts,
  notKeys,
  parallelCalls,
  race,
  refusesKeys,
  rejects,
  rounds,
  same,
  show,
} from './checks.js'
import { canList, countThere, createUsers, having, kinds, newUser, onlyThere } from './users.js'

/** Laws about the unique keys of users. */
export const userStoreKeyLaws: Laws<UserStore> = {
  [`law 3: exactly one of ${parallelCalls} simultaneous creations of a username wins`]: async (
    store,
    second,
  ) => {
    await oneWins(store, second, 'username')
  },

  [`law 3: exactly one of ${parallelCalls} simultaneous creations of an email address wins`]: async (
    store,
    second,
  ) => {
    await oneWins(store, second, 'email')
  },

  [`law 3: exactly one of ${parallelCalls} simultaneous creations of an identity wins`]: having(
    'findByIdentity',
    async (store, second) => oneWins(store, second, 'identity'),
  ),

  'law 4: a taken username or email address is a DuplicateError that says which, the username if both are':
    async (store) => {
      const taken = { usernameKey: 'alice', emailKey: 'alice@example.org' }
      await store.create(newUser(taken))
      await refusesDuplicate('username', () => store.create(newUser({ usernameKey: 'alice' })))
      await refusesDuplicate('email', () => store.create(newUser({ emailKey: 'alice@example.org' })))
      await refusesDuplicate('username', () => store.create(newUser(taken)))
      // Taken by two different users.
      await store.create(newUser({ usernameKey: 'bob', emailKey: 'bob@example.org' }))
      const both = newUser({ usernameKey: 'bob', emailKey: 'alice@example.org' })
      await refusesDuplicate('username', () => store.create(both))
    },

  'law 4: of several taken keys, the first of username, email and identity is named': having(
    'findByIdentity',
    async (store) => {
      const [name, address, identity] = [newUser(), newUser(), newUser({ identityKeys: ['passkey:a'] })]
      for (const user of [name, address, identity]) await store.create(user)
      const { usernameKey } = name
      const { emailKey } = address
      const { identityKeys } = identity
      for (const [field, keys] of [
        ['username', { usernameKey, identityKeys }],
        ['username', { usernameKey, emailKey, identityKeys }],
        ['email', { emailKey, identityKeys: ['passkey:b', ...identityKeys] }],
      ] as const) {
        const user = await store.create(newUser())
        await refusesDuplicate(field, () => store.create(newUser(keys)))
        await refusesDuplicate(field, () => store.update(user.id, keys, 1))
        const outcome = (await store.createMany?.([newUser(keys)]))?.[0] ?? { taken: field }
        same('taken' in outcome && outcome.taken, field, `what createMany() says of ${show(keys)}`)
      }
    },
  ),

  'law 4: a rejected creation leaves nothing behind': async (store) => {
    await store.create(newUser({ usernameKey: 'alice', emailKey: 'alice@example.org' }))
    const halfTaken = newUser({ usernameKey: 'bob', emailKey: 'alice@example.org' })
    await refusesDuplicate('email', () => store.create(halfTaken))
    same(await store.findByUsername('bob'), null, 'the user who was refused')
    await countThere(store, 1, 'the number of users')
    const { id } = await store.create(newUser({ usernameKey: 'bob' }))
    same((await store.findByUsername('bob'))?.id, id, 'the holder of the name')
  },

  'law 4: an update to a taken key is a DuplicateError that says which, and changes nothing': async (
    store,
  ) => {
    await store.create(newUser({ usernameKey: 'alice', emailKey: 'alice@example.org' }))
    const bob = await store.create(newUser())
    const taken = { usernameKey: 'alice', emailKey: 'alice@example.org', isStaff: true }
    await refusesDuplicate('username', () => store.update(bob.id, { usernameKey: 'alice' }, 1))
    await refusesDuplicate('email', () => store.update(bob.id, { emailKey: 'alice@example.org' }, 1))
    await refusesDuplicate('username', () => store.update(bob.id, taken, 1))
    same(await store.findById(bob.id), bob, 'the user')
    same((await store.findByUsername(bob.usernameKey ?? ''))?.id, bob.id, 'the holder of the old name')
  },

  'law 4: a user keeps their own keys, and an abandoned key is free': async (store) => {
    const alice = await store.create(newUser({ usernameKey: 'alice', emailKey: 'alice@example.org' }))
    const own = { usernameKey: 'alice', emailKey: 'alice@example.org' }
    same((await store.update(alice.id, own, 1))?.version, 2, 'the version after setting the same keys')
    const moved = { usernameKey: 'alison', emailKey: 'alison@example.org' }
    await store.update(alice.id, moved, 2)
    same(await store.findByUsername('alice'), null, 'findByUsername() of the old name')
    same(await store.findByEmail('alice@example.org'), null, 'findByEmail() of the old address')
    same((await store.findByUsername('alison'))?.id, alice.id, 'the holder of the new name')
    same((await store.findByEmail('alison@example.org'))?.id, alice.id, 'the holder of the new address')
    await store.create(newUser(own))
    await store.delete(alice.id)
    await store.create(newUser(moved))
    await countThere(store, 2, 'the number of users')
  },

  'law 4: any number of users can be without a username, and none is found by one': async (store) => {
    const nameless = { username: null, usernameKey: null }
    const users = await createUsers(store, 5, () => nameless)
    for (const user of users) {
      same(await store.findById(user.id), { ...user, ...nameless }, 'findById()')
      same(await store.findByEmail(user.emailKey ?? ''), { ...user, ...nameless }, 'findByEmail()')
    }
    const texts = [
      ...nearlyEqualTexts,
      ...hostileTexts,
      ...users.flatMap(({ id }) => [id, `\u{10ffff}${id}`]),
    ]
    for (const text of texts) same(await store.findByUsername(text), null, `findByUsername(${show(text)})`)
    const found = async (usernameKey: string): Promise<number> =>
      canList(store) && store.listsBy?.includes('prefix')
        ? (await store.list({ limit: 50, prefix: { usernameKey } })).length
        : 0
    for (const text of ['n', 'null', '!', '\u{10ffff}'])
      same(await found(text), 0, `users whose name begins with ${show(text)}`)
    // One takes a username, and gives it up again.
    const [first, second] = users
    if (first === undefined || second === undefined) return
    const named = await store.update(first.id, { username: 'Alice', usernameKey: 'alice' }, 1)
    same((await store.findByUsername('alice'))?.id, first.id, 'the holder of the name')
    await refusesDuplicate('username', () => store.update(second.id, { usernameKey: 'alice' }, 1))
    same(
      await store.update(first.id, nameless, 2),
      named && { ...named, ...nameless, version: 3 },
      'the name given up',
    )
    same(await store.findByUsername('alice'), null, 'findByUsername() of the name that was given up')
    await refusesDuplicate('email', () => store.create(newUser({ ...nameless, emailKey: first.emailKey })))
  },

  'law 4: deleting a user while their username is taken leaves nothing half-done': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(1, 1, async (_, round) => {
      const usernameKey = `name-${round}`
      const old = await store.create(newUser({ usernameKey }))
      const creation = race([() => turn(round).create(newUser({ usernameKey }))])
      const [{ values, errors }, went] = await Promise.all([creation, turn(round + 1).delete(old.id)])
      onlyDuplicates(errors, 'username')
      same(went, true, 'delete()')
      for (const each of [store, second]) {
        same(await each.findByUsername(usernameKey), values[0] ?? null, 'the holder of the name')
      }
    })
  },

  'law 5: many users can be without an email address': async (store) => {
    const users = await createUsers(store, 3, () => ({ email: null, emailKey: null }))
    const cleared = await store.create(newUser())
    await store.update(cleared.id, { email: null, emailKey: null }, 1)
    for (const { id } of [...users, cleared]) {
      const found = await store.findById(id)
      same([found?.email, found?.emailKey], [null, null], 'email and emailKey')
    }
    same(
      await store.findByEmail(`${cleared.emailKey}`),
      null,
      'findByEmail() of the address that was cleared',
    )
  },

  'law 37: a user of any kind can be without an email address': async (store) => {
    for (const kind of kinds) {
      const newcomer = newUser({ kind, email: null, emailKey: null })
      const user = await store.create(newcomer)
      same(await store.findById(user.id), { ...newcomer, id: user.id, version: 1 }, `a user of kind ${kind}`)
      same((await store.findByUsername(newcomer.usernameKey ?? ''))?.id, user.id, 'findByUsername()')
    }
  },

  'law 6: keys that only look alike are different keys': async (store) => {
    for (const text of nearlyEqualTexts) {
      same(await store.findByUsername(text), null, `findByUsername(${show(text)}) before it exists`)
      same(await store.findByEmail(text), null, `findByEmail(${show(text)}) before it exists`)
      await store.create(newUser({ username: text, usernameKey: text, email: text, emailKey: text }))
    }
    for (const text of nearlyEqualTexts) {
      same((await store.findByUsername(text))?.username, text, 'the name found')
      same((await store.findByEmail(text))?.email, text, 'the address found')
    }
  },

  'law 7: nothing in a key is a pattern, a quote or an operator': async (store) => {
    const innocent = await store.create(newUser({ usernameKey: 'abc', emailKey: 'abc@example.org' }))
    for (const text of hostileTexts) {
      same(await store.findById(text), null, `findById(${show(text)})`)
      same(await store.findByUsername(text), null, `findByUsername(${show(text)})`)
      same(await store.findByEmail(text), null, `findByEmail(${show(text)})`)
      same(await store.update(text, { isStaff: true }, 1), null, `update(${show(text)})`)
      same(await store.delete(text), false, `delete(${show(text)})`)
    }
    for (const text of hostileTexts) {
      const { id } = await store.create(
        newUser({ username: text, usernameKey: text, email: text, emailKey: text }),
      )
      same((await store.findByUsername(text))?.id, id, `the id found by the name ${show(text)}`)
      same((await store.findByEmail(text))?.id, id, `the id found by the address ${show(text)}`)
    }
    same(await store.findById(innocent.id), innocent, 'the other user')
  },

  'law 9: anything but well-formed, non-empty text is rejected as an argument': async (store) => {
    const innocent = await store.create(newUser({ usernameKey: 'a', emailKey: 'a@example.org' }))
    await refusesKeys('findById', (id) => store.findById(id))
    await refusesKeys('findByUsername', (key) => store.findByUsername(key))
    await refusesKeys('findByEmail', (key) => store.findByEmail(key))
    await refusesKeys('update', (id) => store.update(id, { isStaff: true }, 1))
    await refusesKeys('delete', (id) => store.delete(id))
    for (const value of notKeys.filter((key) => key !== null && key !== undefined)) {
      for (const key of ['usernameKey', 'emailKey'] as const) {
        const user = newUser({ [key]: value })
        await rejects(InvalidArgumentError, () => store.create(user), `create with the ${key} ${show(value)}`)
      }
    }
    await onlyThere(store, [innocent], 'the users')
  },
}

async function oneWins(store: UserStore, second: UserStore, field: DuplicateError['field']): Promise<void> {
  const turn = inTurns(store, second)
  const count = await rounds(parallelCalls, 5, async (callers, round) => {
    const key = {
      username: { usernameKey: `a-${round}` },
      email: { emailKey: `a-${round}@example.org` },
      identity: { identityKeys: [`a-${round}`] },
    }[field]
    const { values, errors } = await race(callers.map((n) => () => turn(n).create(newUser(key))))
    onlyDuplicates(errors, field)
    same(values.length, 1, `the number of winners of ${show(key)}`)
    for (const { id } of values) {
      for (const each of [store, second]) same((await each.findById(id))?.id, id, 'the id of the user kept')
    }
  })
  await countThere(store, count, 'the number of users kept')
}

/** @param what which race it was, at the end of a message */
export function onlyDuplicates(errors: unknown[], field: DuplicateError['field'], what = ''): void {
  for (const error of errors) {
    check(error instanceof DuplicateError, `a loser got ${show(error)} instead of DuplicateError${what}`)
    same(error.field, field, `the field of DuplicateError${what}`)
  }
}

/** Fails unless the call is refused because this key is taken. */
export async function refusesDuplicate(
  field: DuplicateError['field'],
  call: () => Promise<unknown>,
): Promise<void> {
  const error = await rejects(DuplicateError, call, `a call with a taken ${field}`)
  same(error.field, field, 'the field of DuplicateError')
}
