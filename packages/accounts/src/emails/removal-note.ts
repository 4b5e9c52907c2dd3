import { type Removed, removable } from '../languages/removed.js'
import type { Credential, StoredUser } from '../user.js'

/** The credential kind of the note. It lets nobody in. */
export const noteKind = 'removed'

/** What a change that secured the account last took from it. It stays with the account, for the owner to read. */
export interface RemovalNote extends Credential, Removed {
  kind: typeof noteKind
  id: typeof noteKind
  /** RFC 3339. Not `createdAt`, because a lockdown must not forget it. */
  at: string
  /** The `resetEpoch` that the change began. */
  epoch: number
}

export function noteOf({ credentials }: Pick<StoredUser, 'credentials'>): RemovalNote | null {
  const note = credentials.find((each): each is RemovalNote => each.kind === noteKind)
  // One from before there were API keys has no number of them.
  return note ? { ...note, api_keys: note.api_keys ?? 0 } : null
}

/** What the latest new password, reset or lockdown of an account has removed; `null` if nothing. */
export function removedLately(user: Pick<StoredUser, 'credentials' | 'resetEpoch'>): Removed | null {
  const note = noteOf(user)
  if (note === null || note.epoch !== user.resetEpoch) return null
  const removed: Partial<Removed> = {}
  for (const kind of removable) removed[kind] = note[kind]
  return removed as Removed
}
