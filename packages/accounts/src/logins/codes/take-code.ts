import { AccountsError, attributed } from '../../errors.js'
import type { Client } from '../../sessions/client.js'
import { addressKey, deviceBudgetKey } from '../../throttle/throttle.js'
import type { StoredUser } from '../../user.js'
import { type DeviceDeps, knownDevice } from '../known-device.js'
import type { CodeRequests } from './code-requests.js'
import { type CodeDeps, tryCode } from './try-code.js'

/** What lets somebody without a session use a code. */
export type TakeDeps = CodeDeps & DeviceDeps

/**
 * Checks an emailed code where it was requested, and has it used, as `tryCode` does.
 * @throws AccountsError ACCOUNTS_INVALID_CODE, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT; what `use` throws
 */
export async function takeCode<Used>(
  deps: TakeDeps,
  client: Client,
  requests: CodeRequests,
  code: string,
  use: (owner: StoredUser, seed: string) => Promise<Used | null>,
): Promise<Used> {
  const { kind } = requests
  const requested = requests.read(client)
  if (requested === null) throw new AccountsError('ACCOUNTS_INVALID_CODE', { reason: 'not_requested' })
  const { emailKey } = requested
  const owner = await deps.users.findByEmail(emailKey)
  const device = knownDevice(deps, client, owner)
  // For known and unknown addresses alike. A known device has its own budget, so guessing elsewhere doesn't
  // lock it out.
  const key = device === null ? addressKey(emailKey) : deviceBudgetKey(device)
  return attributed(owner, async () => {
    const used = await tryCode(deps, { kind, requested, code, owner, key }, use)
    if (used === null) throw new AccountsError('ACCOUNTS_INVALID_CODE')
    // Using one has ended all of them.
    requests.clear(client)
    return used
  })
}
