import type { ObjectOptions, TObject, TProperties, TString } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'

/** A required text. http/input/validation.ts checks the format: well-formed Unicode without NUL. */
export function text(maxLength: number, description: string, example?: string): TString {
  const examples = example === undefined ? {} : { examples: [example] }
  return Type.String({ minLength: 1, maxLength, format: 'text', description, ...examples })
}

/** An object of request input: other fields are rejected. */
export function strictObject<Properties extends TProperties>(
  properties: Properties,
  options: ObjectOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { ...options, additionalProperties: false })
}
