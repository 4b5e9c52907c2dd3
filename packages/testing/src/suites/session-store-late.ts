import type { SessionStore } from 'fastify-accounts'
import type { Laws } from './cases.js'
import { pause, range, same } from './checks.js'
import { afterwards, inTime, lateness, refusesLate } from './late.js'
import { updatesOf } from './session-store-with-users.js'
import { callsOn, newSession } from './sessions.js'
import { newUser } from './users.js'

/** Laws about `callDeadline()`: the response is 503 by then, so nothing may happen anymore. */
export const sessionStoreLateLaws: Laws<SessionStore> = {
  'law 27: a call after its deadline changes nothing, and says so': async (store) => {
    const session = newSession()
    await store.create(session)
    const fresh = newSession()
    await refusesLate(callsOn(store, session, fresh).writes)
    same(await store.find(fresh.id), null, 'find() of a session created after the deadline')
    same(await store.find(session.id), session, 'the session after calls that were too late')
  },

  'law 27: a call whose deadline passes while it runs has an effect if and only if it says so': async (
    store,
    second,
  ) => {
    const kept: [id: string, isThere: boolean][] = []
    for (const late of lateness) {
      const [fresh, old] = [range(5), range(5)].map((each) => each.map(() => newSession()))
      for (const session of old ?? []) await store.create(session)
      await Promise.all([
        ...(fresh ?? []).map(async (session) => {
          const said = await inTime(late, async () => ({ count: await store.create(session) }))
          kept.push([session.id, said !== undefined])
        }),
        ...(old ?? []).map(async ({ id }) => {
          kept.push([id, (await inTime(late, () => second.delete(id))) !== true])
        }),
      ])
    }
    await pause(afterwards)
    for (const [id, isThere] of kept)
      same((await store.find(id)) !== null, isThere, 'whether there is a session, as the late call said')
  },

  'law 27: nor does a change of a user with their sessions': async (store) => {
    const { users, update } = updatesOf(store.withUsers)
    let user = await users.create(newUser())
    const begun: string[] = []
    const change = (sessionEpoch: number) => {
      const create = newSession({ userId: user.id })
      return { create, call: () => update(user, { sessionEpoch }, { create }, []) }
    }
    await refusesLate({ 'withUsers.update()': change(1).call })
    for (const late of lateness) {
      const { create, call } = change(user.sessionEpoch + 1)
      const written = await inTime(late, call)
      if (written) {
        user = written.user
        begun.push(create.id)
      }
      await pause(5)
      same(await users.findById(user.id), user, 'the user, as the late call said')
    }
    await pause(afterwards)
    same(await users.findById(user.id), user, 'the user, as the late calls said')
    const listed = await store.listByUser(user.id)
    same(listed.map(({ id }) => id).toSorted(), begun.toSorted(), 'the sessions, as the late calls said')
  },
}
