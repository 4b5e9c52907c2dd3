import type { AccountsError } from 'fastify-accounts'
import type { PageVisit } from 'fastify-accounts/features'
import { type Html, html } from './html.js'
import { withPart } from './parts/with-part.js'
import type { Site } from './site.js'

/** The page that gets somebody in by email, other than the one at this path. No email replaces the second step. */
export function wayByEmail(site: Site, url: string): '/login/code/' | '/forgot/' | null {
  if (url.startsWith(site.pathOf('/login/second-factor/'))) return null
  const pages = [
    ...(site.core.options.login.emailCode ? (['/login/code/'] as const) : []),
    '/forgot/',
  ] as const
  return pages.find((page) => !url.startsWith(site.pathOf(page))) ?? null
}

/**
 * What a refusal says to people; of too many attempts, also how long to wait.
 * @param isEntrance whether its form lets people in, so another way in helps
 */
export function refusalText(
  site: Site,
  { client, who, query, url }: PageVisit,
  { code, message, retryAfter }: AccountsError,
  isEntrance: boolean,
): Html | string {
  if (code !== 'ACCOUNTS_THROTTLED' || retryAfter === undefined) return message
  const { say, duration, texts } = client.language
  const { throttled, throttled_or, by_email } = texts.pages.entrance_pages
  const time = duration(Math.ceil(retryAfter / 60))
  const page = isEntrance && who === null ? wayByEmail(site, url) : null
  if (page === null) return say(throttled, { time })
  const link = html`<a href="${site.pathOf(page, { next: site.nextOf(query.next) })}">${by_email}</a>`
  return withPart(client.language, say(throttled_or, { time }), 'link', link)
}
