import { randomUUID } from 'node:crypto'
import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool, type ResultSetHeader, type RowDataPacket } from 'mysql2'
import { createConnection } from 'mysql2/promise'
import { v7 as uuidv7 } from 'uuid'
import { versionOf } from '../../versions.js'
import type { Engine } from '../engine.js'
import { idOf, person } from '../people.js'
import { columns, sessionValues, statements, type Table, userValues } from '../sql.js'

const server = process.env.ACCOUNTS_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/mysql'
const connectTimeout = 3000

/**
 * MariaDB or MySQL. By hand: `pool.query(sql, values)`, the way mysql2's guide begins. An update doesn't return the
 * row, so both sides read it too. Both share one pool.
 */
export async function openMariadb(): Promise<Engine> {
  const name = `accounts_benchmark_${randomUUID().replaceAll('-', '')}`
  await administer(`CREATE DATABASE ${name}`)
  const place = new URL(server)
  place.pathname = `/${name}`
  const pool = createPool({ uri: place.href, connectTimeout })
  const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) })
  await migrate(db)
  const direct = pool.promise()

  const rows = async (sql: string, values: unknown[]) => (await direct.query<RowDataPacket[]>(sql, values))[0]
  const changed = async (sql: string, values: unknown[]) =>
    (await direct.query<ResultSetHeader>(sql, values))[0].affectedRows

  async function load(table: Table, values: readonly unknown[][]): Promise<void> {
    await direct.query(`INSERT INTO accounts_${table} (${columns[table].join(', ')}) VALUES ?`, [values])
  }

  return {
    versions: [
      named(String((await rows('SELECT version() AS version', []))[0]?.version)),
      versionOf('mysql2'),
    ],
    users: {
      store: createKyselyUserStore({ db }),
      bare: {
        findById: async (id) => (await rows(statements.userById, [id]))[0],
        findByUsername: async (usernameKey) => (await rows(statements.userByUsername, [usernameKey]))[0],
        create: (user) => changed(statements.insertUser, userValues(uuidv7(), user)),
        async noteLogin(id, lastLoginAt, version) {
          const time = lastLoginAt.getTime()
          if ((await changed(statements.noteLogin, [time, version + 1, id, version])) !== 1) return undefined
          return (await rows(statements.userById, [id]))[0]
        },
        list: (limit, after) => {
          const time = after?.createdAt.getTime()
          return after
            ? rows(statements.nextUsers, [time, time, after.id, limit])
            : rows(statements.firstUsers, [limit])
        },
      },
      async load(from, to) {
        const values = Array.from({ length: to - from }, (_, at) =>
          userValues(idOf(from + at), person(from + at)),
        )
        await load('users', values)
      },
      idOf,
    },
    sessions: {
      store: createKyselySessionStore({ db }),
      bare: {
        find: async (id) => (await rows(statements.session, [id, Date.now()]))[0],
        create: (session) => changed(statements.insertSession, sessionValues(session)),
        touch: ({ id, lastSeenAt, expiresAt }) =>
          changed(statements.touchSession, [lastSeenAt.getTime(), expiresAt.getTime(), id, Date.now()]),
        deleteByUser: (userId) => changed(statements.deleteSessionsOfUser, [userId]),
      },
      load: (sessions) => load('sessions', sessions.map(sessionValues)),
    },
    async settle() {
      await direct.query('ANALYZE TABLE accounts_users, accounts_sessions')
    },
    async drop() {
      await db.destroy()
      await administer(`DROP DATABASE ${name}`)
    },
  }
}

/** Only MariaDB includes its name. */
function named(version: string): string {
  return `${version.includes('MariaDB') ? 'MariaDB' : 'MySQL'} ${version.split('-')[0]}`
}

async function administer(command: string): Promise<void> {
  const connection = await createConnection({ uri: server, connectTimeout })
  try {
    await connection.query(command)
  } finally {
    await connection.end()
  }
}
