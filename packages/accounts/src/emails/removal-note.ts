import { type Removed, removable } from '../languages/removed.js'
import type { StoredUser } from '../user.js'

/** What a change that secured the account last took from it. It stays with the account, for the owner to read. */
export type RemovalNote = Removed & {
  /** RFC 3339. */
  at: string
  /** The `resetEpoch` that the change began. */
  epoch: number
}

export function removalNoteOf({ notes }: Pick<StoredUser, 'notes'>): RemovalNote | null {
  const note = notes.removed as RemovalNote | undefined
  // One from before there were API keys has no number of them.
  return note === undefined ? null : { ...note, api_keys: note.api_keys ?? 0 }
}

/** What the latest new password, reset or lockdown of an account has removed; `null` if nothing. */
export function removedLately(user: Pick<StoredUser, 'notes' | 'resetEpoch'>): Removed | null {
  const note = removalNoteOf(user)
  if (note === null || note.epoch !== user.resetEpoch) return null
  const removed: Partial<Removed> = {}
  for (const kind of removable) removed[kind] = note[kind]
  return removed as Removed
}
