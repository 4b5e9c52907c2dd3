import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import type { Language } from '../languages/languages.js'
import type { Removed } from '../languages/removed.js'
import type { Who } from '../logins/who.js'
import type { PageTheme } from '../pages/theme.js'
import type { Client } from '../sessions/client.js'
import type { TypeOf } from '../user.js'
import type { FeatureCore } from './feature-core.js'
import { type Access, whoOf } from './guard/access.js'

/** The schemas of what an operation takes, strict, and of what it returns, by status: JSON Schema, made with TypeBox. */
export interface OperationSchema {
  readonly body?: object
  readonly params?: object
  readonly querystring?: object
  readonly response: object
}

/** What an operation gets of a request; its schemas have validated it. */
export interface Input<Schema = OperationSchema, Asked = Access> {
  readonly body: Part<Schema, 'body'>
  readonly params: Part<Schema, 'params'>
  readonly query: Part<Schema, 'querystring'>
  /** Who is logged in: as `access` says always somebody, perhaps somebody, or not looked up. */
  readonly who: Asked extends 'anyone' ? null : Asked extends 'anyone-known' ? Who | null : Who
  readonly client: Client
}

/** The same for a form that is shown again: its body may be anything. */
export type FormInput<Of> = Omit<Of, 'body'> & { readonly body: unknown }

type Part<Schema, Name extends keyof OperationSchema> = Schema extends {
  readonly [Key in Name]: infer Of extends object
}
  ? TypeOf<Of>
  : Record<string, unknown>

/**
 * Does the work of a route, and sees neither request nor reply. Cookies and the session travel with `client`, so they
 * are sent with errors as well.
 * @param deps for this request: emails are in its language, and no password is hashed for a client that has gone
 */
export type Handle<Schema = OperationSchema, Asked = Access> = (
  input: Input<Schema, Asked>,
  deps: FeatureCore,
) => Promise<Result> | Result

/** What an operation returns; http/output/respond.ts turns it into a response. */
export interface Result {
  /** Default: 204 without `body` and `message`, otherwise 200. */
  status?: number
  body?: object
  /** A text of the group `responses`, sent in the client's language as `detail`. */
  message?: keyof Language['texts']['responses']
  /** With `message`: the ways to log in that securing the account has removed. */
  removed?: Removed | null
  /** What clients that prefer a page get instead, with `status` or else 200. Only where the route has `linkPage`. */
  page?: MakePage
  /** A URL to which clients that prefer a page are sent instead (303). */
  redirect?: string
  /** The URL of what was created; with status 303, the one to go to. */
  location?: string
  /** The URL that the page moves on to by itself. Without it, a page after POST ends a flow, and a frame may keep it. */
  refresh?: string
  headers?: Readonly<Record<string, string>>
}

/** Makes a page in the client's language; with a script, its headers allow that one. */
export type MakePage = (theme: PageTheme) => string | { html: string; script: string }

/** What an operation gets. */
export function argumentsOf(
  request: FastifyRequest,
  client: Client,
  core: FeatureCore,
): [Input, FeatureCore] {
  const { body, params, query } = request
  const who = whoOf(request)
  return [{ body, params, query, who, client } as Input, depsFor(core, client, who)]
}

/** The deps of one request. AsyncLocalStorage would slow down every promise of the host up to Node.js 22. */
export function depsFor<
  D extends Pick<Deps, 'postOffice' | 'passwords' | 'events' | 'users' | 'invitations'>,
>(core: D, client: Client, who: Who | null = null): D {
  const { events } = core
  return {
    ...core,
    ...(events.isHeard() && events.onRequest(client, who?.user ?? null)),
    postOffice: core.postOffice.onRequest(client, who?.login.name),
    passwords: core.passwords.whileThere(client),
  }
}
