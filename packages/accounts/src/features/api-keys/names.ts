import type { HostCall } from '../host.js'
import type { CreatedApiKey, HostApiKey, HostService } from './host.js'
import type { HostApiKeyInput } from './keys/new-key.js'
import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'list-api-keys': 'api-keys'
    'create-api-key': 'api-keys'
    'remove-api-key': 'api-key'
    'list-services': 'service-list'
    'create-service': 'service-list'
    'delete-service': 'service-detail'
    'list-service-api-keys': 'service-api-keys'
    'create-service-api-key': 'service-api-keys'
    'remove-service-api-key': 'service-api-key'
  }
  interface FeatureCalls {
    /**
     * Creates a service account, which only API keys can use.
     * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN; Error without `apiKeys()`
     */
    createService(input: { username: string }, call?: HostCall): Promise<HostService>
    /**
     * One page of a hundred service accounts. `next` is the `cursor` of the page after it, and `null` on the last one.
     * @throws AccountsError ACCOUNTS_INVALID_INPUT; Error without `apiKeys()`, or if the user store can't list users
     */
    listServices(
      query?: { cursor?: string | undefined },
      call?: HostCall,
    ): Promise<{ services: HostService[]; next: string | null }>
    /**
     * Creates an API key for a user, who gets an email, or for a service account. The key is stored nowhere: show it once.
     * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_DISABLED, ACCOUNTS_INVALID_INPUT; ACCOUNTS_CONFLICT if the account has
     * as many as it may
     */
    createApiKey(userId: string, input: HostApiKeyInput, call?: HostCall): Promise<CreatedApiKey>
    /** The API keys of a user or a service account, oldest first; `null` if there is no such account. */
    listApiKeys(userId: string, call?: HostCall): Promise<HostApiKey[] | null>
    /** Removes an API key, which stops working at once; a user gets an email. Resolves to whether there was one. */
    removeApiKey(userId: string, keyId: string, call?: HostCall): Promise<boolean>
  }
  interface FeatureMails {
    'api-key-added': true
    'api-key-removed': true
  }
  interface FeatureTexts {
    'api-keys': typeof en
  }
}

declare module '../../options/limits.js' {
  interface AccountLimits {
    /** API keys created per user: each is a write and sends an email. Default 20 an hour. */
    changeApiKeys: Limit
  }
}
