import { randomUUID } from 'node:crypto'
import { createRedisSessionStore } from '@fastify-accounts/redis'
import { openRedis } from '../databases.js'
import { idOf } from '../people.js'
import { type OpenTables, ofKind, openTables, type SessionKind, session, sessionId } from './engines.js'
import { draws, type Growth, measureGrowth, type Side } from './measure.js'
import { fillUsers } from './users.js'

/** The size of one row where it is stored. */
export interface RowBytes {
  what: 'a session' | 'a session of tokens' | 'a user'
  where: string
  rows: number
  /** The row, or the key. */
  row: number
  /** Its index entries. */
  indexes: number
}

const sessionsAUser = 10

const titles = { cookie: 'a session', token: 'a session of tokens' } as const

/** One table of sessions. */
export interface Rows {
  size: number
  kind: SessionKind
}

/** Two tables on PostgreSQL, filled by the database itself: the calls of the store on each, and the bytes of a row. */
export async function measureSessions(
  both: readonly [Rows, Rows],
  rounds: number,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<{ growth: Growth[]; bytes: RowBytes[] }> {
  const opened: OpenTables[] = []
  try {
    const sides: Side[][] = []
    const bytes: RowBytes[] = []
    for (const rows of both) {
      const tables = await openTables('postgres')
      opened.push(tables)
      await insertSessions(rows, tables, signal, say)
      sides.push(callsOf(tables, rows) as Side[])
      bytes.push(await bytesOf('sessions', titles[rows.kind], tables, rows.size))
    }
    const [smaller = [], larger = []] = sides
    const growth: Growth[] = []
    for (const [at, side] of smaller.entries()) {
      say(`sessions: ${side.name}`)
      growth.push(await measureGrowth(side, larger[at] as Side, rounds, signal))
    }
    return { growth, bytes }
  } finally {
    for (const { close } of opened) await close()
  }
}

/** Indexes are built after the rows, as is usual when filling a table of that size. */
async function insertSessions(
  { size, kind }: Rows,
  { query, settle }: OpenTables,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const constraints = await query(`SELECT conname AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE conrelid = 'accounts_sessions'::regclass AND contype IN ('p', 'u')`)
  for (const { name } of constraints) await query(`ALTER TABLE accounts_sessions DROP CONSTRAINT ${name}`)
  const { name, generation, details, methods } = ofKind(kind, session(0, ''))
  const now = Date.now()
  const portion = 1_000_000
  for (let from = 0; from < size; from += portion) {
    signal.throwIfAborted()
    say(`sessions: ${from} of ${size}`)
    // The ids are those of `sessionId`, so each can be looked up.
    await query(`INSERT INTO accounts_sessions (id, user_id, epoch, created_at, last_seen_at, expires_at, details,
        methods, confirmed_at, kind, name, generation, seen_generation, base_generation)
      SELECT rtrim(translate(encode(sha256(convert_to('session' || n, 'UTF8')), 'base64'), '+/', '-_'), '='),
        md5((n % ${size / sessionsAUser})::text)::uuid::text, 0, ${now} - n, ${now} - n, ${now + 86_400_000} + n,
        '${JSON.stringify(details)}', '${JSON.stringify(methods)}', ${now} - n, '${kind}',
        ${name === null ? 'NULL' : `'${name}'`}, ${generation}, ${generation}, ${generation}
      FROM generate_series(${from}, ${Math.min(size, from + portion) - 1}) AS n`)
  }
  for (const { name, definition } of constraints) {
    say(`sessions: ${definition}`)
    await query(`ALTER TABLE accounts_sessions ADD CONSTRAINT ${name} ${definition}`)
  }
  await settle()
}

function callsOf({ sessionStore }: OpenTables, { size, kind }: Rows) {
  const state = ofKind(kind, session(0, ''))
  const draw = draws(size)
  let count = 0
  return [
    { name: 'find', input: () => sessionId(draw()), work: (id: string) => sessionStore.find(id) },
    {
      name: 'create',
      input: () => ofKind(kind, session(count++, idOf(draw()), randomUUID())),
      work: async (each: ReturnType<typeof session>) => (await sessionStore.create(each)) ?? true,
    },
    {
      name: 'change, as a refresh does',
      input: () => sessionId(draw()),
      work: async (id: string) => sessionStore.change(id, state, { lastSeenAt: new Date() }),
    },
    {
      name: 'remove expired, where there is none',
      input: () => undefined,
      work: async () => (await sessionStore.deleteExpired(new Date())) === 0,
    },
  ]
}

async function bytesOf(
  table: string,
  what: RowBytes['what'],
  { query }: OpenTables,
  rows: number,
): Promise<RowBytes> {
  const [sizes] = await query(`SELECT pg_table_size('accounts_${table}') AS row,
    pg_indexes_size('accounts_${table}') AS indexes`)
  const [row, indexes] = [Number(sizes?.row) / rows, Number(sizes?.indexes) / rows]
  return { what, where: 'PostgreSQL', rows, row, indexes }
}

export async function bytesOfUsers(rows: number): Promise<RowBytes> {
  const tables = await openTables('postgres')
  try {
    await fillUsers(tables, rows)
    return await bytesOf('users', 'a user', tables, rows)
  } finally {
    await tables.close()
  }
}

/** Redis reports the size of each key. */
export async function bytesInRedis(rows: number, kind: SessionKind): Promise<RowBytes> {
  const redis = await openRedis()
  const prefix = `{accounts-benchmark-${randomUUID()}}:`
  const store = createRedisSessionStore({ redis, prefix })
  let [row, indexes] = [0, 0]
  try {
    for (let at = 0; at < rows; at++) {
      await store.create(ofKind(kind, session(at, idOf(Math.floor(at / sessionsAUser)))))
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
  return { what: titles[kind], where: 'Redis', rows, row: row / rows, indexes: indexes / rows }
}
