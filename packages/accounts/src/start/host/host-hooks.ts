import type { FastifyRequest } from 'fastify'
import { AccountsError, translated } from '../../errors.js'
import type { AnyReply, AnyRequest } from '../../http/any-request.js'
import type { ClientOf } from '../../http/client.js'
import { refuseCrossSite } from '../../http/cross-site.js'
import { checkDelivery } from '../../http/delivery-header.js'
import type { MountCore } from '../../http/feature-core.js'
import { languageOf } from '../../http/request-language.js'
import { confirming } from '../../logins/asked-factors.js'
import { factorOwed } from '../../logins/enrollment.js'
import { can } from '../../options/privileges.js'
import { permissionNames } from '../../options/roles.js'
import { createRequestSlot } from '../../request-slot.js'
import type { AuthRecheck, IsUnderWay } from '../../sessions/auth-recheck.js'
import type { SessionReader } from '../../sessions/session-reader.js'
import { givesTwoFactors, hasGivenFactor, isConfirmed, type Login } from '../../sessions/session-rules.js'
import type { ApiKey } from '../../tokens/api-key.js'
import { type AccountUser, accountUser, type User } from '../../user.js'
import type { Accounts, AccountsHook } from '../accounts.js'
import { rulesOf } from './host-api-keys.js'
import { admitKey } from './host-key.js'
import { logInByHost } from './log-in-by-host.js'

/** Hooks for the host's own routes: who is logged in, and how strongly they have proved it. */
export type HostHooks = Pick<
  Accounts,
  | 'loadUser'
  | 'userOf'
  | 'requireUser'
  | 'requireRecentLogin'
  | 'requireSecondFactor'
  | 'requireScope'
  | 'requirePermission'
  | 'can'
  | 'keyOf'
  | 'refuseCrossSite'
  | 'logIn'
>

/** What the hooks have found out about a request. `request.user` only shows it: anybody may write there. */
interface Known {
  /** `null` if nobody is logged in. */
  user: AccountUser | null
  /** `null` if nobody is, or `logIn` has only just logged them in. */
  login: Login | null
  factors: readonly string[]
  /** Why a user with a session counts as logged out. */
  owed: AccountsError | null
  /** Whom `logIn` has logged in: the cookie of this request belongs to the session before. */
  entered?: User
  /** Which key a program has sent, instead of anybody being logged in. */
  key?: ApiKey
}

const keyRefused = () => new AccountsError('ACCOUNTS_LOGIN_REQUIRED', { reason: 'api_key' })

const nobody: Known = { user: null, login: null, factors: [], owed: null }

