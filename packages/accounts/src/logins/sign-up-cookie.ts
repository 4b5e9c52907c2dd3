import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ResolvedOptions } from '../options/resolve.js'
import { deriveKeys } from '../options/secret-keys.js'
import type { Client } from '../sessions/client.js'
import { createNamedCookie } from '../sessions/named-cookie.js'
import type { CookieCodec } from '../sessions/session-cookie.js'
import { openSealed, seal } from '../tokens/seal.js'
import type { User } from '../user.js'

/**
 * Marks the browser in which somebody has signed up, or shown the password by name before the address was verified: a
 * verification link opened there is opened by its maker, and a failed login with the address gets a hint. It logs nobody
 * in and reveals neither the account nor whether there is one.
 */
export interface SignUpCookie {
  /**
   * @param user what was stored, which is then the newest sign-up; `null` marks the browser for nobody, if nothing was
   * @param emailKey the address of a sign-up; `null` if the browser was only shown a password
   */
  write(client: Client, user: Maker | null, emailKey: string | null): void
  /**
   * Leaves the browser marked as it is, with a cookie in the response as `write` sends one.
   * @param user what was stored of another sign-up with this address, which is then the newest; `null` if nothing was
   */
  keep(client: Client, user: Maker | null, emailKey: string): void
  /** Whether the browser is marked for this account, and its address hasn't changed since. */
  isFor(client: Client, user: Maker): boolean
  /** Whether somebody has signed up with this address in the browser, whatever became of that. */
  isForAddress(client: Client, emailKey: string): boolean
  /** The id of what was stored of the last sign-up with this address in the browser; `null` if that isn't known. */
  newest(client: Client, emailKey: string): string | null
  /** Whether the browser says that it is marked, no matter for what: anybody can claim that. */
  isIn(client: Client): boolean
  clear(client: Client): void
}

type Maker = Pick<User, 'id' | 'verifyEpoch'>

const nonceLength = 16
const timeLength = 6
const headLength = nonceLength + timeLength
const macLength = 32
const markedLength = headLength + 2 * macLength
/** Of the sealed id, padded: UUIDs and numbers fit. A longer one is left out. */
const idLength = 64
const sealedLength = Buffer.from(seal(randomBytes(32), ' '.repeat(idLength)), 'base64url').length

export function createSignUpCookie(
  options: Pick<ResolvedOptions, 'secret' | 'secure' | 'session' | 'links'>,
  codec: CookieCodec,
): SignUpCookie {
  const cookie = createNamedCookie('signup', options, codec)
  const keys = deriveKeys(options.secret, `sign-up-cookie:${options.session.cookieName}`)
  const sealKeys = deriveKeys(options.secret, `sign-up-newest:${options.session.cookieName}`)
  const lifetime = options.links.verifyLifetime
  const macOf = (key: Buffer, before: Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(before).update(text).digest()
  // No account has an empty id, and no address an empty key. All parts are always there, so the size tells nothing.
  const ofUser = ({ id, verifyEpoch }: Maker): string => `${verifyEpoch}:${id}`
  const ofAddress = (emailKey: string): string => `address:${emailKey}`

  /** What the newest sign-up is sealed for: this cookie, and the address. */
  const contextOf = (bytes: Buffer, emailKey: string): string =>
    `${bytes.toString('base64url', 0, headLength)}:${emailKey}`

  function sealNewest(bytes: Buffer, user: Maker | null, emailKey: string): Buffer {
    const text = JSON.stringify(user?.id ?? '')
    const room = idLength - Buffer.byteLength(text)
    const padded = room < 0 ? '""'.padEnd(idLength) : text + ' '.repeat(room)
    return Buffer.from(seal(sealKeys[0], padded, contextOf(bytes, emailKey)), 'base64url')
  }

  /**
   * A cookie that hasn't expired: a head, the MAC of the address over it, that of the user over both, and the sealed id of
   * the newest sign-up.
   */
  function read(client: Client): Buffer | null {
    const bytes = Buffer.from(cookie.read(client) ?? '', 'base64url')
    if (bytes.length !== markedLength + sealedLength) return null
    return bytes.readUIntBE(nonceLength, timeLength) <= Date.now() ? null : bytes
  }

  /** Whether what follows the first bytes is their MAC with the text. */
  function isSigned(bytes: Buffer | null, length: number, text: string): boolean {
    if (bytes === null) return false
    const [signed, mac] = [bytes.subarray(0, length), bytes.subarray(length, length + macLength)]
    return keys.some((key) => timingSafeEqual(macOf(key, signed, text), mac))
  }

  return {
    write(client, user, emailKey) {
      const head = Buffer.alloc(headLength)
      randomBytes(nonceLength).copy(head)
      head.writeUIntBE(Date.now() + lifetime, nonceLength, timeLength)
      const addressMac = macOf(keys[0], head, ofAddress(emailKey ?? ''))
      const marked = Buffer.concat([head, addressMac])
      const userMac = macOf(keys[0], marked, ofUser(user ?? { id: '', verifyEpoch: 0 }))
      const value = Buffer.concat([marked, userMac, sealNewest(head, user, emailKey ?? '')])
      cookie.write(client, value.toString('base64url'), Math.ceil(lifetime / 1000))
    },
    keep(client, user, emailKey) {
      const bytes = read(client)
      if (bytes === null) return
      const sealed = user === null ? bytes.subarray(markedLength) : sealNewest(bytes, user, emailKey)
      const value = Buffer.concat([bytes.subarray(0, markedLength), sealed])
      const left = bytes.readUIntBE(nonceLength, timeLength) - Date.now()
      cookie.write(client, value.toString('base64url'), Math.ceil(left / 1000))
    },
    isFor: (client, user) => isSigned(read(client), headLength + macLength, ofUser(user)),
    isForAddress: (client, emailKey) => isSigned(read(client), headLength, ofAddress(emailKey)),
    newest(client, emailKey) {
      const bytes = read(client)
      if (bytes === null) return null
      const sealed = bytes.toString('base64url', markedLength)
      return JSON.parse(openSealed(sealKeys, sealed, contextOf(bytes, emailKey)) ?? 'null') || null
    },
    isIn: (client) => read(client) !== null,
    clear: cookie.clear,
  }
}
