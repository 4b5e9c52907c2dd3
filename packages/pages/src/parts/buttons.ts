import { type Html, html, nothing } from '../html.js'
import { hidden } from './fields.js'

/** `primary` once a page; `danger` only where nothing else is asked. */
export type ButtonKind = 'primary' | 'quiet' | 'danger' | 'link'

/** Sends its form. */
export function submit(
  label: string,
  kind: ButtonKind = 'primary',
  named?: { name: string; value: string },
): Html {
  const sent = named === undefined ? nothing : html` name="${named.name}" value="${named.value}"`
  return html`<button data-part="button" data-kind="${kind}"${sent}>${label}</button>`
}

/** A link that looks like a button. */
export function linkButton(label: string, to: string, kind: ButtonKind = 'primary'): Html {
  return html`<a data-part="button" data-kind="${kind}" href="${to}">${label}</a>`
}

/** A form that is one button. */
export function buttonForm(facts: {
  label: string
  kind?: ButtonKind
  /** Default: the page's own path. */
  to?: string
  /** Hidden fields. */
  fields?: Readonly<Record<string, string>>
}): Html {
  const { label, kind = 'quiet', to, fields = {} } = facts
  const inside = Object.entries(fields).map(([name, value]) => hidden(name, value))
  return form([...inside, submit(label, kind)], to)
}

/** @param to default: the page's own path */
export function form(inside: readonly Html[], to?: string): Html {
  const action = to === undefined ? nothing : html` action="${to}"`
  return html`<form method="post"${action}>
${inside}
</form>`
}
