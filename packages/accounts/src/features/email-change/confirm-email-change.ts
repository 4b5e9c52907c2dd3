import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { parseEmail } from '../../identifiers/email.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser, User } from '../../user.js'
import { addressChange, withFollowingName } from '../../users/address.js'
import { plainProof } from '../../users/unproven.js'

/**
 * Gives an account the address that a link was emailed to, which verifies it; the old address gets a notice.
 * @param email the address, as the link says
 * @param isMaker whether whoever opens it has shown that they made this account
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_EMAIL_TAKEN if somebody else has it meanwhile
 */
export async function confirmEmailChange(
  deps: Pick<Deps, 'users' | 'links' | 'options' | 'postOffice'>,
  parts: LinkParts,
  email: string,
  isMaker: (user: User) => boolean,
): Promise<StoredUser> {
  const { users, links, options, postOffice } = deps
  const address = parseEmail(email)
  if (address === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  const { user, stillValid } = await links.open('change-email', parts, address.email)
  const { changesFor, mailsFor } = addressChange({ options, postOffice }, address)
  const changed = await withFollowingName((nameIsFree) =>
    users.change(
      user,
      (current) =>
        stillValid(current)
          ? {
              ...changesFor(current, nameIsFree),
              ...(!current.isVerified && plainProof(current, isMaker(current) ? 'maker' : 'anyone')),
            }
          : null,
      { messages: mailsFor },
    ),
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return changed
}
