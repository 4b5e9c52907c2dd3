import type { SessionStore } from 'fastify-accounts'
import type { Laws } from './cases.js'
import { same } from './checks.js'
import { type OutageOptions, rejectsWhileDown } from './outage.js'
import { canChange, newSession } from './sessions.js'

/** Laws about a database that is down: it logs nobody out, and lets nobody in. */
export function sessionStoreOutageLaws({ fail }: OutageOptions): Laws<SessionStore> {
  return {
    'law 12: an outage is an error of every call, not a missing session, and changes nothing': async (
      store,
    ) => {
      const session = newSession()
      await store.create(session)
      const fresh = newSession()
      const isOver = await rejectsWhileDown(fail, {
        'create()': () => store.create(fresh),
        'find()': () => store.find(session.id),
        'touch()': () => store.touch(session.id, session),
        ...(canChange(store) && { 'change()': () => store.change(session.id, 0, { generation: 1 }) }),
        'delete()': () => store.delete(session.id),
        'listByUser()': () => store.listByUser(session.userId),
        'deleteByUser()': () => store.deleteByUser(session.userId),
        ...(store.withUsers && { 'withUsers.find()': async () => store.withUsers?.find(session.id) }),
      })
      if (!isOver) return
      same(await store.find(session.id), session, 'the session after the outage')
      same(await store.find(fresh.id), null, 'a session created during the outage')
    },
  }
}
