import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ResolvedOptions } from '../options/resolve.js'
import { deriveKeys } from '../options/secret-keys.js'
import type { User } from '../user.js'
import type { Client } from './client.js'
import { createNamedCookie } from './named-cookie.js'
import type { CookieCodec } from './session-cookie.js'

/**
 * Marks a browser that has logged in to an account (OWASP "Slow Down Online Guessing Attacks with Device
 * Cookies"): it has its own budget of attempts, so guessing elsewhere doesn't lock it out. The cookie doesn't
 * reveal the account, is worth nothing for another one, and becomes invalid with the password.
 */
export interface DeviceCookie {
  /** Whether the client has such a cookie, no matter for which account. */
  isIn(client: Client): boolean
  /**
   * The name of the device, if the client has a cookie for this account.
   * @param use `password`: also accepts a mark that is for passwords alone. Default: only one for any use
   */
  read(client: Client, user: Marked, use?: 'password'): string | null
  /**
   * Marks the browser of a user who has just proved who they are, unless it is marked for this account already. Never
   * throws: an unmarked device only counts as a stranger next time.
   * @param use `password`: gives it a budget for passwords alone. Default: any use
   */
  write(client: Client, user: Marked, use?: 'password'): void
}

type Marked = Pick<User, 'id' | 'resetEpoch'>

/** Seconds; browsers keep a cookie for 400 days at most. */
const maxAge = 365 * 24 * 3600
const idLength = 16

export function createDeviceCookie(
  options: Pick<ResolvedOptions, 'secret' | 'secure' | 'session'>,
  codec: CookieCodec,
): DeviceCookie {
  const cookie = createNamedCookie('device', options, codec)
  const keys = deriveKeys(options.secret, `device-cookie:${options.session.cookieName}-device`)
  const mac = (key: Buffer, id: Buffer, user: Marked, use?: 'password'): Buffer => {
    const scope = use === undefined ? '' : `${use}:`
    return createHmac('sha256', key).update(id).update(`${scope}${user.resetEpoch}:${user.id}`).digest()
  }

  /** The mark of this account: its id, what it is for, and whether the newest secret has signed it. */
  function find(client: Client, user: Marked, use?: 'password') {
    const value = cookie.read(client)
    if (value === undefined) return null
    const bytes = Buffer.from(value, 'base64url')
    if (bytes.length !== idLength + 32) return null
    const id = bytes.subarray(0, idLength)
    for (const key of keys) {
      for (const each of use === undefined ? [undefined] : [undefined, use]) {
        const isOurs = timingSafeEqual(mac(key, id, user, each), bytes.subarray(idLength))
        if (isOurs) return { id, use: each, isNewest: key === keys[0] }
      }
    }
    return null
  }

  return {
    isIn: (client) => cookie.read(client) !== undefined,
    read: (client, user, use) => find(client, user, use)?.id.toString('base64url') ?? null,
    write(client, user, requestedUse) {
      try {
        const device = find(client, user, requestedUse)
        if (device?.isNewest) return
        // After a rotation the same device is signed again, so it is known once the older secret is gone.
        const { id, use } = device ?? { id: randomBytes(idLength), use: requestedUse }
        const value = Buffer.concat([id, mac(keys[0], id, user, use)]).toString('base64url')
        cookie.write(client, value, maxAge)
      } catch (error) {
        client.log.warn({ err: error }, 'accounts: a known device could not be recorded')
      }
    },
  }
}
