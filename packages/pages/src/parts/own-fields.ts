import type { FormState } from '../form-page.js'
import { type Html, nothing } from '../html.js'
import type { Site } from '../site.js'
import type { Typed } from '../typed.js'
import { area, fixed, select } from './choices.js'
import { checkbox, field } from './fields.js'
import { type Language, type OwnField, type OwnSchema, ownFieldsOf, untitledIn } from './own-field.js'
import { shownValue } from './own-value.js'

type Values = Readonly<Record<string, unknown>>

/**
 * Fields of a form for own fields: `users.fields`, `signUp.fields`, or those of a feature.
 * @param state what was typed, if the form is shown again
 * @param values what is there now. Default: what the schema begins with
 */
export function ownFields(
  schema: OwnSchema | undefined,
  { typed, faults }: Pick<FormState, 'typed' | 'faults'>,
  language: Language,
  values?: Values,
): Html[] {
  const isAgain = Object.keys(typed).length > 0
  return ownFieldsOf(schema, language).map((own) => {
    const { name, hint, isRequired, kind, choices, type = 'text' } = own
    if (kind === 'fixed') {
      const shown = shownValue(own, values?.[name], language)
      return shown === null ? nothing : fixed({ label: own.label, value: shown })
    }
    // Of a profile, most may stay empty.
    const isOptional = values === undefined && !isRequired && kind !== 'box'
    const label = isOptional
      ? language.say(language.texts.pages.sign_up_pages.optional, { label: own.label })
      : own.label
    const now = values === undefined ? own.initial : values[name]
    const value = isAgain ? (typed[name] ?? '') : textOf(now)
    const facts = { name, label, hint, isRequired, value, faults }
    if (kind === 'box')
      return checkbox({
        ...{ name, label, hint, isRequired, faults },
        isChecked: isAgain ? typed[name] !== undefined : now === true,
      })
    if (kind === 'select') return select({ ...facts, choices })
    if (kind === 'area') return area(facts)
    const inputMode = kind === 'integer' ? 'numeric' : kind === 'number' ? 'decimal' : undefined
    return field({
      ...facts,
      type,
      ...(inputMode !== undefined && { inputMode }),
      // Without one, password managers take the field before the password for the name of the account.
      autocomplete: autocompletes[name] ?? 'on',
    })
  })
}

/**
 * What was typed into those fields, as the JSON that an operation takes. Nobody typed it if it is empty.
 * @param empty for a change: an emptied field is removed, or refused if it must be there. Default: it is left out
 */
export function valuesOf(
  schema: OwnSchema | undefined,
  typed: Typed,
  language: Language,
  empty?: null,
): Record<string, unknown> {
  return Object.fromEntries(
    ownFieldsOf(schema, language).flatMap((own): [string, unknown][] => {
      const { name, kind } = own
      if (kind === 'fixed') return []
      const text = typed[name]?.replaceAll('\r\n', '\n') ?? ''
      if (kind === 'box') return [[name, text !== '']]
      if (text !== '') return [[name, jsonOf(own, text)]]
      return empty === undefined ? [] : [[name, null]]
    }),
  )
}

/** Warns once, at start, about fields that have no title. */
export function warnOfUntitled({ core }: Site, option: string, schema: OwnSchema | undefined): void {
  const names = untitledIn(schema, core.options.languages.fallback)
  if (names.length === 0) return
  core.warn(
    'ACCOUNTS_WARN_FIELD_TITLE',
    `${option} has fields without a title, so pages make their labels of their names: ${names.join(', ')}`,
  )
}

/** What isn't a value of that kind stays a text, which the operation refuses by its name. */
function jsonOf({ kind, choices }: OwnField, text: string): unknown {
  if (kind === 'select') return choices.find(({ value }) => value === text)?.json ?? text
  if (kind !== 'number' && kind !== 'integer') return text
  const number = Number(text.replace(',', '.'))
  return Number.isFinite(number) ? number : text
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** What browsers can fill in, by the usual names of such fields. */
const autocompletes: Readonly<Record<string, string>> = {
  name: 'name',
  display_name: 'name',
  full_name: 'name',
  first_name: 'given-name',
  given_name: 'given-name',
  last_name: 'family-name',
  family_name: 'family-name',
  nickname: 'nickname',
  birthday: 'bday',
  date_of_birth: 'bday',
  phone: 'tel',
  company: 'organization',
  job_title: 'organization-title',
  street: 'street-address',
  city: 'address-level2',
  postal_code: 'postal-code',
  country: 'country',
  website: 'url',
}
