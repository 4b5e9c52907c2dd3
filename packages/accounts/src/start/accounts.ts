import type { EventEmitter } from 'node:events'
import type { MailFailure } from '../emails/retries.js'
import type { AnyReply, AnyRequest } from '../http/any-request.js'
import type { AuditEvent } from '../http/audit.js'
import type { AccountUser, FieldsOf } from '../user.js'
import type { UserFlags } from '../users/change.js'
import type { CreateUserInput } from '../users/create.js'
import type { AccountsHealth } from './health.js'
import type { UserQuery } from './host/find-user.js'
import type { FactorsReset } from './host/reset-user-factors-by-host.js'
import type { UserSecured } from './host/secure-user-by-host.js'

/** Events for your app to listen to. */
export interface AccountsEvents {
  /** An email was abandoned after all attempts. */
  'mail-failed': [failure: MailFailure]
  /** A request to one of the plugin's routes was answered. */
  audit: [event: AuditEvent]
}

/**
 * A hook for your own routes, as `onRequest` or `preHandler`. As `onRequest` it checks again if the body arrives later: a
 * client may have held it back until the session ended. Called later, in a handler or at a WebSocket's message, it reads
 * session and user again. `reply` may be missing once the response has begun.
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

/**
 * The decorator `app.accounts`.
 * `Fields` is the type of your own fields, or of the schema in the option `users.fields`.
 */
export interface Accounts<Fields = undefined> {
  /**
   * Sets `request.user`; if nobody is logged in, the answer is 401 ACCOUNTS_LOGIN_REQUIRED. What your app has put into
   * `request.user` itself logs nobody in.
   */
  requireUser: AccountsHook
  /**
   * The logged-in user as the last of these hooks found them, without the `null` of `request.user`.
   * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED if nobody is logged in, or no hook has run
   */
  userOf(request: AnyRequest): AccountUser<Fields>
  /**
   * The same for sensitive actions: without a login or POST /confirm/ within `session.confirmLifetime`, the answer is 403
   * ACCOUNTS_CONFIRMATION_REQUIRED. If a second factor is on, only that counts.
   */
  requireRecentLogin: AccountsHook
  /**
   * The same for actions that need a second factor: without one the answer is 403 ACCOUNTS_ENROLLMENT_REQUIRED, and 403
   * ACCOUNTS_CONFIRMATION_REQUIRED if it was never used in this session.
   */
  requireSecondFactor: AccountsHook
  /** Sets `request.user`, to `null` if nobody is logged in. */
  loadUser: AccountsHook
  /**
   * The cross-site rule of the plugin's own routes: a request that changes something, or opens a WebSocket, and that a
   * browser sends for another site is 403 ACCOUNTS_CROSS_SITE. GET, HEAD and OPTIONS pass otherwise, and so do the option
   * `trustedOrigins` and clients that aren't browsers.
   */
  refuseCrossSite: AccountsHook
  /**
   * Finishes a login that your app has verified itself, with SAML for example, and starts the session as POST /login/
   * does: with the same checks of the account, and ending a session that the request has.
   * @param userId the id of the user in the user store
   * @returns the user, who is `request.user` from then on
   * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_DISABLED, ACCOUNTS_NOT_VERIFIED; ACCOUNTS_SECOND_FACTOR_REQUIRED
   * if the account has a second factor and `methods` has no `mfa`: the login waits for it; ACCOUNTS_INVALID_INPUT if
   * `methods` is empty or malformed
   */
  logIn(
    request: AnyRequest,
    reply: AnyReply,
    userId: string,
    options?: HostLogin,
  ): Promise<AccountUser<Fields>>
  /**
   * Creates a user without HTTP, from a script for example. Sends no email and doesn't ask `authorize`.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN
   */
  createUser(
    input: Omit<CreateUserInput, 'fields'> & { fields?: FieldsOf<Fields> },
  ): Promise<AccountUser<Fields>>
  /**
   * Sets a new password, within the limits of the option `password`. Ends the user's sessions and reset links, sends no
   * email. Resolves to whether there is such a user.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT
   */
  setPassword(userId: string, password: string): Promise<boolean>
  /**
   * Finds a user by id, username or email address, the last two in any case; `null` if there is none.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT if the query is none of these, or not text
   */
  findUser(query: UserQuery): Promise<AccountUser<Fields> | null>
  /**
   * Makes a user staff, disables or enables one, or marks the address as verified. A disabled user is logged out at once.
   * `null` if there is no such user.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT if a flag is unknown, or neither `true` nor `false`
   */
  updateUser(userId: string, flags: UserFlags): Promise<AccountUser<Fields> | null>
  /** Ends all sessions of a user at once. Resolves to whether there is such a user. */
  endUserSessions(userId: string): Promise<boolean>
  /**
   * Removes all second factors of a user who has lost them, and the passkeys, except those without which the user couldn't
   * log in, and emails the owner. Sessions continue. `null` if there is no such user.
   * @throws AccountsError ACCOUNTS_CONFLICT
   */
  resetUserFactors(userId: string): Promise<FactorsReset | null>
  /**
   * Secures an account that someone else got into, as its owner does with the link "Secure my account" of an email: ends all
   * sessions and the password, removes login methods added lately, and emails the owner a link to choose a new password.
   * `null` if there is no such user. The link goes to the address the account has now, which may be the thief's if it was
   * changed within `links.undoLifetime`. A disabled user gets no email.
   * @throws AccountsError ACCOUNTS_CONFLICT
   */
  secureUser(userId: string): Promise<UserSecured | null>
  /** Deletes a user and ends their sessions at once. Resolves to whether there was such a user. */
  deleteUser(userId: string): Promise<boolean>
  /**
   * Health check of this process: its stores, outbox, hasher and clock. Never rejects, takes at most two seconds; calls
   * within one second share a result. Only show `ok` to strangers: the number of waiting emails would reveal who has an
   * account.
   */
  check(): Promise<AccountsHealth>
  /** Emits `audit` and `mail-failed`. */
  events: EventEmitter<AccountsEvents>
}
