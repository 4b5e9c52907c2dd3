import type { Client, Result, User } from 'fastify-accounts/features'
import { logInWith } from './account-of-identity.js'
import { appIdentityOf } from './app-identity.js'
import { appLoginOf } from './app-login.js'
import { type AppReturn, appUrl } from './app-return.js'
import { askWhose } from './ask-whose.js'
import type { ProviderDeps } from './deps.js'
import type { Flow } from './flow.js'
import type { Return } from './flow-return.js'
import { labelOf } from './hand-over.js'
import { type Identity, identityKey } from './identity.js'
import { appMailedPage, appReadyPage } from './pages.js'

/**
 * Ends a flow that began in an app: with a code for the app, never with a session in the browser. What needs the person
 * is asked for here first. An identity that the app links or confirms with is for nobody's account yet.
 * @throws AccountsError what `logInWith` throws
 */
export async function endAppFlow(
  deps: ProviderDeps,
  client: Client,
  app: AppReturn,
  back: Return & { flow: Flow },
): Promise<Result> {
  const { flow, profile } = back
  const backWith = (proven: Parameters<typeof deps.appCodes.make>[0]): Result => ({
    status: 303,
    location: appUrl(app, { code: deps.appCodes.make(proven, app.challenge) }),
  })
  if (flow.purpose !== 'log-in') return backWith(appIdentityOf(flow, flow.purpose, profile))
  const found = await logInWith(deps, client, back)
  if ('waiting' in found) {
    deps.pendingIdentities.keep(client, found.waiting)
    const url = appUrl(app, { error: 'access_denied', error_description: 'identity_mailed' })
    return { status: 202, message: 'identity_mailed', page: (theme) => appMailedPage(theme, url) }
  }
  if ('claim' in found) return askWhose(deps, client, found)
  const proof = { ...found, provenAt: profile.authenticatedAt ?? undefined }
  client.note({ user: proof.user })
  return backWith(appLoginOf(proof, identityKey(profile)))
}

/**
 * Ends a flow after an emailed link, when the app no longer waits, and after the question whose an account is: the
 * account has the identity, and its user logs in again, which takes a moment by now. A page of ours never has the code:
 * a script on the site could read it.
 */
export function showReady(deps: ProviderDeps, client: Client, user: User, identity: Identity): Result {
  client.note({ user })
  const label = labelOf(deps, identity)
  return { status: 202, message: 'identity_ready', page: (theme) => appReadyPage(theme, label) }
}
