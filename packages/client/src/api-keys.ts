import type { ClientOptions } from './client.js'
import type { CallOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'

export { cursorOf } from './cursor.js'

/** The paths of the routes for API keys, by their names in GET /api-root/. */
export const defaultApiKeyPaths = {
  'api-keys': '/api-keys/',
  'api-key': '/api-keys/{id}',
  'service-list': '/service/',
  'service-detail': '/service/{pk}',
  'service-api-keys': '/service/{pk}/api-keys/',
  'service-api-key': '/service/{pk}/api-keys/{id}',
} as const

/** An API key, without what lets a program in. Times are RFC 3339 in UTC. */
export interface ApiKey {
  id: string
  name: string
  scopes: string[]
  created_at: string
  expires_at: string
  /** The day in UTC, as in `2026-11-26`; `null` if it was never used. */
  last_used_on: string | null
}

/** A new one. */
export interface NewApiKey extends ApiKey {
  /** Shown only this once. */
  key: string
}

/** The keys of an account, oldest first, and what keys can be allowed to do. */
export interface ApiKeyList {
  results: ApiKey[]
  scopes: { name: string; description: string | null }[]
}

/** What a new key may do, and for how many seconds; 90 days by default, or as the service says. */
export interface ApiKeyRequest {
  name: string
  scopes: string[]
  expires_in?: number
}

/** An account that only programs use. */
export interface Service {
  id: string
  username: string
  created_at: string
}

/** As for `createAccountsClient`; `paths` may include the routes for API keys as well. */
export type ApiKeysClientOptions = Omit<ClientOptions, 'paths'> & {
  paths?: { readonly [name: string]: string | undefined }
}

/** One method for each route, named like its operation in the OpenAPI document. */
export interface ApiKeysClient {
  /** GET /api-keys/: the logged-in user's. */
  listApiKeys(call?: CallOptions): Promise<Result<ApiKeyList, 200>>
  /** POST /api-keys/. Requires a recent login. */
  createApiKey(body: ApiKeyRequest, call?: CallOptions): Promise<Result<NewApiKey, 201>>
  /** DELETE /api-keys/{id}: it stops working at once. */
  removeApiKey(id: string, call?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /service/, for those who manage service accounts: a hundred a page. `cursor` is that of the URL in `next`. */
  listServices(
    query?: { cursor?: string },
    call?: CallOptions,
  ): Promise<Result<{ results: Service[]; next: string | null }, 200>>
  /** POST /service/. Requires a recent login, as do the changes below. */
  createService(body: { username: string }, call?: CallOptions): Promise<Result<Service, 201>>
  /** DELETE /service/{pk}: its keys stop working at once. */
  deleteService(pk: string, call?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /service/{pk}/api-keys/ */
  listServiceApiKeys(pk: string, call?: CallOptions): Promise<Result<ApiKeyList, 200>>
  /** POST /service/{pk}/api-keys/ */
  createServiceApiKey(pk: string, body: ApiKeyRequest, call?: CallOptions): Promise<Result<NewApiKey, 201>>
  /** DELETE /service/{pk}/api-keys/{id} */
  removeServiceApiKey(pk: string, id: string, call?: CallOptions): Promise<Result<undefined, 204>>
}

/** A client for the API keys of one service. */
export function createApiKeysClient(options: ApiKeysClientOptions = {}): ApiKeysClient {
  const auth = requestsTo(options, defaultApiKeyPaths, options.authPrefix)
  const users = requestsTo(options, defaultApiKeyPaths, options.usersPrefix)

  return {
    listApiKeys: (call) => auth('GET', 'api-keys', call),
    createApiKey: (body, call) => auth('POST', 'api-keys', call, body),
    removeApiKey: (id, call) => auth('DELETE', 'api-key', call, undefined, { id }),
    listServices: (query = {}, call) => users('GET', 'service-list', call, undefined, {}, query),
    createService: (body, call) => users('POST', 'service-list', call, body),
    deleteService: (pk, call) => users('DELETE', 'service-detail', call, undefined, { pk }),
    listServiceApiKeys: (pk, call) => users('GET', 'service-api-keys', call, undefined, { pk }),
    createServiceApiKey: (pk, body, call) => users('POST', 'service-api-keys', call, body, { pk }),
    removeServiceApiKey: (pk, id, call) => users('DELETE', 'service-api-key', call, undefined, { pk, id }),
  }
}
