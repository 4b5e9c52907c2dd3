import { fieldError, invalidInput } from '../../errors.js'
import { createService } from '../../features/api-keys/create-service.js'
import type { MountCore } from '../../http/feature-core.js'
import { isPlainText } from '../../validation.js'
import { type HostService, hostService, rulesOf } from './host-api-keys.js'

/**
 * Creates a service account for the host's own code, without calling `authorize`.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN
 */
export async function createServiceByHost(
  deps: MountCore,
  { username }: { username: string },
): Promise<HostService> {
  rulesOf(deps)
  if (typeof username !== 'string' || !isPlainText(username))
    throw invalidInput(fieldError('username', 'invalid'))
  return hostService(await createService(deps, 'host', username))
}
