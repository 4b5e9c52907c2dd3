import type { UserStore } from 'fastify-accounts'
import { callOf } from './calls.js'
import type { Laws } from './cases.js'
import { check, race, same, show } from './checks.js'
import { isOutage, type OutageOptions, whileDown } from './outage.js'
import { newUser } from './users.js'

/** Laws about an outage, which only the harness can provoke. */
export function userStoreFailureLaws({ fail }: OutageOptions): Laws<UserStore> {
  return {
    'law 26: a failure is an error without values, never null, false or an empty list': async (store) => {
      const identityKeys = store.findByIdentity ? ['passkey:secret'] : []
      const user = await store.create(newUser({ passwordHash: 'secret', identityKeys }))
      const { id, usernameKey, emailKey } = user
      const fresh = newUser({ passwordHash: 'secret' })
      const isOver = await whileDown(fail, async () => {
        // What a store holds in memory it may still tell.
        const reads = await race<unknown>([
          () => store.findById(id),
          () => store.findByUsername(`${usernameKey}`),
          () => store.findByEmail(`${emailKey}`),
          async () => (store.findByIdentity ? store.findByIdentity('passkey:secret') : user),
          async () => (store.list ? (await store.list({ limit: 10 }))[0] : user),
        ])
        for (const found of reads.values) same(found, user, 'what a read returned during an outage')
        const { createMany } = store
        const writes = await race<unknown>([
          () => store.create(fresh),
          () => store.update(id, { passwordHash: 'secret 2' }, 1),
          () => store.update(id, { identityKeys: [] }, 1),
          () => store.delete(id),
          ...(createMany ? [() => createMany.call(store, [newUser({ passwordHash: 'secret' })])] : []),
        ])
        for (const value of writes.values) check(false, `a change returned ${show(value)} during an outage`)
        for (const error of [...reads.errors, ...writes.errors]) {
          isOutage(error)
          check(!/secret/.test(String(error)), `${callOf(error)}threw an error with values: ${show(error)}`)
        }
      })
      if (!isOver) return
      same(await store.findById(id), user, 'the user after the outage')
      same(await store.findByUsername(`${fresh.usernameKey}`), null, 'a user created during the outage')
    },
  }
}
