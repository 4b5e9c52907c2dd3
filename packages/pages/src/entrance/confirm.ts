import { AccountsError } from 'fastify-accounts'
import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { entranceOf } from '../entrance-of.js'
import { type Elsewhere, type FormState, formPage, type Outcome } from '../form-page.js'
import { goToProvider } from '../go-to-provider.js'
import { html } from '../html.js'
import { buttonForm, linkButton } from '../parts/buttons.js'
import { providersOf } from '../parts/provider-buttons.js'
import type { Site } from '../site.js'
import type { Typed } from '../typed.js'
import type { View } from '../view.js'
import { whoOf } from '../visitor.js'
import { backFrom } from './back-from.js'
import { proofForm } from './confirm-form.js'
import { askedIn, isSettled, proofsOf } from './confirm-proofs.js'
import { otherWays } from './other-ways.js'

const path = '/confirm/'

/** The proofs that are typed from elsewhere. */
const codes = ['totp', 'recovery-code', 'email-code']

/** Asks who is logged in to prove it, and leads back. */
export function confirmPage(site: Site): PageRoute {
  return formPage(site, {
    path,
    access: 'logged-in',
    isOpenToEnroll: true,
    isEntrance: true,
    view: (visit, state) => view(site, visit, state),
    act: (visit, typed) => act(site, visit, typed),
  })
}

/** What the page keeps in its URL from one proof to another. */
const queryOf = (site: Site, visit: PageVisit) => ({
  next: site.nextOf(visit.query.next),
  factors: askedIn(visit)?.join(',') ?? null,
})

/** The page with this query, for a proof. */
const pathFor = (site: Site, visit: PageVisit, more: Readonly<Record<string, string>>): string =>
  site.pathOf(path, { ...queryOf(site, visit), ...more })

async function view(site: Site, visit: PageVisit, state: FormState): Promise<View | Elsewhere> {
  const who = whoOf(visit)
  const { user } = who
  const { client, query } = visit
  const { entrance_pages: own, frame } = client.language.texts.pages
  const next = site.nextOf(query.next) ?? site.landing.in
  const isShownFirst = state.refusal === null && state.faults.length === 0
  if (isShownFirst && (await isSettled(site, who, askedIn(visit)))) return { elsewhere: next }
  const proofs = await proofsOf(site, visit, who)
  const proof = proofs.find((each) => each === query.by) ?? proofs[0]
  const common = { page: 'confirm', kind: 'form' as const, heading: own.confirm_heading }
  const cancel = linkButton(frame.cancel, cancelTo(site, next), 'link')
  if (proof === undefined) {
    const again = site.pathOf('/login/', { next })
    const main = html`<p>${own.confirm_nothing}</p>
${buttonForm({ label: frame.log_out, kind: 'primary', to: site.pathOf('/logout/'), fields: { next: again } })}
${cancel}`
    return { ...common, main }
  }
  const providers = new Map(providersOf(site).map(({ name, label }) => [`with-${name}`, label]))
  const shown = proofForm(site, visit, state, {
    ...{ proof, user, next, provider: providers.get(proof) },
    to: pathFor(site, visit, { by: proof }),
    isSent: query.sent !== undefined,
    again: site.pathOf('/login/', { next: visit.url }),
  })
  const others = proofs
    .filter((each) => each !== proof)
    .map((way) => ({ way, to: pathFor(site, visit, { by: way }) }))
  const main = html`<p>${own.confirm_why}</p>
${shown.main}
${otherWays(client.language, others, { email: user.email, providers })}
${cancel}`
  const isSecret = codes.includes(proof)
  return { ...common, main, isSecret, script: shown.script }
}

/** A page of the account is open to them; what it needs this for isn't. */
function cancelTo(site: Site, next: string): string {
  const account = site.pathOf('/account/')
  return next.startsWith(account) ? account : site.landing.in
}

async function act(site: Site, visit: PageVisit, typed: Typed): Promise<Outcome | View> {
  const { password, code, email_code, provider, again } = typed
  const next = site.nextOf(visit.query.next) ?? site.landing.in
  if (provider !== undefined) {
    // Back here, where it goes on, or they read that they have canceled.
    const here = backFrom(site, path, { ...queryOf(site, visit), by: `with-${provider}` })
    return goToProvider(site, visit, 'confirmWith', provider, here)
  }
  if (again !== undefined) {
    const { body } = await visit.perform('requestConfirmationCode')
    const { detail } = body as { detail: string }
    const to = pathFor(site, visit, { by: 'email-code', sent: String(Date.now()) })
    // The page itself says that the first one is on its way.
    return { to, ...(visit.query.sent !== undefined && { notice: detail }) }
  }
  const body = {
    ...(password !== undefined && { password }),
    ...(code !== undefined && { code }),
    ...(email_code !== undefined && { email_code }),
  }
  try {
    await visit.perform('confirm', { body })
  } catch (error) {
    // The account takes something else by now.
    const isOther = error instanceof AccountsError && error.code === 'ACCOUNTS_CONFIRMATION_REQUIRED'
    const to = isOther ? entranceOf(site, error, next) : null
    if (to === null) throw error
    return { to, notice: { tone: 'info', text: (error as AccountsError).message } }
  }
  return { to: next }
}
