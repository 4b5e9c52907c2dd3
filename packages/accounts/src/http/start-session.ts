import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import { AccountsError, attributed } from '../errors.js'
import { finishLogin, type Proof } from '../logins/finish-login.js'
import type { PendingLogin, PendingLogins } from '../logins/pending-login.js'
import type { RememberedDevices } from '../logins/remembered-devices.js'
import { clientOf } from '../sessions/client.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import { isOwnProof } from '../sessions/login.js'
import type { NamedCookie } from '../sessions/named-cookie.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { SignUpCookie } from '../sessions/sign-up-cookie.js'
import type { StoredUser, User } from '../user.js'
import { noteUser } from './audit.js'

/**
 * Turns a proof into a session. Every route that logs somebody in ends here, and so do logins by the host's
 * own code. If the account owes a second factor there is no session yet: the login waits in its own cookie.
 * @param remember whether the cookie outlives the browser
 * @throws AccountsError ACCOUNTS_SECOND_FACTOR_REQUIRED, and what `finishLogin` throws
 */
export async function startSession(
  deps: Pick<Deps, 'users' | 'throttle' | 'options' | 'postOffice'> & {
    keeper: Pick<SessionKeeper, 'maker' | 'start'>
    device: DeviceCookie
    signUp: Pick<SignUpCookie, 'write'>
    pending: Pending
  },
  request: FastifyRequest,
  reply: FastifyReply,
  proof: Proof,
  remember: boolean,
): Promise<User> {
  noteUser(request, proof.user)
  const { keeper, device, signUp, pending, options } = deps
  const { maker } = keeper
  const login = await attributed(proof.user, () =>
    finishLogin(deps, proof, {
      device: device.read(request, proof.user),
      isRemembered: (record) => pending.devices.knows(pending.deviceCookie.read(request), record),
      client: clientOf(request, options.session),
      makeSession: maker && ((proven) => maker.make(request, proven, remember)),
      dropSession: maker?.drop,
    }),
  ).catch((error: unknown) => {
    // They have just shown what was set at sign-up, so a verification link opened here is opened by its maker.
    const isRefused = error instanceof AccountsError && error.code === 'ACCOUNTS_NOT_VERIFIED'
    if (isRefused && isOwnProof(proof.methods)) signUp.write(reply, proof.user)
    throw error
  })
  if ('owes' in login) {
    const { user, methods, owes } = login
    const waiting = pending.logins.issue(user, { methods, remember, adds: proof.adds ?? null })
    pending.cookie.write(reply, waiting.text, Math.ceil((waiting.expiresAt.getTime() - Date.now()) / 1000))
    throw new AccountsError('ACCOUNTS_SECOND_FACTOR_REQUIRED', { factors: owes, userId: user.id })
  }
  pending.cookie.clear(request, reply)
  await keeper.start(request, reply, login, remember)
  // If only the host vouches, the owner wasn't there to make this device known.
  if (login.confirmedAt !== null) markDevice(device, request, reply, login.user)
  return login.user
}

/** Logins that owe a second factor: their sealed form, and the cookie that carries them. */
export interface Pending {
  logins: PendingLogins
  cookie: NamedCookie
  /** Devices on which none is owed. */
  devices: RememberedDevices
  deviceCookie: NamedCookie
}

/** The login in the browser's cookie; `null` if none is pending, or it can no longer be completed. */
export async function waitingLogin(
  { users, pending }: Pick<Deps, 'users'> & { pending: Pending },
  request: FastifyRequest,
): Promise<
  | { waiting: PendingLogin; user: StoredUser; text: string }
  | { waiting: null; user: StoredUser | null; text: string }
> {
  const text = pending.cookie.read(request) ?? ''
  const waiting = pending.logins.open(text)
  const user = waiting && (await users.findById(waiting.userId))
  const isAlive = waiting !== null && user !== null && waiting.stillValid(user)
  return isAlive ? { waiting, user, text } : { waiting: null, user, text }
}

/** Marks the device of a user who has just proved who they are; a password change has invalidated the old mark. */
export function markDevice(
  device: Pick<DeviceCookie, 'write'>,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  use?: 'password',
): void {
  try {
    device.write(request, reply, user, use)
  } catch (error) {
    // The session exists. An unmarked device only counts as a stranger next time.
    request.log.warn({ err: error }, 'accounts: a known device could not be recorded')
  }
}
