import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import type { UserPosition } from '../seams/user-store.js'
import type { AccountUser, User } from '../user.js'

/**
 * One page of users in the order of creation.
 * @returns `next`: the place behind which the next page begins, `null` on the last one
 * @throws AccountsError ACCOUNTS_FORBIDDEN
 */
export async function listUsers(
  deps: Pick<Deps, 'users' | 'options'>,
  actor: AccountUser,
  { limit, after }: { limit: number; after?: UserPosition | undefined },
): Promise<{ users: User[]; next: UserPosition | null }> {
  if (!(await deps.options.authorize.listUsers(actor))) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  // One more than shown tells whether there is a next page.
  const found = await deps.users.list({ limit: limit + 1, after })
  const users = found.slice(0, limit)
  const last = users.at(-1)
  const next = found.length > limit && last ? { createdAt: last.createdAt, id: last.id } : null
  return { users, next }
}
