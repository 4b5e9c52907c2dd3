import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import type { MountCore } from '../../http/feature-core.js'
import { depsFor } from '../../http/operation.js'
import { findUserById } from '../../identifiers/user-id.js'
import { finishLogin } from '../../logins/finish-login.js'
import type { Client } from '../../sessions/client.js'
import type { User } from '../../user.js'
import type { HostLogin } from '../accounts.js'

/** Logs in a user whom the host vouches for. */
export async function logInByHost(
  core: MountCore,
  client: Client,
  userId: string,
  { methods = ['host'], remember = false }: HostLogin = {},
): Promise<User> {
  client.checkReach()
  if (methods.length === 0 || !methods.every((method) => /^[!-~]+$/.test(method))) {
    throw invalidInput(fieldError('methods', 'invalid'))
  }
  const user = await findUserById(core.users, userId)
  if (user === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return finishLogin(depsFor(core, client), client, { user, methods }, remember)
}
