import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.js'
import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import type { ClientOf } from '../../http/client.js'
import { depsFor } from '../../http/route.js'
import { findUserById } from '../../identifiers/user-id.js'
import type { Pending } from '../../logins/awaiting-factor.js'
import { finishLogin } from '../../logins/finish-login.js'
import type { DeviceCookie } from '../../sessions/device-cookie.js'
import type { SessionKeeper } from '../../sessions/session-keeper.js'
import type { SignUpCookie } from '../../sessions/sign-up-cookie.js'
import type { User } from '../../user.js'
import type { HostLogin } from '../accounts.js'

/** Logs in a user whom the host vouches for. */
export type LogInByHost = (
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
  given?: HostLogin,
) => Promise<User>

export function createHostLogin(
  deps: Deps & { keeper: SessionKeeper; device: DeviceCookie; signUp: SignUpCookie; pending: Pending },
  clientOf: ClientOf,
): LogInByHost {
  return async (request, reply, userId, { methods = ['host'], remember = false } = {}) => {
    if (methods.length === 0 || !methods.every((method) => /^[!-~]+$/.test(method))) {
      throw invalidInput(fieldError('methods', 'invalid'))
    }
    const user = await findUserById(deps.users, userId)
    if (user === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    const client = clientOf(request, reply)
    return finishLogin(depsFor(deps, client), client, { user, methods }, remember)
  }
}
