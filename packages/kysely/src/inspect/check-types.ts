import type { Kysely } from 'kysely'
import { type Engine, engineOf } from '../base/engine.js'
import { SchemaError } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import type { FieldColumn } from '../columns/field-columns.js'
import { columnName, type Names } from '../columns/names.js'
import { inspectMode } from './inspect-mode.js'
import { type LiveTable, liveTable } from './live-tables.js'
import { expectedTypes, fits } from './live-types.js'

const texts =
  /^(?:(?:national )?(?:character|char|varchar)|n?(?:char|varchar)|(?:tiny|medium|long)?text|citext|clob)/
const numbers = /^(?:(?:tiny|small|medium|big)?int|numeric|decimal|real|double|float|bigint)/

/**
 * Whether the columns that `columns` says something about are of these types. Asks nothing if it doesn't.
 * @param hasFields whether the columns of the host's fields should be there
 * @throws SchemaError of one line that names the option
 */
export async function checkTypes(db: Kysely<Tables>, names: Names, hasFields: boolean): Promise<void> {
  const engine = engineOf(db)
  for (const table of ['users', 'identities', 'sessions'] as const) {
    const typed = Object.entries(names.columns[table].forms)
    const fields = table === 'users' ? names.fields : []
    if (typed.length === 0 && fields.length === 0) continue
    const live = await liveTable(db, engine, names.tables[table])
    if (live === null) continue
    for (const [column, form] of typed) {
      const isField = fields.some((field) => field.column === column)
      const name = columnName(names, table, column)
      const type = typeOf(live, name)
      if (isField || form === undefined || type === undefined || fits[engine][form.holds](type)) continue
      const expected = expectedTypes[engine][form.holds]
      throw new SchemaError(
        `columns.${table}.${column}.as is ${form.as}, but ${name} of ${names.tables[table]} is ${type}, not ${expected}`,
      )
    }
    const [fault] = hasFields && table === 'users' ? fieldFaults(names, live, engine) : []
    if (fault !== undefined) throw new SchemaError(fault)
  }
}

/** What is wrong with the columns of the host's fields, one line each. Asks nothing if there are none. */
export async function inspectFields(db: Kysely<Tables>, names: Names): Promise<string[]> {
  if (names.fields.length === 0) return []
  const live = await liveTable(db, engineOf(db), names.tables.users)
  return live === null ? [] : [...fieldFaults(names, live, engineOf(db)), ...(await inspectMode(db))]
}

function fieldFaults({ fields, tables: { users } }: Names, live: LiveTable, engine: Engine): string[] {
  return fields.flatMap((column) => {
    const { field, name, as } = column
    const type = typeOf(live, name)
    if (type === undefined) return [`columns.fields.${field}: the table ${users} has no column ${name}`]
    if (holds(column, type, engine)) return []
    return [`columns.fields.${field} holds ${as ?? 'texts'}, but ${name} of ${users} is ${type}`]
  })
}

function holds({ as, form }: FieldColumn, type: string, engine: Engine): boolean {
  if (form !== undefined) return fits[engine][form.holds](type)
  if (as === 'number') return numbers.test(type)
  // Any column of SQLite holds texts.
  return engine === 'sqlite' || texts.test(type)
}

function typeOf({ columns }: LiveTable, name: string): string | undefined {
  return columns.find((column) => column.name.toLowerCase() === name.toLowerCase())?.type
}
