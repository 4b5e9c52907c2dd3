import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKeys } from '../options/secret-keys.js'
import type { UserPosition } from '../seams/user-store.js'

/**
 * Turns a place in the list of users into an opaque text and back; a text that was not made here is `null`. It is
 * encrypted: the place may be that of a user whom the reader may not see.
 */
export interface ListCursor {
  encode(position: UserPosition): string
  decode(cursor: string): UserPosition | null
}

const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

export function createListCursor(secrets: readonly string[]): ListCursor {
  const keys = deriveKeys(secrets, 'list-cursor')

  function open(key: Buffer, bytes: Buffer): string | null {
    const opener = createDecipheriv(cipher, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    opener.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
    const text = opener.update(bytes.subarray(nonceLength + tagLength))
    try {
      return Buffer.concat([text, opener.final()]).toString()
    } catch {
      // Of another key, or changed.
      return null
    }
  }

  return {
    encode({ createdAt, id }) {
      const nonce = randomBytes(nonceLength)
      const sealer = createCipheriv(cipher, keys[0], nonce, { authTagLength: tagLength })
      const text = Buffer.concat([sealer.update(JSON.stringify([createdAt.getTime(), id])), sealer.final()])
      return Buffer.concat([nonce, sealer.getAuthTag(), text]).toString('base64url')
    },
    decode(cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length <= nonceLength + tagLength || bytes.toString('base64url') !== cursor) return null
      for (const key of keys) {
        const text = open(key, bytes)
        if (text === null) continue
        const [createdAt, id] = JSON.parse(text) as [number, string]
        return { createdAt: new Date(createdAt), id }
      }
      return null
    },
  }
}
