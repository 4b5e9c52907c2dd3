import type { Client } from '../sessions/client.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { User } from '../user.js'

/**
 * Notes that somebody has chosen a password without a login: whose account it is, and that their device is known.
 * @param isHandedOver whether somebody had used the account before anybody proved its address
 */
export function noteNewPassword(
  { device }: { device: Pick<DeviceCookie, 'write'> },
  client: Client,
  { user, isHandedOver }: { user: User; isHandedOver: boolean },
): void {
  client.note(isHandedOver ? { user, handedOver: user } : { user })
  // A known device also has its own budget for guessing second factors, and none was given here.
  device.write(client, user, user.factors.length === 0 ? undefined : 'password')
}
