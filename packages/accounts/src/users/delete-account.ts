import type { Deps } from '../deps.js'
import { changedMeanwhile } from '../errors.js'
import type { DeleteUser } from '../sessions/user-updates.js'
import type { StoredUser } from '../user.js'

/** How often a deletion is attempted while others change the same user, or what features have of them. */
const maxAttempts = 10

type DeletingDeps = Pick<Deps, 'users' | 'invitations' | 'events' | 'options' | 'planDeletion'>
type Along = Pick<NonNullable<Parameters<DeleteUser>[1]>, 'messages' | 'successor' | 'onlyAsRead'>

/**
 * Deletes a user or service account, whatever they are by now, with what features do along with it.
 * @returns whether there was one
 * @throws AccountsError ACCOUNTS_CONFLICT, and what a feature refuses it with
 */
export async function deleteAccount(
  deps: DeletingDeps,
  user: StoredUser,
  along: Omit<Along, 'onlyAsRead'> = {},
): Promise<boolean> {
  let current: StoredUser | null = user
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (await attemptDeletion(deps, current, along)) return true
    current = await deps.users.findById(user.id)
    if (current === null) return false
  }
  throw changedMeanwhile()
}

/**
 * The same once.
 * @param user as they were read: features plan for this state
 * @returns `false` if there is none, or something has changed since it was read
 */
export async function attemptDeletion(
  deps: DeletingDeps,
  user: StoredUser,
  { messages = [], ...along }: Along,
): Promise<boolean> {
  const plan = await deps.planDeletion(user, deps)
  if ((await plan.before?.()) === false) return false
  const all = [...messages, ...(plan.messages ?? [])]
  const isDeleted = await deps.users.delete(user, {
    ...along,
    messages: all,
    deleteStored: plan.deleteStored,
  })
  // The user is gone, whatever happens. The outage is logged.
  if (isDeleted) await plan.after?.().catch(() => {})
  return isDeleted
}
