import type { ColumnDescription, IndexDescription, TableDescription } from 'fastify-accounts'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { type Engine, engineOf } from '../base/engine.js'
import type { UsersTable } from '../base/schema.js'
import { type Naming, resolveNames } from '../columns/names.js'
import { tablesOf } from '../inspect/describe-tables.js'
import { inspectMode } from '../inspect/inspect-mode.js'
import { hasIndex } from '../inspect/inspect-tables.js'
import { type LiveColumn, type LiveTable, liveTable } from '../inspect/live-tables.js'
import { expectedTypes, fits } from '../inspect/live-types.js'
import { type Adopted, adoptedColumns } from './adopted-columns.js'
import { columnsOf } from './adopted-names.js'
import { columnChoices } from './column-choices.js'
import { datedFlagStatements } from './dated-flags.js'
import { describeConflicts, type Keyless } from './key-conflicts.js'
import { sampledColumns } from './sampled-columns.js'
import { columnObstacles, shortColumns } from './survey-columns.js'
import {
  countsIn,
  hashObstacles,
  type NullColumn,
  nullsOf,
  type TimeColumn,
  timesOf,
  unfilledIn,
  uuidObstacles,
} from './survey-rows.js'
import { referencesTo, triggersOn } from './table-relations.js'
import { type UnreadLock, unreadLocks, verifiedCandidates } from './unread-columns.js'

/** What makes an existing table ours. */
export interface UsersSurvey {
  engine: Engine
  /** The options for `migrate` and the stores. */
  naming: Required<Pick<Naming, 'tables' | 'columns'>>
  /** The table as it has to be. */
  table: TableDescription
  /** Columns of ours that may be one of the table's: somebody has to say which, or that they are new. One line each. */
  undecided: string[]
  /** Columns to add, each nullable or with a default, and indexes. */
  missing: { columns: ColumnDescription[]; indexes: IndexDescription[] }
  /** Columns to change: times with another precision. */
  times: TimeColumn[]
  /** Columns to change: too short, or NOT NULL, which the address of an account without one isn't. */
  loosened: { name: string; type: string; isNullable: boolean }[]
  /** What keeps it from being ours until those are changed. */
  mended: string[]
  /** NULL in columns in which it would be taken for something else, by their names. */
  nulls: NullColumn[]
  /** Statements that set flags by columns of times. */
  dates: string[]
  /** Foreign keys that point at it, and go on working. */
  references: string[]
  /** Users without the keys that they are found by. */
  unfilled: number
  /** Users who get no keys, by cause. */
  keyless: Keyless['counts'] & { total: number }
  /** How many users there are, and how many of them are not active, or would not be if an undecided column says so. */
  users: number
  inactive: number
  /** How many are not verified, and which columns may say who is, if none is read. */
  unverified: number
  mayVerify: string[]
  /** Why it can't be ours, or which users can't log in. */
  obstacles: string[]
  /** Columns that may lock users out, and that nothing of ours reads. */
  locks: UnreadLock[]
}

/** Defaults of columns that are added, so rows that exist have a value. */
const defaults: Partial<Record<keyof UsersTable, string | number>> = {
  kind: 'person',
  // Their app made them, so what they hold is no stranger's.
  origin: 'host',
  username: '',
  password_hash: '!',
  is_verified: 0,
  is_staff: 0,
  is_active: 1,
  created_at: 0,
  session_epoch: 0,
  reset_epoch: 0,
  verify_epoch: 0,
  version: 1,
  fields: '{}',
}

/**
 * Looks at an existing table of users, and changes nothing.
 * @param choices which columns are ours, by our names: `{ username: 'login', is_active: 'not:locked', email: 'none' }`, where
 * `none` is a new one
 * @throws TypeError of one line if there is no such table or column
 */
