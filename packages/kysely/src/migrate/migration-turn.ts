import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from 'fastify-accounts'
import { type Kysely, sql } from 'kysely'
import type { Engine } from '../base/engine.js'
import type { Tables } from '../base/schema.js'
import type { Names } from '../columns/names.js'

/** Milliseconds between two attempts to get one's turn, and after which a process gives up. */
const pause = 200
const patience = 3_600_000

/** Runs while no other process migrates these tables. On MySQL, Kysely's migrator sees to it. */
export function inTurn<T>(
  db: Kysely<Tables>,
  engine: Engine,
  names: Names,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  if (engine === 'mysql') return work(db)
  return engine === 'sqlite' ? inWriteTransaction(db, work) : withAdvisoryLock(db, names, work)
}

/**
 * Asks again and again instead of waiting in the server: building an index concurrently waits for all queries that began
 * before, so a query that waits for the lock and the build would wait for each other.
 */
async function withAdvisoryLock<T>(
  db: Kysely<Tables>,
  { tables }: Names,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const key = sql`hashtextextended(${tables.migrations}, 0)`
  const end = performance.now() + patience
  for (;;) {
    const { rows } = await sql<{ ours: boolean }>`select pg_try_advisory_lock(${key}) as ours`.execute(db)
    if (rows[0]?.ours) break
    if (performance.now() > end) throw new UnavailableError('another process is still migrating')
    await sleep(pause)
  }
  try {
    return await work(db)
  } finally {
    // If this fails, the connection is broken, which frees the lock; the first error is the one to report.
    await sql`select pg_advisory_unlock(${key})`.execute(db).catch(() => undefined)
  }
}

async function inWriteTransaction<T>(
  db: Kysely<Tables>,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection)
    try {
      const result = await work(connection)
      await sql`commit`.execute(connection)
      return result
    } catch (error) {
      // SQLite rolls a transaction back by itself after some errors; the first error is the one to report.
      await sql`rollback`.execute(connection).catch(() => undefined)
      throw error
    }
  })
}
