import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import { about } from '../errors.js'
import { finishLogin, type Proof } from '../logins/finish-login.js'
import { clientOf } from '../sessions/client.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { User } from '../user.js'
import { noteUser } from './audit.js'

/**
 * Turns a proof into a session. Every route that logs somebody in ends here, and so does what the host logs in itself.
 * @param remember whether the cookie outlives the browser
 */
export async function startSession(
  deps: Pick<Deps, 'users' | 'throttle' | 'options' | 'postOffice'> & {
    keeper: Pick<SessionKeeper, 'start'>
    device: DeviceCookie
  },
  request: FastifyRequest,
  reply: FastifyReply,
  proof: Proof,
  remember: boolean,
): Promise<User> {
  noteUser(request, proof.user)
  const { keeper, device, options } = deps
  const login = await about(proof.user, () =>
    finishLogin(deps, proof, {
      device: device.read(request, proof.user),
      client: clientOf(request, options.session),
    }),
  )
  await keeper.start(request, reply, login, remember)
  // Where the host alone vouches, the owner was not there to make this device known.
  if (login.confirmedAt !== null) markDevice(device, request, reply, login.user)
  return login.user
}

/** Marks the device of whoever has just proved who they are; a change of password has made the old mark void. */
export function markDevice(
  device: Pick<DeviceCookie, 'write'>,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
): void {
  try {
    device.write(request, reply, user)
  } catch (error) {
    // There is a session. Whoever is not marked is a stranger next time.
    request.log.warn({ err: error }, 'accounts: a device could not be marked')
  }
}
