import { UsageError } from '../command.js'
import type { SourceRecord } from './csv.js'

/** JSON lines may omit empty columns, so the first line alone isn't enough. */
const linesToLookAt = 1000

/**
 * Passes the records on, but only after every column was seen: a typo in a name would lose everybody's
 * password hash.
 * @throws UsageError if none of the first lines has the column
 */
export async function* withColumns(
  records: AsyncIterable<SourceRecord>,
  columns: readonly string[],
): AsyncGenerator<SourceRecord> {
  const missing = new Set(columns)
  const held: SourceRecord[] = []
  let readable = 0
  for await (const record of records) {
    if (missing.size === 0) {
      yield* held.splice(0)
      yield record
      continue
    }
    held.push(record)
    if (record.values === null) continue
    readable += 1
    for (const name of missing) if (Object.hasOwn(record.values, name)) missing.delete(name)
    if (readable >= linesToLookAt) refuse(missing)
  }
  if (readable > 0) refuse(missing)
  yield* held
}

/** All of these lines are read before any is stored. */
const linesToAsk = 100

/** The names that other systems use for the column of hashes. */
const passwordColumn = /^(hashed|encrypted|crypted)?_?(password|passwd|pwd|passhash)_?(hash|digest)?$/i

/**
 * Passes the records on, for a file without a mapped hash. A column that looks like hashes would be ignored,
 * and every password lost.
 * @throws UsageError if one of the first lines has such a column, and no `passwordHash` came before
 */
export async function* withoutPasswords(records: AsyncIterable<SourceRecord>): AsyncGenerator<SourceRecord> {
  let left = linesToAsk
  for await (const record of records) {
    const names = left > 0 ? Object.keys(record.values ?? {}) : []
    left -= 1
    if (names.some((name) => name === 'passwordHash' || name === 'password_hash')) left = 0
    const ignored = left > 0 ? names.find((name) => passwordColumn.test(name)) : undefined
    if (ignored !== undefined) {
      throw new UsageError(
        `the column ${ignored} would be ignored; did you mean --map passwordHash=${ignored}? --set passwordHash= imports users without a password`,
      )
    }
    yield record
  }
}

function refuse(missing: ReadonlySet<string>): void {
  const [name] = missing
  if (name !== undefined) throw new UsageError(`--map names a column that the file does not have: ${name}`)
}
