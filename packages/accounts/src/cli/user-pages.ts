import type { ListingUserStore, StoredUser, UserStore } from '../index.js'
import type { UserKind } from '../user.js'

/** How many users are read at once. */
const pageSize = 200

/** All users, page by page. By default only persons: unclaimed users are nobody's accounts. */
export async function* userPages(
  users: ListingUserStore,
  where: { kind?: UserKind } = { kind: 'person' },
): AsyncGenerator<readonly StoredUser[]> {
  for (let after: StoredUser | undefined; ; ) {
    const page = await users.list({ limit: pageSize, after, where })
    yield page
    after = page.at(-1)
    if (after === undefined) return
  }
}

export function canList(store: UserStore): store is ListingUserStore {
  return store.list !== undefined
}
