import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { MustHaveFactor } from '../../logins/enrollment.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import type { User } from '../../user.js'
import { factorsView } from './factors/factors-view.js'
import type { FactorsView } from './routes/schemas.js'

/** Which factors are on, and what stands in for one. */
export async function showFactors(
  { users, mustHaveFactor }: Pick<Deps, 'users'> & { mustHaveFactor: MustHaveFactor },
  { id }: User,
  devices: RememberedDevices,
): Promise<FactorsView> {
  const user = await users.findById(id)
  if (user === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return factorsView({ mustHaveFactor }, user, devices)
}
