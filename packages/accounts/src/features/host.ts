import type { FeatureCalls } from '../feature-names.js'
import type { MountCore } from '../http/feature-core.js'
import type { AuditEvent } from '../http/guard/audit.js'
import type { AnyReply, AnyRequest } from '../http/input/any-request.js'
import type { Client } from '../sessions/client.js'
import type { ApiKey } from '../tokens/api-key.js'
import type { AccountUser, StoredUser } from '../user.js'
import type { IdentityName } from './identities.js'

/** Who calls, and why: for the audit trail and events only, never in an email. */
export interface HostCall {
  /** The id of a user, such as a member of staff, or the name of a system. At most 200 characters. Default: not known. */
  actor?: string | undefined
  /** At most 1,000 characters. Default: none. */
  reason?: string | undefined
}

/** Any call of `app.accounts` whose last argument says who calls, and why. */
export type AnyCall = (...args: never[]) => Promise<unknown>

/**
 * What one call of `app.accounts` does. The mount checks its ids and who calls, and tells the audit trail. It doesn't ask
 * `authorize`, and spends no limit of requests.
 */
export interface HostOperation<Call extends AnyCall> {
  /** What the audit trail calls it. */
  action: AuditEvent['action']
  /** Each of its own arguments, in their order: the name of an id, which must be a string; `null` for any other. */
  parameters: readonly (string | null)[]
  /** @param core as `host` gets it, for this call: the events of what it writes say who calls, and why */
  run(core: MountCore): Call
  /**
   * The id of the account that it was about; `null` for none; `undefined` if there is no such account, so the audit trail
   * has a refusal. Default: its first id, unless the result is `null` or `false`.
   * @param args what `run` got
   */
  accountOf?(result: Awaited<ReturnType<Call>>, ...args: Parameters<Call>): string | null | undefined
}

/** The same in one line. */
export function hostCall<Call extends AnyCall>(
  action: HostOperation<Call>['action'],
  parameters: HostOperation<Call>['parameters'],
  run: HostOperation<Call>['run'],
  accountOf?: HostOperation<Call>['accountOf'],
): HostOperation<Call> {
  return { action, parameters, run, ...(accountOf && { accountOf }) }
}

/** What a call does, or each of a group of calls. */
export type HostOperations<Member> = Member extends AnyCall
  ? HostOperation<Member>
  : { readonly [Name in keyof Member]?: Member[Name] extends AnyCall ? HostOperation<Member[Name]> : never }

/** What a feature adds to `app.accounts`. */
export interface FeatureHost {
  /** Calls and groups of calls, by their names in `FeatureCalls`. Default: none. */
  calls?: { readonly [Name in keyof FeatureCalls]?: HostOperations<FeatureCalls[Name]> }
  /**
   * Members that are no calls, such as hooks for the app's own routes, by their names in `FeatureCalls`. Those of a group join its
   * calls. Called once at start. Default: none.
   */
  hooks?(visitors: Visitors): {
    readonly [Name in keyof FeatureCalls]?: FeatureCalls[Name] extends AnyCall
      ? FeatureCalls[Name]
      : Partial<FeatureCalls[Name]>
  }
  /** Finds whom `findUser` is asked for by an identity at another provider. Default: it can't. */
  findByIdentity?(identity: IdentityName): Promise<StoredUser | null>
  /** Admits programs to the app's own routes. Default: only people get in. */
  programs?: HostPrograms
}

/** What the hook `requireScope` asks about programs, and the keys that they send. */
export interface HostPrograms {
  /** @throws Error if there is no such scope */
  checkScope(scope: string): void
  /**
   * The key of a request, if it may do what the scope names; `null` if the request has none, so somebody must be logged in.
   * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_FORBIDDEN, ACCOUNTS_ENROLLMENT_REQUIRED, ACCOUNTS_UNAVAILABLE
   */
  admit(scope: string, client: Client): Promise<{ user: StoredUser; key: ApiKey } | null>
}

/** Makes hooks for the app's own routes, which act as those of `app.accounts` do. */
export interface Visitors {
  /**
   * A hook that lets in who is logged in, as `requireUser`, and the programs that a `requireScope` before it has let in.
   * @param check what else must hold; throws if it doesn't. As a hook of `onRequest` it runs again if the body arrives later; called
   * later, in a handler or at a WebSocket's message, after session or key and user were read again. It must read what can change.
   * @param checkRoute default: the hook is good for each route
   */
  hook(
    check: (visitor: Visitor, request: AnyRequest) => Promise<void> | void,
    checkRoute?: CheckRoute,
  ): VisitorHook
  /** Who sends a request, as its last hook found them; `null` if nobody is logged in, or no hook has run. */
  of(request: AnyRequest): Visitor | null
}

/** Who sends a request. */
export interface Visitor {
  user: AccountUser
  /** Whether it is a service account. */
  isService: boolean
  /** The key of a program; `null` if somebody is logged in. */
  key: KeyOfRequest | null
}

/** Structurally an `AccountsHook`. */
export type VisitorHook = (request: AnyRequest, reply?: AnyReply) => Promise<void>

/**
 * Called when a route of the app is registered that lists the hook, with its whole path.
 * @throws Error if the hook can't serve it
 */
export type CheckRoute = (path: string) => void

/** A key that `requireScope` has let in. */
export interface KeyOfRequest {
  id: string
  name: string
  scopes: readonly string[]
  /** What the key is for alone, as its creator named it; `null` for one that is for everything. */
  resource: string | null
}
