import type { Deps } from '../../deps.js'
import { isReplacementName, replacementName } from '../../identifiers/address-name.js'
import { usernameKey } from '../../identifiers/username.js'
import { decoyOf, withNoteOf } from '../../notes.js'
import { DuplicateError } from '../../seams/store-errors.js'
import type { Client } from '../../sessions/client.js'
import type { StoredUser } from '../../user.js'
import { isReadOnly } from '../../validation.js'
import { isUsed, ownershipOf } from './states.js'

/** The cookie of a sign-up tells what the browser entered last. */
export interface NewestDeps extends Pick<Deps, 'users' | 'options'> {
  signUp: { newest(client: Client, emailKey: string): string | null }
}

/** What the newest sign-up brings: it replaces all that an earlier one entered. A name only if one was entered. */
type NewestChanges = Pick<StoredUser, 'passwordHash' | 'fields' | 'credentials' | 'identityKeys'> &
  Partial<Pick<StoredUser, 'username' | 'usernameKey'>>

/** What it brings to a record. */
export type ChangesForNewest = (current: StoredUser) => Partial<NewestChanges>

/**
 * Somebody has signed up more than once with an address, as after a typo in the name. An account had it from the first time
 * on, or was a stranger's, so what they entered last is a decoy. It becomes the account's once they have proven the address
 * in the browser of that sign-up, unless somebody has used the account before.
 *
 * No store changes two users at once, hence the order: the decoy gives up its name and passkey and notes them; then the
 * account is written; then the decoy goes. If that stops halfway, the next attempt finds the note.
 * @param user the account that has the address
 * @returns the decoy, which has given up what it has; `null` if this browser has made none for the account
 */
async function takeNewest(deps: NewestDeps, client: Client, user: StoredUser): Promise<StoredUser | null> {
  const decoy = await findNewest(deps, client, user)
  return (
    decoy &&
    deps.users.change(decoy, (current) => {
      const note = decoyOf(current)
      if (note === null) return null
      if (note.wanted !== undefined) return {}
      const wanted = { username: current.username, identityKeys: [...current.identityKeys] }
      return {
        ...replacementName(),
        identityKeys: [],
        notes: withNoteOf(current, 'decoy', { ...note, wanted }),
      }
    })
  )
}

/** What an account gets once its address is proven in this browser. Changes nothing. */
export async function enteredLast(
  deps: NewestDeps,
  client: Client,
  user: StoredUser,
): Promise<Partial<NewestChanges>> {
  const decoy = await findNewest(deps, client, user)
  return decoy === null ? {} : changesOf(deps, decoy, user)
}

/**
 * Writes an account with what the newest sign-up brings; without its name, or its passkey, if somebody else has that by now.
 * @param write `newestFor` gives what it brings to a record: nothing if this browser has made no decoy for the account, or if
 * somebody has proven or used that meanwhile. Returns `null` if it has changed nothing
 */
export async function writeWithNewest<T>(
  deps: NewestDeps,
  client: Client,
  user: StoredUser,
  write: (newestFor: ChangesForNewest) => Promise<T>,
): Promise<T> {
  const newest = await takeNewest(deps, client, user)
  if (newest === null) return write(() => ({}))
  const gone = new Set<keyof NewestChanges>()
  for (;;) {
    try {
      const written = await write((current) =>
        isOpen(current) ? without(changesOf(deps, newest, current), gone) : {},
      )
      // The account is written, whatever happens. The outage is logged. Features have nothing of a decoy.
      if (written !== null) await deps.users.delete(newest).catch(() => {})
      return written
    } catch (error) {
      const lost = error instanceof DuplicateError ? partsOf(error.field) : []
      if (lost.every((name) => gone.has(name))) throw error
      for (const name of lost) gone.add(name)
    }
  }
}

const without = (changes: Partial<NewestChanges>, names: ReadonlySet<string>): Partial<NewestChanges> =>
  Object.fromEntries(Object.entries(changes).filter(([name]) => !names.has(name)))

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
  if (newest === null || newest === id || !isOpen(user)) return null
  const found = await users.findById(newest)
  const note = found && decoyOf(found)
  return note?.ownerId === id && note.emailKey === emailKey ? found : null
}

/** Whether an account may become the newest: nobody has shown that they made it, or used it. */
const isOpen = (user: StoredUser): boolean =>
  !isUsed(user) && ['unproven', 'plain'].includes(ownershipOf(user))

/** Fields that nobody enters, which the app may have set since, stay. */
function changesOf({ options }: NewestDeps, decoy: StoredUser, current: StoredUser): NewestChanges {
  const { passwordHash, credentials } = decoy
  const set = Object.entries(current.fields).filter(([name]) => isReadOnly(options.fields, name))
  const fields = { ...Object.fromEntries(set), ...decoy.fields }
  const { username, identityKeys } = decoyOf(decoy)?.wanted ?? decoy
  const name = username === null || isReplacementName(username) ? null : username
  return {
    ...(name !== null && { username: name, usernameKey: usernameKey(name) }),
    ...{ passwordHash, fields, credentials, identityKeys },
  }
}
