import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.js'
import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import { languageOf } from '../../http/request-language.js'
import { type Pending, startSession } from '../../http/start-session.js'
import { findUserById } from '../../identifiers/user-id.js'
import type { ResolvedOptions } from '../../options/resolve.js'
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
  { languages }: Pick<ResolvedOptions, 'languages'>,
): LogInByHost {
  return async (request, reply, userId, { methods = ['host'], remember = false } = {}) => {
    if (methods.length === 0 || !methods.every((method) => /^[!-~]+$/.test(method))) {
      throw invalidInput(fieldError('methods', 'invalid'))
    }
    const user = await findUserById(deps.users, userId)
    if (user === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    const postOffice = deps.postOffice.inRequestLanguage(languageOf(request, languages))
    return startSession({ ...deps, postOffice }, request, reply, { user, methods }, remember)
  }
}
