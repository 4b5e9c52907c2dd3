import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { type FieldError, fieldError } from './errors.js'
import type { FieldsSchema, UserFields } from './user.js'

/** Text that every store can keep and every hash distinguishes: well-formed Unicode without NUL. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/**
 * A validator that doesn't convert values. Fastify's default one turns 0 into "0" and `["a"]` into "a".
 * @param options.fromText for text input such as a query: parses numbers
 * @param options.validateSchema whether to check schemas as well, for which Ajv compiles a schema of schemas
 */
export function strictAjv({ fromText, validateSchema }: { fromText: boolean; validateSchema: boolean }): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    validateSchema,
    coerceTypes: fromText,
    useDefaults: true,
    removeAdditional: false,
    // "Infinity" parses as a number; Ajv would then ignore `maximum`, as for every non-finite value.
    strictNumbers: !fromText,
    // Errors have the value.
    verbose: true,
  })
  addFormats.default(ajv)
  ajv.addFormat('text', isPlainText)
  // Says whether pages ask for a field, and checks nothing.
  ajv.addKeyword('x-page')
  ajv.addKeyword({
    keyword: 'plainText',
    validate: (_: unknown, data: unknown) => isPlainData(data),
    errors: false,
  })
  return ajv
}

/** Checks your own fields, including their names; every text in them must be storable. */
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
 * The maximum total size of a user's own fields, in KiB of JSON. It is as large as one request body, so many
 * requests can't build a record that slows down every lookup.
 */
const maxFieldsSize = 16

/** The size of the fields as JSON in UTF-8, in bytes. */
export function fieldsSize(fields: UserFields): number {
  return Buffer.byteLength(JSON.stringify(fields))
}

/** The fault of fields that are too large in total; it concerns the body as a whole. */
export function fieldsSizeFaults(fields: UserFields): FieldError[] {
  if (fieldsSize(fields) <= maxFieldsSize * 1024) return []
  return [fieldError('', 'too_long', { text: 'fields_size', count: maxFieldsSize })]
}

/** Whether clients may not set a custom field. */
export function isReadOnly(fields: FieldsSchema | undefined, name: string): boolean {
  const schema = fields?.properties[name]
  return schema !== undefined && 'readOnly' in schema && schema.readOnly === true
}

/** The first fields, with those of the others that they lack and that fit: together they stay within the maximum size. */
export function fieldsWithin(first: UserFields, others: UserFields): UserFields {
  const united = { ...others, ...first }
  if (fieldsSize(united) <= maxFieldsSize * 1024) return united
  const kept = Object.entries(first)
  let size = fieldsSize(first)
  for (const [name, value] of Object.entries(others)) {
    // Without its braces, and with a comma.
    const more = fieldsSize({ [name]: value }) - 1
    if (Object.hasOwn(first, name) || size + more > maxFieldsSize * 1024) continue
    kept.push([name, value])
    size += more
  }
  return Object.fromEntries(kept)
}

/** The faults of an argument from a script: not an object, unknown names, and flags that aren't booleans. */
export function argumentFaults(
  argument: unknown,
  { flags, others = [] }: { flags: readonly string[]; others?: readonly string[] },
): FieldError[] {
  if (typeof argument !== 'object' || argument === null) return [fieldError('', 'invalid')]
  return Object.entries(argument).flatMap(([name, value]) => {
    if (others.includes(name)) return []
    if (!flags.includes(name)) return [fieldError(name, 'unknown')]
    return value === undefined || typeof value === 'boolean' ? [] : [fieldError(name, 'invalid')]
  })
}

/** One error per field, with the contract's codes: the first if there are several. Ajv checks for storable text, then lengths, then the format. */
export function toFieldErrors(errors: readonly ErrorObject[]): FieldError[] {
  const byField = new Map<string, FieldError>()
  for (const error of errors.map(toFieldError)) {
    if (!byField.has(error.field)) byField.set(error.field, error)
  }
  return [...byField.values()]
}

function toFieldError(error: ErrorObject): FieldError {
  const [, field = '', item] = error.instancePath.split('/')
  // A fault deep within a field counts as the field's: names in there aren't the request's.
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
    case 'enum':
      return item === undefined ? fieldError(field, 'invalid') : noSuchValue(field, error.data)
    default:
      return fieldError(field, 'invalid')
  }
}

/** The fault of a list with a value that it can't have. */
export function noSuchValue(field: string, value: unknown): FieldError {
  const isShort = typeof value === 'string' && value.length <= 100
  return fieldError(field, 'invalid', isShort ? { text: 'no_such_value', value } : undefined)
}

function isPlainData(data: unknown, depth = 0): boolean {
  if (typeof data === 'string') return isPlainText(data)
  if (typeof data !== 'object' || data === null) return true
  if (depth === deepest) return false
  return Object.entries(data).every(([name, value]) => isPlainText(name) && isPlainData(value, depth + 1))
}

/** The maximum depth of your own fields' values: much deeper ones overflow the stack of code that traverses them. */
const deepest = 32
