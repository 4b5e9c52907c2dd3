import { type Html, html } from '../html.js'
import type { Notice } from '../view.js'

export function notice({ tone, text }: Notice): Html {
  const role = tone === 'fault' ? 'alert' : 'status'
  return html`<div data-part="notice" data-tone="${tone}" role="${role}">${text}</div>`
}

/** A code that is read and typed elsewhere, or copied. */
export const code = (text: string): Html => html`<p data-part="code"><code data-copy>${text}</code></p>`

/** Between two ways to go on. */
export const or = (text: string): Html => html`<p data-part="or">${text}</p>`

export const paragraph = (text: string | Html): Html => html`<p>${text}</p>`

export const hint = (text: string | Html): Html => html`<p class="hint">${text}</p>`

/** Further ways, folded away without a script. */
export const folded = (summary: string, inside: Html): Html =>
  html`<details>
<summary>${summary}</summary>
${inside}
</details>`
