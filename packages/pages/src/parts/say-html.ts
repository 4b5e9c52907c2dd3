import { escapeHtml } from 'fastify-accounts/features'
import { type Html, trusted } from '../html.js'
import type { Language } from './own-field.js'

/** A text whose placeholders are HTML, such as a link or a name. */
export function sayHtml({ say }: Language, text: string, facts: Readonly<Record<string, Html>>): Html {
  const sources = Object.entries(facts).map(([name, fact]) => [name, fact.toString()])
  return trusted(say(escapeHtml(text), Object.fromEntries(sources)))
}
