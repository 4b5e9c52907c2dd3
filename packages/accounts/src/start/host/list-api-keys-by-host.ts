import type { MountCore } from '../../http/feature-core.js'
import { apiKeysOf } from '../../tokens/api-key.js'
import { findAccount } from './host-accounts.js'
import { type HostApiKey, hostView, rulesOf } from './host-api-keys.js'

/** The keys of a user or a service account; `null` if there is no such account. */
export async function listApiKeysByHost(deps: MountCore, userId: string): Promise<HostApiKey[] | null> {
  rulesOf(deps)
  const user = await findAccount(deps, userId)
  return user && apiKeysOf(user).map(hostView)
}
