import type { PageTheme } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'

type Language = Pick<PageTheme['language'], 'tag'>

/** A day, as the language writes it; in UTC, as the server doesn't know where somebody is. @param at RFC 3339 */
export function dayOf({ tag }: Language, at: string): string {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at))
}

/** A text with a day in the place of `{date}`. @param at RFC 3339 */
export function dated(language: Pick<PageTheme['language'], 'tag' | 'say'>, text: string, at: string): Html {
  return html`<time datetime="${at}">${language.say(text, { date: dayOf(language, at) })}</time>`
}
