import type { FastifyReply, FastifyRequest } from 'fastify'
import { logTrouble } from '../adapters/log-trouble.js'
import type { Deps } from '../deps.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import { type User, withChanges } from '../user.js'
import { currentLogin, loggedInUser } from './access.js'
import { markDevice } from './start-session.js'

/**
 * Lets users change their own password or factors and stay logged in: the session continues under a new id if the change
 * ends all sessions, or proves once more who they are. Where one database has users and sessions, all of it is one write.
 * Elsewhere the session continues once the change is made; if it can't, the change still succeeds.
 * @param given.methods how the owner proves who they are by the change
 * @param given.after what was changed, for the log
 * @param change is handed the deps to make the change with
 */
export async function keepLoggedIn<
  D extends {
    users: Deps['users']
    keeper: Pick<SessionKeeper, 'maker' | 'renew' | 'confirm' | 'forget'>
    device: Pick<DeviceCookie, 'write'>
  },
  Result,
>(
  deps: D,
  request: FastifyRequest,
  reply: FastifyReply,
  { methods, after }: { methods: readonly string[]; after: string },
  change: (deps: D) => Promise<Result>,
): Promise<Result> {
  const { users, keeper, device } = deps
  const { updateWithSessions } = users
  const { maker } = keeper
  const login = currentLogin(request)
  /** What was changed, how the session continues then, and if something fails after the change. */
  const made: { change?: { user: User; goOn(): unknown; goOnDespite(): void } } = {}

  const update: typeof users.update = async (id, changes, expectedVersion, mails = []) => {
    const endsAll = changes.sessionEpoch !== undefined
    if (!endsAll && methods.length === 0) return users.update(id, changes, expectedVersion, mails)
    if (updateWithSessions === undefined || maker === undefined) {
      const user = await users.updateOnly(id, changes, expectedVersion, mails)
      const renew = endsAll ? keeper.renew : keeper.confirm
      if (user !== null)
        made.change = { user, goOn: () => renew(request, reply, { login, user, methods }), goOnDespite() {} }
      return user
    }
    // The change is refused if the epoch has changed, so the values that matter to the session are current.
    const user = withChanges(loggedInUser(request), changes)
    const next = await maker.makeNext(request, { login, user, methods })
    const written = await updateWithSessions(id, changes, expectedVersion, mails, {
      create: next?.session,
      replaces: next?.replaces,
      deleteOthers: endsAll,
    })
    if (written === null) return null
    const kept = written.isCreated ? next : null
    // The old session is already gone, whatever the response is.
    const goOn = (): void => maker.open(reply, kept)
    made.change = { user: written.user, goOn, goOnDespite: goOn }
    return written.user
  }

  const result = await change({ ...deps, users: { ...users, update } }).catch((error: unknown) => {
    made.change?.goOnDespite()
    throw error
  })
  if (made.change !== undefined) {
    try {
      await made.change.goOn()
    } catch (error) {
      logTrouble(request.log, error, `accounts: the session could not go on after ${after}`)
      await keeper.forget(request, reply)
    }
    markDevice(device, request, reply, made.change.user)
  }
  return result
}