export async function surveyUsers(
  host: Database,
  table: string,
  choices: Partial<Record<string, string>> = {},
): Promise<UsersSurvey> {
  const engine = engineOf(host)
  const db = accountsDb(host)
  // Checks the name before it is in any query.
  resolveNames({ tables: { users: table } }, engine)
  const live = await liveTable(db, engine, table)
  if (live === null) throw new TypeError(`the database has no table ${table}`)
  const chosen = columnChoices(live.columns, choices)
  const held = await sampledColumns(db, { table, columns: live.columns, engine })
  const found = adoptedColumns(live.columns, engine, chosen, held)
  const { adopted, undecided } = found
  const naming = { tables: { users: table }, columns: columnsOf(adopted, live.columns) }
  const names = resolveNames(naming, engine)
  const [described] = tablesOf(names, ['users'])
  if (described === undefined) throw new TypeError('no table is described')
  const has = (name: string) => live.columns.some((column) => column.name === name)
  const columnsByName = new Map(
    Object.entries(names.columns.users.names).map(([column, name]) => [name, column]),
  )
  const candidates = [...undecided.values()].flatMap((each) => each.candidates)
  const lock = live.columns.find(
    ({ name, type }) =>
      undecided.get('is_active')?.candidates.includes(name) &&
      (fits[engine].flag(type) || fits[engine].boolean(type)),
  )
  const read: Adopted =
    lock === undefined ? adopted : { is_active: { live: lock, as: 'not boolean' }, ...adopted }
  const isUndecided = (name: string) => undecided.has(columnsByName.get(name) as keyof UsersTable)
  const columns = described.columns
    .filter(({ name }) => !has(name) && !isUndecided(name))
    .map((column) => addable(column, columnsByName))
  // PostgreSQL gives a constraint of the app's on `email` the name that ours on `email_key` would have.
  const named = described.indexes.map((index) =>
    index.isUnique ? { ...index, name: `${index.name}_u` } : index,
  )
  const rows = { db, table, adopted }
  const keyless = await describeConflicts(db, {
    table,
    id: adopted.id?.live.name,
    username: adopted.username?.live.name,
    email: adopted.email?.live.name,
    nameKey: adopted.username_key?.live.name,
    emailKey: adopted.email_key?.live.name,
  })
  const required = live.columns.filter(
    ({ name, isNullable }) =>
      !isNullable && described.columns.some((column) => column.name === name && column.isNullable),
  )
  const loosened = loosenedOf(adopted, live, engine, required)
  const isMended = ([name]: [string, string]) => loosened.some((column) => column.name === name)
  const short = [...shortColumns(adopted, engine)]
  return {
    engine,
    naming,
    table: described,
    undecided: [...undecided.values()].map(({ question }) => question),
    missing: {
      columns,
      indexes: named.filter((index) => !hasIndex(live, index) && !index.columns.some(isUndecided)),
    },
    times: await timesOf(rows, engine),
    loosened,
    mended: short.filter(isMended).map(([, line]) => line),
    nulls: await nullsOf(rows),
    dates: await datedFlagStatements(rows, found.dates, engine, (column) => {
      const name = names.columns.users.names[column] ?? column
      return { name, isThere: has(name) }
    }),
    references: await referencesTo(db, engine, table),
    unfilled: await unfilledIn(rows),
    keyless: { ...keyless.counts, total: keyless.total },
    ...(await countsIn({ ...rows, adopted: read }, found.dates, engine)),
    mayVerify: verifiedCandidates(live.columns, found, engine),
    obstacles: [
      ...short.filter((column) => !isMended(column)).map(([, line]) => line),
      ...columnObstacles({ adopted, live, described, undecided: candidates }, engine),
      ...(await uuidObstacles(rows, engine)),
      // SQLite can't change it.
      ...(engine === 'sqlite' ? required : []).map(
        ({ name }) => `${name} is NOT NULL: accounts without it, such as service accounts, are refused`,
      ),
      ...(await inspectMode(db)),
      ...(await triggersOn(db, engine, table)).map(
        (name) => `the trigger ${name} also runs on our statements: none may change a column of ours`,
      ),
      ...(await hashObstacles(rows)),
      ...keyless.lines,
    ],
    locks: unreadLocks(live.columns, found, engine).filter(({ name }) => !candidates.includes(name)),
  }
}

function addable(column: ColumnDescription, columnsByName: ReadonlyMap<string, string>): ColumnDescription {
  const value = defaults[columnsByName.get(column.name) as keyof UsersTable]
  return value === undefined ? { ...column, isNullable: true } : { ...column, default: value }
}

function loosenedOf(
  adopted: Adopted,
  { columns, indexes }: LiveTable,
  engine: Engine,
  required: readonly LiveColumn[],
): UsersSurvey['loosened'] {
  if (engine === 'sqlite') return []
  // An index of MySQL has no room for longer ones.
  const isIndexed = (name: string) =>
    engine === 'mysql' &&
    indexes.some((index) => index.columns.some((each) => each === null || each === name))
  const texts = [adopted.username, adopted.email, adopted.password_hash].map((column) => column?.live.name)
  return columns.flatMap((column) => {
    const { name, type, isNullable } = column
    const isShort =
      texts.includes(name) && /char.*\(/.test(type) && !fits[engine].text(type) && !isIndexed(name)
    const isRequired = required.includes(column)
    if (!isShort && !isRequired) return []
    return [{ name, type: isShort ? expectedTypes.mysql.text : type, isNullable: isNullable || isRequired }]
  })
}
