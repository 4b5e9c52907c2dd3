import { type Html, html } from '../html.js'

/** A text with HTML where its placeholder is, such as a link or a name. The others are filled in already. */
export function sentence(text: string, placeholder: string, inside: Html): Html {
  const [before = '', ...after] = text.split(`{${placeholder}}`)
  return html`${before}${after.length > 0 && inside}${after.join('')}`
}
