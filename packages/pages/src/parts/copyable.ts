import type { PageTheme } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'

/**
 * A text to be copied whole.
 * @param id of the element, unique in its page
 */
export const copyable = (language: PageTheme['language'], id: string, text: string): Html =>
  html`<pre id="${id}" data-part="copyable"><code>${text}</code></pre>
${copyButton(language, id)}`

/** Copies the text of an element. Hidden without a script. @param id of that element */
export function copyButton({ texts }: PageTheme['language'], id: string): Html {
  const { copy, copied } = texts.pages.way_pages
  return html`<button type="button" data-part="button" data-kind="quiet" data-copy="${id}" data-copied="${copied}" hidden>${copy}</button>`
}
