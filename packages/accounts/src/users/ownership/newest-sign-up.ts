import type { Deps } from '../../deps.js'
import { isReplacementName, replacementName } from '../../identifiers/address-name.js'
import { usernameKey } from '../../identifiers/username.js'
import { DuplicateError } from '../../seams/store-errors.js'
import type { Client } from '../../sessions/client.js'
import type { StoredUser } from '../../user.js'
import { decoyOf, withNoteOf } from './notes.js'
import { isUsed, ownershipOf } from './states.js'

/** The cookie of a sign-up tells what the browser entered last. */
export interface NewestDeps extends Pick<Deps, 'users'> {
  signUp: { newest(client: Client, emailKey: string): string | null }
}

/** What the newest sign-up brings: it replaces all that an earlier one entered. A name only if one was entered. */
export type NewestChanges = Pick<StoredUser, 'passwordHash' | 'fields' | 'credentials' | 'identityKeys'> &
  Partial<Pick<StoredUser, 'username' | 'usernameKey'>>

/**
 * Somebody has signed up more than once with an address, as after a typo in the name. An account had it from the first time
 * on, or was a stranger's, so what they entered last is a decoy. It becomes the account's once they have proven the address
 * in the browser of that sign-up, unless somebody has used the account before.
 *
 * No store changes two users at once, hence the order: the decoy gives up its name and passkey and notes them; then the
 * account is written; then the decoy goes, by `finish`. If that stops halfway, the next attempt finds the note.
 * @param user the account that has the address
 * @returns `null` if this browser has made no decoy for it
 */
export async function takeNewest(
  deps: NewestDeps,
  client: Client,
  user: StoredUser,
): Promise<{ changes: NewestChanges; finish(): Promise<void> } | null> {
  const { users } = deps
  const decoy = await findNewest(deps, client, user)
  const taken =
    decoy &&
    (await users.change(decoy, (current) => {
      const note = decoyOf(current)
      if (note === null) return null
      if (note.wanted !== undefined) return {}
      const wanted = { username: current.username, identityKeys: [...current.identityKeys] }
      return {
        ...replacementName(),
        identityKeys: [],
        notes: withNoteOf(current, 'decoy', { ...note, wanted }),
      }
    }))
  if (!taken) return null
  return { changes: changesOf(taken), finish: async () => void (await users.delete(taken.id)) }
}

/** The account as it will be once its address is proven in this browser. Changes nothing. */
export async function withNewest(deps: NewestDeps, client: Client, user: StoredUser): Promise<StoredUser> {
  const decoy = await findNewest(deps, client, user)
  return decoy === null ? user : { ...user, ...changesOf(decoy) }
}

/**
 * Writes an account with what the newest sign-up brings; without its name, or its passkey, if somebody else has that by now.
 * @param write gets `{}` if this browser has made no decoy for the account; `null` if it has changed nothing
 */
export async function writeWithNewest<T>(
  deps: NewestDeps,
  client: Client,
  user: StoredUser,
  write: (newest: Partial<NewestChanges>) => Promise<T>,
): Promise<T> {
  const newest = await takeNewest(deps, client, user)
  if (newest === null) return write({})
  const left: Partial<NewestChanges> = { ...newest.changes }
  for (;;) {
    try {
      const written = await write(left)
      // The account is written, whatever happens. The outage is logged.
      if (written !== null) await newest.finish().catch(() => {})
      return written
    } catch (error) {
      const lost = error instanceof DuplicateError ? partsOf(error.field) : []
      if (!lost.some((name) => name in left)) throw error
      for (const name of lost) delete left[name]
    }
  }
}

const partsOf = (field: DuplicateError['field']): (keyof NewestChanges)[] =>
  field === 'username' ? ['username', 'usernameKey'] : ['credentials', 'identityKeys']

/** Only one that was made while nobody had proven the address, and for the account that had it then. */
async function findNewest(
  { users, signUp }: NewestDeps,
  client: Client,
  user: StoredUser,
): Promise<StoredUser | null> {
  const { id, emailKey } = user
  const newest = emailKey === null ? null : signUp.newest(client, emailKey)
  const isOpen = !isUsed(user) && ['unproven', 'plain'].includes(ownershipOf(user))
  if (newest === null || newest === id || !isOpen) return null
  const found = await users.findById(newest)
  const note = found && decoyOf(found)
  return note?.ownerId === id && note.emailKey === emailKey ? found : null
}

function changesOf(decoy: StoredUser): NewestChanges {
  const { passwordHash, fields, credentials } = decoy
  const { username, identityKeys } = decoyOf(decoy)?.wanted ?? decoy
  const name = username === null || isReplacementName(username) ? null : username
  return {
    ...(name !== null && { username: name, usernameKey: usernameKey(name) }),
    ...{ passwordHash, fields, credentials, identityKeys },
  }
}
