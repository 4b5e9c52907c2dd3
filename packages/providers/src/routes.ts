import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError, type StoredUser } from 'fastify-accounts'
import {
  detailReply,
  type FeatureRoutes,
  inRequestLanguage,
  knownLogin,
  knownUser,
  type LinkParams,
  linkParams,
  linkReply,
  loggedInUser,
  noReply,
  noteReason,
  noteUser,
  type Operation,
  ownUser,
  ownUserReply,
  type Proof,
  type Route,
  respondIn,
  sendPage,
  startSession,
  wantsHtml,
} from 'fastify-accounts/features'
import { confirmIdentity } from './confirm-identity.js'
import { checkMayConfirm, confirmWith } from './confirm-with.js'
import type { ProviderDeps } from './deps.js'
import type { Flow } from './flow.js'
import { listedIdentities } from './identity.js'
import { CanceledError, type Issuer } from './issuer.js'
import { linkIdentity, removeIdentity } from './link-identity.js'
import { logInWith, type Waiting } from './log-in-with.js'
import { checkNext, withFactors } from './next.js'
import { confirmIdentityPage, mailedPage } from './pages.js'
import {
  type FormPostBody,
  formPostBody,
  type IdentityParams,
  identityListReply,
  identityParams,
  type LinkBody,
  type LoginWithBody,
  linkBody,
  locationReply,
  loginWithBody,
  type ProviderParams,
  providerParams,
} from './schemas.js'

export function providerRoutes(deps: ProviderDeps): Required<FeatureRoutes>['auth'] {
  return [...loginRoutes(deps), ...mailedRoutes(deps), ...confirmRoutes(deps), ...identityRoutes(deps)]
}

/** From here to the provider, and back. */
function loginRoutes(deps: ProviderDeps): Route[] {
  const { where, options, flows } = deps
  const callback = {
    name: 'login-with-callback',
    action: 'login-with',
    path: '/login/with/:provider/callback/',
    linkPage: true,
  } as const
  return [
    {
      name: 'login-with',
      action: 'login-with',
      method: 'POST',
      path: '/login/with/:provider/',
      operation: {
        id: 'logInWith',
        summary: 'Log in or sign up with another provider: where the browser has to go for that',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_PROVIDER_UNAVAILABLE'],
        redirects: true,
      },
      access: 'anyone',
      budget: 'loginWith',
      linkPage: true,
      schema: { params: providerParams, body: loginWithBody, response: { 200: locationReply } },
      async handler(request, reply) {
        const { provider } = request.params as ProviderParams
        const { next, remember = false } = request.body as LoginWithBody
        const remembers = remember !== false && remember !== 'false'
        const about = { next: checkNext(options, next), remember: remembers, login: null }
        return goToProvider(deps, issuerOf(deps, provider), request, reply, { ...about, purpose: 'log-in' })
      },
    },
    {
      ...callback,
      method: 'GET',
      operation: {
        id: 'logInWithCallback',
        summary: 'Come back from another provider, logged in there',
        errors: [...redeemErrors, ...linkErrors, ...confirmErrors, ...loginErrors],
        query: {
          code: 'Of the provider',
          state: 'Which flow it belongs to',
          iss: 'The issuer (RFC 9207)',
          error: 'What went wrong at the provider',
        },
      },
      access: 'anyone-known',
      isOpenToEnroll: true,
      budget: 'loginWithCallback',
      schema: { params: providerParams, response: { 202: detailReply } },
      async handler(request, reply) {
        // What scanners send; the flow is for who comes after them.
        if (request.method === 'HEAD') return reply.code(200).send()
        const { provider } = request.params as ProviderParams
        const issuer = issuerOf(deps, provider)
        const { state } = request.query as { state?: unknown }
        const flow = flows.take(request, reply, state)
        if (flow === null || flow.provider !== provider || !isSameLogin(flow, request))
          throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
        const profile = await redeem(issuer, flow, request)
        if (!(await deps.spend(`provider-flow:${flow.state}`, new Date(flow.end))))
          throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
        const localized = { ...deps, ...inRequestLanguage(deps, request) }
        if (flow.purpose === 'confirm') {
          const owner = await ownRecord(deps, request)
          const { user, methods } = await confirmWith(deps, owner, issuer, profile, flow)
          if (!(await deps.keeper.confirm(request, reply, user, methods)))
            throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
          return reply.redirect(flow.next, 303)
        }
        if (flow.purpose === 'link') {
          const user = await ownRecord(deps, request)
          await deps.throttle.spend('changeIdentities', user.id)
          await linkIdentity(localized, user, issuer, profile)
          return reply.redirect(flow.next, 303)
        }
        const countSignUp = () => deps.throttleByIp('create', request, reply)
        const found = await logInWith({ ...localized, countSignUp }, issuer, profile)
        if ('identity' in found) return answerMailed(deps, request, reply, flow, found)
        // A provider whose own session was open has proved nothing since then.
        const proof = { ...found, provenAt: profile.authenticatedAt ?? undefined }
        await begin(localized, request, reply, proof, flow)
        return reply
      },
    },
    {
      ...callback,
      method: 'POST',
      operation: {
        id: 'logInWithFormPost',
        summary: 'The same for providers that have the browser post a form: it is sent on to the GET',
        errors: ['ACCOUNTS_NOT_FOUND'],
        redirects: true,
      },
      access: 'anyone',
      // Cookies of this site do not come along with a form of another one, and none is read.
      isOpenToOtherSites: true,
      budget: 'loginWithCallback',
      schema: { params: providerParams, body: formPostBody },
      async handler(request, reply) {
        const { provider } = request.params as ProviderParams
        issuerOf(deps, provider)
        const { code, state, iss, error, error_description, user } = request.body as FormPostBody
        const parameters = Object.entries({ code, state, iss, error, error_description, user })
        const given = parameters.filter((each): each is [string, string] => each[1] !== undefined)
        const path = where.path('login-with-callback', { provider })
        return reply.redirect(`${path}?${new URLSearchParams(given)}`, 303)
      },
    },
  ]
}

