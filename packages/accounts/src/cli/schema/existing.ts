import type { TableDescription } from '../../index.js'
import { withDatabase } from '../project.js'
import { type Dialect, dialectOfUrl } from './dialect.js'
import { partOf, type TablePart } from './part.js'

/**
 * Which tables can be printed whole, and our part of the others: an ORM that took ours for the whole of a table that exists
 * would drop the app's columns. Tables of other names or columns are never printed without asking the database.
 * @throws Error of one line
 */
export async function splitExisting(
  cwd: string,
  tables: readonly TableDescription[],
  dialect: Dialect,
): Promise<{ whole: readonly TableDescription[]; parts: readonly TablePart[] }> {
  // Stores on the ORM's own tables are for nobody else's.
  if (tables.some(({ userReference }) => userReference !== undefined)) return { whole: tables, parts: [] }
  if (dialectOfUrl(process.env.DATABASE_URL) !== dialect) {
    const renamed = tables.map(renamedBy).find((option) => option !== null)
    if (renamed === undefined) return { whole: tables, parts: [] }
    throw new Error(
      `${renamed} may name a table that exists: set DATABASE_URL to its ${dialect} database, so its own columns are seen`,
    )
  }
  return withDatabase(cwd, async (kysely, db) => {
    const whole: TableDescription[] = []
    const parts: TablePart[] = []
    for (const table of tables) {
      const live = await kysely.readTable(db, table.name)
      const isOurs = ({ name }: { name: string }) => table.columns.some((column) => column.name === name)
      if (live === null || (renamedBy(table) === null && live.columns.every(isOurs))) whole.push(table)
      else parts.push(complete(partOf(table, live, dialect)))
    }
    return { whole, parts }
  })
}

/** The option that gives the table, or a column of it, another name. */
function renamedBy({ holds, name, columns }: TableDescription): string | null {
  if (name !== `accounts_${inSnakeCase(holds)}`) return `tables.${holds}`
  const isOther = columns.some(({ field, name }) => name !== inSnakeCase(field))
  return isOther ? `columns.${holds}` : null
}

const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Rows that exist have no value for a column without a default. @throws Error of one line */
function complete(part: TablePart): TablePart {
  const { table, missing } = part
  const lacking = missing.columns.find((column) => !column.isNullable && column.default === undefined)
  if (lacking === undefined || table.holds !== 'users') return part
  throw new Error(
    `${table.name} has no column ${lacking.name}: run what adopt users --table ${table.name} prints first`,
  )
}
