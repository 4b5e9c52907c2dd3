import type { PageTheme, Problem } from 'fastify-accounts/features'
import { wayByEmail } from '../refusal-text.js'
import type { Site } from '../site.js'
import type { Ending, NextStep } from './next-step.js'

/** What somebody does next after an error that isn't about an emailed link, by its code. */
const steps: Readonly<Record<string, NextStep>> = {
  ACCOUNTS_INVALID_LINK: 'log-in',
  ACCOUNTS_INVALID_CREDENTIALS: 'log-in',
  ACCOUNTS_LOGIN_REQUIRED: 'log-in',
  ACCOUNTS_LOGIN_EXPIRED: 'start-again',
  ACCOUNTS_OTHER_BROWSER: 'start-again',
  ACCOUNTS_IDENTITY_TAKEN: 'log-in',
  ACCOUNTS_PROVIDER_CANNOT_CONFIRM: 'app',
  ACCOUNTS_PROVIDER_MISCONFIGURED: 'start-again',
  ACCOUNTS_PROVIDER_REFUSED: 'start-again',
  ACCOUNTS_PROVIDER_UNAVAILABLE: 'start-again',
  ACCOUNTS_EMAIL_TAKEN: 'log-in',
  ACCOUNTS_INVALID_CODE: 'start-again',
}

/** Pages that go on with what an error asks for. */
const pages: Readonly<Record<string, { page: string; label: 'confirm' | 'go_on' }>> = {
  ACCOUNTS_CONFIRMATION_REQUIRED: { page: '/confirm/', label: 'confirm' },
  ACCOUNTS_ENROLLMENT_REQUIRED: { page: '/enroll/', label: 'go_on' },
  ACCOUNTS_SECOND_FACTOR_REQUIRED: { page: '/login/second-factor/', label: 'go_on' },
}

/** Whether the same may work later: too slow, too much at once, too many attempts, or something is down. */
const isPassing = (status: number): boolean => [408, 409, 429].includes(status) || status >= 500

export function errorEnding(
  site: Site,
  { language }: PageTheme,
  problem: Problem,
  { title, message }: { title: string; message: string },
): Ending {
  const { status, code, retryAfter } = problem
  const own = language.texts.pages.link_pages
  const page = pages[code]
  if (page !== undefined)
    return { heading: title, body: message, next: { to: site.pathOf(page.page), label: own[page.label] } }
  const again = { to: againFrom(site, problem), label: own.try_again }
  if (status === 413) return { heading: title, body: own.too_long, next: again }
  if (code in steps || !isPassing(status))
    return { heading: title, body: message, next: steps[code] ?? 'app' }
  if (status !== 429) return { heading: title, body: message, next: again }
  const body =
    retryAfter === undefined
      ? message
      : language.say(own.throttled, { time: language.duration(Math.ceil(retryAfter / 60)) })
  return { heading: title, body, next: again, otherwise: anotherWayIn(site, problem, own.get_code) }
}

function anotherWayIn(site: Site, { url }: Problem, label: string): NextStep | undefined {
  const page = wayByEmail(site, url)
  if (page === null) return undefined
  return page === '/forgot/' ? 'reset' : { to: site.pathOf(page), label }
}

/** The same page, without repeating its URL. A POST without a page of its own is a way to use the link above it, or to log in. */
function againFrom(site: Site, { route, url }: Problem): string {
  const found = route === undefined ? undefined : site.core.where.index()[route]
  if (found === undefined || found.methods.includes('GET')) return ''
  if (!found.href.includes('{token}')) return site.pathOf('/login/')
  return url.split('?')[0]?.endsWith('/') ? '../' : './'
}
