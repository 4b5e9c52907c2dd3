import { InvalidArgumentError, type NewUser, type UserStore } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { check, race, range, rounds, same, scramble, show, troublesomeTexts, worldlyTexts } from './checks.js'
import { closesWell } from './closing.js'
import { callsOn, canList, newUser, onlyThere } from './users.js'

/** Laws about one record: it comes back as stored, with nothing added. */
export const userStoreRecordLaws: Laws<UserStore> = {
  'law 1: changing an argument later doesn’t change the store': async (store) => {
    const newcomer = newUser(sharable())
    const expected = structuredClone(newcomer)
    const { id } = await store.create(newcomer)
    spoil(newcomer)
    same(await store.findById(id), { ...expected, id, version: 1 }, 'the created user')

    const changes = {
      roles: ['b'],
      lastLoginAt: new Date(2),
      fields: { tags: ['b'] },
      factors: ['passkey'],
      credentials: [{ kind: 'passkey' }],
      notes: { list: ['b'] },
    }
    const changed = structuredClone(changes)
    await store.update(id, changes, 1)
    spoil(changes)
    same(await store.findById(id), { ...expected, ...changed, id, version: 2 }, 'the updated user')
  },

  'law 1: changing a result doesn’t change the store': async (store) => {
    const newcomer = newUser(sharable())
    const created = await store.create(newcomer)
    const expected = structuredClone(created)
    spoil(created)
    same(await store.findById(expected.id), expected, 'after changing what create() returned')
    spoil(await store.findById(expected.id))
    same(await store.findById(expected.id), expected, 'after changing what findById() returned')
    spoil(await store.findByUsername(newcomer.usernameKey ?? ''))
    same(await store.findById(expected.id), expected, 'after changing what findByUsername() returned')
    spoil(await store.findByEmail(`${newcomer.emailKey}`))
    same(await store.findById(expected.id), expected, 'after changing what findByEmail() returned')
    if (canList(store)) spoil((await store.list({ limit: 1 }))[0])
    same(await store.findById(expected.id), expected, 'after changing what list() returned')
    spoil(await store.update(expected.id, { isStaff: true }, 1))
    same(await store.findById(expected.id), { ...expected, isStaff: true, version: 2 }, 'after update()')
  },

  'law 2: an id is never reused after a deletion': async (store) => {
    const ids: string[] = []
    for (const _ of range(10)) {
      const { id } = await store.create(newUser())
      ids.push(id)
      await store.delete(id)
    }
    same(new Set(ids).size, ids.length, 'the number of different ids')
  },

  'law 2: only the canonical form of an id finds, changes or deletes': async (store) => {
    const { id } = await store.create(newUser())
    const aliases = [id.toUpperCase(), id.toLowerCase(), ` ${id}`, `${id} `, `{${id}}`, `0${id}`, `${id}.0`]
    const others = [...aliases, id.replaceAll('-', ''), `${id}x`].filter((alias) => alias !== id)
    for (const alias of others) {
      same(await store.findById(alias), null, `findById(${show(alias)})`)
      same(await store.update(alias, { isStaff: true }, 1), null, `update(${show(alias)})`)
      same(await store.delete(alias), false, `delete(${show(alias)})`)
    }
    same((await store.findById(id))?.version, 1, 'the version')
  },

  'law 8: a missing user is null or false, not an error': async (store) => {
    for (const id of ['nobody', '0', '1', 'x'.repeat(10_000), '00000000-0000-0000-0000-000000000000']) {
      same(await store.findById(id), null, `findById(${show(id)})`)
      same(await store.update(id, { isStaff: true }, 1), null, `update(${show(id)})`)
      same(await store.delete(id), false, `delete(${show(id)})`)
    }
    same(await store.findByUsername('nobody'), null, 'findByUsername()')
    same(await store.findByEmail('nobody@example.org'), null, 'findByEmail()')
  },

  'law 10: emoji, right-to-left and rare scripts come back unchanged': async (store) => {
    for (const text of worldlyTexts) {
      const newcomer = newUser({
        username: text,
        usernameKey: text,
        email: `${text}@example.org`,
        emailKey: `${text}@example.org`,
        fields: { text, [text]: text },
        notes: { text, [text]: text },
      })
      const { id } = await store.create(newcomer)
      same(await store.findByUsername(text), { ...newcomer, id, version: 1 }, `the user ${show(text)}`)
    }
  },

  'law 10: NUL and unpaired surrogates are kept unchanged or rejected': async (store) => {
    for (const text of troublesomeTexts) {
      await keptOrRefused(store, newUser({ username: text }))
      await keptOrRefused(store, newUser({ email: text }))
      await keptOrRefused(store, newUser({ fields: { text } }))
      await keptOrRefused(store, newUser({ notes: { text } }))
    }
  },

  'law 11: keys that only differ at their very end are two keys': async (store) => {
    const usernameKey = scramble(255)
    const { id } = await store.create(newUser({ usernameKey }))
    await store.create(newUser({ usernameKey: `${usernameKey.slice(0, -1)}_` }))
    same((await store.findByUsername(usernameKey))?.id, id, 'the id found by the long key')
  },

  'law 11: longer values are kept whole or rejected, never truncated': async (store) => {
    await keptOrRefused(store, newUser({ username: scramble(10_000) }))
    await keptOrRefused(store, newUser({ usernameKey: scramble(10_000) }))
    await keptOrRefused(store, newUser({ email: scramble(10_000), emailKey: scramble(10_000) }))
    await keptOrRefused(store, newUser({ passwordHash: scramble(100_000) }))
  },

  'law 12: times keep their milliseconds, in winter and summer, before 1970 and after 2038': async (
    store,
  ) => {
    const times = [
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00.001Z',
      '2024-02-29T12:00:00.010Z',
      '2026-03-29T01:30:00.100Z',
      '2026-10-25T01:30:00.999Z',
      '2038-01-19T03:14:08.123Z',
      '2099-12-31T23:59:59.999Z',
    ]
    for (const time of times) {
      const at = new Date(time)
      const user = await store.create(newUser({ createdAt: at, lastLoginAt: at, emailChangedAt: at }))
      const found = await store.findById(user.id)
      same(found?.createdAt, new Date(time), `createdAt ${time}`)
      same(found?.lastLoginAt, new Date(time), `lastLoginAt ${time}`)
      same(found?.emailChangedAt, new Date(time), `emailChangedAt ${time}`)
    }
  },

  'law 18: delete says whether it deleted a user': async (store) => {
    const { id, usernameKey, emailKey } = await store.create(newUser())
    const other = await store.create(newUser())
    same(await store.delete(id), true, 'the first delete()')
    same(await store.delete(id), false, 'the second delete()')
    same(await store.findById(id), null, 'findById()')
    same(await store.findByUsername(usernameKey ?? ''), null, 'findByUsername()')
    same(await store.findByEmail(`${emailKey}`), null, 'findByEmail()')
    await onlyThere(store, [other], 'list()')
  },

  'law 18: delete with a version deletes only the user of that version': async (store) => {
    const { id, version } = await store.create(newUser())
    const changed = await store.update(id, { isStaff: true }, version)
    same(await store.delete(id, [], undefined, version), false, 'delete() at the version before')
    same((await store.findById(id))?.version, changed?.version, 'the version afterwards')
    same(await store.delete(id, [], undefined, changed?.version), true, 'delete() at the newest version')
    same(await store.findById(id), null, 'findById()')
  },

  'law 18: of a change and a deletion at one version, exactly one is made': async (store, second) => {
    const turn = inTurns(store, second)
    for (const round of range(20)) {
      const { id, version } = await store.create(newUser())
      const both = [
        async () => (await turn(round).update(id, { isStaff: true }, version)) !== null,
        async () => turn(round + 1).delete(id, [], undefined, version),
      ]
      const values = await raced(round % 2 === 0 ? both : both.toReversed())
      same(values.filter((isMade) => isMade).length, 1, 'the number of calls that say it is made')
    }
  },

  'law 18: exactly one of 20 simultaneous deletions of a user returns true': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(20, 5, async (callers) => {
      const { id } = await store.create(newUser())
      const values = await raced(callers.map((n) => () => turn(n).delete(id)))
      same(values.filter((went) => went).length, 1, 'the number of deletions that say true')
    })
  },

  'law 20: a read sees every acknowledged write': async (store, second) => {
    const turn = inTurns(store, second)
    for (const round of range(20)) {
      const [writer, reader] = [turn(round), turn(round + 1)]
      const user = await writer.create(newUser())
      const found = await reader.findByUsername(user.usernameKey ?? '')
      same(found, user, 'findByUsername() after create()')
      await writer.update(user.id, { passwordHash: `new-${round}` }, 1)
      const passwordHash = `new-${round}`
      same((await reader.findById(user.id))?.passwordHash, passwordHash, 'findById() after update()')
      same(
        (await reader.findByEmail(`${user.emailKey}`))?.passwordHash,
        passwordHash,
        'findByEmail() after update()',
      )
      await writer.delete(user.id)
      same(await reader.findById(user.id), null, 'findById() after delete()')
      same(await reader.findByEmail(`${user.emailKey}`), null, 'findByEmail() after delete()')
    }
  },

  'law 29: close waits for calls in progress, may be called twice, and later calls reject': async (store) => {
    const { writes, reads } = callsOn(store, await store.create(newUser()))
    await closesWell(store, () => store.create(newUser()), { ...writes, ...reads })
  },
}

async function keptOrRefused(store: UserStore, newcomer: NewUser): Promise<void> {
  const { values, errors } = await race([() => store.create(newcomer)])
  for (const { id } of values) {
    same(await store.findById(id), { ...newcomer, id, version: 1 }, `the user created from ${show(newcomer)}`)
  }
  for (const error of errors) {
    check(
      error instanceof InvalidArgumentError,
      `create() threw ${show(error)} instead of InvalidArgumentError`,
    )
  }
}

/** What a store could share by reference. */
function sharable(): Partial<NewUser> {
  return {
    roles: ['a'],
    lastLoginAt: new Date(1),
    fields: { tags: ['a'] },
    factors: ['totp'],
    credentials: [{ kind: 'totp' }],
    notes: { list: ['a'] },
  }
}

/** Changes everything shared by reference. */
function spoil(record: Partial<NewUser> | null | undefined): void {
  record?.lastLoginAt?.setTime(0)
  for (const each of record?.credentials ?? []) each.kind = 'spoiled'
  for (const list of [record?.fields?.tags, record?.notes?.list, record?.roles, record?.factors])
    if (Array.isArray(list)) list.push('spoiled')
  if (record) Object.assign(record, { passwordHash: 'spoiled' })
}
