import { deriveKeys } from '../options/secret-keys.js'
import type { UserPosition } from '../seams/user-store.js'
import { openSealed, seal } from './seal.js'

/**
 * Turns a place in the list of users into an opaque text and back; a text that was not made here, or not for this list,
 * is `null`. It is encrypted: the place may be that of a user whom the reader may not see.
 */
export interface ListCursor {
  /** @param list what makes it this list: its search, its filters, its order, its view */
  encode(position: UserPosition, list: string): string
  decode(cursor: string, list: string): UserPosition | null
}

export function createListCursor(secrets: readonly string[]): ListCursor {
  const keys = deriveKeys(secrets, 'list-cursor')
  return {
    encode: ({ createdAt, id, usernameKey }, list) =>
      seal(keys[0], JSON.stringify([createdAt.getTime(), id, usernameKey]), list),
    decode(cursor, list) {
      const text = openSealed(keys, cursor, list)
      if (text === null) return null
      const [createdAt, id, usernameKey] = JSON.parse(text) as [number, string, string | null]
      return { createdAt: new Date(createdAt), id, usernameKey }
    },
  }
}
