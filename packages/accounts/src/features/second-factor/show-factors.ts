import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { MustHaveFactor } from '../../logins/enrollment.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import type { User } from '../../user.js'
import { showRemoved } from '../../users/removed.js'
import { isTotp, listedApp } from './factors/credentials.js'
import type { FactorsView } from './routes/schemas.js'

/** Which factors are on, and what stands in for one. */
export async function showFactors(
  { users, mustHaveFactor }: Pick<Deps, 'users'> & { mustHaveFactor: MustHaveFactor },
  { id }: User,
  devices: RememberedDevices,
): Promise<FactorsView> {
  const user = await users.findById(id)
  if (user === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
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
