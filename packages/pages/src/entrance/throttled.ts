import type { AccountsError } from 'fastify-accounts'
import type { Client } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'
import { withPart } from '../parts/with-part.js'
import type { Site } from '../site.js'

/** How long to wait, and how to get in meanwhile. */
export function throttledText(
  site: Site,
  language: Client['language'],
  { retryAfter = 60 }: AccountsError,
  next: string | null,
): Html {
  const { say, duration, texts } = language
  const own = texts.pages.entrance_pages
  const time = duration(Math.ceil(retryAfter / 60))
  const page = site.core.options.login.emailCode ? '/login/code/' : '/forgot/'
  const link = html`<a href="${site.pathOf(page, { next })}">${own.by_email}</a>`
  return withPart(language, say(own.throttled_or, { time }), 'link', link)
}
