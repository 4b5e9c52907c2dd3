import type { PostOffice } from '../emails/post-office.js'
import { type RemovalNote, removalNoteOf } from '../emails/removal-note.js'
import { type Removed, removable } from '../languages/removed.js'
import { day } from '../options/time.js'
import type { PendingMail } from '../seams/outbox.js'
import { apiKeyKind, isKeyIdentity } from '../tokens/api-key.js'
import { type Credential, type StoredUser, type UserChanges, withChanges } from '../user.js'

/** What tells the devices that an account remembers. */
export interface DeviceList {
  listOf(user: StoredUser): readonly unknown[]
}

/** What changes take from an account, other than its password and sessions; `null` if nothing. */
export function removedBy(current: StoredUser, changes: UserChanges, devices: DeviceList): Removed | null {
  const removed = heldBy(current, devices)
  const left = heldBy(withChanges(current, changes), devices)
  for (const kind of removable) removed[kind] = Math.max(0, removed[kind] - left[kind])
  return removable.some((kind) => removed[kind] > 0) ? removed : null
}

function heldBy(user: StoredUser, devices: DeviceList): Removed {
  const count = (wanted: string): number => user.credentials.filter(({ kind }) => kind === wanted).length
  return {
    passkeys: count('passkey'),
    apps: count('totp'),
    recovery_codes: count('recovery-code'),
    // An imported identity is only a key.
    identities: user.identityKeys.filter((key) => !key.startsWith('passkey:') && !isKeyIdentity(key)).length,
    api_keys: count(apiKeyKind),
    // A new password ends them as well, though their entries stay.
    remembered_devices: devices.listOf(user).length,
  }
}

/** The changes, which secure the account with a new `resetEpoch`, with a note of what they remove. */
export function withNote(current: StoredUser, changes: UserChanges, devices: DeviceList): UserChanges {
  const removed = removedBy(current, changes, devices)
  if (removed === null) return changes
  const { notes, resetEpoch } = withChanges(current, changes)
  const note: RemovalNote = { at: new Date().toISOString(), epoch: resetEpoch, ...removed }
  return { ...changes, notes: { ...notes, removed: note } }
}

/** Tells the owner of an account that a recovery has taken a second factor, without which a login may be easier now. */
export function recoveryMails(
  postOffice: Pick<PostOffice, 'about'>,
  changed: StoredUser,
  before: StoredUser,
): readonly PendingMail[] {
  // Before anybody proved the address, the factor was someone else's.
  const isTaken = before.isVerified && changed.factors.length < before.factors.length
  return isTaken ? postOffice.about('factor-reset', changed) : []
}

/** How long the owner is reminded to set up again what was removed, in milliseconds. */
const reminderLifetime = 30 * day

/** What the owner can set up again, as JSON. Times are RFC 3339 in UTC. */
export interface RemovedView extends Omit<Removed, 'remembered_devices'> {
  removed_at: string
}

/** What was removed when the account was secured; `null` once its owner has set something up again, or after a month. */
export function showRemoved(user: Pick<StoredUser, 'credentials' | 'notes'>): RemovedView | null {
  const note = removalNoteOf(user)
  if (note === null || Date.parse(note.at) + reminderLifetime < Date.now()) return null
  const isReplacement = ({ kind, createdAt }: Credential): boolean =>
    ['passkey', 'totp', 'oidc', apiKeyKind].includes(kind) &&
    typeof createdAt === 'string' &&
    createdAt > note.at
  if (user.credentials.some(isReplacement)) return null
  const { passkeys, apps, recovery_codes, identities, api_keys, at } = note
  if (passkeys + apps + recovery_codes + identities + api_keys === 0) return null
  return { removed_at: at, passkeys, apps, recovery_codes, identities, api_keys }
}
