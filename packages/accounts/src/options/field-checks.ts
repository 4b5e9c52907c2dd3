import type { FieldsSchema } from '../user.js'
import { compileFields } from '../validation.js'
import { type Check, fail, isObject, shown } from './checks.js'

/** The parts of a user's own view that others may see. Whether there is a password is private. */
const viewNames: readonly string[] = [
  'id',
  'username',
  'email',
  'is_verified',
  'is_staff',
  'roles',
  'is_active',
  'created_at',
  'last_login_at',
]

/** The names of a user's own view and of the creation form, which your own fields can't use. */
const takenNames: readonly string[] = [...viewNames, 'has_password', 'tokens', 'password', 'confirm_password']

/** JSON Schema of your own fields. */
export const fieldsSchema: Check<FieldsSchema> = (fields, option) => {
  const schema = compilable(fields, option, takenNames)
  for (const name of schema.required ?? []) {
    const { readOnly }: Schema = { ...schema.properties[name] }
    if (readOnly === true) fail(option, `must not require ${name}, which is readOnly: no client can send it`)
  }
  for (const [name, property] of Object.entries(schema.properties)) {
    if (hasReadOnlyWithin(property))
      fail(
        option,
        `must not have readOnly within ${name}, whose parts clients set together: put it beside them`,
      )
  }
  return schema
}

/** The names of what else a request that signs somebody up may carry. */
const signUpNames: readonly string[] = ['response', 'id_token', 'nonce', 'user', 'next', 'remember']

/** JSON Schema of what a sign-up carries and nobody stores. */
export const signUpFields: Check<FieldsSchema> = (fields, option) =>
  compilable(fields, option, [...takenNames, ...signUpNames])

function compilable(fields: FieldsSchema, option: string, taken: readonly string[]): FieldsSchema {
  if (fields?.type !== 'object' || typeof fields.properties !== 'object')
    fail(option, 'must be a JSON Schema of an object, with properties')
  for (const name of Object.keys(fields.properties)) {
    if (taken.includes(name)) fail(option, `must not redefine ${name}`)
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) fail(option, `field names must be snake_case, got ${name}`)
  }
  const schema = forbidUnknown(fields)
  try {
    compileFields(schema)
  } catch (error) {
    fail(option, `cannot be compiled: ${(error as Error).message}`)
  }
  return schema
}

/** Names of the own view, and of your own fields. */
export const publicFields: Check<readonly string[]> = (names, option, { siblings }) => {
  if (!Array.isArray(names)) fail(option, 'must be a list of field names')
  const { properties = {} } = (siblings.fields ?? {}) as Partial<FieldsSchema>
  for (const name of names) {
    if (!viewNames.includes(name) && !Object.hasOwn(properties, name))
      fail(option, `names a field that does not exist: ${String(name)}`)
  }
  return [...names]
}

/** Names of own fields that are texts. */
export const searchFields: Check<readonly string[]> = (names, option, { siblings }) => {
  if (!Array.isArray(names)) fail(option, 'must be a list of field names')
  const { properties = {} } = (siblings.fields ?? {}) as Partial<FieldsSchema>
  for (const name of names) {
    const { type }: Schema = Object.hasOwn(properties, name) ? { ...properties[name] } : {}
    if (![type].flat().includes('string'))
      fail(option, `must name fields of users.fields with the type string, got ${shown(name)}`)
  }
  return [...new Set(names)]
}

/** Nested objects accept only listed properties, like the fields themselves, unless their schema says otherwise. */
function forbidUnknown(fields: FieldsSchema): FieldsSchema {
  const close = (schema: Schema): Schema =>
    schema.properties !== undefined && schema.additionalProperties === undefined
      ? { ...schema, additionalProperties: false }
      : schema
  return { ...fields, properties: eachOf(fields.properties, close) }
}

/** For responses, which show stored values: defaults are for input. */
export function withoutDefaults(properties: Properties): Properties {
  return eachOf(properties, ({ default: _, ...others }) => others)
}

type Schema = { [keyword: string]: unknown }
type Properties = FieldsSchema['properties']

function eachOf(properties: object, change: (schema: Schema) => Schema): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, within(each, change)]))
}

/** Changes a schema and everything within it, through `properties` and `items`. */
function within<Given>(schema: Given, change: (schema: Schema) => Schema): Given | Schema {
  // A schema may also be `true` or `false`.
  if (!isObject(schema)) return schema
  const { properties, items, ...others } = change({ ...schema })
  return {
    ...others,
    ...(properties !== undefined && {
      properties: isObject(properties) ? eachOf(properties, change) : properties,
    }),
    ...(items !== undefined && {
      items: Array.isArray(items) ? items.map((each) => within(each, change)) : within(items, change),
    }),
  }
}

/** Whether a schema says `readOnly` of anything but the whole value. */
function hasReadOnlyWithin(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.values(schema).some(
    (each) => (isObject(each) && each.readOnly === true) || hasReadOnlyWithin(each),
  )
}
