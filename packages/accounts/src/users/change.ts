import type { Deps } from '../deps.js'
import { AccountsError, attributed } from '../errors.js'
import { findUserById } from '../identifiers/user-id.js'
import type { RightsChange } from '../options/options.js'
import { rolesAfter, type WithRoles } from '../options/privileges.js'
import { apiKeysOf, withoutApiKeys } from '../tokens/api-key.js'
import { type AccountUser, accountUser, type StoredUser, type User, type UserChanges } from '../user.js'
import { maySee } from './visible.js'

/** The flags and roles that staff set on a user. */
export interface UserFlags extends RightsChange {
  isActive?: boolean | undefined
  isVerified?: boolean | undefined
}

export function flagChanges(
  current: StoredUser,
  { isStaff, roles, isActive, isVerified }: UserFlags,
  options: WithRoles,
): UserChanges {
  return {
    isStaff,
    ...(roles && { roles: rolesAfter(current.roles, roles, options) }),
    isActive,
    isVerified,
    // An older link must not verify the address again.
    ...(isVerified === false && current.isVerified && { verifyEpoch: current.verifyEpoch + 1 }),
    // Otherwise a session whose row stayed, or a link in an old email, would work again once the user is
    // reactivated.
    ...(isActive === false && {
      sessionEpoch: current.sessionEpoch + 1,
      resetEpoch: current.resetEpoch + 1,
      // Nor must a program that somebody has forgotten.
      ...(apiKeysOf(current).length > 0 && withoutApiKeys(current)),
    }),
  }
}

/** Who acts on the account of somebody else: a user, or the app's own code, which `authorize` isn't asked about. */
export type Actor<Someone = User> = Someone | 'host'

/** A rule of `authorize` about what somebody does to another user. */
type UserAction = 'deleteUser' | 'editUser' | 'grantRights' | 'manageUser' | 'resetFactors'

/**
 * Runs an action on a user if the actor may do it. Every refusal is attributed to that user.
 * @param rights the changes that `grantRights` decides about, if it is one of the actions
 * @throws AccountsError ACCOUNTS_FORBIDDEN; ACCOUNTS_NOT_FOUND, also if the actor may not know that the user
 * exists
 */
export async function withPermission<T>(
  { users, options }: Pick<Deps, 'users' | 'options'>,
  actor: Actor<AccountUser>,
  { id, actions, rights = {} }: { id: string; actions: readonly UserAction[]; rights?: RightsChange },
  work: (target: StoredUser) => Promise<T>,
): Promise<T> {
  const target = await findUserById(users, id)
  if (target === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return attributed(target, async () => {
    if (actor === 'host') return work(target)
    let isAllowed = true
    for (const action of actions)
      isAllowed &&= await options.authorize[action](actor, accountUser(target), rights)
    if (isAllowed) return work(target)
    throw new AccountsError(
      (await maySee({ options }, actor, target)) ? 'ACCOUNTS_FORBIDDEN' : 'ACCOUNTS_NOT_FOUND',
    )
  })
}
