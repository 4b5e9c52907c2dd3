import type { UserStore } from '../seams/user-store.js'
import type { Credential } from '../user.js'
import { noErrors } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { race, rounds, same } from './checks.js'
import { newUser } from './users.js'

/** Like real ones, but harder to store. */
const credentials: readonly Credential[] = [
  { kind: 'totp', name: 'Ålice’s 😀', sealed: 'k1.YWJj', step: 58_000_000, used: null },
  { kind: 'recovery-code', hash: '"\\\n' },
  { kind: 'recovery-code', hash: '' },
  { kind: 'passkey', transports: ['usb', 'nfc'], nested: { $set: [1, null, {}] }, synced: false },
]

/** Laws about credentials and factors. A store that dropped them would turn a second factor off. */
export const userStoreCredentialLaws: Laws<UserStore> = {
  'law 34: credentials and factors come back unchanged, in order, from each lookup': async (store) => {
    const given = newUser({ credentials, factors: ['totp', 'passkey'] })
    const created = await store.create(given)
    const expected = { ...given, id: created.id, version: 1 }
    same(created, expected, 'create()')
    same(await store.findById(created.id), expected, 'findById()')
    same(await store.findByUsername(given.usernameKey ?? ''), expected, 'findByUsername()')
    same(await store.findByEmail(`${given.emailKey}`), expected, 'findByEmail()')

    const later = await store.create(newUser())
    const written = { ...later, credentials, factors: ['totp'], version: 2 }
    same(await store.update(later.id, { credentials, factors: ['totp'] }, 1), written, 'update()')
    same(await store.findById(later.id), written, 'findById() after update()')
  },

  'law 34: credentials are replaced as a whole, stay if not given, and can be cleared': async (store) => {
    const { id } = await store.create(newUser({ credentials, factors: ['totp'] }))
    const kept = await store.update(id, { isStaff: true, credentials: undefined, factors: undefined }, 1)
    same([kept?.credentials, kept?.factors], [credentials, ['totp']], 'what an update did not name')
    const reversed = credentials.toReversed()
    same((await store.update(id, { credentials: reversed }, 2))?.credentials, reversed, 'the new ones')
    await store.update(id, { credentials: [], factors: [] }, 3)
    const cleared = await store.findById(id)
    same([cleared?.credentials, cleared?.factors], [[], []], 'what was cleared')
  },

  'law 34: changing an argument or a result doesn’t change the stored credentials': async (store) => {
    const handed = structuredClone(credentials) as Credential[]
    const { id } = await store.create(newUser({ credentials: handed }))
    const spoil = (list: readonly Credential[] | undefined) => {
      for (const each of list ?? []) each.kind = 'spoiled'
    }
    spoil(handed)
    spoil((await store.findById(id))?.credentials)
    same((await store.findById(id))?.credentials, credentials, 'the credentials')
  },

  'law 35: exactly one of 20 simultaneous uses of a recovery code succeeds': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(20, 5, async (callers) => {
      const user = await store.create(newUser({ credentials, factors: ['totp'] }))
      const left = credentials.slice(0, -1)
      const { values, errors } = await race(
        callers.map((n) => () => turn(n).update(user.id, { credentials: left }, user.version)),
      )
      noErrors(errors)
      same(values.filter((changed) => changed !== null).length, 1, 'how many spent it')
      same((await store.findById(user.id))?.credentials, left, 'what is left')
    })
  },
}
