import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser } from '../../user.js'
import { securingChanges } from './securing-changes.js'

/**
 * Reports a login that wasn't the owner's, so somebody else knows the password. Everybody is logged out, the
 * password is disabled, and a reset link is emailed.
 * @throws AccountsError ACCOUNTS_INVALID_LINK
 */
export async function reportLogin(
  deps: Pick<Deps, 'users' | 'links' | 'options' | 'postOffice'>,
  devices: RememberedDevices,
  parts: LinkParts,
): Promise<StoredUser> {
  const { users, links, options, postOffice } = deps
  const { user, stillValid } = await links.open('not-me', parts)
  const changed = await users.change(
    user,
    (current) => {
      if (!stillValid(current)) return null
      return securingChanges(current, options, devices)
    },
    { messages: (changed) => postOffice.about('choose-password', changed) },
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return changed
}
