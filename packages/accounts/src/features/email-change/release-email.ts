import { changeUser } from '../../adapters/change-user.js'
import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { followingName } from '../../identifiers/address-name.js'
import { parseEmail } from '../../identifiers/email.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { User, UserChanges } from '../../user.js'
import { flagChanges } from '../../users/change.js'

/**
 * Takes an address off an account, for whoever reads mail there and got it by mistake, or by somebody's malice: the
 * account goes on without an address. Nothing else changes, so that a stranger who was sent the link by a slip of the
 * pen, or a thief who had it sent to themself, harms nobody by it: sessions and password stay, and so does the way back
 * to the address of before. Where the account does not have the address, there is nothing to change.
 * @param email the address, as the link says
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_CONFLICT
 */
export async function releaseEmail(
  { users, links, options, postOffice }: Pick<Deps, 'users' | 'links' | 'options' | 'postOffice'>,
  parts: LinkParts,
  email: string,
): Promise<User> {
  const address = parseEmail(email)
  if (address === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  const { user, stillValid } = await links.open('release-email', parts, address.email)
  const release = (current: User): UserChanges => ({
    // Without an address there is nothing to confirm, and an account that waited for that would be let in.
    ...(options.requireEmailConfirmation && !current.isVerified && flagChanges(current, { isActive: false })),
    ...followingName(current, null),
    email: null,
    emailKey: null,
    isVerified: false,
    verifyEpoch: current.verifyEpoch + 1,
  })
  const changed = await changeUser(
    users,
    user,
    (current) => {
      if (!stillValid(current)) return null
      // A link to confirm it stays alive: to kill it would take an epoch, and the owner's own links with it.
      return current.emailKey === address.emailKey ? release(current) : {}
    },
    // Whoever reads that mailbox, the owner if the link was somebody else's, is told: no later notice comes.
    (changed, before) =>
      before.email === null || changed.email !== null
        ? []
        : postOffice.about('email-changed', changed, {
            to: before.email,
            isProven: before.isVerified,
            withLink: false,
          }),
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return changed
}
