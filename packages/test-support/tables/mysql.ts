import { createPool, type PoolConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise'
import { schemaOf } from './schema.js'
import type { Connection, Sql } from './sql-tables.js'

export const mysqlSchema = schemaOf({
  id: 'VARBINARY(255)',
  key: 'VARBINARY(1024)',
  text: 'LONGTEXT',
  flag: 'BOOLEAN',
  time: 'DATETIME(3)',
  end: 'ENGINE InnoDB CHARSET utf8mb4 COLLATE utf8mb4_bin',
}).map((text) => text.replaceAll('"', '`'))

export function openMysql(url: string, connectionLimit = 10): Sql {
  const pool = createPool({ uri: url, connectionLimit, timezone: 'Z' })
  const own = connectionOn(pool)
  return {
    ...own,
    async transaction(run) {
      const connection = await pool.getConnection()
      try {
        await connection.beginTransaction()
        const result = await run(connectionOn(connection))
        await connection.commit()
        connection.release()
        return result
      } catch (error) {
        await connection.rollback().then(
          () => connection.release(),
          () => connection.destroy(),
        )
        throw error
      }
    },
    now: async () =>
      (await own.rows<{ now: Date }>('SELECT utc_timestamp(3) AS now', []))[0]?.now ?? new Date(Number.NaN),
    close: () => pool.end(),
  }
}

function connectionOn(client: Pick<PoolConnection, 'query'>): Connection {
  const query = async <Result extends RowDataPacket[] | ResultSetHeader>(
    text: string,
    values: readonly unknown[],
  ) => (await client.query<Result>(text.replaceAll('"', '`'), [...values]))[0]
  return {
    rows: <Row>(text: string, values: readonly unknown[]) => query<(Row & RowDataPacket)[]>(text, values),
    run: async (text, values) => (await query<ResultSetHeader>(text, values)).affectedRows,
  }
}
