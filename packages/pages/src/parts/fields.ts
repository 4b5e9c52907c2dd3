import type { FieldError } from 'fastify-accounts'
import { type Html, html, nothing, trusted } from '../html.js'

/** What a field shows. */
interface FieldFacts {
  name: string
  label: string | Html
  /** Default `text`. */
  type?: 'text' | 'email' | 'password' | 'date' | 'tel' | 'url'
  value?: string | undefined
  /** Below it; an error takes its place. */
  hint?: string | undefined
  /** Of HTML, such as `one-time-code`. */
  autocomplete?: string
  /** Default `true`. */
  isRequired?: boolean
  maxLength?: number
  minLength?: number
  /** `numeric` for digits alone. */
  inputMode?: 'numeric' | 'decimal' | 'text'
  /** Beside the label, such as a link. */
  beside?: Html
  /** Whether it has the focus when the page opens. Default `false`. */
  hasFocus?: boolean
  faults: readonly FieldError[]
}

/** A field with label, hint and error. */
export function field(facts: FieldFacts): Html {
  const { name, label, type = 'text', value, hint, autocomplete, isRequired = true, beside } = facts
  const fault = facts.faults.find((each) => each.field === name)
  const described = fault ? `${name}-fault` : hint === undefined ? null : `${name}-hint`
  return html`<div data-part="field">
<div data-part="label"><label for="${name}">${label}</label>${beside ?? nothing}</div>
<input id="${name}" name="${name}" type="${type}"${attributes({
    value: type === 'password' ? undefined : value,
    autocomplete,
    maxlength: facts.maxLength,
    minlength: facts.minLength,
    inputmode: facts.inputMode,
    'aria-describedby': described ?? undefined,
    'aria-invalid': fault && 'true',
  })}${isRequired && trusted(' required')}${facts.hasFocus === true && trusted(' autofocus')}>
${below(name, hint, fault)}
</div>`
}

/** A hint, or the error in its place. */
export function below(name: string, hint: string | undefined, fault: FieldError | undefined): Html {
  if (fault) return html`<p class="fault" id="${name}-fault">${fault.message}</p>`
  return hint === undefined ? nothing : html`<p class="hint" id="${name}-hint">${hint}</p>`
}

/** A password, with a button that shows it where there is a script. */
export function secret(facts: Omit<FieldFacts, 'type' | 'value'> & { kind: 'current' | 'new' }): Html {
  const { kind, ...others } = facts
  return field({ ...others, type: 'password', autocomplete: `${kind}-password` })
}

/** A box to tick. */
export function checkbox(facts: {
  name: string
  label: string
  isChecked?: boolean
  /** Default `on`. */
  value?: string
  hint?: string | undefined
  /** Whether it must be ticked. Default `false`. */
  isRequired?: boolean
  /** Default: nothing can be wrong with it. */
  faults?: readonly FieldError[]
}): Html {
  const { name, label, isChecked = false, value = 'on', hint, isRequired = false, faults = [] } = facts
  const fault = faults.find((each) => each.field === name)
  const described = fault ? `${name}-fault` : hint === undefined ? undefined : `${name}-hint`
  const aria = attributes({ 'aria-describedby': described, 'aria-invalid': fault && 'true' })
  const box = html`<label class="check"><input type="checkbox"${attributes({ id: value === 'on' && name })} name="${name}" value="${value}"${aria}${isRequired && trusted(' required')}${isChecked && trusted(' checked')}> ${label}</label>`
  return html`${box}${below(name, hint, fault)}`
}

/** For password managers, which fill in whose password it is. */
export function accountName(name: string | null): Html {
  return name === null
    ? nothing
    : html`<input type="text" autocomplete="username" value="${name}" readonly hidden>`
}

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** Attributes that have a value, escaped. */
export function attributes(all: Readonly<Record<string, string | number | false | undefined>>): Html {
  const parts = Object.entries(all).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [html` ${trusted(name)}="${value}"`],
  )
  return trusted(parts.join(''))
}
