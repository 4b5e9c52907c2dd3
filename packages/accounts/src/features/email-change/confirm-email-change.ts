import type { Deps } from '../../deps.js'
import { shownName } from '../../identifiers/account-name.js'
import type { EmailAddress } from '../../identifiers/email.js'
import type { Client } from '../../sessions/client.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser, User } from '../../user.js'
import { addressChange, withFollowingName } from '../../users/address.js'
import { changeByLink } from '../../users/change-by-link.js'
import { acceptAlong } from '../../users/invitations/accept-along.js'
import { findAcceptances } from '../../users/invitations/ask-about.js'
import { ownershipChanges, takesInvitations } from '../../users/ownership/table.js'

/**
 * Gives an account the address that a link was emailed to, which verifies it; the old address gets a notice. In the maker's
 * browser the account also gets what the address is invited to.
 * @param address as the link says
 * @param isMaker whether the person who opens it has shown that they made this account
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_EMAIL_TAKEN if somebody else has it meanwhile
 */
export async function confirmEmailChange(
  deps: Pick<Deps, 'users' | 'links' | 'options' | 'postOffice' | 'invitations' | 'rules'>,
  client: Client,
  parts: LinkParts,
  address: EmailAddress,
  isMaker: (user: User) => boolean,
): Promise<StoredUser> {
  const link = await deps.links.open('change-email', parts, address.email)
  const { changesFor, mailsFor } = addressChange(deps, address)
  const { user } = link
  const eventFor = (current: User) => (isMaker(current) ? 'address-by-maker' : 'address-elsewhere')
  const username = shownName(deps.options, user)
  const acceptances = takesInvitations(eventFor(user), user)
    ? await findAcceptances(deps, client, { ...address, username, handsOver: false })
    : []
  return acceptAlong(deps, acceptances, (claim) =>
    withFollowingName((nameIsFree) =>
      changeByLink(
        deps,
        link,
        (current) => {
          claim.assertInTime()
          const brought = { acceptances: claim.acceptances, emailKey: address.emailKey }
          return {
            ...changesFor(current, nameIsFree),
            ...ownershipChanges(eventFor(current), current, deps.options, brought),
          }
        },
        mailsFor,
      ),
    ),
  )
}
