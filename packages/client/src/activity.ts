// Written from the routes of the plugin: `npm run routes`.

import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'
import type { ActivityList } from './wire.js'

export { cursorOf } from './cursor.js'
export type { Activity, ActivityList } from './wire.js'

/** One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes them. */
export interface ActivityClient {
  /**
   * GET /me/activity/: list what has happened to your own account, the newest first. The list ends when `next` is
   * null.
   */
  listActivity(query?: { cursor?: string }, options?: CallOptions): Promise<Result<ActivityList, 200>>
}

/** A client of one service. Takes the options of `createAccountsClient`. */
export function createActivityClient(options: ClientOptions = {}): ActivityClient {
  const auth = requestsTo(options, options.authPrefix)
  return {
    listActivity: (query, call) => auth('GET', 'activity /me/activity/', call, undefined, {}, query),
  }
}
