import { changeUser } from '../../adapters/change-user.js'
import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { parseEmail } from '../../identifiers/email.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { User } from '../../user.js'

/**
 * Ends the way back to an old address before its time, for whoever reads mail there: the link that undoes the change is
 * dead. Only the old mailbox can do so. Whoever has the new one may be the thief against whom the way back is.
 * @param email the old address, as the link says
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_CONFLICT
 */
export async function keepEmailChange(
  { users, links }: Pick<Deps, 'users' | 'links'>,
  parts: LinkParts,
  email: string,
): Promise<User> {
  const address = parseEmail(email)
  if (address === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  const { user, stillValid } = await links.open('undo-email', parts, address.email)
  const changed = await changeUser(users, user, (current) =>
    stillValid(current) ? { emailChangedAt: null } : null,
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return changed
}
