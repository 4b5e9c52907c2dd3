import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ResolvedOptions } from '../options/resolve.js'
import { deriveKeys } from '../options/secret-keys.js'
import type { User } from '../user.js'
import type { Client } from './client.js'
import { createNamedCookie } from './named-cookie.js'
import type { CookieCodec } from './session-cookie.js'

/**
 * Marks the browser in which somebody has signed up, or shown the password by name before the address was verified: a
 * verification link opened there is opened by its maker, and a failed login with the address gets a hint. It logs nobody
 * in and reveals neither the account nor whether there is one.
 */
export interface SignUpCookie {
  /**
   * @param user `null` marks the browser for nobody, if nothing was stored
   * @param emailKey the address of a sign-up; `null` if the browser was only shown a password
   */
  write(client: Client, user: Maker | null, emailKey: string | null): void
  /** Leaves the browser marked as it is, with a cookie in the response as `write` sends one. */
  keep(client: Client): void
  /** Whether the browser is marked for this account, and its address hasn't changed since. */
  isFor(client: Client, user: Maker): boolean
  /** Whether somebody has signed up with this address in the browser, whatever became of that. */
  isForAddress(client: Client, emailKey: string): boolean
  /** Whether the browser says that it is marked, no matter for what: anybody can claim that. */
  isIn(client: Client): boolean
  clear(client: Client): void
}

type Maker = Pick<User, 'id' | 'verifyEpoch'>

const nonceLength = 16
const timeLength = 6
const headLength = nonceLength + timeLength
const macLength = 32

export function createSignUpCookie(
  options: Pick<ResolvedOptions, 'secret' | 'secure' | 'session' | 'links'>,
  codec: CookieCodec,
): SignUpCookie {
  const cookie = createNamedCookie('signup', options, codec)
  const keys = deriveKeys(options.secret, `sign-up-cookie:${options.session.cookieName}`)
  const lifetime = options.links.verifyLifetime
  const macOf = (key: Buffer, before: Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(before).update(text).digest()
  // No account has an empty id, and no address an empty key. Both MACs are always there, so the size tells nothing.
  const ofUser = ({ id, verifyEpoch }: Maker): string => `${verifyEpoch}:${id}`
  const ofAddress = (emailKey: string): string => `address:${emailKey}`

  /** A cookie that hasn't expired: a head, the MAC of the address over it, and that of the user over both. */
  function read(client: Client): Buffer | null {
    const bytes = Buffer.from(cookie.read(client) ?? '', 'base64url')
    if (bytes.length !== headLength + 2 * macLength) return null
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
      const value = Buffer.concat([marked, userMac])
      cookie.write(client, value.toString('base64url'), Math.ceil(lifetime / 1000))
    },
    keep(client) {
      const bytes = read(client)
      if (bytes === null) return
      const left = bytes.readUIntBE(nonceLength, timeLength) - Date.now()
      cookie.write(client, bytes.toString('base64url'), Math.ceil(left / 1000))
    },
    isFor: (client, user) => isSigned(read(client), headLength + macLength, ofUser(user)),
    isForAddress: (client, emailKey) => isSigned(read(client), headLength, ofAddress(emailKey)),
    isIn: (client) => read(client) !== null,
    clear: cookie.clear,
  }
}
