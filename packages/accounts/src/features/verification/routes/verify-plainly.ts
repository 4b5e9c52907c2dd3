import { AccountsError, fieldError } from '../../../errors.js'
import type { LinkParams } from '../../../http/input/schemas.js'
import type { Input } from '../../../http/operation.js'
import { isMakersBrowser, isOfAnotherSignUp } from '../../../logins/own-browser.js'
import { holdsPassword, type StoredUser, withChanges } from '../../../user.js'
import { enteredLast } from '../../../users/ownership/newest-sign-up.js'
import { accountAfter } from '../../../users/ownership/table.js'
import type { FeatureCore } from '../../feature.js'
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

/** Whether the maker of an account could not log in to it once its address is verified: they choose a password with that. */
export function needsPassword({ hasWayIn, options }: FeatureCore, user: StoredUser): boolean {
  return !hasWayIn(accountAfter('proved-by-maker', user, options))
}

/**
 * In the browser in which the account was made. Clients that don't ask for a page may use any, unless somebody has signed
 * up there for an account of their own.
 * @returns the account, and whether its maker has proved the address just now: a used link proves nothing again
 */
export async function verifyPlainly(
  { params, who, client }: LinkUser,
  deps: FeatureCore,
): Promise<{ user: StoredUser; isProof: boolean }> {
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
  const changed = await verifyUser(deps, client, link, isMakersBrowser(deps, client, who))
  return { user: changed, isProof: isTheirs && !user.isVerified }
}
