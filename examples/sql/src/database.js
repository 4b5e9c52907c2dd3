import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import Database from 'better-sqlite3'

export function openDatabase(file) {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600)) // readable by its owner only
  const [writer, reader] = [open(file), open(file)]
  writer.exec(readFileSync(new URL('schema.sql', import.meta.url), 'utf8'))
  let last = Promise.resolve()

  /** One after the other, since SQLite has one writer. */
  function transaction(run) {
    const next = last.then(async () => {
      writer.exec('BEGIN IMMEDIATE')
      try {
        const result = await run(connection(writer))
        writer.exec('COMMIT')
        return result
      } catch (error) {
        if (writer.inTransaction) writer.exec('ROLLBACK')
        throw error
      }
    })
    last = next.catch(() => undefined)
    return next
  }
  function close() {
    writer.close()
    reader.close()
  }
  return { ...connection(reader), transaction, close }
}

function open(file) {
  const sqlite = new Database(file, { timeout: 100 })
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL') // or a power failure undoes the latest commits
  sqlite.pragma('foreign_keys = ON')
  return sqlite
}

const connection = (sqlite) => ({
  rows: async (sql, ...values) => sqlite.prepare(sql).all(...values.map(stored)),
  run: async (sql, ...values) => sqlite.prepare(sql).run(...values.map(stored)).changes,
})

function stored(value) {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'boolean' ? Number(value) : value
}
