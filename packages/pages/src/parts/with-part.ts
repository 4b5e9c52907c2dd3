import type { Client } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'

/** Where the HTML goes, while the text is filled in: no text has it. */
const mark = '\u{f8ff}'

/** A text with HTML in the place of one of its placeholders. */
export function withPart({ say }: Client['language'], text: string, placeholder: string, part: Html): Html {
  const [before = '', after = ''] = say(text, { [placeholder]: mark }).split(mark)
  return html`${before}${part}${after}`
}
