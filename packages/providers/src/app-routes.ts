import { AccountsError } from 'fastify-accounts'
import {
  type FeatureCore,
  finishLogin,
  noReply,
  ownRecord,
  ownUser,
  ownUserReply,
  type Route,
  route,
} from 'fastify-accounts/features'
import { loginAt } from './app-identity.js'
import { proofOf } from './app-login.js'
import { confirmWith } from './confirm-with.js'
import type { Services } from './deps.js'
import { issuerOf } from './go-to-provider.js'
import { linkIdentity } from './link-identity.js'
import { confirmErrors, linkErrors, loginErrors } from './route-errors.js'
import { codeBody, providerParams } from './schemas.js'

/** What apps do with the code that the system browser has brought them. */
export function appRoutes({ options }: FeatureCore, services: Services): Route[] {
  return [
    route({
      name: 'app-login',
      action: 'login-with',
      method: 'POST',
      path: '/tokens/',
      operation: {
        id: 'logInWithAppCode',
        summary: 'Log in with the code that the system browser brought back to the app',
        asks: ['logIn'],
        errors: ['ACCOUNTS_LOGIN_EXPIRED', ...loginErrors],
        setsSession: true,
      },
      access: 'anyone',
      budget: 'loginWithCallback',
      schema: { body: codeBody, response: { 200: ownUserReply(options) } },
      async handle({ body: { code, code_verifier: verifier }, client }, core) {
        const deps = { ...services, ...core }
        const proof = await proofOf(deps, await deps.appCodes.redeem('log-in', code, verifier))
        return { body: ownUser(await finishLogin(deps, client, proof, false)) }
      },
    }),
    route({
      name: 'identity-code',
      action: 'link-identity',
      method: 'POST',
      path: '/identities/:provider/code/',
      operation: {
        id: 'addIdentityWithAppCode',
        host: 'addIdentity()',
        summary: 'Link an identity with the code that the system browser brought back to the app',
        asks: [],
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_LOGIN_EXPIRED', ...linkErrors],
      },
      access: 'owner',
      budget: 'loginWithCallback',
      schema: { params: providerParams, body: codeBody, response: { 204: noReply } },
      async handle({ params: { provider }, body: { code, code_verifier: verifier }, who }, core) {
        const deps = { ...services, ...core }
        const issuer = issuerOf(deps, provider)
        const owner = await ownRecord(deps, who.user)
        const login = loginAt(issuer, await deps.appCodes.redeem('link', code, verifier))
        await deps.throttle.spend('changeIdentities', owner.id)
        await linkIdentity(deps, owner, issuer, login)
        return {}
      },
    }),
    route({
      name: 'confirm-with-code',
      action: 'confirm-with',
      method: 'POST',
      path: '/confirm/with/:provider/code/',
      operation: {
        id: 'confirmWithAppCode',
        host: 'confirmation',
        summary: 'Confirm the login with the code that the system browser brought back to the app',
        asks: [],
        errors: [
          'ACCOUNTS_NOT_FOUND',
          'ACCOUNTS_LOGIN_EXPIRED',
          'ACCOUNTS_PROVIDER_REFUSED',
          ...confirmErrors,
        ],
        setsSession: true,
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: 'loginWithCallback',
      schema: { params: providerParams, body: codeBody, response: { 204: noReply } },
      async handle({ params: { provider }, body: { code, code_verifier: verifier }, who, client }, core) {
        const deps = { ...services, ...core }
        const issuer = issuerOf(deps, provider)
        const owner = await ownRecord(deps, who.user)
        const proven = await deps.appCodes.redeem('confirm', code, verifier)
        const confirmed = await confirmWith(deps, owner, issuer, loginAt(issuer, proven), proven)
        if (!(await deps.keeper.confirm(client, confirmed)))
          throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
        return {}
      },
    }),
  ]
}
