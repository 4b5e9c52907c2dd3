import type { Deps } from '../../deps.js'
import type { OpenedLink } from '../../tokens/email-link.js'
import type { StoredUser, User } from '../../user.js'
import { changeByLink } from '../../users/change-by-link.js'
import { isInvited } from '../../users/invitation.js'
import { plainProof } from '../../users/unproven.js'

/**
 * Marks the address of a verification link as verified; using a valid link again changes nothing.
 * @param isMaker whether the person who opens it has shown that they made this account
 * @throws AccountsError ACCOUNTS_INVALID_LINK if the account has changed since the link was opened
 */
export async function verifyUser(
  deps: Pick<Deps, 'users'>,
  link: OpenedLink,
  isMaker: (user: User) => boolean,
): Promise<StoredUser> {
  return changeByLink(deps, link, (current) => {
    if (isMaker(current)) return plainProof(current, 'maker')
    // What an invitation gives is for whoever chooses how to log in.
    return isInvited(current) ? null : plainProof(current, 'anyone')
  })
}
