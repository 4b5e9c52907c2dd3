import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { usernameKey } from '../../identifiers/username.js'
import type { FlagFilter, UserListQuery, UserOrder, UserSearch } from '../../seams/user-store.js'
import type { ListPosition } from '../../tokens/list-cursor.js'
import { type AccountUser, accountUser, type User } from '../../user.js'
import type { Actor } from '../../users/change.js'
import { isUnused, maySee } from '../../users/visible.js'
import { findByStart, type Starts } from './find-by-start.js'

/** The page and the list to return. */
interface PageOfUsers {
  limit: number
  after?: ListPosition | undefined
  /** The prefix of a username, or of an address for actors who may search addresses. */
  search?: string | undefined
  /** The own fields that `search` is sought in, for actors who may, instead of names and addresses. */
  searchFields?: readonly string[] | undefined
  where: FlagFilter
  order?: UserOrder | undefined
  /** Whether the users are shown in the detailed view. */
  isDetailed: boolean
}

interface Sought {
  starts?: Starts
  search?: UserSearch
}

type ListDeps = Pick<Deps, 'throttle' | 'options'> & { list: NonNullable<Deps['users']['list']> }

/**
 * One page of users. Users whom the actor may not see are left out, so a page may be shorter than `limit`, or
 * empty, while others follow. If it reveals flags, by a filter or in the detailed view, users whom the actor
 * may not see in detail are left out as well. For actors without details, unused accounts are left out where unclaimed
 * ones are: a shorter page, or a second read, would tell that an address was free.
 * @returns `next`: the position after which the next page begins, `null` on the last one
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_THROTTLED
 */
export async function listUsers(
  deps: ListDeps,
  actor: Actor<AccountUser>,
  { limit, after, search, searchFields, where, order, isDetailed }: PageOfUsers,
): Promise<{ users: User[]; next: ListPosition | null }> {
  const { authorize, requireEmailConfirmation } = deps.options
  const tellsFlags = isDetailed || Object.keys(where).length > 0
  const seesDetails = actor === 'host' || (await checkMayList(deps, actor, tellsFlags))
  if (actor !== 'host')
    await deps.throttle.spend(search === undefined ? 'listUsers' : 'searchUsers', actor.id)
  const sought: Sought | null = search === undefined ? {} : await soughtIn(deps, actor, search, searchFields)
  if (sought === null) return { users: [], next: null }
  const seesUnused = !requireEmailConfirmation || seesDetails
  const { users: read, next } =
    sought.starts !== undefined
      ? await findByStart(
          deps.list,
          sought.starts,
          { limit, after, where },
          (user) => user.kind === 'person' && (seesDetails || !isUnused(deps.options, user)),
        )
      : await pageOf(deps.list, {
          ...{ limit, after, order, search: sought.search },
          where: { ...where, kind: 'person', ...(!seesUnused && { isUsed: true }) },
        })
  const isShown = async (user: User): Promise<boolean> =>
    actor === 'host' ||
    ((await maySee(deps, actor, user)) &&
      (!tellsFlags || (await authorize.showDetails(actor, accountUser(user)))))
  const shown = await Promise.all(read.map(isShown))
  return {
    users: read.filter((_, index) => shown[index]),
    next,
  }
}

async function pageOf(
  list: ListDeps['list'],
  { limit, order, ...query }: UserListQuery,
): Promise<{ users: User[]; next: ListPosition | null }> {
  // One more than shown tells whether there is a next page.
  const found = await list({ ...query, limit: limit + 1, ...(order && { order }) })
  const users = found.slice(0, limit)
  return { users, next: found.length > limit ? (users.at(-1) ?? null) : null }
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
  { options: { authorize, names } }: Pick<Deps, 'options'>,
  actor: Actor<AccountUser>,
  search: string,
  fields: readonly string[] | undefined,
): Promise<Sought | null> {
  const may = async (rule: 'searchEmails' | 'searchFields') => actor === 'host' || authorize[rule](actor)
  if (fields !== undefined) {
    if (!(await may('searchFields'))) throw new AccountsError('ACCOUNTS_FORBIDDEN')
    const text = search.trim()
    return text === '' ? null : { search: { text, fields } }
  }
  const name = usernameKey(search)
  if (name === '') return null
  const seesEmails = await may('searchEmails')
  // Without usernames there is nothing that everybody may search.
  if (names === 'none' && !seesEmails) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  return {
    starts: {
      ...(names !== 'none' && { usernameKey: name }),
      ...(seesEmails && { emailKey: search.trim().normalize('NFC').toLowerCase() || name }),
    },
  }
}
