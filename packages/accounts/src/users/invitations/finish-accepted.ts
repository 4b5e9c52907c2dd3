import type { Deps } from '../../deps.js'
import { acceptedInvitationsOf } from '../../notes.js'
import { changeBy, type UserUpdates } from '../../sessions/user-updates.js'
import type { StoredUser, User } from '../../user.js'

/**
 * Deletes what is left of invitations that an account has accepted, if a process died before it did. Before the account loses its
 * address or goes: nobody could tell afterwards that they were accepted.
 */
export async function finishAccepted(
  { invitations }: Pick<Deps, 'invitations'>,
  user: Pick<StoredUser, 'notes'>,
): Promise<void> {
  for (const id of Object.keys(acceptedInvitationsOf(user))) await invitations.delete(id)
}

/** The updates of users, which finish what an account has accepted before its address changes. */
export function finishingAccepted(
  { update }: Pick<UserUpdates, 'update'>,
  deps: Pick<Deps, 'invitations'> & { users: Pick<Deps['users'], 'findById'> },
): UserUpdates {
  const finishing: UserUpdates['update'] = async (user, changes, along) => {
    if (changes.emailKey !== undefined && isStored(user)) await finishAccepted(deps, user)
    return update(user, changes, along)
  }
  return {
    update: finishing,
    change: changeBy({ findById: deps.users.findById, update: finishing }),
  }
}

const isStored = (user: User | StoredUser): user is StoredUser => 'notes' in user
