import { AccountsError, fieldError } from '../../../errors.js'
import type { LinkParams } from '../../../http/input/schemas.js'
import type { Input } from '../../../http/operation.js'
import type { Factor } from '../../../logins/factor.js'
import { isMakersBrowser, isOfAnotherSignUp } from '../../../logins/own-browser.js'
import { holdsPassword, type StoredUser, withChanges } from '../../../user.js'
import { enteredLast } from '../../../users/ownership/newest-sign-up.js'
import type { FeatureCore } from '../../feature.js'
import { needsPassword } from '../needs-password.js'
import { verifyAsMaker } from '../verify-as-maker.js'
import { verifyUser } from '../verify-user.js'

/** The link, and who uses it. */
export interface LinkUser extends Pick<Input<object, 'anyone-known'>, 'who' | 'client'> {
  params: LinkParams
}

/** Whether the link of an account is used where it was made, and what it will be then. */
export async function whoseLink(
  deps: FeatureCore,
  { who, client }: Pick<LinkUser, 'who' | 'client'>,
  user: StoredUser,
): Promise<{ later: StoredUser; isTheirs: boolean }> {
  const isTheirs = isMakersBrowser(deps, client, who)(user)
  return { later: isTheirs ? withChanges(user, await enteredLast(deps, client, user)) : user, isTheirs }
}

/**
 * In the browser in which the account was made. Clients that don't ask for a page may use any, unless somebody has signed
 * up there for an account of their own.
 */
export async function verifyPlainly(
  { params, who, client }: LinkUser,
  deps: FeatureCore,
): Promise<StoredUser> {
  const link = await deps.links.open('verify-email', params)
  const { user } = link
  const needsProof = client.prefersPage || isOfAnotherSignUp(deps, client)(user)
  const { later, isTheirs } = await whoseLink(deps, { who, client }, user)
  // The page asks the maker of an account that nothing else opens for a password.
  const isDone = isTheirs && !(client.prefersPage && needsPassword(deps, later))
  if (needsProof && !user.isVerified && !isDone)
    throw new AccountsError('ACCOUNTS_INVALID_INPUT', {
      reason: 'proof_required',
      fields: [fieldError(holdsPassword(user) ? 'password' : 'new_password', 'required')],
    })
  return verifyUser(deps, client, link, isMakersBrowser(deps, client, who))
}

/** With the account's password. */
export function verifyWithPassword(
  { params, client }: LinkUser,
  deps: FeatureCore,
  password: string,
): Promise<StoredUser> {
  return verifyAsMaker(deps, params, { password }, (user) => ({
    client,
    device: deps.device.read(client, user, 'password'),
  }))
}

/** With a factor that proves its owner by itself. */
export function verifyWithFactor(
  { params, client }: LinkUser,
  deps: FeatureCore,
  factor: Factor,
  value: unknown,
): Promise<StoredUser> {
  return verifyAsMaker(deps, params, { factor, value }, (user) => ({
    client,
    device: deps.device.read(client, user),
  }))
}
