import type { Client } from '../../sessions/client.js'
import type { OpenedLink } from '../../tokens/email-link.js'
import type { StoredUser, User } from '../../user.js'
import { changeByLink } from '../../users/change-by-link.js'
import { type AskDeps, askOwner } from '../../users/ownership/ask-owner.js'
import { ownershipChanges } from '../../users/ownership/table.js'

/**
 * Marks the address of a verification link as verified; using a valid link again changes nothing. In the browser of several
 * sign-ups the account becomes the newest.
 * @param client who asks the app's rule about invitations
 * @param isMaker whether the person who opens it has shown that they made this account
 * @throws AccountsError ACCOUNTS_INVALID_LINK if the account has changed since the link was opened; ACCOUNTS_CONFLICT;
 * RuleError
 */
export async function verifyUser(
  deps: AskDeps,
  client: Client,
  link: OpenedLink,
  isMaker: (user: User) => boolean,
): Promise<StoredUser> {
  const { user } = link
  if (!isMaker(user))
    return changeByLink(deps, link, (current) =>
      isMaker(current) ? null : ownershipChanges('opened-plainly', current, deps.options),
    )
  const giving = await askOwner(deps, client, 'proved-by-maker', {}, user)
  return giving((changesFor) =>
    changeByLink(deps, link, (current) => (isMaker(current) ? changesFor(current) : null)),
  )
}
