import { type ApiKeyRules, apiKeysOf } from '../../tokens/api-key.js'
import type { StoredUser } from '../../user.js'
import { listedApiKey } from './keys/listed-api-key.js'

/** The keys of an account, and what new ones can be allowed to do. */
export function listApiKeys({ scopes }: Pick<ApiKeyRules, 'scopes'>, user: Pick<StoredUser, 'credentials'>) {
  return {
    results: apiKeysOf(user).map(listedApiKey),
    scopes: [...scopes].map(([name, description]) => ({ name, description })),
  }
}
