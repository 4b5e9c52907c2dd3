import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { type FieldError, fieldError } from './errors.js'
import type { UserFields } from './user.js'

/** Text that every store can keep and every hash can tell apart: well-formed Unicode without NUL. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/**
 * A validator that takes values as they are. Fastify's default one turns 0 into "0" and `["a"]` into "a".
 * @param options.fromText for what is text by nature, such as a query: numbers are read out of it
 * @param options.validateSchema whether schemas are checked too, for which Ajv compiles a schema of schemas
 */
export function strictAjv({ fromText, validateSchema }: { fromText: boolean; validateSchema: boolean }): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    validateSchema,
    coerceTypes: fromText,
    useDefaults: true,
    removeAdditional: false,
    // "Infinity" is read as a number; Ajv would then leave out `maximum`, as it does for whatever is not finite.
    strictNumbers: !fromText,
  })
  addFormats.default(ajv)
  ajv.addFormat('text', isPlainText)
  ajv.addKeyword({
    keyword: 'plainText',
    validate: (_: unknown, data: unknown) => isPlainData(data),
    errors: false,
  })
  return ajv
}

/** Checks the integrator's own fields, names included; every text in them must be one that a store can keep. */
export function compileFields(fields: { properties?: object } | undefined): (value: unknown) => FieldError[] {
  if (fields === undefined) {
    return (value) => Object.keys(value as object).map((name) => fieldError(name, 'unknown'))
  }
  const properties = Object.entries(fields.properties ?? {}).map(([name, schema]) => [
    name,
    { ...schema, plainText: true },
  ])
  const validate: ValidateFunction = strictAjv({ fromText: false, validateSchema: true }).compile({
    type: 'object',
    ...fields,
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  })
  return (value) => (validate(value) ? [] : toFieldErrors(validate.errors ?? []))
}

/**
 * How much a user's own fields may take together, in KiB of JSON: what the body of one request may hold, so that many
 * requests don't make a record that every look-up has to carry.
 */
const maxFieldsSize = 16

/** The bytes that the fields take as JSON, in UTF-8. */
export function fieldsSize(fields: UserFields): number {
  return Buffer.byteLength(JSON.stringify(fields))
}

/** The fault of fields that take too much together; it is of the body as a whole. */
export function fieldsSizeFaults(fields: UserFields): FieldError[] {
  if (fieldsSize(fields) <= maxFieldsSize * 1024) return []
  return [fieldError('', 'too_long', { text: 'fields_size', count: maxFieldsSize })]
}

/** What is wrong with an object that a script hands in: names that mean nothing, and flags that are neither. */
export function argumentFaults(
  given: object,
  { flags, others = [] }: { flags: readonly string[]; others?: readonly string[] },
): FieldError[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (others.includes(name)) return []
    if (!flags.includes(name)) return [fieldError(name, 'unknown')]
    return value === undefined || typeof value === 'boolean' ? [] : [fieldError(name, 'invalid')]
  })
}

/** One error per field, in the codes of the contract: of several the first. Ajv asks for text that can be kept, then for lengths, then for the form. */
export function toFieldErrors(errors: readonly ErrorObject[]): FieldError[] {
  const byField = new Map<string, FieldError>()
  for (const error of errors.map(toFieldError)) {
    if (!byField.has(error.field)) byField.set(error.field, error)
  }
  return [...byField.values()]
}

function toFieldError(error: ErrorObject): FieldError {
  const [, field = ''] = error.instancePath.split('/')
  // What is wrong deep within a field is wrong with the field: names in there are none of the request's.
  if (field !== '' && ['required', 'additionalProperties'].includes(error.keyword))
    return fieldError(field, 'invalid')
  switch (error.keyword) {
    case 'required':
      return fieldError(String(error.params.missingProperty), 'required')
    case 'additionalProperties':
      return fieldError(String(error.params.additionalProperty), 'unknown')
    case 'minLength':
      return fieldError(field, error.params.limit === 1 ? 'required' : 'too_short')
    case 'maxLength':
      return fieldError(field, 'too_long')
    default:
      return fieldError(field, 'invalid')
  }
}

function isPlainData(data: unknown, depth = 0): boolean {
  if (typeof data === 'string') return isPlainText(data)
  if (typeof data !== 'object' || data === null) return true
  if (depth === deepest) return false
  return Object.entries(data).every(([name, value]) => isPlainText(name) && isPlainData(value, depth + 1))
}

/** How deep the value of an integrator's field may be: far deeper ones overflow the stack of whatever walks them. */
const deepest = 32
