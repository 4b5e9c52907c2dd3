import type { PageTheme } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'
import type { Site } from '../site.js'

/** A day in the language, and in the time zone of the site. @param at RFC 3339 */
export const dayOf = ({ core }: Site, language: PageTheme['language'], at: string): string =>
  language.date(new Date(at), core.options.brand.timeZone)

/** A text with a day in the place of `{date}`. @param at RFC 3339 */
export const dated = (site: Site, language: PageTheme['language'], text: string, at: string): Html =>
  html`<time datetime="${at}">${language.say(text, { date: dayOf(site, language, at) })}</time>`
