import { type Html, html, nothing } from '../html.js'

/** One line of an account page: what it is, what it is now, and what can be done. */
export interface Row {
  label: Html | string
  value: Html | string
  badge?: string
  action?: Html
}

/** Rows below a heading. */
export function rows(heading: string | null, list: readonly Row[]): Html {
  return html`<section data-part="rows">
${heading === null ? nothing : html`<h2>${heading}</h2>`}
<ul data-part="list">
${list.map(row)}
</ul>
</section>`
}

function row({ label, value, badge, action }: Row): Html {
  return html`<li data-part="row">
<div data-part="row-label">${label}</div>
<div data-part="row-value">${value}${badge === undefined ? nothing : html` <span data-part="badge">${badge}</span>`}</div>
${action === undefined ? nothing : html`<div data-part="row-action">${action}</div>`}
</li>`
}

/** Leads from a row to its page. Its name says of what, as several rows have the same action. */
export const rowLink = (action: string, label: string, to: string): Html =>
  html`<a data-part="button" data-kind="quiet" href="${to}" aria-label="${`${action}: ${label}`}">${action}</a>`

/** A name of somebody's own choice: keeps its writing direction, and is cut after two lines. */
export const named = (name: string): Html => html`<bdi data-part="name">${name}</bdi>`

export const empty = (text: string): Html => html`<p data-part="empty">${text}</p>`
