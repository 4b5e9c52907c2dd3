import type { FlagFilter, UserPrefix, UserStore } from '../../seams/user-store.js'
import type { ListPosition } from '../../tokens/list-cursor.js'
import type { User } from '../../user.js'

/** How a username or an address begins, each absent if it isn't searched. */
export interface Starts {
  usernameKey?: string | undefined
  emailKey?: string | undefined
}

/**
 * Users to read beyond the page, because some are left out: unclaimed ones always, others where nobody has proven who they
 * are. So few of them make neither a second read nor a shorter page, which would tell whether one is there.
 */
const slack = 200

/** How often a page reads, at most: someone who signs up many accounts that are left out doesn't make searches slow. */
const mostReads = 3

/**
 * A page of the users whose name begins so, by name, then of those whose address does, by address. Each read is a range of
 * one index, of bounded length, however many users match. Only filters by flags, for actors who may list details, can make
 * a store read on past users without them.
 * @param isListed leaves users out after they were read: a store that did would read on until its page is full
 */
export async function findByStart(
  list: NonNullable<UserStore['list']>,
  starts: Starts,
  { limit, after, where }: { limit: number; after: ListPosition | undefined; where: FlagFilter },
  isListed: (user: User) => boolean,
): Promise<{ users: User[]; next: ListPosition | null }> {
  const users: User[] = []
  const size = limit + 1 + slack
  let last = after
  let lastShown: ListPosition | null = null
  let reads = 0
  for (const [prefix, isByEmail] of rangesOf(starts)) {
    if (!isByEmail && last?.isByEmail) continue
    let position = Boolean(last?.isByEmail) === isByEmail ? last : undefined
    for (let isMore = true; isMore; ) {
      // Maybe at one who was left out, of whom only the length of the cursor could tell: it is sealed.
      if (reads === mostReads) return { users, next: last ?? null }
      const read = await list({ limit: size, after: position, prefix, where })
      reads += 1
      for (const user of read) {
        const isFoundByName = isByEmail && begins(user.usernameKey, starts.usernameKey)
        const isShown = !isFoundByName && isListed(user)
        // Not at one who was left out since: the length of the cursor would tell of them.
        if (isShown && users.length === limit) return { users, next: lastShown }
        const { id, createdAt, usernameKey, emailKey } = user
        position = last = { id, createdAt, usernameKey, emailKey, isByEmail }
        if (!isShown) continue
        users.push(user)
        lastShown = last
      }
      isMore = read.length === size
    }
  }
  return { users, next: null }
}

function rangesOf({ usernameKey, emailKey }: Starts): [UserPrefix, isByEmail: boolean][] {
  return [
    ...(usernameKey === undefined ? [] : [[{ usernameKey }, false] as [UserPrefix, boolean]]),
    ...(emailKey === undefined ? [] : [[{ emailKey }, true] as [UserPrefix, boolean]]),
  ]
}

function begins(key: string | null, start: string | undefined): boolean {
  return start !== undefined && key?.startsWith(start) === true
}
