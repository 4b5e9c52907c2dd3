// Written from the routes of the plugin: `npm run routes`.

import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'
import type { AnyFields, PublicUser, UserChange, UserPage, UserQuery } from './wire.js'

/** One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes them. */
export interface UsersCalls<Fields extends AnyFields = object> {
  /** GET /user/: list users. A page may be shorter than its limit; the list ends when `next` is null. */
  listUsers<const Query extends UserQuery = UserQuery>(
    query?: Query,
    options?: CallOptions,
  ): Promise<Result<UserPage<Fields, Query>, 200>>
  /** GET /user/{pk}: show a user. */
  showUser(id: string, options?: CallOptions): Promise<Result<PublicUser<Fields>, 200>>
  /** PATCH /user/{pk}: change a user. */
  updateUser(
    id: string,
    body: UserChange<Fields>,
    options?: CallOptions,
  ): Promise<Result<PublicUser<Fields>, 200>>
  /** POST /user/{pk}/end-sessions/: end the sessions of a user. */
  endUserSessions(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** DELETE /user/{pk}: delete a user. Requires a recent login. */
  deleteUser(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /**
   * POST /user/{pk}/second-factor/reset/: remove the second factors and passkeys of a user who has lost them.
   * Requires a recent login.
   */
  resetUserFactors(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
}

export function usersCalls<Fields extends AnyFields = object>(options: ClientOptions): UsersCalls<Fields> {
  const users = requestsTo(options, options.usersPrefix)
  return {
    listUsers: (query, call) => users('GET', 'user-list /user/', call, undefined, {}, query),
    showUser: (id, call) => users('GET', 'user-detail /user/{pk}', call, undefined, { pk: id }),
    updateUser: (id, body, call) => users('PATCH', 'user-detail /user/{pk}', call, body, { pk: id }),
    endUserSessions: (id, call) =>
      users('POST', 'user-end-sessions /user/{pk}/end-sessions/', call, undefined, { pk: id }),
    deleteUser: (id, call) => users('DELETE', 'user-detail /user/{pk}', call, undefined, { pk: id }),
    resetUserFactors: (id, call) =>
      users('POST', 'user-second-factor-reset /user/{pk}/second-factor/reset/', call, undefined, { pk: id }),
  }
}
