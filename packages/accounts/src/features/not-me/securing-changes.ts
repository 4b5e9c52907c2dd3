import type { Deps } from '../../deps.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { withNote } from '../../logins/removed.js'
import type { StoredUser, UserChanges } from '../../user.js'
import { lockChanges } from '../../users/change.js'

/** What securing an account changes, with a note of what it removes. */
export function securingChanges(
  current: StoredUser,
  { links }: Pick<Deps['options'], 'links'>,
  devices: RememberedDevices,
): UserChanges {
  // Knowing the password can't move this epoch: a password change keeps the link, using it ends it.
  const verifyEpoch = current.verifyEpoch + 1
  return withNote(current, { ...lockChanges(current, links.undoLifetime), verifyEpoch }, devices)
}
