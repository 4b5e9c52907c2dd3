import type { Deps } from '../../deps.js'
import type { Client } from '../../sessions/client.js'
import type { OpenedLink } from '../../tokens/email-link.js'
import type { StoredUser, User } from '../../user.js'
import { changeByLink } from '../../users/change-by-link.js'
import { isInvited } from '../../users/invitation.js'
import { askOwner, makersMethod } from '../../users/ownership/ask-owner.js'
import { ownershipChanges } from '../../users/ownership/table.js'

/**
 * Marks the address of a verification link as verified; using a valid link again changes nothing.
 * @param client who asks the app's rule, if an invitation gives something
 * @param isMaker whether the person who opens it has shown that they made this account
 * @throws AccountsError ACCOUNTS_INVALID_LINK if the account has changed since the link was opened; ACCOUNTS_CONFLICT;
 * RuleError
 */
export async function verifyUser(
  deps: Pick<Deps, 'users' | 'options' | 'rules'>,
  client: Client,
  link: OpenedLink,
  isMaker: (user: User) => boolean,
): Promise<StoredUser> {
  const { user } = link
  const asMaker = isMaker(user)
    ? await askOwner(deps, client, 'proved-by-maker', { method: makersMethod(user) }, user)
    : null
  return changeByLink(deps, link, (current) => {
    if (isMaker(current)) return asMaker?.(current) ?? null
    // What an invitation gives is for somebody who chooses how to log in.
    return isInvited(current) ? null : ownershipChanges('opened-plainly', current, deps.options)
  })
}
