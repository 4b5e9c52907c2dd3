import type { EventEmitter } from 'node:events'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import { AccountsError, translated } from '../errors.js'
import type { ResolvedOptions } from '../options/options.js'
import { languageOf } from '../routes/request-language.js'
import { endSessions } from '../services/end-sessions.js'
import { findUser } from '../services/find-user.js'
import { removeUser } from '../services/remove-user.js'
import { setFlags } from '../services/set-flags.js'
import { setPassword } from '../services/set-password.js'
import type { AuthRecheck } from '../sessions/auth-recheck.js'
import { isConfirmed, type Login } from '../sessions/login.js'
import type { SessionReader } from '../sessions/session-reader.js'
import { type AccountUser, accountUser } from '../user.js'
import { insertUser } from '../users/create.js'
import type { Accounts, AccountsEvents, AccountsHook } from './accounts.js'
import type { LogInByHost } from './host-login.js'

/** Binds the services to what the plugin has assembled. */
export function bindAccounts(
  deps: Deps,
  reader: SessionReader,
  logInByHost: LogInByHost,
  recheck: AuthRecheck,
  events: EventEmitter<AccountsEvents>,
  check: Accounts['check'],
  { decorateAs, session, languages }: ResolvedOptions,
): Accounts {
  const name = decorateAs.request
  const logins = new WeakMap<FastifyRequest, Login>()
  /** What the host's own routes throw is told in the language of the request too. */
  const inLanguage = (error: unknown, request: FastifyRequest): unknown =>
    error instanceof AccountsError ? translated(error, languageOf(request, languages)) : error
  const load: AccountsHook = async (request, reply) => {
    const visit = await reader(request, reply).catch((error: unknown) => {
      throw inLanguage(error, request)
    })
    request.setDecorator(name, visit && accountUser(visit.user))
    if (visit === null) logins.delete(request)
    else logins.set(request, visit.login)
  }
  /** Lets through whom a check lets through, before the body comes and after it. */
  async function twice(request: FastifyRequest, check: () => Promise<void> | void): Promise<void> {
    await check()
    recheck(request, async () => check())
  }
  const loadUser: AccountsHook = (request, reply) => twice(request, () => load(request, reply))
  const userOf: Accounts['userOf'] = (request) => {
    const user = request.getDecorator<AccountUser | null>(name)
    if (user === null) throw inLanguage(new AccountsError('ACCOUNTS_LOGIN_REQUIRED'), request)
    return user
  }
  const requireUser: AccountsHook = async (request, reply) => {
    if (request.getDecorator(name) === null) await loadUser(request, reply)
    await twice(request, () => void userOf(request))
  }
  return {
    loadUser,
    userOf,
    requireUser,
    async requireRecentPassword(request, reply) {
      await requireUser(request, reply)
      await twice(request, () => {
        const login = logins.get(request)
        if (login && isConfirmed(login, session)) return
        throw inLanguage(new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED'), request)
      })
    },
    async logIn(request, reply, userId, options) {
      const user = await logInByHost(request, reply, userId, options).catch((error: unknown) => {
        throw inLanguage(error, request)
      })
      // What the request was loaded with is the login of before.
      logins.delete(request)
      const known = accountUser(user)
      request.setDecorator(name, known)
      return known
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
    check,
    events,
  }
}
