import { AccountsError } from '../errors.js'
import { pluginActor } from '../events/actor.js'
import { eventsOfChange } from '../events/derive.js'
import type { EventWriter } from '../events/writer.js'
import { looksLikeAddress, replacementName } from '../identifiers/address-name.js'
import { usernameKey } from '../identifiers/username.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { DuplicateError } from '../seams/store-errors.js'
import type { UserStore } from '../seams/user-store.js'
import type { WritableUsers } from '../sessions/user-updates.js'
import type { StoredUser, UserChanges } from '../user.js'
import { findOwnerOf, isLapsed, type LapseOptions } from './lapsed-sign-up.js'

/** What only one user has. An address is never given up: its sign-up can still be confirmed. */
type Keys = Pick<UserChanges, 'usernameKey' | 'identityKeys'>

/**
 * The same store, where a username or an identity that only a lapsed sign-up holds is free: it gives that up, and the write is
 * tried once more. The look-ups are the same, no matter who holds it.
 */
export function freeLapsed(
  { updateWithSessions, ...users }: WritableUsers,
  options: LapseOptions & Pick<ResolvedOptions, 'adapterTimeout'>,
  writer: EventWriter,
): WritableUsers {
  async function again<T>(keys: Keys, ownId: string | null, write: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof DuplicateError && (await giveUp(error.field, keys, ownId)))) throw error
      // Who writes may rely on when a write can take effect at the latest.
      if (performance.now() - begun > options.adapterTimeout) throw error
      return write()
    }
  }

  /** @returns whether all others who hold it have lapsed */
  async function giveUp(field: DuplicateError['field'], keys: Keys, ownId: string | null): Promise<boolean> {
    const holders = (await holdersOf(field, keys)).filter(({ id }) => id !== ownId)
    const lapsed: StoredUser[] = []
    for (const holder of holders)
      if (isLapsed(holder, await findOwnerOf(users, holder), options)) lapsed.push(holder)
    if (lapsed.length === 0 || lapsed.length < holders.length) return false
    const changes = field === 'username' ? replacementName() : { credentials: [], identityKeys: [] }
    // If somebody else was faster, the second attempt tells.
    for (const holder of lapsed) {
      const events = writer.write(eventsOfChange(holder, changes), pluginActor, holder.id)
      await users.update(holder.id, changes, holder.version, events)
    }
    return true
  }

  async function holdersOf(
    field: DuplicateError['field'],
    { usernameKey, identityKeys = [] }: Keys,
  ): Promise<StoredUser[]> {
    const found: (StoredUser | null | undefined)[] = []
    if (field === 'username' && usernameKey) found.push(await users.findByUsername(usernameKey))
    if (field === 'identity') for (const key of identityKeys) found.push(await users.findByIdentity?.(key))
    return found.filter((each) => each != null)
  }

  return {
    ...users,
    create: (user, mails, wanted) => again(user, null, () => users.create(user, mails, wanted)),
    update: (id, changes, version, mails) =>
      again(changes, id, () => users.update(id, changes, version, mails)),
    updateWithSessions:
      updateWithSessions &&
      ((id, changes, ...rest) => again(changes, id, () => updateWithSessions(id, changes, ...rest))),
  }
}

/** Whether the user with a name or an identity keeps it from others: a lapsed sign-up doesn't. */
export async function isHeld(
  { users, options }: { users: Pick<UserStore, 'findByEmail'>; options: LapseOptions },
  holder: StoredUser | null | undefined,
): Promise<boolean> {
  return holder != null && !isLapsed(holder, await findOwnerOf(users, holder), options)
}

/**
 * Rejects a taken name before other work is done: the write says so in any case.
 * @throws AccountsError ACCOUNTS_USERNAME_TAKEN
 */
export async function checkUsernameFree(
  deps: { users: Pick<UserStore, 'findByEmail' | 'findByUsername'>; options: LapseOptions },
  username: string | null | undefined,
): Promise<void> {
  // A name that is an address reveals no more than the address would.
  if (!username || looksLikeAddress(username)) return
  if (await isHeld(deps, await deps.users.findByUsername(usernameKey(username))))
    throw new AccountsError('ACCOUNTS_USERNAME_TAKEN')
}
