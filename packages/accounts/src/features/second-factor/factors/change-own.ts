import type { Deps } from '../../../deps.js'
import { changedMeanwhile } from '../../../errors.js'
import type { StoredUser, User, UserChanges } from '../../../user.js'

/** Changes the logged-in user's record, and emails the owner about it. */
export async function changeOwn(
  { users, postOffice }: Pick<Deps, 'users' | 'postOffice'>,
  found: StoredUser,
  { sessionEpoch }: User,
  changesFor: (current: StoredUser) => UserChanges | null,
  mail: 'factor-removed' | 'recovery-codes-changed',
): Promise<void> {
  const changed = await users.change(
    found,
    (current) => (current.sessionEpoch === sessionEpoch ? changesFor(current) : null),
    { messages: (later) => postOffice.about(mail, later) },
  )
  if (changed === null) throw changedMeanwhile()
}
