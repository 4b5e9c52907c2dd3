import { AccountsError } from 'fastify-accounts'
import { type Client, finishLogin, ownUser, type Result } from 'fastify-accounts/features'
import { logInWith } from './account-of-identity.js'
import type { ProviderDeps } from './deps.js'
import type { Return } from './flow-return.js'

/**
 * Logs in without a browser. What needs the person is left to the app: an emailed link, the question whose an account is,
 * a second factor.
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED if the person has to say whose the account at their address is; what
 * `logInWith` and `finishLogin` throw
 */
export async function logInApp(deps: ProviderDeps, client: Client, back: Return): Promise<Result> {
  const found = await logInWith(deps, client, back)
  if ('waiting' in found) {
    deps.pendingIdentities.keep(client, found.waiting)
    return { status: 202, message: 'identity_mailed_app' }
  }
  if ('claim' in found) {
    deps.claims.keep(client, found.claim)
    throw new AccountsError('ACCOUNTS_NOT_VERIFIED', { reason: 'claim_account', userId: found.owner.id })
  }
  const provenAt = back.profile.authenticatedAt ?? undefined
  return { body: ownUser(await finishLogin(deps, client, { ...found, provenAt }, back.flow.remember)) }
}
