import { changeUser } from '../../adapters/change-user.js'
import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { User } from '../../user.js'

/**
 * Marks the address of a verification link as verified; using a valid link again changes nothing.
 * @throws AccountsError ACCOUNTS_INVALID_LINK
 */
export async function verifyUser(deps: Pick<Deps, 'users' | 'links'>, parts: LinkParts): Promise<User> {
  const { user, stillValid } = await deps.links.open('verify-email', parts)
  const changed = await changeUser(deps.users, user, (current) => {
    if (!stillValid(current)) return null
    return current.isVerified ? {} : { isVerified: true }
  })
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return changed
}
