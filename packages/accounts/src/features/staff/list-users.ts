import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { usernameKey } from '../../identifiers/username.js'
import type {
  FlagFilter,
  UserListQuery,
  UserOrder,
  UserPosition,
  UserPrefix,
} from '../../seams/user-store.js'
import { type AccountUser, accountUser, type User } from '../../user.js'
import { isUnused } from '../../users/visible.js'

/** The page and the list to return. */
interface PageOfUsers {
  limit: number
  after?: UserPosition | undefined
  /** The prefix of a username, or of an address for actors who may search addresses. */
  search?: string | undefined
  where: FlagFilter
  order?: UserOrder | undefined
  /** Whether the users are shown in the detailed view. */
  isDetailed: boolean
}

type ListDeps = Pick<Deps, 'throttle' | 'options'> & { list: NonNullable<Deps['users']['list']> }

/** How many users are read in addition to a page where unused accounts are left out. */
const readAhead = 100

/** How often one page is read. */
const mostReads = 10

/**
 * One page of users. Users whom the actor may not see are left out, so a page may be shorter than `limit`, or
 * empty, while others follow. If it reveals flags, by a filter or in the detailed view, users whom the actor
 * may not manage are left out too. Unused accounts are passed over as if they didn't exist.
 * @returns `next`: the position after which the next page begins, `null` on the last one
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_THROTTLED
 */
export async function listUsers(
  deps: ListDeps,
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
  const { read, next } = await readPage(
    { ...deps, actor },
    {
      limit,
      after,
      ...(prefix && { prefix }),
      where: { ...where, kind: 'person' },
      ...(order && { order }),
    },
  )
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

/**
 * Reads until the page is full: an unused account must not make it shorter. Reading ahead, one costs no second
 * read, either, whose time would tell of it.
 */
async function readPage(
  { list, options, actor }: ListDeps & { actor: AccountUser },
  query: UserListQuery,
): Promise<{ read: User[]; next: UserPosition | null }> {
  const { limit } = query
  // One more than shown tells whether there is a next page.
  const size = limit + 1 + (options.requireEmailConfirmation ? readAhead : 0)
  const isPassedOver = async (user: User): Promise<boolean> =>
    isUnused(options, user) && !(await options.authorize.manageUser(actor, accountUser(user)))
  const read: User[] = []
  let { after } = query
  for (let reads = 0; reads < mostReads; reads += 1) {
    const found = await list({ ...query, after, limit: size })
    const passedOver = await Promise.all(found.map(isPassedOver))
    read.push(...found.filter((_, index) => !passedOver[index]))
    if (read.length > limit) return { read: read.slice(0, limit), next: read[limit - 1] ?? null }
    if (found.length < size) return { read, next: null }
    after = found.at(-1)
  }
  return { read, next: after ?? null }
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
