import type { PageVisit } from 'fastify-accounts/features'
import type { Outcome } from '../form-page.js'
import type { SealedAddresses } from '../sealed-address.js'
import { keepReturn } from '../sign-up/return.js'
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
export function codeStepOf(site: Site, addresses: SealedAddresses, { query }: PageVisit): CodeStep {
  const email = addresses.open('login', query.to)
  const sentAt = Number(query.sent)
  return {
    next: site.nextOf(query.next),
    email,
    sentAt: email !== null && sentAt > 0 ? sentAt : null,
    remember: query.remember === 'on',
  }
}

/** The path of the page. */
export function codePath(site: Site, addresses: SealedAddresses, step: CodeStep): string {
  const { next, email, sentAt, remember } = step
  return site.pathOf(path, {
    to: email && addresses.seal('login', email),
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
  addresses: SealedAddresses,
  visit: PageVisit,
  step: CodeStep & { email: string },
): Promise<Required<Outcome>> {
  const { body } = await visit.perform('requestLoginCode', { body: { email: step.email } })
  const { detail } = body as { detail: string }
  // The email also has a link.
  keepReturn(site, visit.client, step.next)
  return { to: codePath(site, addresses, { ...step, sentAt: Date.now() }), notice: detail }
}
