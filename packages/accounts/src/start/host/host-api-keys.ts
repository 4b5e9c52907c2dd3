import type { NewApiKeyInput } from '../../features/api-keys/keys/new-key.js'
import type { MountCore } from '../../http/feature-core.js'
import type { ApiKey, ApiKeyRules } from '../../tokens/api-key.js'
import type { User } from '../../user.js'

/** An API key as your app's own code sees it. */
export interface HostApiKey<Scope extends string = string> {
  id: string
  name: string
  scopes: readonly Scope[]
  createdAt: Date
  expiresAt: Date
  /** The day in UTC, as in `2026-11-26`; `null` if it was never used. */
  lastUsedOn: string | null
}

/** A new one, with the key itself: it is stored nowhere. */
export interface CreatedApiKey<Scope extends string = string> extends HostApiKey<Scope> {
  key: string
}

/** What `app.accounts.createApiKey` takes. */
export interface HostApiKeyInput<Scope extends string = string> extends NewApiKeyInput {
  scopes: readonly Scope[]
}

/** A service account as your app's own code sees it. */
export interface HostService {
  id: string
  username: string
  isActive: boolean
  createdAt: Date
}

/** @throws Error for a mount without API keys */
export function rulesOf({ apiKeys }: Pick<MountCore, 'apiKeys'>): ApiKeyRules {
  if (apiKeys === null)
    throw new Error('fastify-accounts: API keys need the feature apiKeys(…) in the option features')
  return apiKeys
}

export function hostView({ id, name, scopes, createdAt, expiresAt, lastUsedOn }: ApiKey): HostApiKey {
  return {
    id,
    name,
    scopes,
    createdAt: new Date(createdAt),
    expiresAt: new Date(expiresAt),
    lastUsedOn,
  }
}

export function hostService({ id, username, isActive, createdAt }: User): HostService {
  return { id, username: username ?? '', isActive, createdAt }
}
