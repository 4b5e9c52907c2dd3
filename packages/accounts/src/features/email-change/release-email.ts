import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { parseEmail } from '../../identifiers/email.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser } from '../../user.js'
import { withoutAddress } from '../../users/address.js'

/**
 * Removes an address from an account, for whoever gets its emails by mistake or through abuse; the account
 * continues without an address. Nothing else changes, so a stranger who got the link through a typo, or a
 * thief who requested it, can do no harm: sessions and password stay, and so does the way back to the
 * previous address. If the account doesn't have the address, nothing changes.
 * @param email the address, as the link says
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_CONFLICT
 */
export async function releaseEmail(
  { users, links, options, postOffice }: Pick<Deps, 'users' | 'links' | 'options' | 'postOffice'>,
  parts: LinkParts,
  email: string,
): Promise<StoredUser> {
  const address = parseEmail(email)
  if (address === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  const { user, stillValid } = await links.open('release-email', parts, address.email)
  const changed = await users.change(
    user,
    (current) => {
      if (!stillValid(current)) return null
      // A link to confirm it stays valid: ending it would take an epoch, and the owner's own links with it.
      return current.emailKey === address.emailKey ? withoutAddress(options, current) : {}
    },
    {
      messages: (changed, before) =>
        before.email === null || changed.email !== null
          ? []
          : postOffice.about('email-changed', changed, {
              to: before.email,
              isProven: before.isVerified,
              withLink: false,
            }),
    },
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return changed
}
