/** What we say of JSON Schema: plain objects, as one would write them by hand. A library for it would be half a start. */
interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** A schema of what is a `T`. One that has another field, or lacks one, or may lack one, does not compile as it. */
export interface Schema<T> extends JsonSchema {
  /** For the compiler alone, as `exactly` is: no schema has it. */
  readonly static?: T
  readonly exactly?: (value: Required<T>) => Required<T>
}

/** A schema of an object. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object'
  readonly properties: Properties
  readonly required?: readonly string[] | undefined
}

export type Properties = { readonly [name: string]: object }
type Values<P> = { [Name in keyof P]: P[Name] extends Schema<infer T> ? T : never }

/** Keywords that say more of a value. */
interface Keywords {
  description?: string
  default?: string | number | boolean
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

export const string = (keywords: Keywords = {}): Schema<string> => ({ type: 'string', ...keywords })
export const integer = (keywords: Keywords = {}): Schema<number> => ({ type: 'integer', ...keywords })
export const boolean: Schema<boolean> = { type: 'boolean' }

/** A text or nothing; a union would have each answer validated to find out which it is. */
export const nullable = (keywords: Keywords = {}): Schema<string | null> => ({
  type: ['string', 'null'],
  ...keywords,
})

/** `true`, `false`, or one of these texts. */
export function booleanOr<Text extends string>(...texts: Text[]): Schema<boolean | Text> {
  return { anyOf: [boolean, ...texts.map((text) => ({ const: text, type: 'string' }))] }
}

export const array = <T>(items: Schema<T>): Schema<T[]> => ({ type: 'array', items })

/** Any names, with a value of this kind each. */
export function record<T>(values: Schema<T>): Schema<Record<string, T>> {
  return { type: 'object', patternProperties: { '^(.*)$': values } }
}

/** Of an answer: what is not named is left out of it. */
export function object<P extends Properties>(properties: P): ObjectSchema & Schema<Values<P>> {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** Of what a route is given: other fields are refused. */
export function strictObject<P extends Properties>(required: P): ObjectSchema & Schema<Values<P>>
export function strictObject<P extends Properties, O extends Properties>(
  required: P,
  optional: O,
): ObjectSchema & Schema<Values<P> & Partial<Values<O>>>
export function strictObject(required: Properties, optional?: Properties): ObjectSchema {
  const names = Object.keys(required)
  return {
    type: 'object',
    properties: { ...required, ...optional },
    ...(names.length > 0 && { required: names }),
    additionalProperties: false,
  }
}
