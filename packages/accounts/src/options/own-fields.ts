import type { FieldsSchema } from '../user.js'

/** Objects within the fields take only what they list, as the fields themselves do, unless they say otherwise. */
export function forbidUnknown(fields: FieldsSchema): FieldsSchema {
  const close = (schema: Schema): Schema =>
    schema.properties !== undefined && schema.additionalProperties === undefined
      ? { ...schema, additionalProperties: false }
      : schema
  return { ...fields, properties: eachOf(fields.properties, close) }
}

/** For answers, which show what is kept: a default is for what is given. */
export function withoutDefaults(properties: Properties): Properties {
  return eachOf(properties, ({ default: _, ...others }) => others)
}

type Schema = { [keyword: string]: unknown }
type Properties = FieldsSchema['properties']

function eachOf(properties: object, change: (schema: Schema) => Schema): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, within(each, change)]))
}

/** The schema with a change made to it and to whatever is in it by `properties` and `items`. */
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
