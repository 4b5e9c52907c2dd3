import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { usernameKey } from '../identifiers/username.js'
import type { UserPosition, UserPrefix } from '../seams/user-store.js'
import { type AccountUser, accountUser, type User } from '../user.js'

/**
 * One page of users in the order of creation. Those whom the actor may not see are left out of it, so that it may be
 * shorter than `limit`, or empty, while others follow.
 * @param page.search how a name begins, or an address, for those who may look addresses through
 * @returns `next`: the place behind which the next page begins, `null` on the last one
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_THROTTLED
 */
export async function listUsers(
  deps: Pick<Deps, 'users' | 'throttle' | 'options'>,
  actor: AccountUser,
  { limit, after, search }: { limit: number; after?: UserPosition | undefined; search?: string | undefined },
): Promise<{ users: User[]; next: UserPosition | null }> {
  if (!(await deps.options.authorize.listUsers(actor))) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  await deps.throttle.spend(search === undefined ? 'listUsers' : 'searchUsers', actor.id)
  // One more than shown tells whether there is a next page.
  const prefix = search === undefined ? undefined : await prefixOf(deps, actor, search)
  if (prefix === null) return { users: [], next: null }
  const found = await deps.users.list({ limit: limit + 1, after, ...(prefix && { prefix }) })
  const read = found.slice(0, limit)
  const last = read.at(-1)
  const next = found.length > limit && last ? { createdAt: last.createdAt, id: last.id } : null
  return { users: await visibleOf(deps, actor, read), next }
}

async function visibleOf(
  { options }: Pick<Deps, 'options'>,
  actor: AccountUser,
  users: readonly User[],
): Promise<User[]> {
  const answers = await Promise.all(
    users.map(async (user) => options.authorize.showUser(actor, accountUser(user))),
  )
  return users.filter((_, index) => answers[index])
}

/** `null` where nothing begins like this. */
async function prefixOf(
  { options }: Pick<Deps, 'options'>,
  actor: AccountUser,
  search: string,
): Promise<UserPrefix | null> {
  const name = usernameKey(search)
  if (name === '') return null
  const seesEmails = await options.authorize.searchEmails(actor)
  return {
    usernameKey: name,
    ...(seesEmails && { emailKey: search.trim().normalize('NFC').toLowerCase() || name }),
  }
}
