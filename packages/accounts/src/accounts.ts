import type { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from './deps.js'
import type { MailFailure } from './emails/post-office.js'
import { AccountsError, translated } from './errors.js'
import type { ResolvedOptions } from './options.js'
import type { AuditEvent } from './routes/audit.js'
import { languageOf } from './routes/speech.js'
import { endSessions } from './services/end-sessions.js'
import { findUser, type UserQuery } from './services/find-user.js'
import { removeUser } from './services/remove-user.js'
import { setFlags } from './services/set-flags.js'
import { setPassword } from './services/set-password.js'
import { isConfirmed, type Login } from './sessions/login.js'
import type { SessionReader } from './sessions/session-reader.js'
import { type AccountUser, accountUser, type FieldsOf } from './user.js'
import type { UserFlags } from './user-changes.js'
import { type CreateUserInput, insertUser } from './user-creation.js'

/** What happened, for the host to listen to. */
export interface AccountsEvents {
  /** A mail was given up after all tries. */
  'mail-failed': [failure: MailFailure]
  /** A request to one of the plugin's routes was answered. */
  audit: [event: AuditEvent]
}

/** A hook for the host's own routes, as `onRequest` or `preHandler`. */
export type AccountsHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * What the plugin decorates the Fastify instance with, as `app.accounts`.
 * `Schema` is the type of what stands in the option `users.fields`, if anything.
 */
export interface Accounts<Schema = undefined> {
  /** Sets `request.user`; where nobody is logged in the answer is 401 ACCOUNTS_LOGIN_REQUIRED. */
  requireUser: AccountsHook
  /**
   * Who is logged in, where `requireUser` has run: `request.user` without the `null`.
   * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED where nobody is, or neither hook has run
   */
  userOf(request: FastifyRequest): AccountUser<Schema>
  /**
   * The same for what only the owner may do: where the password was not given within `session.confirmLifetime`, at
   * login or at POST /confirm-password/, the answer is 403 ACCOUNTS_CONFIRMATION_REQUIRED.
   */
  requireRecentPassword: AccountsHook
  /** Sets `request.user`, to `null` where nobody is logged in. */
  loadUser: AccountsHook
  /**
   * Creates a user without HTTP, from a script for example; no mail is sent, `authorize` is not asked.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN
   */
  createUser(
    input: Omit<CreateUserInput, 'fields'> & { fields?: FieldsOf<Schema> },
  ): Promise<AccountUser<Schema>>
  /**
   * Sets a new password, within the limits of the option `password`; sessions and reset links of the user are dead
   * after it, and no mail is sent. Whether there is such a user.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT
   */
  setPassword(userId: string, password: string): Promise<boolean>
  /** A user by id, username or e-mail address, however the last two are spelled; `null` where there is none. */
  findUser(query: UserQuery): Promise<AccountUser<Schema> | null>
  /**
   * Makes a user staff, disables or enables one, or marks the address as proven. Who is disabled is logged out at once.
   * `null` where there is no such user.
   */
  setFlags(userId: string, flags: UserFlags): Promise<AccountUser<Schema> | null>
  /** Ends every session of a user at once. Whether there is such a user. */
  endSessions(userId: string): Promise<boolean>
  /** Deletes a user; the sessions die at once. Whether there was such a user. */
  removeUser(userId: string): Promise<boolean>
  events: EventEmitter<AccountsEvents>
}

/** Binds the services to what the plugin has assembled. */
export function accountsOf(
  deps: Deps,
  reader: SessionReader,
  events: EventEmitter<AccountsEvents>,
  { decorateAs, session, languages }: ResolvedOptions,
): Accounts {
  const name = decorateAs.request
  const logins = new WeakMap<FastifyRequest, Login>()
  /** What the host's own routes throw is told in the language of the request too. */
  const inLanguage = (error: unknown, request: FastifyRequest): unknown =>
    error instanceof AccountsError ? translated(error, languageOf(request, languages)) : error
  const loadUser: AccountsHook = async (request, reply) => {
    const visit = await reader(request, reply).catch((error: unknown) => {
      throw inLanguage(error, request)
    })
    request.setDecorator(name, visit && accountUser(visit.user))
    if (visit !== null) logins.set(request, visit.login)
  }
  const userOf: Accounts['userOf'] = (request) => {
    const user = request.getDecorator<AccountUser | null>(name)
    if (user === null) throw inLanguage(new AccountsError('ACCOUNTS_LOGIN_REQUIRED'), request)
    return user
  }
  const requireUser: AccountsHook = async (request, reply) => {
    if (request.getDecorator(name) === null) await loadUser(request, reply)
    userOf(request)
  }
  return {
    loadUser,
    userOf,
    requireUser,
    async requireRecentPassword(request, reply) {
      await requireUser(request, reply)
      const login = logins.get(request)
      if (login && isConfirmed(login, session)) return
      throw inLanguage(new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED'), request)
    },
    createUser: async (input) => accountUser(await insertUser(deps, input, 'known')),
    async findUser(query) {
      const user = await findUser(deps, query)
      return user && accountUser(user)
    },
    async setFlags(userId, flags) {
      const user = await setFlags(deps, userId, flags)
      return user && accountUser(user)
    },
    setPassword: (userId, password) => setPassword(deps, userId, password),
    endSessions: (userId) => endSessions(deps, userId),
    removeUser: (userId) => removeUser(deps, userId),
    events,
  }
}
