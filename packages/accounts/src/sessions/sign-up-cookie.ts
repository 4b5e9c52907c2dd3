import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ResolvedOptions } from '../options/resolve.js'
import { deriveKeys } from '../options/secret-keys.js'
import type { User } from '../user.js'
import type { Client } from './client.js'
import { createNamedCookie } from './named-cookie.js'
import type { CookieCodec } from './session-cookie.js'

/**
 * Marks the browser in which somebody has made an account, or shown its password or passkey, before the address
 * was verified: a verification link opened there is opened by its maker. It logs nobody in and reveals neither the
 * account nor whether there is one.
 */
export interface SignUpCookie {
  /** @param user `null` marks the browser for nobody, if the address already had an account */
  write(client: Client, user: Maker | null): void
  /** Whether the browser is marked for this account, and its address hasn't changed since. */
  isFor(client: Client, user: Maker): boolean
  clear(client: Client): void
}

type Maker = Pick<User, 'id' | 'verifyEpoch'>

const nonceLength = 16
const timeLength = 6

export function createSignUpCookie(
  options: Pick<ResolvedOptions, 'secret' | 'secure' | 'session' | 'links'>,
  codec: CookieCodec,
): SignUpCookie {
  const cookie = createNamedCookie('signup', options, codec)
  const keys = deriveKeys(options.secret, `sign-up-cookie:${options.session.cookieName}`)
  const lifetime = options.links.verifyLifetime
  const mac = (key: Buffer, head: Buffer, { id, verifyEpoch }: Maker): Buffer =>
    createHmac('sha256', key).update(head).update(`${verifyEpoch}:${id}`).digest()

  return {
    write(client, user) {
      const head = Buffer.alloc(nonceLength + timeLength)
      randomBytes(nonceLength).copy(head)
      head.writeUIntBE(Date.now() + lifetime, nonceLength, timeLength)
      // No account has an empty id.
      const value = Buffer.concat([head, mac(keys[0], head, user ?? { id: '', verifyEpoch: 0 })])
      cookie.write(client, value.toString('base64url'), Math.ceil(lifetime / 1000))
    },
    isFor(client, user) {
      const bytes = Buffer.from(cookie.read(client) ?? '', 'base64url')
      const head = bytes.subarray(0, nonceLength + timeLength)
      const given = bytes.subarray(head.length)
      if (given.length !== 32 || head.readUIntBE(nonceLength, timeLength) <= Date.now()) return false
      return keys.some((key) => timingSafeEqual(mac(key, head, user), given))
    },
    clear: cookie.clear,
  }
}
