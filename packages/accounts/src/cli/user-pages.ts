import type { ListingUserStore, StoredUser, UserStore } from '../index.js'

/** How many users are read at once. */
const pageSize = 200

/** Every person, page by page; unclaimed users are nobody's accounts. */
export async function* userPages(users: ListingUserStore): AsyncGenerator<readonly StoredUser[]> {
  for (let after: StoredUser | undefined; ; ) {
    const page = await users.list({ limit: pageSize, after, where: { kind: 'person' } })
    yield page
    after = page.at(-1)
    if (after === undefined) return
  }
}

export function canList(store: UserStore): store is ListingUserStore {
  return store.list !== undefined
}
