import type { Deps } from '../deps.js'
import { type AccountUser, accountUser, type User } from '../user.js'

/**
 * Whether an account would tell that someone signed up with a free address: with `requireEmailConfirmation`, a taken one
 * only leaves an unclaimed user, which nobody sees. Once it was proven, or used, it is a user like others.
 */
export function isUnused(
  { requireEmailConfirmation }: Pick<Deps['options'], 'requireEmailConfirmation'>,
  { isVerified, lastLoginAt }: Pick<User, 'isVerified' | 'lastLoginAt'>,
): boolean {
  return requireEmailConfirmation && !isVerified && lastLoginAt === null
}

/**
 * Whether a login by address or passkey must not find the user, because nobody has ever proven the address: otherwise it
 * would tell that the address was free at sign-up. The password or passkey isn't even tried, as if there were no such
 * user. Nobody logs in to a service account.
 */
export function isHiddenFromLogins(
  options: Pick<Deps['options'], 'requireEmailConfirmation'>,
  user: User,
): boolean {
  // Only an account whose address was proven, or changed by staff, has another epoch.
  const isNew = user.email !== null && user.verifyEpoch === 0 && isUnused(options, user)
  return isNew || user.kind !== 'person'
}

/** Whether the actor may know that a user exists. Before anybody has used the account, it takes `showDetails`. */
export async function maySee(
  { options }: Pick<Deps, 'options'>,
  actor: AccountUser,
  target: User,
): Promise<boolean> {
  const { authorize } = options
  const user = accountUser(target)
  return (
    (!isUnused(options, target) || (await authorize.showDetails(actor, user))) &&
    (await authorize.showUser(actor, user))
  )
}
