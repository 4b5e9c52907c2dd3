import { randomUUID } from 'node:crypto'
import { createKyselySessionStore, migrate, postgresDialect } from '@fastify-accounts/kysely'
import { createRedisSessionStore } from '@fastify-accounts/redis'
import type { Session, SessionStore } from 'fastify-accounts'
import { Redis } from 'ioredis'
import { Kysely } from 'kysely'
import pg from 'pg'
import { type Bounds, type Measured, measure, type Side } from '../measure.js'
import { createPostgresDatabase } from '../postgres-database.js'
import { openPostgres } from '../stores/engines/postgres.js'
import { draws, idOf, session, sessionId } from '../stores/people.js'

export interface SessionGrowth extends Measured {
  operation: string
  small: number
  size: number
}

/** The size of one row where it is stored. */
export interface RowBytes {
  what: 'session' | 'user'
  where: string
  rows: number
  /** The row, or the key. */
  row: number
  /** Its index entries. */
  indexes: number
}

export interface Sessions {
  growth: SessionGrowth[]
  bytes: RowBytes[]
}

const sessionsAUser = 10
const redisUrl = process.env.ACCOUNTS_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
const details = { browser: 'Firefox', system: 'Linux', ip: '192.0.2.0/24', isPersistent: true }

interface Rows {
  size: number
  store: SessionStore
  query(text: string): Promise<Record<string, string>[]>
  drop(): Promise<void>
}

/** This many sessions as rows on PostgreSQL, created by the database itself, and a sample on Redis. */
export async function measureSessions(
  sizes: readonly number[],
  bounds: Bounds,
  say: (line: string) => void,
): Promise<Sessions> {
  const tables: Rows[] = []
  try {
    for (const size of sizes) {
      say(`sessions: making ${size} rows`)
      tables.push(await fill(size, bounds.signal, say))
    }
    const bytes: RowBytes[] = [await userBytes()]
    for (const table of tables) bytes.push(await bytesOf('session', table))
    bytes.push(await bytesInRedis())
    const growth: SessionGrowth[] = []
    const [small, ...larger] = tables
    for (const table of larger) {
      for (const [at, { operation, side }] of sidesOf(table).entries()) {
        say(`sessions, ${table.size}: ${operation}`)
        const measured = await measure(side, small && sidesOf(small)[at]?.side, bounds)
        growth.push({ operation, small: small?.size ?? 0, size: table.size, ...measured })
      }
    }
    return { growth, bytes }
  } finally {
    for (const { drop } of tables) await drop()
  }
}

/** @throws the reason of the signal if it ends the work; what was created is removed by then too */
async function fill(size: number, signal: AbortSignal, say: (line: string) => void): Promise<Rows> {
  const database = await createPostgresDatabase()
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  // Filling the table takes longer than any call of a store may.
  const db = new Kysely<unknown>({ dialect: postgresDialect(pool, { statementTimeout: false }) })
  const drop = async () => {
    await db.destroy()
    await database.drop()
  }
  const query = async (text: string) => (await pool.query<Record<string, string>>(text)).rows
  try {
    await migrate(db)
    await insertSessions(size, query, signal, say)
  } catch (error) {
    await drop()
    throw error
  }
  return { size, store: createKyselySessionStore({ db }), query, drop }
}

/** Indexes are built after the rows, as is usual when filling a table of that size. */
async function insertSessions(
  size: number,
  query: Rows['query'],
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const constraints = await query(`SELECT conname AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE conrelid = 'accounts_sessions'::regclass AND contype IN ('p', 'u')`)
  await query("SET maintenance_work_mem = '512MB'")
  for (const { name } of constraints) await query(`ALTER TABLE accounts_sessions DROP CONSTRAINT ${name}`)
  const now = Date.now()
  const portion = 1_000_000
  for (let from = 0; from < size; from += portion) {
    signal.throwIfAborted()
    say(`sessions: ${from} of ${size}`)
    // The ids are those of `sessionId`, so each can be looked up.
    await query(`INSERT INTO accounts_sessions (id, user_id, epoch, created_at, last_seen_at, expires_at, details)
      SELECT rtrim(translate(encode(sha256(convert_to('session' || n, 'UTF8')), 'base64'), '+/', '-_'), '='),
        md5((n % ${size / sessionsAUser})::text)::uuid::text, 0, ${now} - n, ${now} - n, ${now + 86_400_000} + n,
        '${JSON.stringify(details)}'
      FROM generate_series(${from}, ${Math.min(size, from + portion) - 1}) AS n`)
  }
  for (const { name, definition } of constraints) {
    say(`sessions: ${definition}`)
    await query(`ALTER TABLE accounts_sessions ADD CONSTRAINT ${name} ${definition}`)
  }
  await query('VACUUM ANALYZE accounts_sessions')
  await query('CHECKPOINT')
}

function sidesOf({ store, size }: Rows): { operation: string; side: Side }[] {
  const draw = draws(size)
  let made = 0
  const one = (): Session => ({ ...session(made++, idOf(draw()), randomUUID()), details })
  const side = (work: (input: never) => unknown, input: () => unknown): Side => ({
    prepare(calls) {
      const inputs = Array.from({ length: calls }, input)
      return (turn) => work(inputs[turn] as never)
    },
  })
  return [
    {
      operation: 'find',
      side: side(
        (id: string) => store.find(id),
        () => sessionId(draw()),
      ),
    },
    {
      operation: 'create',
      side: side(async (each: Session) => (await store.create(each)) ?? true, one),
    },
    {
      operation: 'remove expired, where there is none',
      side: side(
        async () => (await store.deleteExpired(new Date())) === 0,
        () => undefined,
      ),
    },
  ]
}

async function bytesOf(
  what: RowBytes['what'],
  { size, query }: Pick<Rows, 'size' | 'query'>,
): Promise<RowBytes> {
  const [sizes] = await query(`SELECT pg_table_size('accounts_${what}s') AS row,
    pg_indexes_size('accounts_${what}s') AS indexes`)
  const [row, indexes] = [Number(sizes?.row) / size, Number(sizes?.indexes) / size]
  return { what, where: 'PostgreSQL', rows: size, row, indexes }
}

async function userBytes(): Promise<RowBytes> {
  const engine = await openPostgres()
  const size = 100_000
  try {
    for (let from = 0; from < size; from += 5000) await engine.users?.load(from, from + 5000)
    await engine.settle()
    return await bytesOf('user', { size, query: engine.query })
  } finally {
    await engine.drop()
  }
}

/** Redis reports the size of each key. */
async function bytesInRedis(): Promise<RowBytes> {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => {}) // the command under way rejects with the same error
  const prefix = `{accounts-benchmark-${randomUUID()}}:`
  const store = createRedisSessionStore({ redis, prefix })
  const sessions = 2000
  let [row, indexes] = [0, 0]
  try {
    await redis.connect()
    for (let at = 0; at < sessions; at++) {
      await store.create({ ...session(at, idOf(Math.floor(at / sessionsAUser))), details })
    }
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1000 })) {
      for (const key of keys as string[]) {
        const bytes = Number(await redis.memory('USAGE', key, 'SAMPLES', 0))
        if ((await redis.type(key)) === 'zset') indexes += bytes
        else row += bytes
        await redis.unlink(key)
      }
    }
  } finally {
    redis.disconnect()
  }
  return { what: 'session', where: 'Redis', rows: sessions, row: row / sessions, indexes: indexes / sessions }
}
