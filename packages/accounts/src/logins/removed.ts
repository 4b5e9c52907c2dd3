import { type Removed, removable } from '../languages/removed.js'
import type { StoredUser } from '../user.js'
import type { RememberedDevices } from './remembered-devices.js'

/**
 * What a change takes from an account, other than its password and sessions. `null` if nothing.
 * @param after the user with the changes; they needn't be stored
 */
export function removedBy(
  before: StoredUser,
  after: StoredUser,
  devices: Pick<RememberedDevices, 'listOf'>,
): Removed | null {
  const held = heldBy(before, devices)
  const left = heldBy(after, devices)
  const removed = { ...held }
  for (const kind of removable) removed[kind] = Math.max(0, held[kind] - left[kind])
  return removable.some((kind) => removed[kind] > 0) ? removed : null
}

function heldBy(user: StoredUser, devices: Pick<RememberedDevices, 'listOf'>): Removed {
  const count = (wanted: string): number => user.credentials.filter(({ kind }) => kind === wanted).length
  return {
    passkeys: count('passkey'),
    apps: count('totp'),
    recovery_codes: count('recovery-code'),
    // An imported identity is only a key.
    identities: user.identityKeys.filter((key) => !key.startsWith('passkey:')).length,
    // A new password ends them, too, though their entries stay.
    remembered_devices: devices.listOf(user).length,
  }
}
