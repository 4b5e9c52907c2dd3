import type { UserStore } from 'fastify-accounts'
import type { Laws } from './cases.js'
import { pause, same } from './checks.js'
import { afterwards, inTime, lateness, refusesLate } from './late.js'
import { createUsers, newUser } from './users.js'

/** Laws about `callDeadline()`: the response is 503 by then, so nothing may happen anymore. */
export const userStoreLateLaws: Laws<UserStore> = {
  'law 27: a call after its deadline changes nothing, and says so': async (store) => {
    const user = await store.create(newUser())
    const fresh = newUser()
    const imported = newUser()
    const keys = { usernameKey: 'late', emailKey: 'late@example.org' }
    await refusesLate('create()', () => store.create(fresh))
    await refusesLate('update()', () => store.update(user.id, { passwordHash: 'late' }, 1))
    await refusesLate('update() of keys', () => store.update(user.id, keys, 1))
    if (store.findByIdentity)
      await refusesLate('update() of identities', () => store.update(user.id, { identityKeys: ['late'] }, 1))
    await refusesLate('delete()', () => store.delete(user.id))
    if (store.createMany) {
      const { createMany } = store
      await refusesLate('createMany()', () => createMany.call(store, [imported]))
    }
    await pause(afterwards)
    same(await store.findById(user.id), user, 'the user after calls that were too late')
    for (const { usernameKey } of [fresh, imported, keys])
      same(await store.findByUsername(usernameKey ?? ''), null, 'a user created after the deadline')
    same((await store.findByIdentity?.('late')) ?? null, null, 'the holder of an identity')
  },

  'law 27: a call whose deadline passes while it runs has an effect if and only if it says so': async (
    store,
    second,
  ) => {
    const left: [key: string, hash: string | null][] = []
    for (const late of lateness) {
      const [changing, leaving] = [await createUsers(store, 2), await createUsers(store, 2)]
      const [fresh, imported] = [newUser(), newUser()]
      const identityKeys = store.findByIdentity ? [`${late}`] : []
      await Promise.all([
        inTime(late, () => store.create({ ...fresh, identityKeys })).then((user) => {
          left.push([`${fresh.usernameKey}`, user ? fresh.passwordHash : null])
        }),
        store.createMany &&
          inTime(late, async () => store.createMany?.([imported])).then((outcomes) => {
            left.push([`${imported.usernameKey}`, outcomes ? imported.passwordHash : null])
          }),
        ...changing.map(async ({ id, usernameKey, passwordHash }) => {
          const user = await inTime(late, () => second.update(id, { passwordHash: 'late' }, 1))
          left.push([`${usernameKey}`, user ? 'late' : passwordHash])
        }),
        ...leaving.map(async ({ id, usernameKey, passwordHash }) => {
          const isGone = await inTime(late, () => second.delete(id))
          left.push([`${usernameKey}`, isGone ? null : passwordHash])
        }),
      ])
    }
    await pause(afterwards)
    for (const [key, hash] of left)
      same((await store.findByUsername(key))?.passwordHash ?? null, hash, 'the hash, as the late call said')
  },
}
