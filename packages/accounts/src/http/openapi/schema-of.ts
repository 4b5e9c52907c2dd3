import type { Static, TSchema } from '@sinclair/typebox'

/** `never` unless the schema describes exactly a `T`. */
export type SchemaOf<T, Schema extends TSchema> =
  (<U>() => U extends Static<Schema> ? 1 : 2) extends <U>() => U extends T ? 1 : 2 ? Schema : never
