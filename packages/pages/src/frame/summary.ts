import type { FieldError } from 'fastify-accounts'
import { escapeHtml, type PageTheme } from 'fastify-accounts/features'
import { type Html, html, nothing, trusted } from '../html.js'

/**
 * What is wrong with a form, with links to its fields; the script leads there. Nothing if nothing is.
 * @param form has the fields, by whose labels the lines begin
 */
export function summary({ language }: PageTheme, faults: readonly FieldError[], form: Html): Html {
  if (faults.length === 0) return nothing
  const { summary: heading, of_field } = language.texts.pages.frame
  const lines = faults.map(({ field, message }) => {
    const label = labelOf(field, form.toString())
    const text = escapeHtml(message)
    const line = trusted(
      label === null || text.toLowerCase().includes(label.toLowerCase())
        ? text
        : language.say(escapeHtml(of_field), { label, message: text }),
    )
    return field === '' ? html`<li>${line}</li>` : html`<li><a href="#${field}">${line}</a></li>`
  })
  return html`<div data-part="summary" role="alert" tabindex="-1">
<p>${heading}</p>
<ul>
${lines}
</ul>
</div>`
}

/** The label of a field as HTML without elements; `null` if the form has no such field. */
function labelOf(field: string, form: string): string | null {
  const labels = form.matchAll(
    /<label(?: for="([^"]*)"| class="check">\s*<input[^>]* name="([^"]*)")[^>]*>(.*?)<\/label>/gs,
  )
  const [, , , inside] = [...labels].find(([, by, within]) => (by ?? within) === field) ?? []
  return inside?.replace(/<[^>]*>/g, '').trim() || null
}
