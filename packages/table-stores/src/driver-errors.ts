/** Codes that drivers and ORMs put on errors, or on what caused them. */
const uniqueViolations = new Set<unknown>([
  '23505', // PostgreSQL
  'ER_DUP_ENTRY', // MySQL, MariaDB
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  1555, // SQLITE_CONSTRAINT_PRIMARYKEY of node:sqlite
  2067, // SQLITE_CONSTRAINT_UNIQUE of node:sqlite
  'P2002', // Prisma
])

const momentary = new Set<unknown>([
  '40001', // PostgreSQL serialization_failure
  '40P01', // PostgreSQL deadlock_detected
  '55P03', // PostgreSQL lock_not_available
  'ER_LOCK_DEADLOCK', // MySQL, MariaDB
  'ER_LOCK_WAIT_TIMEOUT', // MySQL, MariaDB
  'ER_CHECKREAD', // MariaDB, with innodb_snapshot_isolation
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_BUSY_RECOVERY',
  'SQLITE_LOCKED',
  'SQLITE_LOCKED_SHAREDCACHE',
  5, // SQLITE_BUSY of node:sqlite
  6, // SQLITE_LOCKED of node:sqlite
  'P2034', // Prisma
])

/** What the author of a table may know better. */
interface Author {
  isUniqueViolation?: ((error: unknown) => boolean) | undefined
  isRetryable?: ((error: unknown) => boolean) | undefined
}

/** Whether a unique index refused the row. */
export function violatesUnique(table: Author, error: unknown): boolean {
  return table.isUniqueViolation?.(error) ?? codesOf(error).some((code) => uniqueViolations.has(code))
}

/** Whether the database rolled back because of another transaction, so another attempt may succeed. */
export function isMomentary(table: Author, error: unknown): boolean {
  return table.isRetryable?.(error) ?? codesOf(error).some((code) => momentary.has(code))
}

/** Of the error and its causes, since ORMs wrap what drivers throw. */
function codesOf(error: unknown): unknown[] {
  const codes: unknown[] = []
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++)
    codes.push(Reflect.get(each, 'code'), Reflect.get(each, 'extendedCode'), Reflect.get(each, 'errcode'))
  return codes
}
