import type { SessionStore } from 'fastify-accounts'
import type { Laws } from './cases.js'
import { same } from './checks.js'
import { type OutageOptions, rejectsWhileDown } from './outage.js'
import { callsOn, newSession } from './sessions.js'

/** Laws about a database that is down: it logs nobody out, and lets nobody in. */
export function sessionStoreOutageLaws({ fail }: OutageOptions): Laws<SessionStore> {
  return {
    'law 12: an outage is an error of every call, not a missing session, and changes nothing': async (
      store,
    ) => {
      const session = newSession()
      await store.create(session)
      const fresh = newSession()
      const { writes, reads } = callsOn(store, session, fresh)
      const isOver = await rejectsWhileDown(fail, {
        ...reads,
        ...writes,
        ...(store.withUsers && { 'withUsers.find()': async () => store.withUsers?.find(session.id) }),
      })
      if (!isOver) return
      same(await store.find(session.id), session, 'the session after the outage')
      same(await store.find(fresh.id), null, 'a session created during the outage')
    },
  }
}
