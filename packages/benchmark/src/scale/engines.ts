import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  openMysql,
  openPostgres,
  openSqlite,
} from '@fastify-accounts/kysely'
import type { Session } from 'fastify-accounts'
import { type Kysely, sql } from 'kysely'
import { createPool } from 'mysql2'
import { createMysqlDatabase, createPostgresDatabase, openPool, type Tables } from '../databases.js'

/** Where users are stored; what the engine needs to plan its queries well, once the tables are filled. */
export const engines = {
  sqlite: { title: 'SQLite', open: inSqlite, settle: ['ANALYZE', 'PRAGMA wal_checkpoint(TRUNCATE)'] },
  postgres: { title: 'PostgreSQL', open: inPostgres, settle: ['VACUUM ANALYZE', 'CHECKPOINT'] },
  mariadb: {
    title: 'MariaDB',
    open: inMariadb,
    settle: ['ANALYZE TABLE accounts_users, accounts_sessions'],
  },
}
export type EngineName = keyof typeof engines
export const engineNames = Object.keys(engines) as EngineName[]

interface Opened {
  db: Kysely<Tables>
  /** Drops the database, once it is closed. */
  drop(): Promise<void>
}

/** Our tables in a database of their own. */
export async function openTables(name: EngineName) {
  const { db, drop } = await engines[name].open()
  const userStore = createKyselyUserStore({ db })
  const query = async (text: string) => (await sql.raw<Record<string, string>>(text).execute(db)).rows
  const close = async () => {
    await db.destroy()
    await drop()
  }
  try {
    await migrate(db)
  } catch (error) {
    await close()
    throw error
  }
  return {
    db,
    userStore,
    sessionStore: createKyselySessionStore({ db, userStore }),
    query,
    async settle() {
      for (const command of engines[name].settle) await query(command)
    },
    close,
  }
}
export type OpenTables = Awaited<ReturnType<typeof openTables>>

async function inSqlite(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-benchmark-'))
  return { db: openSqlite(join(folder, 'accounts.db')), drop: () => rm(folder, { recursive: true }) }
}

async function inPostgres(): Promise<Opened> {
  const { url, drop } = await createPostgresDatabase()
  // Filling a table and building its indexes takes longer than any call of a store may.
  return { db: openPostgres(await openPool(url, 0), { statementTimeout: false }), drop }
}

async function inMariadb(): Promise<Opened> {
  const { url, drop } = await createMysqlDatabase()
  return { db: openMysql(createPool({ uri: url, connectTimeout: 3000 })), drop }
}

/** Session number `at`, under an id like those that the plugin makes. */
export function session(at: number, userId: string, kind = 'session'): Session {
  const now = new Date()
  return {
    id: sessionId(at, kind),
    kind: 'cookie',
    name: null,
    userId,
    epoch: 0,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + 86_400_000),
    details: { browser: 'Firefox', system: 'Linux', ip: '192.0.2.0/24', isPersistent: true },
    methods: ['pwd'],
    confirmedAt: now,
    priorConfirmedAt: null,
    confirmation: 0,
    generation: 0,
    seenGeneration: 0,
    baseGeneration: 0,
    nextBase: null,
    settlesAt: null,
  }
}

export type SessionKind = Session['kind']

/** The same as a device has it that keeps tokens, after some refreshes. */
export function ofKind(kind: SessionKind, session: Session): Session {
  return kind === 'cookie'
    ? session
    : { ...session, kind, name: 'My phone', generation: 20, seenGeneration: 20, baseGeneration: 20 }
}

export function sessionId(at: number, kind = 'session'): string {
  return createHash('sha256').update(`${kind}${at}`).digest('base64url')
}
