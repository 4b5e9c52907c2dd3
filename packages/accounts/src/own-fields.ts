import type { FieldsSchema } from './user.js'

/** Objects within the fields take only what they list, as the fields themselves do, unless they say otherwise. */
export function closed(fields: FieldsSchema): FieldsSchema {
  return throughout(fields, (schema) =>
    schema.properties !== undefined && schema.additionalProperties === undefined
      ? { ...schema, additionalProperties: false }
      : schema,
  ) as unknown as FieldsSchema
}

/** For an answer, which shows what is kept: a default is for what is given. */
export function withoutDefaults(schema: object): object {
  return throughout(schema, ({ default: _, ...others }) => others)
}

type Schema = Record<string, unknown>

/** The schema with a change made to it and to whatever is in it by `properties` and `items`. */
function throughout(schema: object, change: (schema: Schema) => Schema): Schema {
  const changed = { ...change({ ...schema }) }
  const { properties, items } = changed
  if (isObject(properties)) {
    const inner = Object.entries(properties).map(([name, each]) => [name, within(each, change)])
    changed.properties = Object.fromEntries(inner)
  }
  if (items !== undefined)
    changed.items = Array.isArray(items) ? items.map((each) => within(each, change)) : within(items, change)
  return changed
}

/** A schema may also be `true` or `false`. */
const within = (schema: unknown, change: (schema: Schema) => Schema): unknown =>
  isObject(schema) ? throughout(schema, change) : schema

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
