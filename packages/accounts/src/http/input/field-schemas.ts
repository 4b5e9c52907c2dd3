import type { TObject, TProperties } from '@sinclair/typebox'
import type { ResolvedOptions } from '../../options/resolve.js'
import type { FieldsSchema } from '../../user.js'
import { isReadOnly } from '../../validation.js'

/** Whether accounts have usernames. */
export type Names = ResolvedOptions['names']

/** Adds optional properties: a user created before a field was declared doesn't have it. */
export function withOptional(schema: TObject, properties: FieldsSchema['properties']): TObject {
  return { ...schema, properties: { ...schema.properties, ...(properties as TProperties) } }
}

/** Without some of its properties. */
export function withoutProperties<Schema extends TObject>(schema: Schema, names: readonly string[]): Schema {
  const { required } = schema
  const left = Object.entries(schema.properties).filter(([name]) => !names.includes(name))
  return {
    ...schema,
    properties: Object.fromEntries(left),
    ...(required && { required: required.filter((name) => !names.includes(name)) }),
  }
}

/** Without the username that is optional in it, if accounts have none. */
export const forNames = <Schema extends TObject>(schema: Schema, names: Names): Schema =>
  names === 'none' ? withoutProperties(schema, ['username']) : schema

/** Fastify accepts any JSON Schema. */
export function propertiesOf(fields: FieldsSchema | undefined): FieldsSchema['properties'] {
  return fields?.properties ?? {}
}

/** Those that clients may set: all but the ones with `readOnly: true`. */
export function writableOf(fields: FieldsSchema | undefined): FieldsSchema['properties'] {
  return Object.fromEntries(
    Object.entries(propertiesOf(fields)).filter(([name]) => !isReadOnly(fields, name)),
  )
}

/**
 * The same for a change: no default may replace a value. `null` removes a field that isn't required, as in a JSON Merge Patch
 * (RFC 7396).
 */
export function changeableOf(fields: FieldsSchema | undefined): FieldsSchema['properties'] {
  const own = Object.entries(writableOf(fields)).map(([name, schema]) => {
    const { default: _, ...others } = schema as { default?: unknown }
    return [name, fields?.required?.includes(name) ? others : orNull(others)]
  })
  return Object.fromEntries(own)
}

/** Next to a type if there is one: OpenAPI 3.0 can't express `null` otherwise. */
export function orNull(schema: object): object {
  const { type, anyOf, const: constant, ...others }: Record<string, unknown> = { ...schema }
  if (Array.isArray(anyOf))
    return { ...schema, anyOf: anyOf.map((each, at) => (at === 0 ? orNull(each) : each)) }
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const values = constant === undefined ? others.enum : [constant]
  return { ...others, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
}
