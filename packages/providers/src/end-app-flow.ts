import type { Client, Proof, Result, User } from 'fastify-accounts/features'
import { logInWith } from './account-of-identity.js'
import { type AppReturn, appUrl, leaveForm } from './app-return.js'
import { askWhose } from './ask-whose.js'
import type { ProviderDeps } from './deps.js'
import type { Return } from './flow-return.js'
import { keyOf, labelOf } from './hand-over.js'
import { type Identity, identityKey } from './identity.js'
import { appMailedPage, appReadyPage, appReturnPage } from './pages.js'

/**
 * Ends a flow that began in an app: with a code for the app, never with a session in the browser. What needs the person
 * is asked for here first.
 * @throws AccountsError what `logInWith` throws
 */
export async function endAppFlow(
  deps: ProviderDeps,
  client: Client,
  app: AppReturn,
  back: Return,
): Promise<Result> {
  const found = await logInWith(deps, client, back)
  if ('waiting' in found) {
    deps.pendingIdentities.keep(client, found.waiting)
    const url = appUrl(app, { error: 'access_denied', error_description: 'identity_mailed' })
    return { status: 202, message: 'identity_mailed', page: (theme) => appMailedPage(theme, url) }
  }
  if ('claim' in found) return askWhose(deps, client, found)
  const proof = { ...found, provenAt: back.profile.authenticatedAt ?? undefined }
  return { status: 303, location: codeUrl(deps, client, app, proof, identityKey(back.profile)) }
}

/** Ends a flow on the page that asks whose an account is. */
export function leaveClaim(
  deps: ProviderDeps,
  client: Client,
  app: AppReturn | true,
  proof: Proof,
  identity: Identity,
): Result {
  if (app === true) return showReady(deps, client, proof.user, identity)
  const url = codeUrl(deps, client, app, proof, keyOf(identity))
  if (!client.prefersPage) return { status: 303, location: url }
  return leaveForm(url, (theme) => appReturnPage(theme, url))
}

/** After an emailed link the app no longer waits: its user logs in again, which takes a moment by now. */
export function showReady(deps: ProviderDeps, client: Client, user: User, identity: Identity): Result {
  client.note({ user })
  const label = labelOf(deps, identity)
  return { status: 202, message: 'identity_ready', page: (theme) => appReadyPage(theme, label) }
}

function codeUrl(
  { appCodes }: ProviderDeps,
  client: Client,
  app: AppReturn,
  proof: Proof,
  key: string,
): string {
  client.note({ user: proof.user })
  return appUrl(app, { code: appCodes.make(proof, key, app.challenge) })
}
