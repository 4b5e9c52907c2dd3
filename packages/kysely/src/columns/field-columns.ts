import { InvalidArgumentError, type JsonValue, RefusedError, type UserFields } from 'fastify-accounts'
import type { Engine } from '../base/engine.js'
import type { UsersTable } from '../base/schema.js'
import { fromText, toFlag, toJson } from '../base/values.js'
import { type ColumnForm, type Form, formOf, isUuid } from './column-forms.js'

/** What a field's column holds; `undefined`: texts. */
type FieldForm = ColumnForm | 'number' | undefined

/**
 * The column of a field of your own: its name, or also what it holds if not texts. A field that a user doesn't have, or that is
 * `null`, is NULL in its column, or the `default`, which a column that is NOT NULL needs.
 */
export type FieldColumnOption =
  | string
  | {
      name: string
      /** `timestamptz` is a text in ISO 8601 in the field. */
      as?: ColumnForm | 'number' | undefined
      default?: string | number | boolean | undefined
    }

/** A field with a column of its own. */
export interface FieldColumn {
  field: string
  /** What queries call the column. It is none of ours, although the type says so: only this file tells them apart. */
  column: keyof UsersTable
  /** In the database. */
  name: string
  as: FieldForm
  form: Form | undefined
  default: string | number | null
}

const kinds = ['boolean', 'not boolean', 'timestamptz', 'uuid', 'number'] as const

/** @throws TypeError of one line that names the option */
export function resolveFieldColumns(list: unknown, engine: Engine): FieldColumn[] {
  if (list === undefined) return []
  if (typeof list !== 'object' || list === null)
    throw new TypeError('columns.fields must be an object of columns')
  const set = Object.entries(list).filter(([, option]) => option !== undefined)
  return set.map(([field, option], at) => {
    const {
      name,
      as,
      default: value,
      ...more
    } = typeof option === 'string' ? { name: option } : Object(option)
    const [unknown] = Object.keys(more)
    if (unknown !== undefined) throw new TypeError(`columns.fields.${field}.${unknown} is not an option`)
    if (as !== undefined && !kinds.includes(as))
      throw new TypeError(`columns.fields.${field}.as must be one of ${kinds.join(', ')}, got ${String(as)}`)
    return {
      field,
      column: `f_${at}` as keyof UsersTable,
      name,
      as,
      form: as === undefined || as === 'number' ? undefined : formOf(engine, as),
      default: value === undefined ? null : defaultOf(field, as, value),
    }
  })
}

function defaultOf(field: string, as: FieldForm, value: JsonValue): string | number {
  try {
    return encode(`columns.fields.${field}.default`, as, value)
  } catch (error) {
    throw new TypeError(error instanceof Error ? error.message : String(error))
  }
}

/**
 * The columns of the fields: those with a column of their own, and all others as JSON.
 * @throws InvalidArgumentError if a value is of another type than its column
 * @throws RefusedError if it is a text that no column holds
 */
export function toFieldColumns(
  fields: UserFields,
  own: readonly FieldColumn[],
): Record<string, string | number | null> {
  const others = { ...fields }
  const row: Record<string, string | number | null> = {}
  for (const { field, column, as, default: empty } of own) {
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined
    row[column] = value === undefined || value === null ? empty : encode(`fields.${field}`, as, value)
    delete others[field]
  }
  return { ...row, fields: toJson('fields', others) }
}

/** The fields of a row, which may have been written before a field got its column. */
export function fromFieldColumns(
  fields: UserFields,
  row: { readonly [column: string]: unknown },
  own: readonly FieldColumn[],
): UserFields {
  for (const { field, column, as } of own) {
    const value = row[column]
    if (value !== null && value !== undefined) fields[field] = decode(as, value)
  }
  return fields
}

function encode(name: string, as: FieldForm, value: JsonValue): string | number {
  if (as === 'boolean' || as === 'not boolean') return toFlag(name, value)
  if (as === 'number') {
    if (typeof value !== 'number') throw new InvalidArgumentError(`${name} must be a number`)
    return value
  }
  if (typeof value !== 'string') throw new InvalidArgumentError(`${name} must be a text`)
  if (as === 'timestamptz') {
    const time = Date.parse(value)
    if (Number.isNaN(time)) throw new InvalidArgumentError(`${name} must be a time in ISO 8601`)
    return time
  }
  if (as === 'uuid' && !isUuid(value)) throw new InvalidArgumentError(`${name} must be a UUID in lower case`)
  // JSON keeps them, but not every engine does.
  if (value.includes('\0') || !value.isWellFormed())
    throw new RefusedError(`${name} contains NUL or an unpaired surrogate`)
  return value
}

function decode(as: FieldForm, value: unknown): JsonValue {
  if (as === 'boolean' || as === 'not boolean') return Number(value) === 1
  if (as === 'number') return Number(value)
  if (as === 'timestamptz') return new Date(Number(value)).toISOString()
  return value instanceof Uint8Array ? fromText(value) : String(value)
}
