import { AccountsError } from 'fastify-accounts'
import {
  type Client,
  detailReply,
  finishLogin,
  ownerRefusal,
  ownRecord,
  type Proof,
  type Result,
  type Route,
  route,
  type Who,
} from 'fastify-accounts/features'
import { logInWith } from './account-of-identity.js'
import { endInApp } from './app-return.js'
import { askWhose } from './ask-whose.js'
import { backIfCanceled } from './canceled.js'
import { checkAllowed } from './check-allowed.js'
import { confirmWith } from './confirm-with.js'
import type { ProviderDeps, Services } from './deps.js'
import { endAppFlow } from './end-app-flow.js'
import type { Flow } from './flow.js'
import { ownerOf } from './flow-owner.js'
import type { Return } from './flow-return.js'
import { issuerOf } from './go-to-provider.js'
import { linkIdentity } from './link-identity.js'
import { withLoggedRefusal } from './logged-refusal.js'
import { withFactors } from './next.js'
import { mailedPage } from './pages.js'
import { confirmErrors, linkErrors, loginErrors, redeemErrors } from './route-errors.js'
import { providerParams } from './schemas.js'

/** The route to which a provider sends the browser back. */
export const callback: Pick<Route, 'name' | 'action' | 'path' | 'linkPage'> = {
  name: 'login-with-callback',
  action: 'login-with',
  path: '/login/with/:provider/callback/',
  linkPage: true,
}

/** A user returning from a provider has logged in there: to log in here, to link an identity, or to confirm. */
export function callbackRoute(services: Services): Route {
  return route({
    ...callback,
    method: 'GET',
    operation: {
      id: 'logInWithCallback',
      summary: 'Return from another provider after logging in there',
      asks: ['signUp', 'logIn'],
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
    async handle({ params: { provider }, query, who, client }, core) {
      // Sent by scanners; the flow stays available for the user.
      if (client.isHead) return { status: 200 }
      const deps = { ...services, ...core }
      const issuer = issuerOf(deps, provider)
      const flow = deps.flows.take(client, query.state)
      if (flow === null || flow.provider !== provider) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
      const owner = ownerOf(flow, who)
      const { app } = flow
      const end = async (): Promise<Result> => {
        const profile = await withLoggedRefusal(issuer, client, (warn) =>
          issuer.redeem(queryString(query), flow, warn),
        )
        if (!(await deps.spend(`provider-flow:${flow.state}`, new Date(flow.end))))
          throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
        await checkAllowed(issuer, profile)
        const back = { issuer, flow, profile }
        if (app !== undefined) return endAppFlow(deps, client, app, back)
        if (owner === null) return logIn(deps, client, back)
        if (flow.purpose === 'confirm') return confirm(deps, client, owner, back)
        return link(deps, owner, back)
      }
      return app === undefined ? backIfCanceled(core, client, flow, end) : endInApp(client, app, end)
    },
  })
}

/** With each value of a repeated parameter: the library that checks the response refuses such. */
function queryString(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams()
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) parameters.append(name, String(value))
  return String(parameters)
}

type Back = Return & { flow: Flow }

async function confirm(
  deps: ProviderDeps,
  client: Client,
  { user }: Who,
  { issuer, flow, profile }: Back,
): Promise<Result> {
  const proven = await confirmWith(deps, await ownRecord(deps, user), issuer, profile, flow)
  if (!(await deps.keeper.confirm(client, proven))) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return { status: 303, location: flow.next }
}

async function link(
  deps: ProviderDeps,
  { user, login }: Who,
  { issuer, flow, profile }: Back,
): Promise<Result> {
  const owner = await ownRecord(deps, user)
  // The account may have got a passkey since the flow began.
  const refused = ownerRefusal(login, await deps.ownerProofsOf(owner))
  if (refused !== null) throw refused
  await deps.throttle.spend('changeIdentities', owner.id)
  await linkIdentity(deps, owner, issuer, profile)
  return { status: 303, location: flow.next }
}

async function logIn(deps: ProviderDeps, client: Client, back: Back): Promise<Result> {
  const found = await logInWith(deps, client, back)
  if ('waiting' in found) {
    deps.pendingIdentities.keep(client, found.waiting)
    // The same for each address, whether or not it has an account.
    return { status: 202, message: 'identity_mailed', page: mailedPage }
  }
  if ('claim' in found) return askWhose(deps, client, found)
  // A provider with an existing session has proved nothing new.
  const provenAt = back.profile.authenticatedAt ?? undefined
  return begin(deps, client, { ...found, provenAt }, back.flow)
}

/** Logs in and redirects. If a second factor is required, the page there asks for it. */
async function begin(
  deps: ProviderDeps,
  client: Client,
  proof: Proof,
  { next, remember }: Flow,
): Promise<Result> {
  try {
    await finishLogin(deps, client, proof, remember)
    return { status: 303, location: next }
  } catch (error) {
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_SECOND_FACTOR_REQUIRED')) throw error
    client.note({ reason: error.code })
    return { status: 303, location: withFactors(next, error.factors ?? []) }
  }
}
