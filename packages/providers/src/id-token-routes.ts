import { AccountsError } from 'fastify-accounts'
import {
  type Client,
  detailReply,
  type FeatureCore,
  isChecked,
  noReply,
  ownRecord,
  ownUserReply,
  type Route,
  route,
} from 'fastify-accounts/features'
import { checkAllowed } from './check-allowed.js'
import { checkMayConfirm, confirmWith } from './confirm-with.js'
import type { ProviderDeps, Services } from './deps.js'
import { issuerOf } from './go-to-provider.js'
import type { IdTokenLogin } from './id-token.js'
import type { Issuer } from './issuer.js'
import { linkIdentity } from './link-identity.js'
import { logInApp } from './log-in-app.js'
import { withLoggedRefusal } from './logged-refusal.js'
import { checkNext } from './next.js'
import { confirmErrors, linkErrors, loginErrors, redeemErrors } from './route-errors.js'
import { identityParams, idTokenBody, loginTokenBody, providerParams } from './schemas.js'
import { signUpFieldsIn, withSignUpFields } from './sign-up-fields.js'

/** Milliseconds that may pass between a login at the provider and its confirming here: the SDK and the network take some. */
const freshLogin = 5 * 60_000

/** For apps that get an ID token from the provider's SDK: the same as a flow, without a browser. */
export function idTokenRoutes({ options }: FeatureCore, services: Services): Route[] {
  return [
    route({
      name: 'login-with-token',
      action: 'login-with',
      method: 'POST',
      path: '/login/with/:provider/token/',
      operation: {
        id: 'logInWithToken',
        summary: "Log in or sign up with an ID token of the provider's SDK",
        asks: ['signUp', 'logIn'],
        errors: [...redeemErrors, ...loginErrors],
        setsSession: true,
      },
      access: 'anyone',
      budget: 'loginWithCallback',
      schema: {
        params: providerParams,
        body: withSignUpFields(options, loginTokenBody),
        response: { 200: ownUserReply(options), 202: detailReply },
      },
      async handle({ params: { provider }, body, client }, core) {
        const deps = { ...services, ...core }
        const issuer = issuerOf(deps, provider)
        const profile = await takeIdToken(deps, client, issuer, body)
        const flow = {
          next: checkNext(options, undefined),
          remember: isChecked(body.remember),
          transient: signUpFieldsIn(options, body),
        }
        return logInApp(deps, client, { issuer, flow, profile })
      },
    }),
    route({
      name: 'identity-token',
      action: 'link-identity',
      method: 'POST',
      path: '/identities/:id/token/',
      operation: {
        id: 'addIdentityWithToken',
        host: 'addIdentity()',
        summary: "Link an identity with an ID token of the provider's SDK",
        asks: [],
        errors: [...redeemErrors, ...linkErrors],
      },
      access: 'owner',
      budget: 'loginWithCallback',
      schema: { params: identityParams, body: idTokenBody, response: { 204: noReply } },
      async handle({ params: { id }, body, who, client }, core) {
        const deps = { ...services, ...core }
        const issuer = issuerOf(deps, id)
        const owner = await ownRecord(deps, who.user)
        const profile = await takeIdToken(deps, client, issuer, body)
        await deps.throttle.spend('changeIdentities', owner.id)
        await linkIdentity(deps, owner, issuer, profile)
        return {}
      },
    }),
    route({
      name: 'confirm-with-token',
      action: 'confirm-with',
      method: 'POST',
      path: '/confirm/with/:provider/token/',
      operation: {
        id: 'confirmWithToken',
        host: 'confirmation',
        summary: "Confirm the login with an ID token of the provider's SDK",
        asks: [],
        errors: [...redeemErrors, ...confirmErrors],
        setsSession: true,
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: 'loginWithCallback',
      schema: { params: providerParams, body: idTokenBody, response: { 204: noReply } },
      async handle({ params: { provider }, body, who, client }, core) {
        const deps = { ...services, ...core }
        const issuer = issuerOf(deps, provider)
        const owner = await ownRecord(deps, who.user)
        checkMayConfirm(owner, issuer)
        const profile = await takeIdToken(deps, client, issuer, body)
        const begin = Date.now() - freshLogin
        const proof = { ...profile, authenticatedAt: profile.authTime }
        const proven = await confirmWith(deps, owner, issuer, proof, { begin })
        if (!(await deps.keeper.confirm(client, proven))) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
        return {}
      },
    }),
  ]
}

/**
 * Checks an ID token, and uses it up: whatever it was sent for, it works once.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_PROVIDER_REFUSED, ACCOUNTS_LOGIN_EXPIRED, ACCOUNTS_FORBIDDEN, …
 */
async function takeIdToken(
  { spend }: Pick<ProviderDeps, 'spend'>,
  client: Client,
  issuer: Issuer,
  { id_token: idToken, nonce, user }: { id_token: string; nonce: string; user?: string },
): Promise<IdTokenLogin> {
  const login = await withLoggedRefusal(issuer, client, (warn) =>
    issuer.check({ idToken, nonce, user }, warn),
  )
  if (!(await spend(`provider-id-token:${login.id}`, login.end)))
    throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
  await checkAllowed(issuer, login)
  return login
}
