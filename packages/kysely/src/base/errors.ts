/**
 * The tables found are not those of this version of the package. The message is for the operator; another attempt
 * would find the same tables.
 */
export class SchemaError extends Error {}

/** What a driver's error means for the caller. This file alone knows the engines' codes. */
export type Failure =
  /** A unique index refused the row. */
  | 'duplicate'
  /** The engine rolled back or skipped the statement because of a momentary conflict: another attempt may succeed. */
  | 'contended'
  /** A connection didn't know a prepared statement, which was not run. */
  | 'unprepared'
  /** Another process holds the lock of the SQLite file: nothing was begun, and retrying costs next to nothing. */
  | 'locked'
  /** A rule of the app's own refused the rows: a constraint, a trigger, a type. Nothing was kept. */
  | 'refused'
  /** It is unknown whether the statement was applied, or it never can be. */
  | 'broken'

const duplicate = new Set<unknown>([
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  '23505', // PostgreSQL unique_violation
  'ER_DUP_ENTRY', // MySQL 1062
])

const locked = new Set<unknown>([
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_BUSY_RECOVERY',
  'SQLITE_LOCKED',
  'SQLITE_LOCKED_SHAREDCACHE',
])

const contended = new Set<unknown>([
  '40001', // PostgreSQL serialization_failure
  '40P01', // PostgreSQL deadlock_detected
  '55P03', // PostgreSQL lock_not_available
  'ER_LOCK_DEADLOCK', // MySQL 1213
  'ER_LOCK_WAIT_TIMEOUT', // MySQL 1205
  'ER_CHECKREAD', // MariaDB 1020, with innodb_snapshot_isolation
])

/** Those whose SQLSTATE says nothing. */
const refusals = new Set<unknown>([
  'ER_CHECK_CONSTRAINT_VIOLATED', // MySQL 3819
  'ER_NO_DEFAULT_FOR_FIELD', // MySQL 1364
  'ER_SIGNAL_EXCEPTION', // MySQL 1644
])

/** A pooler used another connection than the one that prepared the statement, which was not run. */
const notPrepared = new Set<unknown>([
  '26000', // PostgreSQL invalid_sql_statement_name
  '42P05', // PostgreSQL duplicate_prepared_statement
])

const unknownTable = new Set<unknown>([
  'SQLITE_ERROR', // also much else; but the query that asks is sound except for its names
  '42P01', // PostgreSQL undefined_table
  'ER_NO_SUCH_TABLE', // MySQL 1146
])

const unknownColumn = new Set<unknown>([
  'SQLITE_ERROR', // also much else; but the query that asks is sound except for its names
  '42703', // PostgreSQL undefined_column
  'ER_BAD_FIELD_ERROR', // MySQL 1054
])

/** Whether PostgreSQL did not run a statement because its name is not prepared, or is prepared for another one. */
export function isNotPrepared(error: unknown): boolean {
  return notPrepared.has(codeOf(error)) || isPlanOutdated(error)
}

/** A column that the statement returns has changed its type ("cached plan must not change result type"). */
function isPlanOutdated(error: unknown): boolean {
  const { routine } = (error ?? {}) as { routine?: unknown }
  return codeOf(error) === '0A000' && routine === 'RevalidateCachedQuery'
}

const readOnly = new Set<unknown>([
  '25006', // PostgreSQL read_only_sql_transaction
  'ER_OPTION_PREVENTS_STATEMENT', // MySQL 1290, with --read-only
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION', // MySQL 1792
  'ER_READ_ONLY_MODE', // MySQL 1836
])

const outOfTime = new Set<unknown>([
  '57014', // PostgreSQL query_canceled
  'ER_STATEMENT_TIMEOUT', // MariaDB 1969
  'ER_QUERY_TIMEOUT', // MySQL 3024
])

/** Whether the server ended a statement that took longer than it may. */
export function saysOutOfTime(error: unknown): boolean {
  return outOfTime.has(codeOf(error))
}

