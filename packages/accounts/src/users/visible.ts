import type { Deps } from '../deps.js'
import { type AccountUser, accountUser, type User } from '../user.js'

/**
 * Whether an account would tell that someone signed up with a free address: with `requireEmailConfirmation` a taken one
 * makes no account. Once it was proven, or used, it is a user like others.
 */
export function isUnused(
  { requireEmailConfirmation }: Pick<Deps['options'], 'requireEmailConfirmation'>,
  { isVerified, lastLoginAt }: Pick<User, 'isVerified' | 'lastLoginAt'>,
): boolean {
  return requireEmailConfirmation && !isVerified && lastLoginAt === null
}

/** Whether the actor may know that a user exists. Only who manages a user sees them before anybody has used the account. */
export async function maySee(
  { options }: Pick<Deps, 'options'>,
  actor: AccountUser,
  target: User,
): Promise<boolean> {
  const { authorize } = options
  const user = accountUser(target)
  return (
    (!isUnused(options, target) || (await authorize.manageUser(actor, user))) &&
    (await authorize.showUser(actor, user))
  )
}
