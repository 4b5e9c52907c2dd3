import type { PageVisit } from 'fastify-accounts/features'
import type { Outcome } from '../form-page.js'
import type { Site } from '../site.js'

/** Where a login by an emailed code is. */
export interface CodeStep {
  next: string | null
  /** As typed; `null` if none is. */
  email: string | null
  /** When the last code was emailed, in milliseconds since 1970; `null` if none was. */
  sentAt: number | null
  /** Whether they want to stay logged in. */
  remember: boolean
}

const path = '/login/code/'

/** As the query of the page says. */
export function codeStepOf(site: Site, { query }: PageVisit): CodeStep {
  const email = site.addresses.open(query.to, 'login')
  const sentAt = Number(query.sent)
  return {
    next: site.nextOf(query.next),
    email,
    sentAt: email !== null && sentAt > 0 ? sentAt : null,
    remember: query.remember === 'on',
  }
}

/** The path of the page. */
export function codePath(site: Site, step: CodeStep): string {
  const { next, email, sentAt, remember } = step
  return site.pathOf(path, {
    to: email && site.addresses.seal(email, 'login'),
    sent: sentAt === null ? null : String(sentAt),
    remember: remember ? 'on' : null,
    next,
  })
}

/**
 * Emails a login code, and leads to where it is typed.
 * @throws AccountsError
 */
export async function requestCode(
  site: Site,
  visit: PageVisit,
  step: CodeStep & { email: string },
): Promise<Required<Pick<Outcome, 'to' | 'notice'>>> {
  const { body } = await visit.perform('requestLoginCode', { body: { email: step.email } })
  const { detail } = body as { detail: string }
  // The email also has a link.
  site.returns.keep(visit.client, step.next)
  return { to: codePath(site, { ...step, sentAt: Date.now() }), notice: detail }
}
