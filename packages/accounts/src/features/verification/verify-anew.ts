import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { Client } from '../../sessions/client.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser, User } from '../../user.js'
import {
  type ChooseDeps,
  choosePassword,
  makeKnown,
  type NewPasswordChoice,
  proofByLink,
  resetEventOf,
} from '../../users/choose-password.js'

/**
 * Verifies the address of a link for somebody who didn't make the account, or doesn't remember: with a new
 * password the account is theirs, and what was there before is removed. In the maker's browser everything else stays.
 * @param isMaker whether the person who opens the link has shown that they made this account
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_CONFLICT if the address has been verified already; what
 * `choosePassword` throws
 */
export async function verifyAnew(
  deps: ChooseDeps & Pick<Deps, 'users' | 'links'>,
  client: Client,
  isMaker: (user: User) => boolean,
  parts: LinkParts,
  choice: NewPasswordChoice,
): Promise<StoredUser> {
  const link = await deps.links.open('verify-email', parts)
  const proof = proofByLink(deps, link, (user) => {
    // The link of a verified address is no reset link.
    if (user.isVerified)
      throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'already_verified', userId: user.id })
    return resetEventOf('verify-email', isMaker(user))
  })
  return makeKnown(deps, client, await choosePassword(deps, client, proof, choice))
}
