import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKeys } from '../options/secret-keys.js'
import type { UserPosition } from '../seams/user-store.js'

/** Turns a place in the list of users into an opaque text and back; a text that was not made here is `null`. */
export interface ListCursor {
  encode(position: UserPosition): string
  decode(cursor: string): UserPosition | null
}

const macLength = 16

export function createListCursor(secrets: readonly string[]): ListCursor {
  const keys = deriveKeys(secrets, 'list-cursor')
  const mac = (key: Buffer, payload: Buffer): Buffer =>
    createHmac('sha256', key).update(payload).digest().subarray(0, macLength)

  return {
    encode({ createdAt, id }) {
      const payload = Buffer.from(JSON.stringify([createdAt.getTime(), id]))
      return Buffer.concat([mac(keys[0], payload), payload]).toString('base64url')
    },
    decode(cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length <= macLength || bytes.toString('base64url') !== cursor) return null
      const given = bytes.subarray(0, macLength)
      const payload = bytes.subarray(macLength)
      if (!keys.some((key) => timingSafeEqual(mac(key, payload), given))) return null
      const [createdAt, id] = JSON.parse(payload.toString()) as [number, string]
      return { createdAt: new Date(createdAt), id }
    },
  }
}
