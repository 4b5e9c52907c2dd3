import type { PageVisit } from 'fastify-accounts/features'
import { byField } from '../form-page.js'
import { type Html, html } from '../html.js'
import { hidden } from '../parts/fields.js'
import { visitorOf } from '../visitor.js'

/**
 * A form in a row that is one button. Its name says of what, as each row has the same.
 * @param of the name of the row
 * @param fields sent with it
 */
export function rowButton(
  visit: PageVisit,
  label: string,
  of: string,
  fields: Readonly<Record<string, string>>,
): Html {
  const all = { [byField]: visitorOf(visit).id, ...fields }
  return html`<form method="post">
${Object.entries(all).map(([name, value]) => hidden(name, value))}
<button type="submit" data-part="button" data-kind="quiet" aria-label="${`${label}: ${of}`}">${label}</button>
</form>`
}
