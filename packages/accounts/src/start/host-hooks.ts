import type { FastifyRequest } from 'fastify'
import { AccountsError, translated } from '../errors.js'
import { factorOwed, type MustHaveFactor } from '../logins/enrollment.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { createRequestSlot } from '../request-slot.js'
import { languageOf } from '../routes/request-language.js'
import type { AuthRecheck } from '../sessions/auth-recheck.js'
import { givesTwoFactors, hasGivenFactor, isConfirmed, type Login } from '../sessions/login.js'
import type { SessionReader } from '../sessions/session-reader.js'
import { type AccountUser, accountUser } from '../user.js'
import type { Accounts, AccountsHook } from './accounts.js'
import type { LogInByHost } from './host-login.js'

/** Hooks for the host's own routes: who is logged in, and how strongly they have proved it. */
export type HostHooks = Pick<
  Accounts,
  'loadUser' | 'userOf' | 'requireUser' | 'requireRecentLogin' | 'requireSecondFactor' | 'logIn'
>

/** What `loadUser` found out. */
interface LoadedLogin {
  /** `null` if nobody is logged in. */
  login: Login | null
  factors: readonly string[]
  /** Why a user with a session counts as logged out. */
  owed: AccountsError | null
}

const notLoaded: LoadedLogin = { login: null, factors: [], owed: null }

export function createHostHooks(deps: {
  reader: SessionReader
  recheck: AuthRecheck
  mustHaveFactor: MustHaveFactor
  logInByHost: LogInByHost
  options: Pick<ResolvedOptions, 'decorateAs' | 'session' | 'languages'>
}): HostHooks {
  const { reader, recheck, mustHaveFactor, logInByHost } = deps
  const { decorateAs, session, languages } = deps.options
  const name = decorateAs.request
  const loaded = createRequestSlot<LoadedLogin>(`host.${name}`)
  /** Errors thrown by the host's own routes are also in the request's language. */
  const inLanguage = (error: unknown, request: FastifyRequest): unknown =>
    error instanceof AccountsError ? translated(error, languageOf(request, languages)) : error
  const load: AccountsHook = async (request, reply) => {
    const visit = await reader(request, reply).catch((error: unknown) => {
      throw inLanguage(error, request)
    })
    const refusal = visit && (await factorOwed(visit, mustHaveFactor))
    // A user who owes a factor counts as logged out until it is given.
    const isKnown = visit !== null && refusal === null
    request.setDecorator(name, isKnown ? accountUser(visit.user) : null)
    const login = isKnown ? visit.login : null
    loaded.set(request, { login, factors: visit?.user.factors ?? [], owed: refusal })
  }
  /** Runs a check now, and again once the body has arrived if it hasn't yet. */
  async function withRecheck(request: FastifyRequest, check: () => Promise<void> | void): Promise<void> {
    await check()
    recheck(request, async () => check())
  }
  const loadUser: AccountsHook = (request, reply) => withRecheck(request, () => load(request, reply))
  const userOf: Accounts['userOf'] = (request) => {
    const user = request.getDecorator<AccountUser | null>(name)
    if (user !== null) return user
    throw inLanguage(loaded.get(request)?.owed ?? new AccountsError('ACCOUNTS_LOGIN_REQUIRED'), request)
  }
  const requireUser: AccountsHook = async (request, reply) => {
    if (request.getDecorator(name) === null) await loadUser(request, reply)
    await withRecheck(request, () => void userOf(request))
  }
  return {
    loadUser,
    userOf,
    requireUser,
    async requireRecentLogin(request, reply) {
      await requireUser(request, reply)
      await withRecheck(request, () => {
        const { login, factors } = loaded.get(request) ?? notLoaded
        if (login && isConfirmed(login, { factors }, session)) return
        throw inLanguage(new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED'), request)
      })
    },
    async requireSecondFactor(request, reply) {
      await requireUser(request, reply)
      await withRecheck(request, () => {
        const { login, factors } = loaded.get(request) ?? notLoaded
        const isOn = factors.length > 0
        if (login && (givesTwoFactors(login) || (isOn && hasGivenFactor(login)))) return
        const code = isOn ? 'ACCOUNTS_CONFIRMATION_REQUIRED' : 'ACCOUNTS_ENROLLMENT_REQUIRED'
        throw inLanguage(new AccountsError(code), request)
      })
    },
    async logIn(request, reply, userId, options) {
      const user = await logInByHost(request, reply, userId, options).catch((error: unknown) => {
        throw inLanguage(error, request)
      })
      // The login loaded before is outdated.
      loaded.set(request, { ...(loaded.get(request) ?? notLoaded), login: null })
      const known = accountUser(user)
      request.setDecorator(name, known)
      return known
    },
  }
}