const transactionEnded = new Set<unknown>([
  'SQLITE_ERROR', // also much else; but a savepoint of ours can only fail because it is gone
  '25P01', // PostgreSQL no_active_sql_transaction
  '25P02', // PostgreSQL in_failed_sql_transaction
  '3B001', // PostgreSQL invalid_savepoint_specification
  'ER_SP_DOES_NOT_EXIST', // MySQL 1305
])

/** Whether a savepoint can't be set or ended because the transaction is over, or failed. */
export function saysTransactionEnded(error: unknown): boolean {
  return transactionEnded.has(codeOf(error))
}

/** Whether the connection's server, role or database is read-only, as a standby or replica is. */
export function saysReadOnly(error: unknown): boolean {
  return readOnly.has(codeOf(error))
}

/** Whether PostgreSQL rejected a value that a query compares with, such as a text that is no UUID (class 22). */
export function rejectsValue(error: unknown): boolean {
  return /^22/.test(String(codeOf(error)))
}

export function failureOf(error: unknown): Failure {
  const code = codeOf(error)
  if (duplicate.has(code)) return 'duplicate'
  if (locked.has(code)) return 'locked'
  if (contended.has(code)) return 'contended'
  if (isNotPrepared(error)) return 'unprepared'
  return isRefused(error) ? 'refused' : 'broken'
}

/** By the SQLSTATE, the driver's code, or the part of PostgreSQL that runs RAISE, whose SQLSTATE may be any. */
function isRefused(error: unknown): boolean {
  const code = String(codeOf(error))
  const { sqlState, routine } = (error ?? {}) as { sqlState?: unknown; routine?: unknown }
  return (
    /^SQLITE_CONSTRAINT/.test(code) ||
    /^(?:2200[13]|23\w{3}|44\w{3}|P000[14])$/.test(code) ||
    routine === 'exec_stmt_raise' ||
    /^(?:2200[13]|23\w{3}|45\w{3})$/.test(String(sqlState)) ||
    refusals.has(code)
  )
}

const denied = new Set<unknown>([
  '42501', // PostgreSQL insufficient_privilege
  'ER_TABLEACCESS_DENIED_ERROR', // MySQL 1142
  'ER_COLUMNACCESS_DENIED_ERROR', // MySQL 1143
])

/** Whether the database user may not do what the statement does. */
export function lacksPrivilege(error: unknown): boolean {
  return denied.has(codeOf(error))
}

/** Whether a query that only names columns failed because one of them doesn't exist. */
export function namesUnknownColumn(error: unknown): boolean {
  return unknownColumn.has(codeOf(error))
}

/** Whether a column could not be dropped because it doesn't exist. */
export function saysItIsGone(error: unknown): boolean {
  return codeOf(error) === 'ER_CANT_DROP_FIELD_OR_KEY' || namesUnknownColumn(error)
}

/** Whether a query that only names a table and its columns failed because the table doesn't exist. */
export function namesUnknownTable(error: unknown): boolean {
  return unknownTable.has(codeOf(error))
}

/** Whether a column, or on MySQL an index, could not be added because it already exists. */
export function saysItIsThere(error: unknown): boolean {
  const code = codeOf(error)
  // SQLite uses one code for many errors; only the text differs.
  return (
    code === 'ER_DUP_FIELDNAME' ||
    code === 'ER_DUP_KEYNAME' ||
    (error instanceof Error && /duplicate column name/i.test(error.message))
  )
}

/** node:sqlite uses one code for all errors, with SQLite's own number beside it. */
const sqliteCodes: Partial<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  261: 'SQLITE_BUSY_RECOVERY',
  262: 'SQLITE_LOCKED_SHAREDCACHE',
  517: 'SQLITE_BUSY_SNAPSHOT',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
}

function codeOf(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return undefined
  if (error.code !== 'ERR_SQLITE_ERROR') return error.code
  const number = Number(Reflect.get(error, 'errcode'))
  // The rest of the number says which kind of constraint.
  return sqliteCodes[number] ?? (number % 256 === 19 ? 'SQLITE_CONSTRAINT' : undefined)
}
