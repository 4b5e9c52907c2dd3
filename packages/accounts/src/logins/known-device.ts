import type { Client } from '../sessions/client.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import { nobody, type User } from '../user.js'

/** What knows devices. */
export interface DeviceDeps {
  device: Pick<DeviceCookie, 'read'>
  giveBackByIp(client: Client, user: User): void
}

/**
 * The name of the client's device, if it has logged in before to the account that its request names. Then the request
 * doesn't count against the client address, which many people may share. Its mark is for that account alone, so a browser
 * with another account's lifts no limit; nor does one without, whose mark can't be checked before the account is known.
 * @param user `null` if there is none: reading the cookie takes time, which must not tell
 * @param use as for `DeviceCookie.read`
 */
export function knownDevice(
  { device, giveBackByIp }: DeviceDeps,
  client: Client,
  user: User | null,
  use?: 'password',
): string | null {
  const mark = device.read(client, user ?? nobody, use)
  if (user === null || mark === null) return null
  giveBackByIp(client, user)
  return mark
}
