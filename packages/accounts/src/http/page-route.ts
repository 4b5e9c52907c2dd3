import type { AccountsError } from '../errors.js'
import type { Who } from '../logins/who.js'
import type { IpBudget } from '../options/limits.js'
import type { Frame } from '../pages/theme.js'
import type { Client } from '../sessions/client.js'
import type { AccessRule } from './guard/access.js'
import type { MakePage } from './operation.js'
import type { OperationInput } from './perform.js'

/** The pages of a mount: one feature may bring them. */
export interface FeaturePages {
  /** Draws every page of the mount. */
  readonly frame: Frame
  readonly routes: readonly PageRoute[]
  /**
   * Where a browser goes that opens a page, or a route of the app, and that a guard refuses.
   * @param next the path and query that it asked for, as the browser sees them
   * @returns a path; `null` if the response is the error
   */
  entrance(refusal: AccountsError, next: string): string | null
}

/**
 * A page for browsers: what they open themselves, and the form of it. Requests of programs to the same path go to its route,
 * if there is one. GET asks the access; POST only finds out who is there, as what it performs asks by itself.
 */
export interface PageRoute extends AccessRule {
  /** Below `auth.prefix`. Ends with a slash. */
  path: string
  /** The budget by client IP of its GET, besides those of what it performs. Default: none. */
  budget?: IpBudget
  show(visit: PageVisit): Promise<PageResult> | PageResult
  /** Default: POST isn't a page. */
  submit?(visit: PageVisit): Promise<PageResult> | PageResult
}

/** One request to a page. */
export interface PageVisit {
  readonly client: Client
  /** Who is logged in; `null` with access `anyone`, or if nobody is. */
  readonly who: Who | null
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  /** Of a form; anything may be in it. */
  readonly body: Readonly<Record<string, unknown>>
  /** The path and query of the request, as the browser sees them. */
  readonly url: string
  /**
   * Runs an operation, as a request of this client to its route would: with the same checks and limits.
   * @throws AccountsError as that, in the client's language
   */
  perform(id: string, input?: OperationInput): Promise<{ status: number; body: unknown }>
}

/** What a page responds. */
export type PageResult =
  /** `status`: default 200. `policy`: the Content-Security-Policy. Default: that of links. */
  | { page: MakePage; status?: number; policy?: string }
  /** 303. */
  | { redirect: string }
  /** A file that the browser saves, by a name of ASCII letters, digits, dots and dashes. */
  | { file: string; name: string; type: string }
