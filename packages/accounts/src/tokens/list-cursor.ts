import { fieldError, invalidInput } from '../errors.js'
import { deriveKeys } from '../options/secret-keys.js'
import type { UserPosition } from '../seams/user-store.js'
import { openSealed, seal } from './seal.js'

/** A position in a list of users; in a search it says whether the users before it were found by their names or addresses. */
export type ListPosition = UserPosition & { isByEmail?: boolean }

type Position = [createdAt: number, id: string, usernameKey: string | null, emailKey?: string]

/**
 * Turns a position in the list of users into an opaque text and back; a text not made here, or for another
 * list, is `null`. Encrypted, because the position may be that of a user whom the reader may not see.
 */
interface ListCursor {
  /** @param list identifies the list: its search, filters, order and view */
  encode(position: ListPosition, list: string): string
  decode(cursor: string, list: string): ListPosition | null
}

/**
 * Reads one page of a list, whose cursors are texts.
 * @param list as for `ListCursor.encode`
 * @param read reads the page after a position
 * @throws AccountsError ACCOUNTS_INVALID_INPUT for a cursor of another list
 */
export async function readPage<Page extends { next: ListPosition | null }>(
  { encode, decode }: ListCursor,
  list: string,
  cursor: string | undefined,
  read: (after: ListPosition | undefined) => Promise<Page>,
): Promise<Omit<Page, 'next'> & { next: string | null }> {
  const after = cursor === undefined ? undefined : decode(`${cursor}`, list)
  if (after === null) throw invalidInput(fieldError('cursor', 'invalid'))
  const { next, ...page } = await read(after)
  return { ...page, next: next && encode(next, list) }
}

export function createListCursor(secrets: readonly string[]): ListCursor {
  const keys = deriveKeys(secrets, 'list-cursor')
  return {
    encode: ({ createdAt, id, usernameKey, emailKey, isByEmail }, list) =>
      seal(
        keys[0],
        JSON.stringify([createdAt.getTime(), id, usernameKey, ...(isByEmail ? [emailKey] : [])]),
        list,
      ),
    decode(cursor, list) {
      const text = openSealed(keys, cursor, list)
      if (text === null) return null
      const [createdAt, id, usernameKey, emailKey] = JSON.parse(text) as Position
      const isByEmail = emailKey !== undefined
      return { createdAt: new Date(createdAt), id, usernameKey, ...(isByEmail && { emailKey, isByEmail }) }
    },
  }
}
