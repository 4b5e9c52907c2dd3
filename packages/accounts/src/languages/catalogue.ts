import type { Plural, Text } from './texts.js'

/** Texts by language tag. */
export type Catalogue = Readonly<Record<string, object>>

/**
 * Fills in the placeholders `{name}`; unknown ones stay. A `null` is left out, with the white space before
 * it: "the account {username} is ready" becomes "the account is ready".
 */
export function fill(text: string, facts: Readonly<Record<string, string | null | undefined>>): string {
  return text.replace(/\s*\{(\w+)\}/g, (written, name: string) => {
    const fact = facts[name]
    return fact === null ? '' : fact === undefined ? written : written.replace(/\{\w+\}/, () => fact)
  })
}

const placeholder = /\{(\w+)\}/g

/** The names of a text's placeholders, each once. */
export function placeholdersOf(text: Text): string[] {
  const forms = (typeof text === 'string' ? [text] : Object.values(text)).filter((form) => form.includes('{'))
  return [...new Set(forms.flatMap((form) => [...form.matchAll(placeholder)].map(([, name = '']) => name)))]
}

/** A plural form, as opposed to a group of texts. */
export function isPlural(value: unknown): value is Plural {
  return typeof value === 'object' && value !== null && 'other' in value && !Array.isArray(value)
}

/** Replaces some texts, or adds to them. */
export function overlay(texts: object, some: object): object {
  return merge(texts, some) as object
}

function merge(base: unknown, over: unknown): unknown {
  if (over === undefined) return base
  if (typeof over !== 'object' || over === null || Array.isArray(over) || isPlural(over)) return over
  const record = (base ?? {}) as Record<string, unknown>
  return {
    ...record,
    ...Object.fromEntries(Object.entries(over).map(([key, value]) => [key, merge(record[key], value)])),
  }
}

/**
 * The faults of a language's texts, one line each: a text that doesn't exist in English, unless `more` are allowed, or is
 * of another kind; an unknown placeholder; if all are required, a missing text.
 */
export function faultsOf(
  english: unknown,
  texts: unknown,
  { complete, more = false }: { complete: boolean; more?: boolean },
  path: string = '',
): string[] {
  if (texts === undefined) return complete ? [`${path} is missing`] : []
  // English itself: each start checks some hundred texts.
  if (texts === english) return []
  if (isText(english)) {
    if (!isText(texts)) return [`${path} must be a text`]
    const placeholders = placeholdersOf(english)
    return unknownOf(placeholdersOf(texts), placeholders, path)
  }
  if (Array.isArray(english)) {
    if (!Array.isArray(texts) || !texts.every((each) => typeof each === 'string'))
      return [`${path} must be a list of texts`]
    const placeholders: string[] = english.flatMap(placeholdersOf)
    return unknownOf(texts.flatMap(placeholdersOf), placeholders, path)
  }
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts))
    return [`${path || 'it'} must be an object`]
  const groups = english as Record<string, unknown>
  const record = texts as Record<string, unknown>
  const at = (key: string): string => (path === '' ? key : `${path}.${key}`)
  const unknown = more ? [] : Object.keys(record).filter((key) => !Object.hasOwn(groups, key))
  return [
    ...unknown.map((key) => `${at(key)} is not a known text`),
    ...Object.entries(groups).flatMap(([key, value]) =>
      faultsOf(value, record[key], { complete, more }, at(key)),
    ),
  ]
}

/** Whether each English text has one in this language. */
export function isWhole(english: unknown, texts: unknown): boolean {
  if (typeof texts !== 'object' || texts === null) return typeof texts === 'string' && isText(english)
  if (isText(english) || Array.isArray(english)) return true
  const record = texts as Record<string, unknown>
  return Object.entries(english as object).every(([key, value]) => isWhole(value, record[key]))
}

function unknownOf(names: readonly string[], validNames: readonly string[], path: string): string[] {
  if (names.every((name) => validNames.includes(name))) return []
  const list = validNames.map((name) => `{${name}}`).join(', ')
  const choice = validNames.length > 0 ? `allowed are ${list}` : 'none is allowed here'
  return names
    .filter((name) => !validNames.includes(name))
    .map((name) => `${path} has the unknown placeholder {${name}}: ${choice}`)
}

export function isText(value: unknown): value is Text {
  if (typeof value === 'string') return value !== ''
  return isPlural(value) && Object.values(value).every((form) => typeof form === 'string' && form !== '')
}
