import type { FieldError } from 'fastify-accounts'
import type { PageTheme } from 'fastify-accounts/features'
import { type Html, html, nothing } from '../html.js'

/** What is wrong with a form, with links to its fields; the script leads there. Nothing if nothing is. */
export function summary({ language: { texts } }: PageTheme, faults: readonly FieldError[]): Html {
  if (faults.length === 0) return nothing
  const lines = faults.map(({ field, message }) =>
    field === '' ? html`<li>${message}</li>` : html`<li><a href="#${field}">${message}</a></li>`,
  )
  return html`<div data-part="summary" role="alert" tabindex="-1">
<p>${texts.pages.frame.summary}</p>
<ul>
${lines}
</ul>
</div>`
}
