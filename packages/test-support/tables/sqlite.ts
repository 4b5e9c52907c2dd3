import { openSqlite, type SqliteDriver } from '../databases.js'
import { schemaOf } from './schema.js'
import type { Connection, Sql } from './sql-tables.js'

export const sqliteSchema = schemaOf({
  id: 'TEXT',
  key: 'TEXT',
  text: 'TEXT',
  flag: 'INTEGER',
  time: 'INTEGER',
})

/** Two connections: one for transactions, one after the other, and one for reads, which never see what isn't committed. */
export async function openSqliteTables(driver: SqliteDriver, url: string): Promise<Sql> {
  const [writer, reader] = [await openSqlite(driver, url), await openSqlite(driver, url)]
  for (const handle of [writer, reader]) {
    handle.exec('PRAGMA busy_timeout = 200')
    handle.exec('PRAGMA journal_mode = WAL')
    handle.exec('PRAGMA foreign_keys = ON')
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...connectionOn(reader),
    transaction(run) {
      const next = last.then(async () => {
        writer.exec('BEGIN IMMEDIATE')
        try {
          const result = await run(connectionOn(writer))
          writer.exec('COMMIT')
          return result
        } catch (error) {
          writer.exec('ROLLBACK')
          throw error
        }
      })
      last = next.catch(() => undefined)
      return next
    },
    async close() {
      writer.close()
      reader.close()
    },
  }
}

function connectionOn(handle: Awaited<ReturnType<typeof openSqlite>>): Connection {
  return {
    rows: async <Row>(text: string, values: readonly unknown[]) =>
      handle.prepare(text).all(values.map(stored)) as Row[],
    run: async (text, values) => Number(handle.prepare(text).run(values.map(stored)).changes),
  }
}

function stored(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'boolean' ? Number(value) : value
}
