import type { EventEmitter } from 'node:events'
import type { MailFailure } from '../emails/retries.js'
import type { FeatureCalls, FeatureOperations } from '../feature-names.js'
import type { CreatedApiKey } from '../features/api-keys/host.js'
import type { HostApiKeyInput } from '../features/api-keys/keys/new-key.js'
import type { HostCall, KeyOfRequest } from '../features/host.js'
import type { HostInvitation } from '../features/invitations/host.js'
import type { InvitationInput } from '../features/invitations/invite.js'
import type { AuditEvent } from '../http/guard/audit.js'
import type { AnyReply, AnyRequest } from '../http/input/any-request.js'
import type { CheckedRoles, PermissionOf, RoleOf, Roles } from '../options/roles.js'
import type { OwnEmails } from '../seams/email-templates.js'
import type { DeliveredTokens } from '../sessions/client.js'
import type { AccountUser } from '../user.js'
import type { AccountsHealth } from './health.js'
import type { PasswordLink } from './host/create-password-link.js'
import type { HostCreation, NewUserInput } from './host/create-user-by-host.js'
import type { UserQuery } from './host/find-user.js'
import type { HostSession } from './host/list-sessions-by-host.js'
import type { UserListInput } from './host/list-users-by-host.js'
import type { SecureInput, UserSecured } from './host/secure-user-by-host.js'
import type { UserUpdate } from './host/update-user-by-host.js'

/** Events for your app to listen to. */
export interface AccountsEvents {
  /** An email was abandoned after all attempts. */
  'mail-failed': [failure: MailFailure]
  /** A request to one of the plugin's routes got its response, or your code has called `app.accounts`. */
  audit: [event: AuditEvent]
}

/**
 * A hook for your own routes, as `onRequest` or `preHandler`. As `onRequest` it checks again if the body arrives later: a
 * client may have held it back until the session ended. Called later, in a handler or at a WebSocket's message, it reads
 * session and user again. Neither finds another session or key than before: without the same one, it throws
 * ACCOUNTS_LOGIN_REQUIRED. `reply` may be missing once the response has begun.
 */
export type AccountsHook = (request: AnyRequest, reply?: AnyReply) => Promise<void>

/** What your app knows about a login that it finishes with `app.accounts.logIn`. */
export interface HostLogin {
  /**
   * How the user proved who they are, in words of RFC 8176: `['pwd']`, or `['otp', 'mfa']`. Default `['host']`: your app
   * vouches for the user, but that doesn't count as a recent login.
   */
  methods?: readonly string[]
  /** Whether the cookie outlives the browser. Default `false`. */
  remember?: boolean
}

/** What an email of yours takes besides its name and user: the data that its template declares. */
export type MailData<Template extends OwnEmails[string]> =
  Parameters<Template> extends readonly [unknown, infer Data, ...unknown[]]
    ? undefined extends Data
      ? [data?: Data]
      : [data: Data]
    : []

type OperationOf<Fields, Name extends keyof FeatureOperations<Fields>> = FeatureOperations<Fields>[Name]

/**
 * The decorator `app.accounts`.
 * `Fields` is the type of your own fields, or of the schema in the option `users.fields`; `Scope` are the names of the
 * scopes of `apiKeys()`; `Mails` is the type of the option `ownEmails`, `Given`
 * that of the option `roles`.
 *
 * Calls reject an id that is no string with ACCOUNTS_INVALID_INPUT, whose `cause` names the call.
 */
export interface Accounts<
  Fields = undefined,
  Scope extends string = string,
  Mails extends OwnEmails = OwnEmails,
  Given extends CheckedRoles<Given> = Roles,
