import type { Client } from '../../sessions/client.js'
import type { OpenedLink } from '../../tokens/email-link.js'
import type { StoredUser, User } from '../../user.js'
import { changeByLink } from '../../users/change-by-link.js'
import { isInvited } from '../../users/invitation.js'
import { type AskDeps, askOwner, makersMethod } from '../../users/ownership/ask-owner.js'
import { type NewestDeps, withNewest, writeWithNewest } from '../../users/ownership/newest-sign-up.js'
import { ownershipChanges } from '../../users/ownership/table.js'

/**
 * Marks the address of a verification link as verified; using a valid link again changes nothing. In the browser of several
 * sign-ups the account becomes the newest.
 * @param client who asks the app's rule, if it is to be asked
 * @param isMaker whether the person who opens it has shown that they made this account
 * @throws AccountsError ACCOUNTS_INVALID_LINK if the account has changed since the link was opened; ACCOUNTS_CONFLICT;
 * RuleError
 */
export async function verifyUser(
  deps: AskDeps & NewestDeps,
  client: Client,
  link: OpenedLink,
  isMaker: (user: User) => boolean,
): Promise<StoredUser> {
  const { user } = link
  const later = await withNewest(deps, client, user)
  const isMakers = isMaker(user)
  if (!isMakers && later === user)
    return changeByLink(deps, link, (current) =>
      // What an invitation gives is for somebody who chooses how to log in.
      isMaker(current) || isInvited(current)
        ? null
        : ownershipChanges('opened-plainly', current, deps.options),
    )
  const { passwordHash } = later
  // Without one of its own, the stranger's goes.
  const username = later.username === user.username ? undefined : later.username
  const how = { method: makersMethod(later) }
  const changesFor = isMakers
    ? await askOwner(deps, client, 'proved-by-maker', how, later)
    : // The account was a stranger's; what this browser entered takes its place.
      await askOwner(deps, client, 'proved-elsewhere', how, user, { username, passwordHash })
  return writeWithNewest(deps, client, user, (newest) =>
    changeByLink(deps, link, (current) => {
      if (isMaker(current) !== isMakers) return null
      if (isMakers) {
        const changes = changesFor({ ...current, ...newest })
        return changes && { ...newest, ...changes }
      }
      const changes = changesFor(current)
      return changes && { ...changes, ...newest, fields: { ...newest.fields, ...changes.fields } }
    }),
  )
}
