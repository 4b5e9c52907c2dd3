import type { FastifyRequest } from 'fastify'
import { AccountsError } from '../../errors.js'
import type { HostPrograms, KeyOfRequest, Visitor, Visitors } from '../../features/host.js'
import type { MountCore } from '../../http/feature-core.js'
import { refuseCrossSite } from '../../http/guard/cross-site.js'
import type { AnyReply, AnyRequest } from '../../http/input/any-request.js'
import { checkDelivery } from '../../http/input/delivery-header.js'
import { inRequestLanguage } from '../../http/input/request-language.js'
import type { ClientOf } from '../../http/output/client.js'
import { confirming } from '../../logins/asked-factors.js'
import { factorOwed } from '../../logins/enrollment.js'
import { can } from '../../options/privileges.js'
import { permissionNames } from '../../options/roles.js'
import { createRequestSlot } from '../../request-slot.js'
import type { AuthRecheck, FoundCredential, IsUnderWay } from '../../sessions/auth-recheck.js'
import type { SessionReader } from '../../sessions/session-reader.js'
import { givesTwoFactors, hasGivenFactor, isConfirmed, type Login } from '../../sessions/session-rules.js'
import type { ApiKey } from '../../tokens/api-key.js'
import { type AccountUser, accountUser, type User } from '../../user.js'
import type { Accounts, AccountsHook } from '../accounts.js'
import type { BrowserGuide } from '../browser-guide.js'
import type { RouteChecks } from '../route-checks.js'
import { checkId } from './bind-call.js'
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
interface Known extends FoundCredential {
  /** `null` if nobody is logged in. */
  user: AccountUser | null
  /** `null` if nobody is, or `logIn` has only just logged them in. */
  login: Login | null
  factors: readonly string[]
  /** Why a user with a session counts as logged out. */
  refusal: AccountsError | null
  /** Whom `logIn` has logged in: the cookie of this request belongs to the session before. */
  entered?: User
  /** The program that has sent a key, instead of anybody being logged in, and which scope it was let in for. */
  program?: { key: ApiKey; scope: string; isService: boolean }
}

const nobody: Known = { credential: null, user: null, login: null, factors: [], refusal: null }

/** Whom `logIn` has logged in; a change of the epoch ends that as well. */
const knownAs = (entered: User) => ({
  ...nobody,
  credential: `${entered.id}:${entered.sessionEpoch}`,
  user: accountUser(entered),
  factors: entered.factors,
  entered,
})

