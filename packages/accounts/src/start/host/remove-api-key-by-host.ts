import { attributed } from '../../errors.js'
import { removeApiKey } from '../../features/api-keys/remove-api-key.js'
import type { MountCore } from '../../http/feature-core.js'
import { apiKeysOf } from '../../tokens/api-key.js'
import { findAccount } from './host-accounts.js'
import { rulesOf } from './host-api-keys.js'

/** Whether there was such a key. */
export async function removeApiKeyByHost(deps: MountCore, userId: string, id: string): Promise<boolean> {
  rulesOf(deps)
  const user = await findAccount(deps, userId)
  if (!user || !apiKeysOf(user).some((key) => key.id === id)) return false
  await attributed(user, () => removeApiKey(deps, user, id))
  return true
}
