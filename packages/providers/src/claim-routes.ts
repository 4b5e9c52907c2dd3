import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError, type StoredUser } from 'fastify-accounts'
import {
  accountUser,
  fieldError,
  inRequestLanguage,
  invalidInput,
  isChecked,
  noteHandOver,
  noteReason,
  noteUser,
  ownUser,
  ownUserReply,
  type Route,
  sendPage,
  shownName,
  startSession,
  wantsHtml,
  whileThere,
} from 'fastify-accounts/features'
import { type Claimed, keepAccount, leaveAccount, readClaim } from './claim-account.js'
import type { ProviderDeps } from './deps.js'
import { labelOf } from './hand-over.js'
import { claimPage } from './pages.js'
import { loginErrors } from './route-errors.js'
import { type ClaimBody, claimBody, claimReply } from './schemas.js'

/** Sends the browser to the page that asks whose an account is. */
export function askWhose(
  { claims, where }: Pick<ProviderDeps, 'claims' | 'where'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { claim, owner }: { claim: string; owner: StoredUser },
): FastifyReply {
  claims.keep(reply, claim)
  noteUser(request, owner)
  noteReason(request, 'ACCOUNTS_NOT_VERIFIED')
  return reply.redirect(where.path('claim-account'), 303)
}

/** Whoever has proved the address of an account that somebody has used says whether that was them. */
export function claimRoutes(deps: ProviderDeps): Route[] {
  const { claims, device, options, themeOf } = deps
  const shared = {
    name: 'claim-account',
    action: 'claim-account',
    path: '/login/claim/',
    access: 'anyone',
    linkPage: true,
  } as const
  const claimed = async (request: FastifyRequest): Promise<Claimed> => {
    const found = await readClaim(deps, claims.read(request))
    noteUser(request, found.owner)
    return found
  }
  const pageFor = (
    request: FastifyRequest,
    { claim, owner }: Claimed,
    faults: Parameters<typeof claimPage>[1]['faults'] = [],
  ): string =>
    claimPage(themeOf(request), {
      provider: labelOf(deps, claim.identity),
      email: claim.email,
      username: owner && shownName(options, owner),
      hasPassword: owner !== null && accountUser(owner).hasPassword,
      faults,
    })
  return [
    {
      ...shared,
      method: 'GET',
      operation: {
        id: 'showClaim',
        summary: 'Ask whose the account at an address is that a provider has just proved',
        errors: ['ACCOUNTS_LOGIN_EXPIRED'],
      },
      budget: 'loginWithCallback',
      schema: { response: { 200: claimReply } },
      async handler(request, reply) {
        const found = await claimed(request)
        const { claim, owner } = found
        if (owner === null) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
        if (wantsHtml(request)) return sendPage(reply, themeOf(request).language, pageFor(request, found))
        const { createdAt, hasPassword } = accountUser(owner)
        const { identity, email } = claim
        return {
          provider: identity.provider,
          email,
          created_at: createdAt.toISOString(),
          has_password: hasPassword,
        }
      },
    },
    {
      ...shared,
      method: 'POST',
      operation: {
        id: 'claimAccount',
        summary: 'Keep that account, with its password, or delete it and start afresh',
        errors: [
          ...(['ACCOUNTS_LOGIN_EXPIRED', 'ACCOUNTS_IDENTITY_TAKEN', 'ACCOUNTS_THROTTLED'] as const),
          ...loginErrors,
        ],
        redirects: true,
        setsSession: true,
      },
      budget: 'login',
      schema: { body: claimBody, response: { 200: ownUserReply(options.fields, options.names) } },
      async handler(request, reply) {
        const { password, start_afresh } = request.body as ClaimBody
        const startsAfresh = isChecked(start_afresh)
        if (startsAfresh && password !== undefined) throw invalidInput(fieldError('password', 'unknown'))
        const found = await claimed(request)
        const localized = { ...deps, ...inRequestLanguage(deps, request) }
        const proof = await (startsAfresh
          ? leaveAccount({ ...localized, noteHandOver: noteHandOver.bind(null, request) }, found)
          : keep(localized, request, reply, found, password))
        claims.drop(reply)
        const { remember, next } = found.claim
        const user = await startSession(localized, request, reply, proof, remember)
        return wantsHtml(request) ? reply.redirect(next, 303) : ownUser(user)
      },
      async formPage(request, faults) {
        return pageFor(request, await claimed(request), faults)
      },
    },
  ]

  function keep(
    localized: ProviderDeps,
    request: FastifyRequest,
    reply: FastifyReply,
    found: Claimed,
    password: string | undefined,
  ): ReturnType<typeof keepAccount> {
    if (password === undefined) throw invalidInput(fieldError('password', 'required'))
    const known = found.owner && device.read(request, found.owner, 'password')
    return keepAccount(whileThere(localized, reply), found, password, known)
  }
}
