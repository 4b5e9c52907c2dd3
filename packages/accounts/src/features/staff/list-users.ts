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
import type { Actor } from '../../users/change.js'
import { maySee } from '../../users/visible.js'

/** The page and the list to return. */
interface PageOfUsers {
  limit: number
  after?: UserPosition | undefined
  /** The prefix of a username, or of an address for actors who may search addresses. */
  search?: string | undefined
  /** The own fields that `search` is sought in, for actors who may, instead of names and addresses. */
  searchFields?: readonly string[] | undefined
  where: FlagFilter
  order?: UserOrder | undefined
  /** Whether the users are shown in the detailed view. */
  isDetailed: boolean
}

type ListDeps = Pick<Deps, 'throttle' | 'options'> & { list: NonNullable<Deps['users']['list']> }

/**
 * One page of users. Users whom the actor may not see are left out, so a page may be shorter than `limit`, or
 * empty, while others follow. If it reveals flags, by a filter or in the detailed view, users whom the actor
 * may not see in detail are left out as well. For actors without details, the store leaves out unused accounts as it does
 * unclaimed ones: a shorter page, or a second read, would tell that an address was free.
 * @returns `next`: the position after which the next page begins, `null` on the last one
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_THROTTLED
 */
export async function listUsers(
  deps: ListDeps,
  actor: Actor<AccountUser>,
  { limit, after, search, searchFields, where, order, isDetailed }: PageOfUsers,
): Promise<{ users: User[]; next: UserPosition | null }> {
  const { authorize, requireEmailConfirmation } = deps.options
  const tellsFlags = isDetailed || Object.keys(where).length > 0
  const seesDetails = actor === 'host' || (await checkMayList(deps, actor, tellsFlags))
  if (actor !== 'host')
    await deps.throttle.spend(search === undefined ? 'listUsers' : 'searchUsers', actor.id)
  const sought = search === undefined ? {} : await soughtIn(deps, actor, search, searchFields)
  if (sought === null) return { users: [], next: null }
  const seesUnused = !requireEmailConfirmation || seesDetails
  const found = await deps.list({
    // One more than shown tells whether there is a next page.
    limit: limit + 1,
    after,
    ...sought,
    where: { ...where, kind: 'person', ...(!seesUnused && { isUsed: true }) },
    ...(order && { order }),
  })
  const read = found.slice(0, limit)
  const isShown = async (user: User): Promise<boolean> =>
    actor === 'host' ||
    ((await maySee(deps, actor, user)) &&
      (!tellsFlags || (await authorize.showDetails(actor, accountUser(user)))))
  const shown = await Promise.all(read.map(isShown))
  return {
    users: read.filter((_, index) => shown[index]),
    next: found.length > limit ? (read.at(-1) ?? null) : null,
  }
}

/**
 * Whether the actor sees details.
 * @throws AccountsError ACCOUNTS_FORBIDDEN
 */
async function checkMayList(
  { options: { authorize, requireEmailConfirmation } }: Pick<Deps, 'options'>,
  actor: AccountUser,
  tellsFlags: boolean,
): Promise<boolean> {
  const mayList = await authorize.listUsers(actor)
  const seesDetails =
    mayList && (tellsFlags || requireEmailConfirmation) && (await authorize.listDetails(actor))
  if (!mayList || (tellsFlags && !seesDetails)) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  return seesDetails
}

/**
 * What a search asks of the store; `null` if nothing can match.
 * @throws AccountsError ACCOUNTS_FORBIDDEN
 */
async function soughtIn(
  deps: Pick<Deps, 'options'>,
  actor: Actor<AccountUser>,
  search: string,
  fields: readonly string[] | undefined,
): Promise<Pick<UserListQuery, 'prefix' | 'search'> | null> {
  if (fields === undefined) {
    const prefix = await prefixOf(deps, actor, search)
    return prefix && { prefix }
  }
  const mayAsk = actor === 'host' || (await deps.options.authorize.searchFields(actor))
  if (!mayAsk) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  const text = search.trim()
  return text === '' ? null : { search: { text, fields } }
}

/** `null` if nothing can have this prefix. */
async function prefixOf(
  { options }: Pick<Deps, 'options'>,
  actor: Actor<AccountUser>,
  search: string,
): Promise<UserPrefix | null> {
  const name = usernameKey(search)
  if (name === '') return null
  const seesEmails = actor === 'host' || (await options.authorize.searchEmails(actor))
  // Without usernames there is nothing that everybody may search.
  if (options.names === 'none' && !seesEmails) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  return {
    ...(options.names !== 'none' && { usernameKey: name }),
    ...(seesEmails && { emailKey: search.trim().normalize('NFC').toLowerCase() || name }),
  }
}
