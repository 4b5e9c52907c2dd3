import { UsageError } from '../command.js'
import type { SourceRecord } from './csv.js'

/** JSON lines may leave a column out where it is empty, so that the first line alone does not tell. */
const linesToLookAt = 1000

/**
 * The records as they are. None comes out before each of the columns was seen: a name with a slip in it would lose the
 * password hash of everybody.
 * @throws UsageError where none of the first lines has the column
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

/** None of these lines is kept before all of them were read. */
const linesToAsk = 100

/** What other systems call the column of their hashes. */
const passwordColumn = /^(hashed|encrypted|crypted)?_?(password|passwd|pwd|passhash)_?(hash|digest)?$/i

/**
 * The records as they are, of a file that nothing maps a hash from. A column that looks like the hashes would be ignored,
 * and every password lost.
 * @throws UsageError where one of the first lines has such a column, and none that is read
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
