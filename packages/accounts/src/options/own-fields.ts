import type { FieldsSchema } from '../user.js'

/** Nested objects accept only listed properties, like the fields themselves, unless their schema says otherwise. */
export function forbidUnknown(fields: FieldsSchema): FieldsSchema {
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

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
