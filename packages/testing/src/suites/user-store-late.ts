import type { UserStore } from 'fastify-accounts'
import type { Laws } from './cases.js'
import { pause, same } from './checks.js'
import { afterwards, inTime, lateness, refusesLate } from './late.js'
import { callsOn, createUsers, newUser } from './users.js'

/** Laws about `callDeadline()`: the response is 503 by then, so nothing may happen anymore. */
export const userStoreLateLaws: Laws<UserStore> = {
  'law 27: a call after its deadline changes nothing, and says so': async (store) => {
    const user = await store.create(newUser())
    const fresh = newUser()
    const imported = newUser()
    await refusesLate(callsOn(store, user, { fresh, imported }).writes)
    same(await store.findById(user.id), user, 'the user after calls that were too late')
    for (const key of [fresh.usernameKey, imported.usernameKey, 'late'])
      same(await store.findByUsername(key ?? ''), null, 'a user created after the deadline')
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
