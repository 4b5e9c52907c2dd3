import type { ObjectOptions, StringOptions, TObject, TProperties, TString } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'

/** A required text. http/input/validation.ts checks the format: well-formed Unicode without NUL. */
export function text(maxLength: number, description: string, example?: string): TString {
  const examples = example === undefined ? {} : { examples: [example] }
  return Type.String({ minLength: 1, maxLength, format: 'text', description, ...examples })
}

/** The same that may be left out: an empty one in a form counts as missing. */
export function emptyOr({ minLength: _, ...schema }: TString, options: StringOptions = {}): TString {
  return { ...schema, ...options } as TString
}

/** An object of request input: other fields are rejected. */
export function strictObject<Properties extends TProperties>(
  properties: Properties,
  options: ObjectOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { ...options, additionalProperties: false })
}
