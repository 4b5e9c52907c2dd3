import { DuplicateError, InvalidArgumentError } from '../seams/store-errors.js'
import type { UserStore } from '../seams/user-store.js'
import type { Laws } from './cases.js'
import { check, hostileTexts, nearlyEqualTexts, race, refusesKeys, rejects, same, show } from './checks.js'
import { createUsers, newUser } from './users.js'

type Identifying = UserStore & Required<Pick<UserStore, 'findByIdentity'>>

/** Laws about `findByIdentity` and the keys it finds by, which a store may leave out: then they hold. */
export const userStoreIdentityLaws: Laws<UserStore> = {
  'law 36: a user is found by each of their identities, and by none that was given up': whereThere(
    async (store) => {
      const given = newUser({ identityKeys: ['passkey:a', 'oidc:https://id.example|1'] })
      const created = await store.create(given)
      same(created, { ...given, id: created.id, version: 1 }, 'create()')
      same(await store.findById(created.id), created, 'findById()')
      for (const key of given.identityKeys) {
        same(await store.findByIdentity(key), created, `findByIdentity(${show(key)})`)
      }
      const identityKeys = ['passkey:b', 'passkey:a']
      const changed = { ...created, identityKeys, version: 2 }
      same(await store.update(created.id, { identityKeys }, 1), changed, 'update()')
      same(await store.findByIdentity('passkey:b'), changed, 'findByIdentity() of the new one')
      same(await store.findByIdentity('passkey:a'), changed, 'findByIdentity() of the one that stayed')
      same(await store.findByIdentity('oidc:https://id.example|1'), null, 'of the one that was given up')
      const other = await store.update(created.id, { isStaff: true }, 2)
      same(await store.findByIdentity('passkey:b'), other, 'findByIdentity() after another update')
      await store.update(created.id, { identityKeys: [] }, 3)
      same(await store.findByIdentity('passkey:b'), null, 'findByIdentity() after the last was given up')
    },
  ),

  'law 36: a taken identity is a DuplicateError that says so, and changes nothing': whereThere(
    async (store) => {
      const alice = await store.create(newUser({ identityKeys: ['passkey:a'] }))
      const bob = await store.create(newUser({ identityKeys: ['passkey:b'] }))
      const refused = newUser({ identityKeys: ['passkey:c', 'passkey:a'] })
      await isTaken(() => store.create(refused))
      same(await store.findByUsername(refused.usernameKey ?? ''), null, 'the user who was refused')
      same(await store.findByIdentity('passkey:c'), null, 'the identity of the user who was refused')
      const changes = { isStaff: true, identityKeys: ['passkey:b', 'passkey:d', 'passkey:a'] }
      await isTaken(() => store.update(bob.id, changes, 1))
      same(await store.findById(bob.id), bob, 'the user')
      same(await store.findByIdentity('passkey:d'), null, 'an identity of a refused update')
      same(await store.findByIdentity('passkey:a'), alice, 'the holder')
      // A stale update is stale before its keys are looked at.
      same(await store.update(bob.id, changes, 7), null, 'a stale update()')
      same((await store.update(bob.id, { identityKeys: ['passkey:b'] }, 1))?.version, 2, 'the same again')
    },
  ),

  'law 36: of 20 users who take one identity at the same moment exactly one gets it': whereThere(
    async (store) => {
      const users = await createUsers(store, 20)
      const { values, errors } = await race(
        users.map(
          ({ id }) =>
            () =>
              store.update(id, { identityKeys: ['passkey:a'] }, 1),
        ),
      )
      for (const error of errors) {
        check(error instanceof DuplicateError, `a loser got ${show(error)} instead of DuplicateError`)
        same(error.field, 'identity', 'the field of DuplicateError')
      }
      same(values.length, 1, 'the number of winners')
      same(await store.findByIdentity('passkey:a'), values[0], 'the holder')
    },
  ),

  'law 36: the identities of a user who is deleted are free': whereThere(async (store) => {
    const identityKeys = ['passkey:a', 'passkey:b']
    const old = await store.create(newUser({ identityKeys }))
    await store.delete(old.id)
    same(await store.findByIdentity('passkey:a'), null, 'findByIdentity()')
    const next = await store.create(newUser({ identityKeys }))
    same(await store.findByIdentity('passkey:a'), next, 'the next holder')
  }),

  'law 36: identities are compared letter for letter': whereThere(async (store) => {
    const texts = [...nearlyEqualTexts, ...hostileTexts, 'x'.repeat(1000), `${'x'.repeat(999)}y`]
    for (const text of texts) {
      same(await store.findByIdentity(text), null, `findByIdentity(${show(text)}) before it exists`)
      await store.create(newUser({ username: text, identityKeys: [text] }))
    }
    for (const text of texts) {
      same((await store.findByIdentity(text))?.username, text, `the user found by ${show(text)}`)
    }
    await refusesKeys('findByIdentity', (key) => store.findByIdentity(key))
    for (const key of ['', 'a\0']) {
      const user = newUser({ identityKeys: [key] })
      await rejects(InvalidArgumentError, () => store.create(user), `create with the identity ${show(key)}`)
    }
  }),

  'law 36: createMany keeps identities, and passes over whoever brings a taken one': whereThere(
    async (store) => {
      const { createMany } = store
      if (createMany === undefined) return
      const holder = await store.create(newUser({ identityKeys: ['passkey:a'] }))
      const outcomes = await createMany.call(store, [
        newUser({ identityKeys: ['passkey:b', 'passkey:c'] }),
        newUser({ identityKeys: ['passkey:d', 'passkey:a'] }),
        newUser({ identityKeys: ['passkey:c'] }),
      ])
      const kept = await store.findByIdentity('passkey:b')
      check(kept !== null, 'the user with free identities was not kept')
      same(
        outcomes,
        [{ id: kept.id }, { taken: 'identity', holder }, { taken: 'identity', holder: kept }],
        'the outcomes',
      )
      same(await store.findByIdentity('passkey:d'), null, 'an identity of a user who was passed over')
    },
  ),
}

function whereThere(law: (store: Identifying) => Promise<void>): (store: UserStore) => Promise<void> {
  return async (store) => {
    const { findByIdentity } = store
    if (findByIdentity === undefined) return
    await law({ ...store, findByIdentity: (key) => findByIdentity.call(store, key) })
  }
}

async function isTaken(call: () => Promise<unknown>): Promise<void> {
  const error = await rejects(DuplicateError, call, 'a call with a taken identity')
  same(error.field, 'identity', 'the field of DuplicateError')
}