export function createHostHooks(
  core: MountCore,
  deps: { readSession: SessionReader; clientOf: ClientOf; recheck: AuthRecheck; isUnderWay: IsUnderWay },
): HostHooks {
  const { readSession, clientOf, recheck, isUnderWay } = deps
  const { users, mustHaveFactor, options } = core
  const { decorateAs, session, languages } = options
  const name = decorateAs.request
  const slot = createRequestSlot<Known>(`host.${name}`)
  /** Errors thrown by the host's own routes are also in the request's language. */
  const inLanguage = (error: unknown, request: FastifyRequest): unknown =>
    error instanceof AccountsError ? translated(error, languageOf(request, languages)) : error

  async function find(request: AnyRequest, reply: AnyReply | undefined): Promise<Known> {
    const { entered } = slot.get(request) ?? nobody
    if (entered !== undefined) {
      const user = await users.findById(entered.id)
      const isIn = user?.isActive && user.sessionEpoch === entered.sessionEpoch
      return isIn ? { ...nobody, user: accountUser(user), factors: user.factors, entered } : nobody
    }
    const visit = await readSession(clientOf(request, reply))
    const owed = visit && (await factorOwed(visit, mustHaveFactor))
    // A user who still needs a factor counts as logged out until it is given.
    const isKnown = visit !== null && owed === null
    return {
      user: isKnown ? accountUser(visit.user) : null,
      login: isKnown ? visit.login : null,
      factors: visit?.user.factors ?? [],
      owed,
    }
  }

  async function load(request: AnyRequest, reply: AnyReply | undefined): Promise<void> {
    const before = slot.get(request)
    const known = await find(request, reply).catch((error: unknown) => {
      throw inLanguage(error, request)
    })
    slot.set(request, known)
    // What the app has replaced it with since stays, unless its user is gone.
    const isReplaced = before !== undefined && request.getDecorator(name) !== before.user
    const isGone = before?.user != null && known.user === null
    if (!isReplaced || isGone) request.setDecorator(name, known.user)
  }

  /** Runs a check now, and again once the body has arrived if it hasn't yet. */
  async function withRecheck(request: AnyRequest, check: () => Promise<void> | void): Promise<void> {
    await check()
    recheck(request, async () => check())
  }
  const loadUser: AccountsHook = (request, reply) => withRecheck(request, () => load(request, reply))
  const userOf: Accounts['userOf'] = (request) => {
    const { user, owed } = slot.get(request) ?? nobody
    if (user !== null) return user
    throw inLanguage(owed ?? new AccountsError('ACCOUNTS_LOGIN_REQUIRED'), request)
  }
  const requireUser: AccountsHook = async (request, reply) => {
    // Between two hooks of `onRequest` hardly any time passes.
    if (slot.get(request) === undefined || isUnderWay(request)) await loadUser(request, reply)
    await withRecheck(request, () => {
      userOf(request)
      // Another hook has let the key in, for its own purpose.
      if (!slot.get(request)?.key) return
      clientOf(request, reply).challenge('invalid_token')
      throw inLanguage(keyRefused(), request)
    })
  }
  /** Whether the request has a key; it must have the scope. */
  async function loadByKey(scope: string, request: AnyRequest, reply?: AnyReply): Promise<boolean> {
    const found = await admitKey(core, scope, clientOf(request, reply)).catch((error: unknown) => {
      throw inLanguage(error, request)
    })
    if (found === null) return false
    const user = accountUser(found.user)
    slot.set(request, { ...nobody, user, factors: found.user.factors, key: found.key })
    request.setDecorator(name, user)
    return true
  }
  return {
    loadUser,
    userOf,
    requireUser,
    requireScope(scope) {
      const { scopes } = rulesOf(core)
      if (!scopes.has(scope))
        throw new Error(
          `fastify-accounts: requireScope must name one of apiKeys.scopes: ${[...scopes.keys()].join(', ')}; got ${String(scope)}`,
        )
      return async (request, reply) => {
        if (!(await loadByKey(scope, request, reply))) return requireUser(request, reply)
        recheck(request, async () => void (await loadByKey(scope, request, reply)))
      }
    },
    requirePermission(permission) {
      const known = permissionNames(options.roles)
      if (!known.includes(permission))
        throw new Error(
          `fastify-accounts: requirePermission must name a permission of the option roles, or one of ours: ${known.join(', ')}; got ${String(permission)}`,
        )
      return async (request, reply) => {
        await requireUser(request, reply)
        await withRecheck(request, () => {
          if (can(userOf(request), permission, options)) return
          throw inLanguage(new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'missing_permission' }), request)
        })
      }
    },
    can: (user, permission) => user !== null && can(user, permission, options),
    keyOf(request) {
      const { key } = slot.get(request) ?? nobody
      return key ? { id: key.id, name: key.name, scopes: key.scopes } : null
    },
    async requireRecentLogin(request, reply) {
      await requireUser(request, reply)
      await withRecheck(request, () => {
        const { login, factors } = slot.get(request) ?? nobody
        if (login && isConfirmed(login, { factors }, session)) return
        throw inLanguage(
          new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', confirming({ factors })),
          request,
        )
      })
    },
    async requireSecondFactor(request, reply) {
      await requireUser(request, reply)
      await withRecheck(request, () => {
        const { login, factors } = slot.get(request) ?? nobody
        const isOn = factors.length > 0
        if (login && (givesTwoFactors(login) || (isOn && hasGivenFactor(login)))) return
        const error = isOn
          ? new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', confirming({ factors }))
          : new AccountsError('ACCOUNTS_ENROLLMENT_REQUIRED')
        throw inLanguage(error, request)
      })
    },
    async refuseCrossSite(request) {
      try {
        if (clientOf(request).bearer === null) refuseCrossSite(request, options)
      } catch (error) {
        throw inLanguage(error, request)
      }
    },
    async logIn(request, reply, userId, given) {
      const client = clientOf(request, reply)
      const logIn = async (): Promise<User> => {
        if (core.refreshes !== null) checkDelivery(request)
        return logInByHost(core, client, userId, given)
      }
      const entered = await logIn().catch((error: unknown) => {
        throw inLanguage(error, request)
      })
      const user = accountUser(entered)
      const { factors } = slot.get(request) ?? nobody
      slot.set(request, { ...nobody, user, factors, entered })
      request.setDecorator(name, user)
      return client.delivered === null ? user : { ...user, tokens: client.delivered }
    },
  }
}
