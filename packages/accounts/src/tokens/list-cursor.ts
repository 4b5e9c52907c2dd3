import { deriveKeys } from '../options/secret-keys.js'
import type { UserPosition } from '../seams/user-store.js'
import { openSealed, seal } from './seal.js'

/**
 * Turns a position in the list of users into an opaque text and back; a text not made here, or for another
 * list, is `null`. Encrypted, because the position may be that of a user whom the reader may not see.
 */
interface ListCursor {
  /** @param list identifies the list: its search, filters, order and view */
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
