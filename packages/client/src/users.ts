import type { ClientOptions } from './client.js'
import { cursorOf } from './cursor.js'
import type { CallOptions } from './exchange.js'
import { requestsTo } from './request.js'
import { type Result, unwrap } from './result.js'
import type { AnyFields, ListedUser, PublicUser, UserChange, UserPage, UserQuery } from './wire.js'

export { cursorOf } from './cursor.js'

/** The paths of the routes for other users, by their names in GET /api-root/. */
export const defaultUserPaths = {
  'user-list': '/user/',
  'user-detail': '/user/{pk}',
  'user-end-sessions': '/user/{pk}/end-sessions/',
  'user-second-factor-reset': '/user/{pk}/second-factor/reset/',
} as const

/** As for `createAccountsClient`; `paths` may include other routes as well. */
export type UsersClientOptions = Omit<ClientOptions, 'paths'> & {
  paths?: { readonly [name: string]: string | undefined } | undefined
}

/**
 * One method for each route, named like its operation in the OpenAPI document. `Fields` is the type of the service's option
 * `users.fields`.
 */
export interface UsersClient<Fields extends AnyFields = object> {
  /**
   * GET /user/: one page of users, in order of creation unless `order` says otherwise. It may be shorter than `limit`
   * if the service hides users: only a `next` of `null` ends the list.
   */
  listUsers<const Query extends UserQuery = UserQuery>(
    query?: Query,
    options?: CallOptions,
  ): Promise<Result<UserPage<Fields, Query>, 200>>
  /**
   * GET /user/, page after page, as `for await (const user of client.users())`.
   * @throws AccountsClientError
   */
  users<const Query extends UserQuery = UserQuery>(
    query?: Query,
    options?: CallOptions,
  ): AsyncGenerator<ListedUser<Query, Fields>, void, undefined>
  /** GET /user/{pk}: the `own` view for the user themselves, and for those who may see details. */
  showUser(id: string, options?: CallOptions): Promise<Result<PublicUser<Fields>, 200>>
  /** PATCH /user/{pk}: changes another user. Everything except disabling requires a recent login. */
  updateUser(
    id: string,
    changes: UserChange<Fields>,
    options?: CallOptions,
  ): Promise<Result<PublicUser<Fields>, 200>>
  /** POST /user/{pk}/second-factor/reset/: for a user who has lost their factors. */
  resetUserFactors(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /user/{pk}/end-sessions/ */
  endUserSessions(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** DELETE /user/{pk}. Requires a recent login. */
  deleteUser(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
}

/** A client for what a service lets people see and change of other users. */
export function createUsersClient<Fields extends AnyFields = object>(
  options: UsersClientOptions = {},
): UsersClient<Fields> {
  const users = requestsTo(options, defaultUserPaths, options.usersPrefix)

  const client: UsersClient<Fields> = {
    listUsers: (query, call) => users('GET', 'user-list', call, undefined, {}, query),
    async *users<Query extends UserQuery>(query?: Query, call?: CallOptions) {
      let cursor: string | null | undefined = query?.cursor
      do {
        const page = unwrap(await client.listUsers({ ...query, cursor } as Query, call))
        yield* page.results
        cursor = cursorOf(page)
      } while (cursor !== null)
    },
    showUser: (id, call) => users('GET', 'user-detail', call, undefined, { pk: id }),
    updateUser: (id, body, call) => users('PATCH', 'user-detail', call, body, { pk: id }),
    endUserSessions: (id, call) => users('POST', 'user-end-sessions', call, undefined, { pk: id }),
    resetUserFactors: (id, call) => users('POST', 'user-second-factor-reset', call, undefined, { pk: id }),
    deleteUser: (id, call) => users('DELETE', 'user-detail', call, undefined, { pk: id }),
  }
  return client
}