export function createHostHooks(
  core: MountCore,
  deps: {
    readSession: SessionReader
    clientOf: ClientOf
    recheck: AuthRecheck
    isUnderWay: IsUnderWay
    programs: HostPrograms
    checkRoutes: RouteChecks
    guide: Pick<BrowserGuide, 'noteRefusal'>
  },
): HostHooks & { visitors: Visitors } {
  const { readSession, clientOf, recheck, isUnderWay, programs, checkRoutes, guide } = deps
  const { users, mustHaveFactor, options } = core
  const { decorateAs, session, languages } = options
  const name = decorateAs.request
  const slot = createRequestSlot<Known>(`host.${name}`)
  /** Errors thrown by the host's own routes are also in the request's language. */
  const inLanguage = (error: unknown, request: FastifyRequest): unknown =>
    inRequestLanguage(error, request, languages)

  async function bySession(request: AnyRequest, reply: AnyReply | undefined): Promise<Known> {
    const { entered } = slot.get(request) ?? nobody
    if (entered !== undefined) {
      const user = await users.findById(entered.id)
      const isIn = user?.isActive && user.sessionEpoch === entered.sessionEpoch
      return isIn ? knownAs(user) : nobody
    }
    const visit = await readSession(clientOf(request, reply))
    if (visit === null) return nobody
    const { user, login, credential } = visit
    const { factors } = user
    const refusal = await factorOwed(visit, mustHaveFactor)
    // A user who still needs a factor counts as logged out until it is given.
    if (refusal !== null) return { ...nobody, factors, refusal }
    return { credential, user: accountUser(user), login, factors, refusal }
  }
  /** `nobody` if the request has no key; one that it has must have the scope. */
  async function byKey(scope: string, request: AnyRequest, reply: AnyReply | undefined): Promise<Known> {
    const found = await programs.admit(scope, clientOf(request, reply))
    if (found === null) return nobody
    const { user, key } = found
    const credential = `key:${key.id}`
    const program = { key, scope, isService: user.kind === 'service' }
    return { ...nobody, credential, user: accountUser(user), factors: user.factors, program }
  }

  /**
   * Looks who sends a request, shows it, and has that repeated.
   * @param first what the first look has found already
   */
  async function look(request: AnyRequest, find: () => Promise<Known>, first?: Known): Promise<void> {
    const { program, credential } = slot.get(request) ?? nobody
    let own: Known | undefined
    const again = async (): Promise<Known> => {
      if (own === undefined) return first ?? find()
      // A later hook has let a key in, or logged somebody in, and repeats that itself.
      return slot.get(request) === own ? find() : own
    }
    const use = (visitor: Known): void => {
      if (visitor !== own) show(request, visitor)
      own = visitor
    }
    // In `onRequest`, a key or a login of the app may replace the user found so far.
    await recheck.look(request, again, use, program || isUnderWay(request) ? credential : null)
  }

  function show(request: AnyRequest, visitor: Known): void {
    const before = slot.get(request)
    slot.set(request, visitor)
    // What the app has replaced it with since stays, unless its user is gone.
    const isReplaced = before !== undefined && request.getDecorator(name) !== before.user
    const isGone = before?.user != null && visitor.user === null
    if (!isReplaced || isGone) request.setDecorator(name, visitor.user)
  }

  const loadUser: AccountsHook = async (request, reply) => {
    refuseKey(request, reply)
    await look(request, () => bySession(request, reply))
  }
  const userOf: Accounts['userOf'] = (request) => {
    const { user, refusal } = slot.get(request) ?? nobody
    if (user !== null) return user
    throw inLanguage(refusal ?? new AccountsError('ACCOUNTS_LOGIN_REQUIRED'), request)
  }
  /** Another hook has let the key in, for its own purpose. */
  function refuseKey(request: AnyRequest, reply: AnyReply | undefined): void {
    if (slot.get(request)?.program === undefined) return
    clientOf(request, reply).challenge('invalid_token')
    throw inLanguage(new AccountsError('ACCOUNTS_LOGIN_REQUIRED', { reason: 'api_key' }), request)
  }
  const requireUser: AccountsHook = async (request, reply) => {
    refuseKey(request, reply)
    await requireVisitor(request, reply, () => refuseKey(request, reply))
  }
  /** Admits who is logged in, or a program that `requireScope` has let in. */
  async function requireVisitor(
    request: AnyRequest,
    reply: AnyReply | undefined,
    check: (user: AccountUser) => Promise<void> | void,
  ): Promise<void> {
    const before = slot.get(request)
    const { program } = before ?? nobody
    // Between two hooks of `onRequest` hardly any time passes.
    if (before === undefined || isUnderWay(request))
      await look(request, () =>
        program === undefined ? bySession(request, reply) : byKey(program.scope, request, reply),
      )
    await recheck.check(request, () => check(userOf(request)))
  }
  /** What it refuses leads a browser that opens a page to where it gets in. */
  function leading(hook: AccountsHook): AccountsHook {
    return async (request, reply) => {
      try {
        await hook(request, reply)
      } catch (error) {
        guide.noteRefusal(error, request)
        throw error
      }
    }
  }
  const visitors: Visitors = {
    hook(check, checkRoute) {
      const hook = leading((request, reply) =>
        requireVisitor(request, reply, (user) => check(visitorAs(user, request), request)),
      )
      if (checkRoute) checkRoutes(hook, checkRoute)
      return hook
    },
    of(request) {
      const { user } = slot.get(request) ?? nobody
      return user && visitorAs(user, request)
    },
  }
  function visitorAs(user: AccountUser, request: AnyRequest): Visitor {
    const { isService = false } = slot.get(request)?.program ?? {}
    return { user, isService, key: keyOf(request) }
  }
  function keyOf(request: AnyRequest): KeyOfRequest | null {
    const { key } = slot.get(request)?.program ?? {}
    return key ? { id: key.id, name: key.name, scopes: key.scopes, resource: key.resource ?? null } : null
  }
  return {
    visitors,
    loadUser,
    userOf,
    requireUser: leading(requireUser),
    requireScope(scope) {
      programs.checkScope(scope)
      return async (request, reply) => {
        const first = await byKey(scope, request, reply).catch((error: unknown) => {
          throw inLanguage(error, request)
        })
        const isByKey = first.program !== undefined || slot.get(request)?.program !== undefined
        if (!isByKey) return requireUser(request, reply)
        await look(request, () => byKey(scope, request, reply), first)
      }
    },
    requirePermission(permission) {
      const permissions = permissionNames(options.roles)
      if (!permissions.includes(permission))
        throw new Error(
          `fastify-accounts: requirePermission must name a permission of the option roles, or one of ours: ${permissions.join(', ')}; got ${String(permission)}`,
        )
      return leading(async (request, reply) => {
        await requireUser(request, reply)
        await recheck.check(request, () => {
          if (can(userOf(request), permission, options)) return
          throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'missing_permission' })
        })
      })
    },
    can: (user, permission) => user !== null && can(user, permission, options),
    keyOf,
    requireRecentLogin: leading(async (request, reply) => {
      await requireUser(request, reply)
      await recheck.check(request, () => {
        const { login, factors } = slot.get(request) ?? nobody
        if (login && isConfirmed(login, { factors }, session)) return
        throw new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', confirming({ factors }))
      })
    }),
    requireSecondFactor: leading(async (request, reply) => {
      await requireUser(request, reply)
      await recheck.check(request, () => {
        const { login, factors } = slot.get(request) ?? nobody
        const isOn = factors.length > 0
        if (login && (givesTwoFactors(login) || (isOn && hasGivenFactor(login)))) return
        throw isOn
          ? new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', confirming({ factors }))
          : new AccountsError('ACCOUNTS_ENROLLMENT_REQUIRED')
      })
    }),
    async refuseCrossSite(request) {
      try {
        // Routes of the app may read a cookie of their own beside a token, even one that is the attacker's.
        const isByToken = clientOf(request).bearer !== null && request.headers.cookie === undefined
        if (!isByToken) refuseCrossSite(request, options)
      } catch (error) {
        throw inLanguage(error, request)
      }
    },
    async logIn(request, reply, userId, login) {
      checkId('logIn', 'userId', userId)
      const client = clientOf(request, reply)
      const logIn = async (): Promise<User> => {
        if (core.refreshes !== null) checkDelivery(request)
        // Whatever delivers it, and whether it succeeds: no cache may keep a login (RFC 6749 section 5.1).
        reply?.header('cache-control', 'no-store')
        return logInByHost(core, client, userId, login)
      }
      const entered = await logIn().catch((error: unknown) => {
        throw inLanguage(error, request)
      })
      const visitor = knownAs(entered)
      const { user } = visitor
      slot.set(request, visitor)
      request.setDecorator(name, user)
      await look(request, () => bySession(request, reply), visitor)
      const { delivered } = client
      return delivered === null ? user : { ...user, tokens: delivered }
    },
  }
}
