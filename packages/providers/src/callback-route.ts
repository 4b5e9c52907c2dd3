import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError } from 'fastify-accounts'
import {
  currentLogin,
  detailReply,
  inRequestLanguage,
  loggedInUser,
  noteHandOver,
  noteReason,
  type Operation,
  ownerRefusal,
  ownRecord,
  type Proof,
  type Route,
  respondIn,
  sendPage,
  startSession,
  wantsHtml,
} from 'fastify-accounts/features'
import { askWhose } from './claim-routes.js'
import { confirmWith } from './confirm-with.js'
import type { ProviderDeps } from './deps.js'
import type { Flow } from './flow.js'
import { isSameLogin } from './flow-login.js'
import { issuerOf } from './go-to-provider.js'
import type { Issuer, Login } from './issuer.js'
import { CanceledError } from './issuer-errors.js'
import { linkIdentity } from './link-identity.js'
import { logInWith, type Waiting } from './log-in-with.js'
import { withFactors } from './next.js'
import { mailedPage } from './pages.js'
import { confirmErrors, loginErrors, startErrors } from './route-errors.js'
import { type ProviderParams, providerParams } from './schemas.js'

/** The route to which a provider sends the browser back. */
export const callback: Pick<Route, 'name' | 'action' | 'path' | 'linkPage'> = {
  name: 'login-with-callback',
  action: 'login-with',
  path: '/login/with/:provider/callback/',
  linkPage: true,
}

type Errors = Operation['errors']
const redeemErrors: Errors = [
  ...startErrors,
  'ACCOUNTS_LOGIN_EXPIRED',
  'ACCOUNTS_PROVIDER_REFUSED',
  'ACCOUNTS_FORBIDDEN',
  'ACCOUNTS_INVALID_INPUT',
]
const linkErrors: Errors = [
  'ACCOUNTS_IDENTITY_TAKEN',
  'ACCOUNTS_LOGIN_REQUIRED',
  'ACCOUNTS_CONFIRMATION_REQUIRED',
]

/** A user returning from a provider has logged in there: to log in here, to link an identity, or to confirm. */
export function callbackRoute(deps: ProviderDeps): Route {
  return {
    ...callback,
    method: 'GET',
    operation: {
      id: 'logInWithCallback',
      summary: 'Return from another provider after logging in there',
      errors: [...redeemErrors, ...linkErrors, ...confirmErrors, ...loginErrors],
      query: {
        code: 'Of the provider',
        state: 'Which flow it belongs to',
        iss: 'The issuer (RFC 9207)',
        error: 'What went wrong at the provider',
      },
      redirects: true,
      setsSession: true,
    },
    access: 'anyone-known',
    isOpenToEnroll: true,
    budget: 'loginWithCallback',
    schema: { params: providerParams, response: { 202: detailReply } },
    async handler(request, reply) {
      // Sent by scanners; the flow stays available for the user.
      if (request.method === 'HEAD') return reply.code(200).send()
      const { provider } = request.params as ProviderParams
      const issuer = issuerOf(deps, provider)
      const { state } = request.query as { state?: unknown }
      const flow = deps.flows.take(request, reply, state)
      if (flow === null || flow.provider !== provider || !isSameLogin(flow, request))
        throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
      const profile = await redeem(issuer, flow, request)
      if (!(await deps.spend(`provider-flow:${flow.state}`, new Date(flow.end))))
        throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
      return finish[flow.purpose](deps, request, reply, { issuer, flow, profile })
    },
  }
}

/** The parameters that the browser brought back. */
interface Return {
  issuer: Issuer
  flow: Flow
  profile: Login
}

type Finish = (
  deps: ProviderDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  back: Return,
) => Promise<unknown>

const confirm: Finish = async (deps, request, reply, { issuer, flow, profile }) => {
  const owner = await ownRecord(deps, loggedInUser(request))
  const proven = await confirmWith(deps, owner, issuer, profile, flow)
  if (!(await deps.keeper.confirm(request, reply, { login: currentLogin(request), ...proven })))
    throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return reply.redirect(flow.next, 303)
}

const link: Finish = async (deps, request, reply, { issuer, flow, profile }) => {
  const user = await ownRecord(deps, loggedInUser(request))
  // The account may have got a passkey since the flow began.
  const refused = ownerRefusal(currentLogin(request), await deps.ownerProofsOf(user))
  if (refused !== null) throw refused
  await deps.throttle.spend('changeIdentities', user.id)
  await linkIdentity({ ...deps, ...inRequestLanguage(deps, request) }, user, issuer, profile)
  return reply.redirect(flow.next, 303)
}

const logIn: Finish = async (deps, request, reply, { issuer, flow, profile }) => {
  const localized = { ...deps, ...inRequestLanguage(deps, request) }
  const countSignUp = () => deps.throttleByIp('create', request, reply)
  const { remember, next } = flow
  const provenAt = profile.authenticatedAt?.getTime()
  const pending = ({ address: { email }, ...waiting }: Waiting) => ({ ...waiting, email, remember, next })
  const found = await logInWith(
    {
      ...localized,
      countSignUp,
      sealWaiting: (waiting) => deps.pendingIdentities.seal(pending(waiting)),
      sealClaim: (waiting) => deps.claims.seal({ ...pending(waiting), provenAt }),
      noteHandOver: noteHandOver.bind(null, request),
    },
    issuer,
    profile,
  )
  if ('waiting' in found) return answerMailed(deps, request, reply, found.waiting)
  if ('claim' in found) return askWhose(deps, request, reply, found)
  // A provider with an existing session has proved nothing new.
  const proof = { ...found, provenAt: profile.authenticatedAt ?? undefined }
  await begin(localized, request, reply, proof, flow)
  return reply
}

const finish: Record<Flow['purpose'], Finish> = { confirm, link, 'log-in': logIn }

/** A provider's rejection is logged as a warning: this app may be misconfigured. Canceling is normal. */
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

/** Logs in and redirects. If a second factor is required, the page there asks for it. */
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

/** The same for each address, whether or not it has an account. */
function answerMailed(
  { pendingIdentities, themeOf }: ProviderDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  waiting: string,
): unknown {
  pendingIdentities.keep(reply, waiting)
  const { language } = themeOf(request)
  reply.code(202)
  if (wantsHtml(request)) return sendPage(reply, language, mailedPage(themeOf(request)))
  return { detail: respondIn(reply, language).texts.responses.identity_mailed }
}
