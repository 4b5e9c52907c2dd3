import type { UserStore } from 'fastify-accounts'
import { callOf } from './calls.js'
import type { Laws } from './cases.js'
import { check, race, same, show } from './checks.js'
import { isOutage, type OutageOptions, whileDown } from './outage.js'
import { callsOn, newUser } from './users.js'

/** Laws about an outage, which only the harness can provoke. */
export function userStoreFailureLaws({ fail }: OutageOptions): Laws<UserStore> {
  return {
    'law 26: a failure is an error without values, never null, false or an empty list': async (store) => {
      const identityKeys = store.findByIdentity ? ['passkey:secret'] : []
      const user = await store.create(newUser({ passwordHash: 'secret', identityKeys }))
      const fresh = newUser({ passwordHash: 'secret' })
      const isOver = await whileDown(fail, async () => {
        const imported = newUser({ passwordHash: 'secret' })
        const calls = callsOn(store, user, { word: 'secret', fresh, imported })
        // What a store holds in memory it may still tell.
        const reads = await race(Object.values(calls.reads))
        for (const found of reads.values) same(found, user, 'what a read returned during an outage')
        const writes = await race(Object.values(calls.writes))
        for (const value of writes.values) check(false, `a change returned ${show(value)} during an outage`)
        for (const error of [...reads.errors, ...writes.errors]) {
          isOutage(error)
          check(!/secret/.test(String(error)), `${callOf(error)}threw an error with values: ${show(error)}`)
        }
      })
      if (!isOver) return
      same(await store.findById(user.id), user, 'the user after the outage')
      same(await store.findByUsername(`${fresh.usernameKey}`), null, 'a user created during the outage')
    },
  }
}
