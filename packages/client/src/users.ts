import { cursorOf } from './cursor.js'
import type { CallOptions, ClientOptions } from './exchange.js'
import { unwrap } from './result.js'
import { type UsersCalls, usersCalls } from './users-calls.js'
import type { AnyFields, ListedUser, UserQuery } from './wire.js'

export { cursorOf } from './cursor.js'

/** What a service lets people see and change of other users. `Fields` is the type of its option `users.fields`. */
export interface UsersClient<Fields extends AnyFields = object> extends UsersCalls<Fields> {
  /**
   * GET /user/, page after page, as `for await (const user of client.users())`.
   * @throws AccountsClientError
   */
  users<const Query extends UserQuery = UserQuery>(
    query?: Query,
    options?: CallOptions,
  ): AsyncGenerator<ListedUser<Query, Fields>, void, undefined>
}

/** A client for what a service lets people see and change of other users. */
export function createUsersClient<Fields extends AnyFields = object>(
  options: ClientOptions = {},
): UsersClient<Fields> {
  const calls = usersCalls<Fields>(options)
  return {
    ...calls,
    async *users<Query extends UserQuery>(query?: Query, call?: CallOptions) {
      let cursor: string | null | undefined = query?.cursor
      do {
        const page = unwrap(await calls.listUsers({ ...query, cursor } as Query, call))
        yield* page.results
        cursor = cursorOf(page)
      } while (cursor !== null)
    },
  }
}
