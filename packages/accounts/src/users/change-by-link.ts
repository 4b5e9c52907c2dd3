import type { Deps } from '../deps.js'
import type { PendingMessage } from '../seams/outbox.js'
import type { OpenedLink } from '../tokens/email-link.js'
import { invalidLink } from '../tokens/link-fault.js'
import type { StoredUser, UserChanges } from '../user.js'

/**
 * Changes the user of an opened link, if it is still valid for the record that is changed.
 * @param changesFor the changes for a record; `{}` if it needs none, `null` if the link no longer holds
 * @param messages the emails and events about the change, stored if and only if it is
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_CONFLICT
 */
export async function changeByLink(
  { users }: Pick<Deps, 'users'>,
  { user, purpose, stillValid }: Pick<OpenedLink, 'user' | 'purpose' | 'stillValid'>,
  changesFor: (current: StoredUser) => UserChanges | null,
  messages: (changed: StoredUser, before: StoredUser) => readonly PendingMessage[] = () => [],
): Promise<StoredUser> {
  const changed = await users.change(user, (current) => (stillValid(current) ? changesFor(current) : null), {
    messages,
  })
  if (changed === null) throw invalidLink('used', purpose, user)
  return changed
}
