import { changeUser } from '../../adapters/change-user.js'
import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { User } from '../../user.js'
import { plainProof } from '../../users/unproven.js'

/**
 * Marks the address of a verification link as verified; using a valid link again changes nothing.
 * @param isMaker whether whoever opens it has shown that they made this account
 * @throws AccountsError ACCOUNTS_INVALID_LINK
 */
export async function verifyUser(
  deps: Pick<Deps, 'users' | 'links'>,
  parts: LinkParts,
  isMaker: (user: User) => boolean,
): Promise<User> {
  const { user, stillValid } = await deps.links.open('verify-email', parts)
  const changed = await changeUser(deps.users, user, (current) =>
    stillValid(current) ? plainProof(current, isMaker(current) ? 'maker' : 'anyone') : null,
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return changed
}
