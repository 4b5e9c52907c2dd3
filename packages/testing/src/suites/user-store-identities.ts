import { InvalidArgumentError, type UserStore } from 'fastify-accounts'
import { type Laws, notChecked } from './cases.js'
import { check, hostileTexts, nearlyEqualTexts, refusesKeys, rejects, same, show } from './checks.js'
import { refusesDuplicate } from './user-store-keys.js'
import { having, newUser } from './users.js'

/** Laws about `findByIdentity` and its keys, which a store may omit. */
export const userStoreIdentityLaws: Laws<UserStore> = {
  'law 36: a taken identity is a DuplicateError that says so, and changes nothing': having(
    'findByIdentity',
    async (store) => {
      const alice = await store.create(newUser({ identityKeys: ['passkey:a'] }))
      const bob = await store.create(newUser({ identityKeys: ['passkey:b'] }))
      const refused = newUser({ identityKeys: ['passkey:c', 'passkey:a'] })
      await refusesDuplicate('identity', () => store.create(refused))
      same(await store.findByUsername(refused.usernameKey ?? ''), null, 'the user who was refused')
      same(await store.findByIdentity('passkey:c'), null, 'the identity of the user who was refused')
      const changes = { isStaff: true, identityKeys: ['passkey:b', 'passkey:d', 'passkey:a'] }
      await refusesDuplicate('identity', () => store.update(bob.id, changes, 1))
      same(await store.findById(bob.id), bob, 'the user')
      same(await store.findByIdentity('passkey:d'), null, 'an identity of a refused update')
      same(await store.findByIdentity('passkey:a'), alice, 'the holder')
      // A stale update fails before its keys are checked.
      same(await store.update(bob.id, changes, 7), null, 'a stale update()')
      same((await store.update(bob.id, { identityKeys: ['passkey:b'] }, 1))?.version, 2, 'the same again')
    },
  ),

  'law 36: the identities of a deleted user are free': having('findByIdentity', async (store) => {
    const identityKeys = ['passkey:a', 'passkey:b']
    const old = await store.create(newUser({ identityKeys }))
    await store.delete(old.id)
    same(await store.findByIdentity('passkey:a'), null, 'findByIdentity()')
    const next = await store.create(newUser({ identityKeys }))
    same(await store.findByIdentity('passkey:a'), next, 'the next holder')
  }),

  'law 36: an identity that a user gives up is free': having('findByIdentity', async (store) => {
    const { id } = await store.create(newUser({ identityKeys: ['passkey:a', 'passkey:b'] }))
    await store.update(id, { identityKeys: ['passkey:b'] }, 1)
    same(await store.findByIdentity('passkey:a'), null, 'findByIdentity()')
    const next = await store.create(newUser({ identityKeys: ['passkey:a'] }))
    same(await store.findByIdentity('passkey:a'), next, 'the next holder')
  }),

  'law 36: identities are compared byte for byte': having('findByIdentity', async (store) => {
    const texts = [...nearlyEqualTexts, ...hostileTexts, 'x'.repeat(1000), `${'x'.repeat(999)}y`]
    const ids = new Map<string, string>()
    for (const text of texts) {
      same(await store.findByIdentity(text), null, `findByIdentity(${show(text)}) before it exists`)
      ids.set(text, (await store.create(newUser({ identityKeys: [text] }))).id)
    }
    for (const [text, id] of ids) {
      same((await store.findByIdentity(text))?.id, id, `the user found by ${show(text)}`)
    }
    await refusesKeys('findByIdentity', (key) => store.findByIdentity(key))
    for (const key of ['', 'a\0']) {
      const user = newUser({ identityKeys: [key] })
      await rejects(InvalidArgumentError, () => store.create(user), `create with the identity ${show(key)}`)
    }
  }),

  'law 36: createMany keeps identities, and skips users with a taken one': having(
    'findByIdentity',
    async (store) => {
      if (store.createMany === undefined) return notChecked('createMany')
      const holder = await store.create(newUser({ identityKeys: ['passkey:a'] }))
      const outcomes = await store.createMany([
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
