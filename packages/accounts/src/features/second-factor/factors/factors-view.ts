import type { MustHaveFactor } from '../../../logins/enrollment.js'
import type { RememberedDevices } from '../../../logins/remembered-devices.js'
import type { StoredUser } from '../../../user.js'
import { showRemoved } from '../../../users/removed.js'
import type { FactorsView } from '../routes/schemas.js'
import { isTotp, listedApp } from './credentials.js'

/** The factors of a record, as shown to its owner. */
export async function factorsView(
  { mustHaveFactor }: { mustHaveFactor: MustHaveFactor },
  user: StoredUser,
  devices: RememberedDevices,
): Promise<FactorsView> {
  const { factors, credentials } = user
  const apps = credentials.filter(isTotp).map(listedApp)
  return {
    totp: apps.length > 0,
    passkeys: factors.includes('passkey'),
    recovery_codes_left: credentials.filter(({ kind }) => kind === 'recovery-code').length,
    required: (await mustHaveFactor?.(user)) ?? false,
    apps,
    remembered_devices: devices.listOf(user).map(({ id, createdAt, browser, system }) => ({
      id,
      created_at: createdAt,
      browser,
      system,
      expires_at: new Date(Date.parse(createdAt) + devices.lifetime).toISOString(),
    })),
    removed: showRemoved(user),
  }
}
