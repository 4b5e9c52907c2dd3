import type { Deps } from '../../deps.js'
import type { EmailAddress } from '../../identifiers/email.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser, User } from '../../user.js'
import { addressChange, withFollowingName } from '../../users/address.js'
import { changeByLink } from '../../users/change-by-link.js'
import { ownershipChanges } from '../../users/ownership/table.js'

/**
 * Gives an account the address that a link was emailed to, which verifies it; the old address gets a notice.
 * @param address as the link says
 * @param isMaker whether the person who opens it has shown that they made this account
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_EMAIL_TAKEN if somebody else has it meanwhile
 */
export async function confirmEmailChange(
  deps: Pick<Deps, 'users' | 'links' | 'options' | 'postOffice'>,
  parts: LinkParts,
  address: EmailAddress,
  isMaker: (user: User) => boolean,
): Promise<StoredUser> {
  const link = await deps.links.open('change-email', parts, address.email)
  const { changesFor, mailsFor } = addressChange(deps, address)
  return withFollowingName((nameIsFree) =>
    changeByLink(
      deps,
      link,
      (current) => ({
        ...changesFor(current, nameIsFree),
        ...ownershipChanges(
          isMaker(current) ? 'address-by-maker' : 'address-elsewhere',
          current,
          deps.options,
        ),
      }),
      mailsFor,
    ),
  )
}
