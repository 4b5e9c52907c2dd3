import { type Html, html } from '../html.js'

/** A part of a page: its heading and what it is for beside a card. */
export function section(id: string, heading: string, text: string, body: Html): Html {
  return html`<section class="part" id="${id}" aria-labelledby="${id}-heading">
<div class="about"><h2 id="${id}-heading" tabindex="-1">${heading}</h2><p>${text}</p></div>
<div class="card">${body}</div>
</section>`
}