/** The link in the mail for those whose provider does not vouch for their address. */
function mailedRoutes(deps: ProviderDeps): Route[] {
  const { links, pendingIdentities, themeOf, options } = deps
  const shared = {
    name: 'confirm-identity',
    action: 'confirm-identity',
    path: '/login/with/confirm/:uid64/:token/',
    access: 'anyone',
    budget: 'verify',
    linkPage: true,
  } as const
  return [
    {
      ...shared,
      method: 'GET',
      operation: {
        id: 'checkIdentity',
        summary: 'Ask whether to finish signing up with another provider',
        errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_OTHER_BROWSER'],
      },
      schema: { params: linkParams, response: { 200: linkReply } },
      async handler(request, reply) {
        const { user } = await links.open('confirm-identity', request.params as LinkParams)
        noteUser(request, user)
        if (!wantsHtml(request)) return { valid: true }
        if (pendingIdentities.read(request, user.emailKey) === null)
          throw new AccountsError('ACCOUNTS_OTHER_BROWSER')
        const theme = themeOf(request)
        return sendPage(reply, theme.language, confirmIdentityPage(theme))
      },
    },
    {
      ...shared,
      method: 'POST',
      operation: {
        id: 'confirmIdentity',
        summary: 'Finish signing up with another provider, in the browser in which it began',
        errors: [
          ...(['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_OTHER_BROWSER', 'ACCOUNTS_IDENTITY_TAKEN'] as const),
          ...loginErrors,
        ],
        redirects: true,
      },
      schema: {
        params: linkParams,
        response: { 200: ownUserReply(options.fields, options.names) },
      },
      async handler(request, reply) {
        const pendingFor = (emailKey: string | null) => pendingIdentities.read(request, emailKey)
        const parts = request.params as LinkParams
        const { proof, pending } = await confirmIdentity(deps, parts, pendingFor)
        pendingIdentities.drop(reply)
        const localized = inRequestLanguage(deps, request)
        const user = await startSession(localized, request, reply, proof, pending.remember)
        return wantsHtml(request) ? reply.redirect(pending.next, 303) : ownUser(user)
      },
    },
  ]
}

