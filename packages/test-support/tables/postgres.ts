import pg from 'pg'
import { schemaOf } from './schema.js'
import type { Connection, Sql } from './sql-tables.js'

export const postgresSchema = schemaOf({
  id: 'TEXT COLLATE "C"',
  key: 'TEXT COLLATE "C"',
  text: 'TEXT',
  flag: 'BOOLEAN',
  time: 'TIMESTAMPTZ(3)',
})

export function openPostgres(url: string, max = 10): Sql {
  const pool = new pg.Pool({ connectionString: url, max })
  // The next call gets another connection.
  pool.on('error', () => {})
  // A statement that is under way rejects as well.
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    ...connectionOn(pool),
    async transaction(run) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query('BEGIN')
        const result = await run(connectionOn(client))
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK').catch((failed: Error) => {
          broken = failed
        })
        throw error
      } finally {
        client.release(broken)
      }
    },
    async now() {
      const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')
      return rows[0]?.now ?? new Date(Number.NaN)
    },
    close: () => pool.end(),
  }
}

function connectionOn(client: pg.Pool | pg.PoolClient): Connection {
  const query = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => {
    let count = 0
    return client.query<Row>(
      text.replace(/\?/g, () => `$${++count}`),
      [...values],
    )
  }
  return {
    rows: async <Row>(text: string, values: readonly unknown[]) =>
      (await query<Row & pg.QueryResultRow>(text, values)).rows,
    run: async (text, values) => (await query(text, values)).rowCount ?? 0,
  }
}
