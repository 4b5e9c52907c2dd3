import { type ApiKey, type ApiKeyRules, apiKeysOf } from '../../../tokens/api-key.js'
import type { StoredUser } from '../../../user.js'
import type { ListedApiKey, NewKeyBody } from '../schemas.js'
import type { HostApiKeyInput, NewApiKey } from './new-key.js'

/*
 * Keys over HTTP. In a file of its own: an app's compiler loads the types of new-key.ts, and would load TypeBox with this
 * one.
 */

/** What a request asks for, whose times are in seconds. */
export function inputOf({ name, scopes, expires_in, resource }: NewKeyBody): HostApiKeyInput {
  return { name, scopes, lifetime: expires_in && expires_in * 1000, resource }
}

/** As its owner sees it. */
function listedApiKey(key: ApiKey): ListedApiKey {
  const { id, name, scopes, resource = null, createdAt, expiresAt, lastUsedOn } = key
  return {
    ...{ id, name, scopes, resource },
    ...{ created_at: createdAt, expires_at: expiresAt, last_used_on: lastUsedOn },
  }
}

/** As their owner gets them in an export. The id is part of a key; of an imported one, it is the digest. */
export function exportedKeys(user: Pick<StoredUser, 'credentials'>): Omit<ListedApiKey, 'id'>[] {
  return apiKeysOf(user).map((key) => {
    const { id: _, ...exported } = listedApiKey(key)
    return exported
  })
}

/** A new one, with what lets a program in. */
export function shownOnce({ key, text }: NewApiKey): ListedApiKey & { key: string } {
  return { key: text, ...listedApiKey(key) }
}

/** The keys of an account, and what new ones can be allowed to do. */
export function keyList({ scopes }: Pick<ApiKeyRules, 'scopes'>, user: Pick<StoredUser, 'credentials'>) {
  return {
    results: apiKeysOf(user).map(listedApiKey),
    scopes: [...scopes].map(([name, description]) => ({ name, description })),
  }
}
