import type { RememberedDevices } from '../../logins/remembered-devices.js'
import type { StoredUser, UserChanges } from '../../user.js'
import { ownershipChanges } from '../../users/ownership/table.js'
import type { OwnershipOptions } from '../../users/ownership/verbs.js'
import { withNote } from '../../users/removed.js'

/** What securing an account changes, with a note of what it removes. */
export function securingChanges(
  current: StoredUser,
  options: OwnershipOptions,
  devices: RememberedDevices,
): UserChanges {
  return withNote(current, ownershipChanges('locked', current, options) ?? {}, devices)
}
