import type { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MailFailure } from '../emails/retries.js'
import type { AuditEvent } from '../routes/audit.js'
import type { UserQuery } from '../services/find-user.js'
import type { AccountUser, FieldsOf } from '../user.js'
import type { UserFlags } from '../users/change.js'
import type { CreateUserInput } from '../users/create.js'
import type { AccountsHealth } from './health.js'

/** What happened, for the host to listen to. */
export interface AccountsEvents {
  /** A mail was given up after all attempts. */
  'mail-failed': [failure: MailFailure]
  /** A request to one of the plugin's routes was answered. */
  audit: [event: AuditEvent]
}

/**
 * A hook for the host's own routes, as `onRequest` or `preHandler`. As `onRequest` it asks again once the body is here:
 * a client may have kept it back until the session had ended.
 */
export type AccountsHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** What you know of a login that your app finishes by `app.accounts.logIn`. */
export interface HostLogin {
  /**
   * How the owner has proved who they are, in the words of RFC 8176: `['pwd']`, or `['otp', 'mfa']`. Default `['host']`:
   * your app vouches for it, but nobody was asked for anything just now, so what needs a recent login asks for one.
   */
  methods?: readonly string[]
  /** Whether the cookie outlives the browser. Default `false`. */
  remember?: boolean
}

/**
 * What the plugin decorates the Fastify instance with, as `app.accounts`.
 * `Fields` is the type of your own fields, or of the schema in the option `users.fields`.
 */
export interface Accounts<Fields = undefined> {
  /** Sets `request.user`; where nobody is logged in the answer is 401 ACCOUNTS_LOGIN_REQUIRED. */
  requireUser: AccountsHook
  /**
   * Who is logged in, where `requireUser` has run: `request.user` without the `null`.
   * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED where nobody is, or neither hook has run
   */
  userOf(request: FastifyRequest): AccountUser<Fields>
  /**
   * The same for what only the owner may do: where nobody has proved who they are within `session.confirmLifetime`, at
   * login or at POST /confirm/, the answer is 403 ACCOUNTS_CONFIRMATION_REQUIRED. Where a second factor is on, only that
   * counts.
   */
  requireRecentLogin: AccountsHook
  /**
   * The same for what needs a second factor: without one the answer is 403 ACCOUNTS_ENROLLMENT_REQUIRED, and 403
   * ACCOUNTS_CONFIRMATION_REQUIRED in a session in which it was never given.
   */
  requireSecondFactor: AccountsHook
  /** Sets `request.user`, to `null` where nobody is logged in. */
  loadUser: AccountsHook
  /**
   * Finishes a login that you have proved by a method of your own, such as SAML, and begins the session as POST /login/
   * does: the same questions are asked of the account, and a session that the request brought ends.
   * @param userId the id of the user in the user store
   * @returns the user, who is `request.user` from then on
   * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_DISABLED, ACCOUNTS_NOT_VERIFIED; ACCOUNTS_SECOND_FACTOR_REQUIRED
   * where the account has a second factor and `methods` no `mfa`: the login waits for it; ACCOUNTS_INVALID_INPUT where
   * `methods` is empty or not made of words
   */
  logIn(
    request: FastifyRequest,
    reply: FastifyReply,
    userId: string,
    options?: HostLogin,
  ): Promise<AccountUser<Fields>>
  /**
   * Creates a user without HTTP, from a script for example; no mail is sent, `authorize` is not asked.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN
   */
  createUser(
    input: Omit<CreateUserInput, 'fields'> & { fields?: FieldsOf<Fields> },
  ): Promise<AccountUser<Fields>>
  /**
   * Sets a new password, within the limits of the option `password`; sessions and reset links of the user are dead
   * after it, and no mail is sent. Whether there is such a user.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT
   */
  setPassword(userId: string, password: string): Promise<boolean>
  /**
   * A user by id, username or email address, however the last two are spelled; `null` where there is none.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT where it is none of them, or no text
   */
  findUser(query: UserQuery): Promise<AccountUser<Fields> | null>
  /**
   * Makes a user staff, disables or enables one, or marks the address as proven. Who is disabled is logged out at once.
   * `null` where there is no such user.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT where a flag is unknown, or neither `true` nor `false`
   */
  updateUser(userId: string, flags: UserFlags): Promise<AccountUser<Fields> | null>
  /** Ends every session of a user at once. Whether there is such a user. */
  endUserSessions(userId: string): Promise<boolean>
  /** Deletes a user; the sessions die at once. Whether there was such a user. */
  deleteUser(userId: string): Promise<boolean>
  /**
   * Whether this process can serve: asks every store, and tells how far the hasher, the outbox and the clock are. Never
   * rejects, and takes at most two seconds. Calls within one second share an answer. What a probe may show to strangers
   * is `ok` alone: how many emails wait would tell who has an account.
   */
  check(): Promise<AccountsHealth>
  events: EventEmitter<AccountsEvents>
}
