import type { Deps } from '../../deps.js'
import type { EmailAddress } from '../../identifiers/email.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser } from '../../user.js'
import { withoutAddress } from '../../users/address.js'
import { changeByLink } from '../../users/change-by-link.js'

/**
 * Removes an address from an account, for the person who gets its emails by mistake or through abuse; the account
 * continues without an address. Nothing else changes, so a stranger who got the link through a typo, or a
 * thief who requested it, can do no harm: sessions and password stay, and so does the way back to the
 * previous address. If the account doesn't have the address, nothing changes.
 * @param address as the link says
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_CONFLICT
 */
export async function releaseEmail(
  deps: Pick<Deps, 'users' | 'links' | 'options' | 'postOffice'>,
  parts: LinkParts,
  { email, emailKey }: EmailAddress,
): Promise<StoredUser> {
  const { links, options, postOffice } = deps
  return changeByLink(
    deps,
    await links.open('release-email', parts, email),
    // A link to confirm it stays valid: ending it would take an epoch, and the owner's own links with it.
    (current) => (current.emailKey === emailKey ? withoutAddress(options, current) : {}),
    (changed, { email: to, isVerified }) =>
      to === null || changed.email !== null
        ? []
        : postOffice.about('email-changed', changed, { to, isProven: isVerified, withLink: false }),
  )
}
