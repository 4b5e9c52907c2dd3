import type { FieldError } from 'fastify-accounts'
import { type Html, html, trusted } from '../html.js'
import { attributes, below } from './fields.js'

interface Common {
  name: string
  label: string
  value: string
  hint?: string | undefined
  isRequired: boolean
  faults: readonly FieldError[]
}

/** One of several values. An empty one comes first, unless one of them must be. */
export function select(facts: Common & { choices: readonly { value: string; label: string }[] }): Html {
  const { name, value, isRequired, choices } = facts
  const isChosen = choices.some((each) => each.value === value)
  const all = isRequired && isChosen ? choices : [{ value: '', label: '' }, ...choices]
  const options = all.map(
    (each) =>
      html`<option value="${each.value}"${each.value === value && trusted(' selected')}>${each.label}</option>`,
  )
  return around(facts, html`<select id="${name}" name="${name}"${ariaOf(facts)}>${options}</select>`)
}

/** A text of several lines. */
export function area(facts: Common & { rows?: number }): Html {
  const { name, value, rows = 4 } = facts
  // HTML drops the first line break.
  return around(
    facts,
    html`<textarea id="${name}" name="${name}" rows="${rows}"${ariaOf(facts)}>
${value}</textarea>`,
  )
}

/** What is read only. */
export function fixed({ label, value }: Pick<Common, 'label' | 'value'>): Html {
  return html`<div data-part="field">
<div data-part="label">${label}</div>
<p data-part="fixed">${value}</p>
</div>`
}

function around({ name, label, hint, faults }: Common, control: Html): Html {
  return html`<div data-part="field">
<div data-part="label"><label for="${name}">${label}</label></div>
${control}
${below(name, hint, faultOf(name, faults))}
</div>`
}

function ariaOf({ name, hint, isRequired, faults }: Common): Html {
  const fault = faultOf(name, faults)
  const described = fault ? `${name}-fault` : hint === undefined ? undefined : `${name}-hint`
  const aria = attributes({ 'aria-describedby': described, 'aria-invalid': fault && 'true' })
  return html`${aria}${isRequired && trusted(' required')}`
}

const faultOf = (name: string, faults: readonly FieldError[]): FieldError | undefined =>
  faults.find(({ field }) => field === name)
