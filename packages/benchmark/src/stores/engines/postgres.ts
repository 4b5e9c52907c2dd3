import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  postgresDialect,
} from '@fastify-accounts/kysely'
import { Kysely } from 'kysely'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { createPostgresDatabase, postgresLimits } from '../../postgres-database.js'
import { versionOf } from '../../versions.js'
import type { Engine } from '../engine.js'
import { idOf, person } from '../people.js'
import { columns, numbered, sessionValues, statements, type Table, userValues } from '../sql.js'

/** By hand: `pool.query(text, values)`, as pg's guide begins. Both sides share one pool. */
export async function openPostgres(): Promise<
  Engine & { query(text: string): Promise<Record<string, string>[]> }
> {
  const database = await createPostgresDatabase()
  const pool = new pg.Pool({ connectionString: database.url, ...postgresLimits })
  const db = new Kysely<unknown>({ dialect: postgresDialect(pool) })
  await migrate(db)

  const sql = Object.fromEntries(
    Object.entries(statements).map(([key, text]) => [key, numbered(text)]),
  ) as typeof statements
  const rows = async (text: string, values: unknown[]) => (await pool.query(text, values)).rows
  const changed = async (text: string, values: unknown[]) => (await pool.query(text, values)).rowCount ?? 0

  /** Many rows as one value. */
  async function load(table: Table, values: readonly unknown[][]): Promise<void> {
    const records = values.map((row) => Object.fromEntries(columns[table].map((name, at) => [name, row[at]])))
    await pool.query(
      `INSERT INTO accounts_${table} SELECT * FROM json_populate_recordset(NULL::accounts_${table}, $1)`,
      [JSON.stringify(records)],
    )
  }

  return {
    query: (text) => rows(text, []),
    versions: [
      `PostgreSQL ${(await rows('SHOW server_version', []))[0].server_version.split(' ')[0]}`,
      versionOf('pg'),
    ],
    users: {
      store: createKyselyUserStore({ db }),
      bare: {
        findById: async (id) => (await rows(sql.userById, [id]))[0],
        findByUsername: async (usernameKey) => (await rows(sql.userByUsername, [usernameKey]))[0],
        create: (user) => changed(sql.insertUser, userValues(uuidv7(), user)),
        noteLogin: async (id, lastLoginAt, version) =>
          (await rows(sql.noteLoginReturning, [lastLoginAt.getTime(), version + 1, id, version]))[0],
        list: (limit, after) => {
          const time = after?.createdAt.getTime()
          return after ? rows(sql.nextUsers, [time, time, after.id, limit]) : rows(sql.firstUsers, [limit])
        },
      },
      async load(from, to) {
        const rows = Array.from({ length: to - from }, (_, at) =>
          userValues(idOf(from + at), person(from + at)),
        )
        await load('users', rows)
      },
      idOf,
    },
    sessions: {
      store: createKyselySessionStore({ db }),
      bare: {
        find: async (id) => (await rows(sql.session, [id, Date.now()]))[0],
        create: (session) => changed(sql.insertSession, sessionValues(session)),
        touch: ({ id, lastSeenAt, expiresAt }) =>
          changed(sql.touchSession, [lastSeenAt.getTime(), expiresAt.getTime(), id, Date.now()]),
        deleteByUser: (userId) => changed(sql.deleteSessionsOfUser, [userId]),
      },
      load: (sessions) => load('sessions', sessions.map(sessionValues)),
    },
    async settle() {
      await pool.query('VACUUM ANALYZE')
      await pool.query('CHECKPOINT')
    },
    async drop() {
      await db.destroy()
      await database.drop()
    },
  }
}
