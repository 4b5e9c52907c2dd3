import type { PageVisit } from 'fastify-accounts/features'
import type { FormState } from '../form-page.js'
import { html } from '../html.js'
import { refusalText } from '../refusal-text.js'
import type { Site } from '../site.js'
import type { Notice } from '../view.js'
import { againForm } from './confirmation-link.js'
import { nameField } from './name-field.js'

/** What is wrong with a login, and the way on. `undefined`: nothing, or its text says it. */
export function logInNotice(
  site: Site,
  visit: PageVisit,
  { typed, faults, refusal }: FormState,
  next: string | null,
): Notice | undefined {
  const { client, query, who } = visit
  const { say, texts } = client.language
  const own = texts.pages.entrance_pages
  const { brand } = site.core.options
  const fault = (text: Notice['text']): Notice => ({ tone: 'fault', text })
  const isShownFirst = refusal === null && faults.length === 0
  if (isShownFirst)
    return who === null && query.in !== undefined && query.canceled === undefined
      ? fault(say(own.no_cookie, { site: brand.name }))
      : undefined
  if (typed.email !== undefined)
    return fault(html`${refusal?.message ?? ''}${againForm(site, client.language, { typed, faults }, next)}`)
  switch (refusal?.code) {
    case 'ACCOUNTS_INVALID_CREDENTIALS':
      return fault(
        html`${own[nameField(site).wrong]} <a href="${site.pathOf('/forgot/', { next })}">${own.reset}</a>`,
      )
    case 'ACCOUNTS_NOT_VERIFIED':
    case 'ACCOUNTS_INVALID_OR_NOT_VERIFIED':
      return fault(
        html`<p>${refusal.code === 'ACCOUNTS_NOT_VERIFIED' ? own.not_verified : refusal.message}</p>${againForm(site, client.language, { typed, faults }, next)}`,
      )
    case 'ACCOUNTS_DISABLED':
      return fault(
        brand.url === null
          ? refusal.message
          : html`${refusal.message} <a href="${brand.url}">${say(own.contact, { site: brand.name })}</a>`,
      )
    case 'ACCOUNTS_THROTTLED':
      // As on the page of codes: another one is no way on from too many.
      return typed.way === 'email-code'
        ? fault(refusalText(site, { ...visit, url: site.pathOf('/login/code/') }, refusal, true))
        : undefined
    default:
      return undefined
  }
}
