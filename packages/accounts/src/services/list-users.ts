import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { usernameKey } from '../identifiers/username.js'
import type { UserFilter, UserOrder, UserPosition, UserPrefix } from '../seams/user-store.js'
import { type AccountUser, accountUser, type User } from '../user.js'

/** The page and the list to return. */
export interface PageOfUsers {
  limit: number
  after?: UserPosition | undefined
  /** The prefix of a username, or of an address for actors who may search addresses. */
  search?: string | undefined
  where: UserFilter
  order?: UserOrder | undefined
  /** Whether the users are shown in the detailed view. */
  isDetailed: boolean
}

/**
 * One page of users. Users whom the actor may not see are left out, so a page may be shorter than `limit`, or
 * empty, while others follow. If it reveals flags, by a filter or in the detailed view, users whom the actor
 * may not manage are left out too.
 * @returns `next`: the position after which the next page begins, `null` on the last one
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_THROTTLED
 */
export async function listUsers(
  deps: Pick<Deps, 'throttle' | 'options'> & { list: NonNullable<Deps['users']['list']> },
  actor: AccountUser,
  { limit, after, search, where, order, isDetailed }: PageOfUsers,
): Promise<{ users: User[]; next: UserPosition | null }> {
  const { authorize } = deps.options
  const tellsFlags = isDetailed || Object.keys(where).length > 0
  const isAllowed =
    (await authorize.listUsers(actor)) && (!tellsFlags || (await authorize.listDetails(actor)))
  if (!isAllowed) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  await deps.throttle.spend(search === undefined ? 'listUsers' : 'searchUsers', actor.id)
  const prefix = search === undefined ? undefined : await prefixOf(deps, actor, search)
  if (prefix === null) return { users: [], next: null }
  // One more than shown tells whether there is a next page.
  const found = await deps.list({
    limit: limit + 1,
    after,
    ...(prefix && { prefix }),
    ...(Object.keys(where).length > 0 && { where }),
    ...(order && { order }),
  })
  const read = found.slice(0, limit)
  const last = read.at(-1)
  const next = found.length > limit && last ? last : null
  const isShown = async (user: User): Promise<boolean> => {
    const target = accountUser(user)
    return (
      (await authorize.showUser(actor, target)) &&
      (!tellsFlags || (await authorize.manageUser(actor, target)))
    )
  }
  const shown = await Promise.all(read.map(isShown))
  return { users: read.filter((_, index) => shown[index]), next }
}

/** `null` if nothing can have this prefix. */
async function prefixOf(
  { options }: Pick<Deps, 'options'>,
  actor: AccountUser,
  search: string,
): Promise<UserPrefix | null> {
  const name = usernameKey(search)
  if (name === '') return null
  const seesEmails = await options.authorize.searchEmails(actor)
  // Without usernames there is nothing that everybody may search.
  if (options.names === 'none' && !seesEmails) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  return {
    ...(options.names !== 'none' && { usernameKey: name }),
    ...(seesEmails && { emailKey: search.trim().normalize('NFC').toLowerCase() || name }),
  }
}