/** Confirming: whoever is logged in logs in anew at a provider that they have linked. */
function confirmRoutes(deps: ProviderDeps): Route[] {
  return [
    {
      name: 'confirm-with',
      action: 'confirm-with',
      method: 'POST',
      path: '/confirm/with/:provider/',
      operation: {
        id: 'confirmWith',
        summary: 'Prove once more who you are, by logging in anew with another provider',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_PROVIDER_UNAVAILABLE', ...confirmErrors],
        redirects: true,
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: 'loginWith',
      schema: { params: providerParams, body: linkBody, response: { 200: locationReply } },
      async handler(request, reply) {
        const { provider } = request.params as ProviderParams
        const { next } = request.body as LinkBody
        const issuer = issuerOf(deps, provider)
        checkMayConfirm(await ownRecord(deps, request), issuer)
        const about = { next: checkNext(deps.options, next), remember: false, login: loginOf(request) }
        return goToProvider(deps, issuer, request, reply, { ...about, purpose: 'confirm' })
      },
    },
  ]
}

/** The identities of whoever is logged in. */
function identityRoutes(deps: ProviderDeps): Route[] {
  const { options, throttle, issuers } = deps
  const mounted = [...issuers.values()].map(({ provider }) => provider)
  return [
    {
      name: 'identities',
      action: 'list-identities',
      method: 'GET',
      path: '/identities/',
      operation: {
        id: 'listIdentities',
        summary: 'List the identities at other providers of whoever is logged in',
        errors: [],
      },
      access: 'logged-in',
      budget: null,
      schema: { response: { 200: identityListReply } },
      async handler(request) {
        const user = await ownRecord(deps, request)
        return { results: listedIdentities(mounted, user) }
      },
    },
    {
      name: 'identity',
      action: 'link-identity',
      method: 'POST',
      path: '/identities/:id',
      operation: {
        id: 'addIdentity',
        summary: 'Link an identity at another provider, by its name: where the browser has to go for that',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_PROVIDER_UNAVAILABLE'],
        redirects: true,
      },
      access: 'confirmed',
      budget: 'loginWith',
      schema: { params: identityParams, body: linkBody, response: { 200: locationReply } },
      async handler(request, reply) {
        const { id } = request.params as IdentityParams
        const { next } = request.body as LinkBody
        const about = { next: checkNext(options, next), remember: false, login: loginOf(request) }
        return goToProvider(deps, issuerOf(deps, id), request, reply, { ...about, purpose: 'link' })
      },
    },
    {
      name: 'identity',
      action: 'remove-identity',
      method: 'DELETE',
      path: '/identities/:id',
      operation: {
        id: 'removeIdentity',
        summary: 'Remove an identity, unless it is the last way to log in',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'confirmed',
      budget: null,
      schema: { params: identityParams, response: { 204: noReply } },
      async handler(request, reply) {
        const { id } = request.params as IdentityParams
        const user = await ownRecord(deps, request)
        await throttle.spend('changeIdentities', user.id)
        await removeIdentity(inRequestLanguage(deps, request), user, id)
        return reply.code(204).send()
      },
    },
  ]
}

type Errors = Operation['errors']
const redeemErrors: Errors = [
  'ACCOUNTS_NOT_FOUND',
  'ACCOUNTS_LOGIN_EXPIRED',
  'ACCOUNTS_PROVIDER_REFUSED',
  'ACCOUNTS_PROVIDER_UNAVAILABLE',
  'ACCOUNTS_FORBIDDEN',
  'ACCOUNTS_INVALID_INPUT',
]
const linkErrors: Errors = ['ACCOUNTS_IDENTITY_TAKEN', 'ACCOUNTS_LOGIN_REQUIRED']
const confirmErrors: Errors = ['ACCOUNTS_PROVIDER_CANNOT_CONFIRM', 'ACCOUNTS_CONFIRMATION_REQUIRED']
const loginErrors: Errors = [
  'ACCOUNTS_INVALID_CREDENTIALS',
  'ACCOUNTS_SECOND_FACTOR_REQUIRED',
  'ACCOUNTS_NOT_VERIFIED',
  'ACCOUNTS_DISABLED',
  'ACCOUNTS_CONFLICT',
]

/** @throws AccountsError ACCOUNTS_NOT_FOUND */
function issuerOf({ issuers }: Pick<ProviderDeps, 'issuers'>, name: string): Issuer {
  const issuer = issuers.get(name)
  if (issuer === undefined) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return issuer
}

/** Begins a flow, once it is known where it goes. */
async function goToProvider(
  { flows, where }: ProviderDeps,
  issuer: Issuer,
  request: FastifyRequest,
  reply: FastifyReply,
  about: Pick<Flow, 'next' | 'remember' | 'purpose' | 'login'>,
): Promise<unknown> {
  const provider = issuer.provider.name
  const redirectUri = where.url('login-with-callback', { provider }) ?? ''
  const flow = flows.make({ ...about, provider, redirectUri })
  const location = await issuer.authorizationUrl(flow, about.purpose === 'confirm')
  flows.keep(request, reply, flow)
  return wantsHtml(request) ? reply.redirect(location, 303) : { location }
}

/** What a provider does not take is a warning: it may be this app that is set up wrong. To cancel is anybody's right. */
async function redeem(issuer: Issuer, flow: Flow, request: FastifyRequest) {
  const [, query = ''] = /\?(.*)$/s.exec(request.url) ?? []
  try {
    return await issuer.redeem(query, flow)
  } catch (error) {
    const isRefusal = error instanceof AccountsError && error.code === 'ACCOUNTS_PROVIDER_REFUSED'
    if (isRefusal && !(error.cause instanceof CanceledError))
      request.log.warn({ err: error.cause }, `accounts: a login with ${issuer.provider.name} failed`)
    throw error
  }
}

/** Logs in and goes on. Where a second factor is owed, the page there asks for it. */
async function begin(
  deps: ProviderDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  proof: Proof,
  { next, remember }: Flow,
): Promise<void> {
  try {
    await startSession(deps, request, reply, proof, remember)
    reply.redirect(next, 303)
  } catch (error) {
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_SECOND_FACTOR_REQUIRED')) throw error
    noteReason(request, error.code)
    reply.redirect(withFactors(next, error.factors ?? []), 303)
  }
}

/** The same for each address, whoever has it. */
function answerMailed(
  { pendingIdentities, themeOf }: ProviderDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, remember }: Flow,
  { address, ...waiting }: Waiting,
): unknown {
  const { emailKey } = address
  pendingIdentities.keep(reply, { ...waiting, emailKey, remember, next })
  const { language } = themeOf(request)
  reply.code(202)
  if (wantsHtml(request)) return sendPage(reply, language, mailedPage(themeOf(request)))
  return { detail: respondIn(reply, language).texts.answers.identity_mailed }
}

/** Which login a flow belongs to: of whom, and begun when. */
function loginOf(request: FastifyRequest): string {
  const login = knownLogin(request)
  return JSON.stringify([loggedInUser(request).id, login?.epoch, login?.createdAt.getTime()])
}

/** A flow that links or confirms is of the login in which it was begun, and of no other one (GHSA-x445-f3h2-j279). */
function isSameLogin({ login }: Flow, request: FastifyRequest): boolean {
  return login === null || (knownUser(request) !== null && loginOf(request) === login)
}

/** What a session knows of its user is not all. */
async function ownRecord(
  { users }: Pick<ProviderDeps, 'users'>,
  request: FastifyRequest,
): Promise<StoredUser> {
  const { id, sessionEpoch } = loggedInUser(request)
  const record = await users.findById(id)
  if (record?.sessionEpoch !== sessionEpoch) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return record
}
