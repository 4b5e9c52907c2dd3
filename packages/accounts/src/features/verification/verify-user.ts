import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { OpenedLink } from '../../tokens/email-link.js'
import type { User } from '../../user.js'
import { plainProof } from '../../users/unproven.js'

/**
 * Marks the address of a verification link as verified; using a valid link again changes nothing.
 * @param isMaker whether whoever opens it has shown that they made this account
 * @throws AccountsError ACCOUNTS_INVALID_LINK if the account has changed since the link was opened
 */
export async function verifyUser(
  { users }: Pick<Deps, 'users'>,
  { user, stillValid }: OpenedLink,
  isMaker: (user: User) => boolean,
): Promise<User> {
  const changed = await users.change(user, (current) =>
    stillValid(current) ? plainProof(current, isMaker(current) ? 'maker' : 'anyone') : null,
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return changed
}
