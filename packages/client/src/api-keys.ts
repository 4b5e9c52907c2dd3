// Written from the routes of the plugin: `npm run routes`.

import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'
import type { ApiKeyList, ApiKeyRequest, NewApiKey, Service, ServiceList } from './wire.js'

export { cursorOf } from './cursor.js'
export type { ApiKey, ApiKeyList, ApiKeyRequest, NewApiKey, Service, ServiceList } from './wire.js'

/** One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes them. */
export interface ApiKeysClient {
  /** GET /api-keys/: list the current user's API keys. */
  listApiKeys(options?: CallOptions): Promise<Result<ApiKeyList, 200>>
  /** POST /api-keys/: create an API key. Requires a recent login. */
  createApiKey(body: ApiKeyRequest, options?: CallOptions): Promise<Result<NewApiKey, 201>>
  /** DELETE /api-keys/{id}: remove an API key, which stops working at once. */
  removeApiKey(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /service/: list service accounts, a hundred a page. */
  listServices(query?: { cursor?: string }, options?: CallOptions): Promise<Result<ServiceList, 200>>
  /** POST /service/: create a service account, which only API keys can use. Requires a recent login. */
  createService(body: { username: string }, options?: CallOptions): Promise<Result<Service, 201>>
  /** DELETE /service/{pk}: delete a service account with its API keys. Requires a recent login. */
  deleteService(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /service/{pk}/api-keys/: list the API keys of a service account. */
  listServiceApiKeys(id: string, options?: CallOptions): Promise<Result<ApiKeyList, 200>>
  /** POST /service/{pk}/api-keys/: create an API key for a service account. Requires a recent login. */
  createServiceApiKey(id: string, body: ApiKeyRequest, options?: CallOptions): Promise<Result<NewApiKey, 201>>
  /**
   * DELETE /service/{pk}/api-keys/{id}: remove an API key of a service account, which stops working at once.
   * Requires a recent login.
   */
  removeServiceApiKey(pk: string, id: string, options?: CallOptions): Promise<Result<undefined, 204>>
}

/** A client of one service. Takes the options of `createAccountsClient`. */
export function createApiKeysClient(options: ClientOptions = {}): ApiKeysClient {
  const auth = requestsTo(options, options.authPrefix)
  const users = requestsTo(options, options.usersPrefix)
  return {
    listApiKeys: (call) => auth('GET', 'api-keys /api-keys/', call),
    createApiKey: (body, call) => auth('POST', 'api-keys /api-keys/', call, body),
    removeApiKey: (id, call) => auth('DELETE', 'api-key /api-keys/{id}', call, undefined, { id }),
    listServices: (query, call) => users('GET', 'service-list /service/', call, undefined, {}, query),
    createService: (body, call) => users('POST', 'service-list /service/', call, body),
    deleteService: (id, call) => users('DELETE', 'service-detail /service/{pk}', call, undefined, { pk: id }),
    listServiceApiKeys: (id, call) =>
      users('GET', 'service-api-keys /service/{pk}/api-keys/', call, undefined, { pk: id }),
    createServiceApiKey: (id, body, call) =>
      users('POST', 'service-api-keys /service/{pk}/api-keys/', call, body, { pk: id }),
    removeServiceApiKey: (pk, id, call) =>
      users('DELETE', 'service-api-key /service/{pk}/api-keys/{id}', call, undefined, { pk, id }),
  }
}
