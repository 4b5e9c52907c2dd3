import type { ApiKey } from '../../../tokens/api-key.js'
import type { ListedApiKey } from '../schemas.js'
import type { NewApiKey } from './new-key.js'

/** As its owner sees it. */
export function listedApiKey({ id, name, scopes, createdAt, expiresAt, lastUsedOn }: ApiKey): ListedApiKey {
  return { id, name, scopes, created_at: createdAt, expires_at: expiresAt, last_used_on: lastUsedOn }
}

/** A new one, with what lets a program in. */
export function shownOnce({ key, text }: NewApiKey): ListedApiKey & { key: string } {
  return { key: text, ...listedApiKey(key) }
}
