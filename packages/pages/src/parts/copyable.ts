import { type Html, html } from '../html.js'

/**
 * A text to be copied whole, by a button where there is a script.
 * @param id of the element, unique in its page
 * @param copied default: the text as it is shown
 */
export const copyable = (id: string, text: string, copied = ''): Html =>
  html`<pre id="${id}" data-copy="${copied}"><code>${text}</code></pre>`
