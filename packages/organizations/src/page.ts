import type { ListPosition } from 'fastify-accounts/features'

/** One page of a list. */
export interface Page<T> {
  results: T[]
  /** The position after which the next page begins, for `readPage`; `null` on the last one. */
  next: ListPosition | null
}

/** Entries of one page. */
export const perPage = 100

/**
 * Makes a page of what was read for it.
 * @param found with one more than a page has, if there are more
 * @param positionOf where an entry is in the list
 */
export function pageOf<T>(
  found: readonly T[],
  positionOf: (entry: T) => Pick<ListPosition, 'createdAt' | 'id'>,
): Page<T> {
  const results = found.slice(0, perPage)
  const last = found.length > perPage ? results.at(-1) : undefined
  return { results, next: last === undefined ? null : { ...positionOf(last), usernameKey: null } }
}
