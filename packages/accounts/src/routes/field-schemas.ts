import type { TObject, TProperties } from '@sinclair/typebox'
import type { ResolvedOptions } from '../options/resolve.js'
import type { FieldsSchema } from '../user.js'

/** Whether accounts have usernames. */
export type Names = ResolvedOptions['names']

/** Adds optional properties: a user created before a field was declared doesn't have it. */
export function withOptional(schema: TObject, properties: FieldsSchema['properties']): TObject {
  return { ...schema, properties: { ...schema.properties, ...(properties as TProperties) } }
}

/** Fastify accepts any JSON Schema. */
export function propertiesOf(fields: FieldsSchema | undefined): FieldsSchema['properties'] {
  return fields?.properties ?? {}
}
