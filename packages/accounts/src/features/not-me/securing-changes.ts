import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { withNote } from '../../logins/removed.js'
import type { StoredUser, UserChanges } from '../../user.js'
import { ownershipChanges } from '../../users/ownership/table.js'
import type { OwnershipOptions } from '../../users/ownership/verbs.js'

/** What securing an account changes, with a note of what it removes. */
export function securingChanges(
  current: StoredUser,
  options: OwnershipOptions,
  devices: RememberedDevices,
): UserChanges {
  return withNote(current, ownershipChanges('locked', current, options) ?? {}, devices)
}
