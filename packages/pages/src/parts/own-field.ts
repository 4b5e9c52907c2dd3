import type { Client } from 'fastify-accounts/features'

export type Language = Client['language']

/** JSON Schema of own fields, as the options have it. */
export interface OwnSchema {
  readonly properties: { readonly [name: string]: object }
  readonly required?: readonly string[] | undefined
}

/** How a page asks for one own field. */
export interface OwnField {
  name: string
  label: string
  /** Whether the app has given the label. */
  hasTitle: boolean
  hint?: string
  isRequired: boolean
  /** `box`: yes or no. `fixed`: shown, never sent. */
  kind: 'line' | 'area' | 'number' | 'integer' | 'select' | 'box' | 'fixed'
  type?: 'text' | 'date' | 'tel' | 'url' | 'email'
  choices: readonly { value: string; label: string; json: Json }[]
  /** What the schema begins with. */
  initial?: Json
}

type Json = string | number | boolean | null

/** Characters: a text that may be longer gets several lines. */
const longestLine = 200

/** What of JSON Schema a form can ask; all of it is optional. */
interface Property {
  type?: unknown
  title?: unknown
  description?: unknown
  format?: unknown
  enum?: unknown
  const?: unknown
  anyOf?: unknown
  oneOf?: unknown
  maxLength?: unknown
  default?: unknown
  readOnly?: unknown
  'x-page'?: unknown
}

/** The fields that pages ask for, in the order of their schema: simple ones, without `x-page: false`. */
export function ownFieldsOf(schema: OwnSchema | undefined, language: Language): OwnField[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, each]) => {
    const property: Property = each
    const kind = property['x-page'] === false ? null : kindOf(property)
    if (kind === null) return []
    const texts = language.texts.own_fields?.[name]
    const hint = texts?.description ?? property.description
    const type = property.format === 'uri' ? 'url' : property.format
    return [
      {
        ...{ name, kind, label: texts?.title ?? titleOf(name, property) },
        hasTitle: typeof (texts?.title ?? property.title) === 'string',
        ...(typeof hint === 'string' && { hint }),
        // An unticked box is an answer, unless it must be ticked.
        isRequired:
          (schema?.required?.includes(name) ?? false) && (kind !== 'box' || property.const === true),
        ...(kind === 'line' && isInputType(type) && { type }),
        choices: choicesOf(property, texts?.enum),
        ...(isJson(property.default) && { initial: property.default }),
      },
    ]
  })
}

/** The fields that pages ask for without a title, so their label is made of their name. */
export function untitledIn(schema: OwnSchema | undefined, language: Language): string[] {
  return ownFieldsOf(schema, language)
    .filter(({ hasTitle }) => !hasTitle)
    .map(({ name }) => name)
}

/** `null` for what a form can't ask. */
function kindOf(property: Property): OwnField['kind'] | null {
  const types = [property.type].flat().filter((type) => type !== 'null')
  const [type = typeof constOf(property)[0]] = types
  const hasChoices = constOf(property).length > 0
  const kind =
    type === 'boolean'
      ? 'box'
      : hasChoices
        ? 'select'
        : type === 'number' || type === 'integer'
          ? type
          : type !== 'string'
            ? null
            : Number(property.maxLength) > longestLine
              ? 'area'
              : 'line'
  return kind !== null && property.readOnly === true ? 'fixed' : kind
}

/** The values of `enum`, or of alternatives that are one value each; none if others are valid. */
function constOf({ enum: values, anyOf, oneOf }: Property): Json[] {
  if (Array.isArray(values)) return values.filter((value) => isJson(value) && value !== null)
  const alternatives = (anyOf ?? oneOf) as readonly Property[] | undefined
  if (!Array.isArray(alternatives)) return []
  const consts = alternatives.filter(({ type }) => type !== 'null').map((each: Property) => each.const)
  return consts.every((value) => isJson(value) && value !== null) ? (consts as Json[]) : []
}

function choicesOf(property: Property, texts: Readonly<Record<string, string>> = {}): OwnField['choices'] {
  const alternatives = [property.anyOf ?? property.oneOf ?? []].flat() as readonly Property[]
  return constOf(property).map((json) => {
    const { title } = alternatives.find((each) => each.const === json) ?? {}
    const value = String(json)
    return { value, json, label: texts[value] ?? (typeof title === 'string' ? title : value) }
  })
}

/** `date_of_birth`: Date of birth. */
const titleOf = (name: string, { title }: Property): string =>
  typeof title === 'string'
    ? title
    : name.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

const isInputType = (type: unknown): type is NonNullable<OwnField['type']> =>
  ['date', 'tel', 'url', 'email'].includes(type as string)

const isJson = (value: unknown): value is Json =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)
