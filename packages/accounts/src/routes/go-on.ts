import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { User } from '../user.js'
import { markDevice } from './start-session.js'

/**
 * Goes on with the session of whoever has just changed their password or their factors. The change is made: that only
 * this session could not go on is no reason to say anything else.
 * @param change.after what was changed, for the log
 */
export async function goOn(
  { keeper, device }: { keeper: Pick<SessionKeeper, 'forget'>; device: Pick<DeviceCookie, 'write'> },
  request: FastifyRequest,
  reply: FastifyReply,
  { user, after, renew }: { user: User; after: string; renew(): Promise<unknown> },
): Promise<void> {
  try {
    await renew()
  } catch (error) {
    request.log.error({ err: error }, `the session could not go on after ${after}`)
    await keeper.forget(request, reply)
  }
  markDevice(device, request, reply, user)
}
