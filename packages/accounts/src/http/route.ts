import type { ErrorCode, FieldError } from '../errors.js'
import type { IpBudget } from '../options/limits.js'
import type { Authorize } from '../options/options.js'
import type { Rules } from '../seams/before.js'
import type { Client } from '../sessions/client.js'
import type { FeatureCore } from './feature-core.js'
import type { Access, AccessRule } from './guard/access.js'
import type { AuditAction } from './guard/audit.js'
import type { Resource } from './input/changes-in.js'
import type { FormInput, Handle, Input, MakePage, OperationSchema } from './operation.js'

/** What hooks and the error handler know of a route. */
export interface RouteContext extends Pick<Route, 'access' | 'linkPage'>, Partial<Pick<Route, 'action'>> {
  /** As declared, which the docs and the client are written from. Absent where a method is refused. */
  route?: MountedRoute
  /** Whether it is a page of a feature: its GET leads a browser that is refused to where it gets in. */
  isPage?: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    accounts?: RouteContext
  }
}

/**
 * Why `app.accounts` has no method that does what a route does: it logs in a client, is about the session of one, confirms
 * one, is decided by a link or code, sends an email at anybody's request, is for browsers, handles secrets of the account's
 * owner, or is the owner's own choice.
 */
export type NoHostCall =
  | 'login'
  | 'session'
  | 'confirmation'
  | 'link'
  | 'request'
  | 'page'
  | 'secrets'
  | 'choice'

/** What the OpenAPI document, the docs and the client say about a route in addition to its schema and guards. */
export interface OperationFacts {
  /** Unique among the routes; the client's method has the same name. */
  id: string
  summary: string
  /** The errors of its operation beside those that follow from the route: see http/openapi/openapi-errors.ts. Default: none. */
  errors?: readonly ErrorCode[]
  /** Query parameters that its operation reads without a schema, with descriptions. Default: none. */
  query?: Readonly<Record<string, string>>
  /** The rules of `authorize` that it asks, of which all but `showUser` may refuse it as forbidden. Default: none. */
  authorize?: readonly (keyof Authorize)[]
  /** The rules of `before` that it may ask. Default: none; test/asks.test.ts says where the list must be there, even empty. */
  asks?: readonly (keyof Rules)[]
  /**
   * The method of `app.accounts` that does the same, or why there is none. Default: the method of the same name, otherwise
   * `link` for an emailed link, `login` for those who aren't logged in, and `secrets` for second factors and passkeys.
   */
  host?: `${string}()` | NoHostCall
  /** Whether it can redirect a browser with a 303. Default: `false`. */
  redirects?: boolean
  /** Whether it can start a session, or continue one with a new cookie or tokens. Default: `false`. */
  setsSession?: boolean
}

/** A route of a feature: how requests reach its operation. `route` infers the types of `handle` from the schemas. */
export interface Route<Schema extends OperationSchema = OperationSchema, Asked extends Access = Access>
  extends AccessRule<Asked> {
  /** Its key in /api-root/, and in the options `paths` and `links.pages`. Routes with the same path share it. */
  name: string
  /** Its name in the audit trail. */
  action: AuditAction
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Ends with a slash, unless it ends with an id. The option `paths` can replace it. */
  path: string
  operation: OperationFacts
  /** Whether browsers may send it for other sites: it must then read no cookie. Default `false`. */
  isOpenToOtherSites?: boolean
  /** Its budget by client IP; `null` for none. */
  budget: IpBudget | null
  /**
   * Called before the body is read, once the budget is spent: rejects early what would be rejected after more
   * work. Default: none.
   * @throws AccountsError
   */
  precheck?(client: Client): void
  /** Sent as a page if the client prefers one, with the headers for it. Default `false`. */
  linkPage?: boolean
  /** Whether its path is that of an emailed link, and so secret: it also gets what is below. Default `false`. */
  isLink?: boolean
  /** The page that a browser gets when its form had errors. Default: none. */
  formAgain?(
    input: FormInput<Input<Schema, Asked>>,
    faults: readonly FieldError[],
    deps: FeatureCore,
  ): Promise<MakePage> | MakePage
  schema: Schema
  /** For a PATCH: what its GET shows, which a body may repeat. Default: nothing. */
  resource?: Resource<FormInput<Input<Schema, Asked>>, FeatureCore>
  /** A method, so routes of different schemas can be in one list. */
  handle(...args: Parameters<Handle<Schema, Asked>>): ReturnType<Handle>
}

/** Types `handle` by the schemas and the access of a route. */
export function route<const Schema extends OperationSchema, const Asked extends Access>(
  definition: Route<Schema, Asked>,
): Route {
  return definition as Route
}

/** A route with its feature, by name, and what that gets. */
export interface MountedRoute extends Route {
  feature: string
  core: FeatureCore
}

/**
 * What @fastify/swagger calls for a route when the document is requested. So errors, examples and texts are
 * made for readers only, and never compiled as response schemas.
 */
export type SwaggerTransform = (input: { schema?: object; url: string; openapiObject?: object }) => {
  schema: object
  url: string
}
