import type { Deps } from '../deps.js'
import type { Client } from '../sessions/client.js'
import type { NamedCookie } from '../sessions/named-cookie.js'
import type { StoredUser } from '../user.js'
import type { PendingLogin, PendingLogins } from './awaiting-factor.js'
import type { RememberedDevices } from './remembered-devices.js'

/** Logins that await a second factor: their sealed form, and the cookie that carries them. */
export interface Pending {
  logins: PendingLogins
  cookie: NamedCookie
  /** Devices that need none. */
  devices: RememberedDevices
  deviceCookie: NamedCookie
}

/** The login in the browser's cookie; `null` if none is pending, or it can no longer be completed. */
export async function waitingLogin(
  { users, pending }: Pick<Deps, 'users'> & { pending: Pending },
  client: Client,
): Promise<
  | { waiting: PendingLogin; user: StoredUser; text: string }
  | { waiting: null; user: StoredUser | null; text: string }
> {
  const text = pending.cookie.read(client) ?? ''
  const waiting = pending.logins.open(text)
  const user = waiting && (await users.findById(waiting.userId))
  const isAlive = waiting !== null && user !== null && waiting.stillValid(user)
  return isAlive ? { waiting, user, text } : { waiting: null, user, text }
}