> extends FeatureCalls {
  /**
   * Sets `request.user`; if nobody is logged in, the response is 401 ACCOUNTS_LOGIN_REQUIRED. What your app has put into
   * `request.user` itself logs nobody in.
   */
  requireUser: AccountsHook
  /**
   * The logged-in user as the last of these hooks found them, without the `null` of `request.user`.
   * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED if nobody is logged in, or no hook has run
   */
  userOf(request: AnyRequest): AccountUser<Fields>
  /**
   * The same for sensitive actions: without a login or POST /confirm/ within `session.confirmLifetime`, the response is 403
   * ACCOUNTS_CONFIRMATION_REQUIRED. If a second factor is on, only that counts.
   */
  requireRecentLogin: AccountsHook
  /**
   * The same for actions that need a second factor: without one the response is 403 ACCOUNTS_ENROLLMENT_REQUIRED, and 403
   * ACCOUNTS_CONFIRMATION_REQUIRED if it was never used in this session.
   */
  requireSecondFactor: AccountsHook
  /**
   * For routes that programs call with an API key: accepts a key with the scope, or anybody who is logged in, since people
   * have every scope of their account. Sets `request.user`, to the key's account. Without either the response is 401
   * ACCOUNTS_LOGIN_REQUIRED, for a key without the scope 403 ACCOUNTS_FORBIDDEN. All other hooks refuse keys.
   * @throws Error for an unknown scope, and without the feature `apiKeys()`
   */
  requireScope(scope: Scope): AccountsHook
  /**
   * For routes that take a permission of the option `roles`, or one of ours, which staff have: without it the response is 403
   * ACCOUNTS_FORBIDDEN. Read with each request, so what was taken away is gone at once. API keys have scopes instead, and
   * are refused.
   * @throws Error for an unknown permission
   */
  requirePermission(permission: PermissionOf<Given>): AccountsHook
  /**
   * Whether a user has a permission, by a role or as staff. `false` for a disabled user, and for nobody.
   */
  can(
    user: Pick<AccountUser, 'isActive' | 'isStaff' | 'roles'> | null,
    permission: PermissionOf<Given>,
  ): boolean
  /** The API key that `requireScope` has accepted; `null` if somebody is logged in instead, or the hook hasn't run. */
  keyOf(request: AnyRequest): KeyOfRequest | null
  /** Sets `request.user`, to `null` if nobody is logged in. */
  loadUser: AccountsHook
  /**
   * The cross-site rule of the plugin's own routes: a request that changes something, or opens a WebSocket, and that a
   * browser sends for another site is 403 ACCOUNTS_CROSS_SITE. GET, HEAD and OPTIONS pass otherwise, and so do the option
   * `trustedOrigins`, clients that aren't browsers, and requests with a token or key of ours and no cookie.
   */
  refuseCrossSite: AccountsHook
  /**
   * Finishes a login that your app has verified itself, with SAML for example, and starts the session as POST /login/
   * does: with the same checks of the account, and ending a session that the request has.
   * @param userId the id of the user in the user store
   * @returns the user, who is `request.user` from then on. A client that asks for tokens gets no cookie: send it `tokens`
   * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_DISABLED, ACCOUNTS_NOT_VERIFIED; ACCOUNTS_SECOND_FACTOR_REQUIRED
   * if the account has a second factor and `methods` has no `mfa`: the login waits for it; ACCOUNTS_INVALID_INPUT if
   * `methods` is empty or malformed; Error if the response has begun, or was sent or hijacked: nothing can be delivered
   */
  logIn(
    request: AnyRequest,
    reply: AnyReply,
    userId: string,
    options?: HostLogin,
  ): Promise<AccountUser<Fields> & { tokens?: DeliveredTokens }>
  /**
   * Runs an operation of ours in a route of your app, for a service that keeps its own paths and shapes: with all that our
   * route does before and after, such as limits, access, the cookie or the tokens, and the audit event. Headers and cookies
   * go with your reply, no page or redirect does. A session counts from the next request on, as with our routes.
   * @param operation as the client's methods and the OpenAPI document name it
   * @param input what our route would get. Your server has read the body; it still must not exceed 16 KiB
   * @returns status and body of the success, as JSON has them, which you send as you like
   * @throws what our route would have sent: AccountsError in the client's language, RuleError, or an error with a
   * `statusCode`; Error for an operation that this app doesn't have, for one that changes something in a route with GET, or
   * once the response has begun
   */
  perform<Name extends keyof FeatureOperations<Fields>>(
    request: AnyRequest,
    reply: AnyReply,
    operation: Name,
    ...input: OperationOf<Fields, Name> extends (...input: infer Input) => unknown ? Input : never
  ): Promise<OperationOf<Fields, Name> extends (...input: never[]) => infer Outcome ? Outcome : never>
  /**
   * Creates a user without HTTP, from a script for example, with a password or `password: null`. Sends no email and doesn't
   * ask `authorize`, and `before.signUp` only on request.
   * @param call for this and the methods below: who acts and why, for the audit trail
   * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN; RuleError
   */
  createUser(input: NewUserInput<Fields, RoleOf<Given>>, call?: HostCreation): Promise<AccountUser<Fields>>
  /**
   * Finds a user by id, username, email address or identity at another provider; username and address in any case. `null` if
   * there is none.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT if the query is none of these, or not text; Error for an identity without
   * `providers()`
   */
  findUser(query: UserQuery, call?: HostCall): Promise<AccountUser<Fields> | null>
  /**
   * One page of all users, also of those who are disabled or unverified. `next` is the `cursor` of the page after it, and
   * `null` on the last one.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT, also for what the user store can't do; Error if it can't list users
   */
  listUsers(
    query?: UserListInput,
    call?: HostCall,
  ): Promise<{ users: AccountUser<Fields>[]; next: string | null }>
  /**
   * Changes username, address and your own fields, makes a user staff, disables or enables one, or marks the address as
   * verified, and emails the owner as if staff had done it, but not about flags alone. A disabled user is logged out at once. `null` if there is no such
   * user.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN, ACCOUNTS_CONFLICT
   */
  updateUser(
    userId: string,
    update: UserUpdate<Fields, RoleOf<Given>>,
    call?: HostCall,
  ): Promise<AccountUser<Fields> | null>
  /**
   * Sets a new password, within the limits of the option `password`. Ends the user's sessions and reset links, sends no
   * email. Resolves to whether there is such a user.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT
   */
  setPassword(userId: string, password: string, call?: HostCall): Promise<boolean>
  /**
   * Makes a link with which the user chooses a password, for a support desk, or after an import without usable hashes. It
   * works once and lasts `links.resetLifetime`, ends with whatever ends an emailed reset link, and the owner is emailed once
   * it was used. Unlike that one it doesn't verify the address, and keeps everything else of the account. `null` if there is
   * no such user.
   * @throws AccountsError ACCOUNTS_DISABLED; Error for a mount with `auth: false`
   */
  createPasswordLink(userId: string, call?: HostCall): Promise<PasswordLink | null>
  /**
   * The sessions of a user, newest first; `null` if there is no such user.
   * @throws Error if your own @fastify/session keeps the sessions
   */
  listSessions(userId: string, call?: HostCall): Promise<HostSession[] | null>
  /**
   * Ends one session of a user at once. Resolves to whether there was one.
   * @throws Error if your own @fastify/session keeps the sessions
   */
  endSession(userId: string, sessionId: string, call?: HostCall): Promise<boolean>
  /** Ends all sessions of a user at once. Resolves to whether there is such a user. */
  endUserSessions(userId: string, call?: HostCall): Promise<boolean>
  /**
   * Secures an account that someone else got into, as its owner does with the link "Secure my account" of an email: ends all
   * sessions and the password, removes login methods added lately, withdraws what the account has invited since, and emails
   * the owner a link to choose a new password. `null` if there is no such user. The link goes to the address the account has
   * now, which may be the thief's if it was changed within `links.undoLifetime`. A disabled user gets no email.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_CONFLICT
   */
  secureUser(userId: string, input?: SecureInput, call?: HostCall): Promise<UserSecured | null>
  invite(input: InvitationInput<RoleOf<Given>>, call?: HostCall): Promise<HostInvitation>
  createApiKey(userId: string, input: HostApiKeyInput<Scope>, call?: HostCall): Promise<CreatedApiKey<Scope>>
  /** Deletes a user, or a service account, and ends their sessions at once. Resolves to whether there was such a user. */
  deleteUser(userId: string, call?: HostCall): Promise<boolean>
  /**
   * Sends an email of the option `ownEmails` to a user, at the address they have at delivery: through the outbox, in their
   * language, with the retries of all emails. Resolves once it is stored, to whether there is somebody to get it: `false`
   * without such a user or an address, or if they are disabled. At an address that is not verified it needs room in
   * `verifyMails` and `addressMails`, apart from the plugin's own emails.
   * @param data what the template gets, stored as JSON until then: no secrets, at most 16 KiB
   * @throws Error for an unknown email, or data that JSON doesn't keep; AccountsError ACCOUNTS_UNAVAILABLE
   */
  mail<Kind extends keyof Mails & string>(
    kind: Kind,
    userId: string,
    ...data: MailData<Mails[Kind]>
  ): Promise<boolean>
  /**
   * Health check of this process: its stores, outbox, hasher and clock. Never rejects, takes at most two seconds; calls
   * within one second share a result. Only show `ok` to strangers: the number of waiting emails would reveal who has an
   * account.
   */
  check(): Promise<AccountsHealth>
  /** Emits `audit` and `mail-failed`. */
  events: EventEmitter<AccountsEvents>
}
