import type { Deps } from '../../deps.js'
import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import { depsFor } from '../../http/route.js'
import { findUserById } from '../../identifiers/user-id.js'
import { finishLogin } from '../../logins/finish-login.js'
import type { Pending } from '../../logins/waiting-login.js'
import type { Client } from '../../sessions/client.js'
import type { DeviceCookie } from '../../sessions/device-cookie.js'
import type { SessionKeeper } from '../../sessions/session-keeper.js'
import type { SignUpCookie } from '../../sessions/sign-up-cookie.js'
import type { User } from '../../user.js'
import type { HostLogin } from '../accounts.js'

export type HostLoginDeps = Deps & {
  keeper: SessionKeeper
  device: DeviceCookie
  signUp: SignUpCookie
  pending: Pending
}

/** Logs in a user whom the host vouches for. */
export async function logInByHost(
  deps: HostLoginDeps,
  client: Client,
  userId: string,
  { methods = ['host'], remember = false }: HostLogin = {},
): Promise<User> {
  if (methods.length === 0 || !methods.every((method) => /^[!-~]+$/.test(method))) {
    throw invalidInput(fieldError('methods', 'invalid'))
  }
  const user = await findUserById(deps.users, userId)
  if (user === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return finishLogin(depsFor(deps, client), client, { user, methods }, remember)
}
