import { AccountsError, attributed } from '../../errors.js'
import { createApiKey } from '../../features/api-keys/create-api-key.js'
import type { NewApiKeyInput } from '../../features/api-keys/keys/new-key.js'
import type { MountCore } from '../../http/feature-core.js'
import { findAccount } from './host-accounts.js'
import { type CreatedApiKey, hostView, rulesOf } from './host-api-keys.js'

/**
 * Creates a key for a user or a service account, without calling `authorize`.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_DISABLED, ACCOUNTS_INVALID_INPUT, ACCOUNTS_CONFLICT
 */
export async function createApiKeyByHost(
  deps: MountCore,
  userId: string,
  input: NewApiKeyInput,
): Promise<CreatedApiKey> {
  const rules = rulesOf(deps)
  const user = await findAccount(deps, userId)
  if (user === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  const realm = deps.options.decorateAs.instance
  const { key, text } = await attributed(user, () => createApiKey(deps, rules, realm, user, input))
  return { key: text, ...hostView(key) }
}
