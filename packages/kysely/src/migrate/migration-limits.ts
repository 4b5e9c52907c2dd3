import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../base/engine.js'
import type { Tables } from '../base/schema.js'

/**
 * Seconds that a migration waits for a lock at a time. A statement that waits to alter a table blocks everyone who
 * uses that table after it.
 */
const lockTimeout = 3

/** Runs on one connection that limits how long it waits for a lock, but not how long a statement takes. */
export function withMigrationLimits<T>(
  db: Kysely<Tables>,
  engine: Exclude<Engine, 'sqlite'>,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const locks = `${lockTimeout}${engine === 'postgres' ? 's' : ''}`
  return db
    .connection()
    .execute((connection) => withSettings(connection, engine, { locks, time: '0' }, () => work(connection)))
}

/** Runs with other settings of the connection, and restores them. */
export async function withSettings<T>(
  connection: Kysely<Tables>,
  engine: Exclude<Engine, 'sqlite'>,
  settings: Partial<Values>,
  work: () => Promise<T>,
): Promise<T> {
  const { read, write } = limits[engine]
  const [before = { locks: '0', time: '0' }] = (await read.execute(connection)).rows
  await write({ ...before, ...settings }).execute(connection)
  try {
    return await work()
  } finally {
    // The connection goes back into the pool. If this fails, it is broken, and the first error is the one to report.
    await write(before)
      .execute(connection)
      .catch(() => undefined)
  }
}

/** As the engine writes them: how long to wait for a lock, and how long a statement may take. */
interface Values {
  locks: string
  time: string
}

const limits: Record<
  Exclude<Engine, 'sqlite'>,
  { read: RawBuilder<Values>; write(values: Values): RawBuilder<unknown> }
> = {
  postgres: {
    read: sql`select current_setting('lock_timeout') as locks, current_setting('statement_timeout') as time`,
    write: ({ locks, time }) =>
      sql`select set_config('lock_timeout', ${locks}, false), set_config('statement_timeout', ${time}, false)`,
  },
  // Only MariaDB limits statements other than SELECT. Only MariaDB reads comments that begin with M!.
  mysql: {
    read: sql`select @@session.lock_wait_timeout as locks /*M!100101 , @@session.max_statement_time as time */`,
    write: ({ locks, time }) =>
      sql`set session lock_wait_timeout = ${sql.raw(String(Number(locks)))} ${sql.raw(`/*M!100101 , max_statement_time = ${Number(time)} */`)}`,
  },
}
