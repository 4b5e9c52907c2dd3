import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  sqliteDialect,
} from '@fastify-accounts/kysely'
import { Kysely } from 'kysely'
import type Database from 'libsql'
import { v7 as uuidv7 } from 'uuid'
import { versionOf } from '../../versions.js'
import type { Engine } from '../engine.js'
import { idOf, person } from '../people.js'
import { insertMany, sessionValues, statements, type Table, userValues } from '../sql.js'

/** Uses the drivers that the adapter is tested with. */
const require = createRequire(createRequire(import.meta.url).resolve('@fastify-accounts/kysely'))
const rowsAtOnce = 50

/**
 * SQLite in a file, on libsql or better-sqlite3, which have one interface. Both sides share one connection, and so
 * the settings of `sqliteDialect`: write-ahead log, one disk flush per write.
 *
 * By hand each statement is prepared once; single rows are read with `get`.
 */
export async function openSqlite(driver: 'libsql' | 'better-sqlite3'): Promise<Engine> {
  const Driver: typeof Database = require(driver)
  const folder = await mkdtemp(join(tmpdir(), 'accounts-benchmark-'))
  const database = new Driver(join(folder, 'accounts.db'))
  const db = new Kysely<unknown>({ dialect: sqliteDialect(database) })
  await migrate(db)
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0]
  const [synchronous, cacheSize] = [pragma('synchronous'), pragma('cache_size')]
  const by = Object.fromEntries(
    Object.entries(statements).map(([name, sql]) => [name, database.prepare(sql)]),
  ) as Record<keyof typeof statements, Database.Statement>

  const insert = {
    users: database.prepare(insertMany('users', rowsAtOnce)),
    sessions: database.prepare(insertMany('sessions', rowsAtOnce)),
  }
  /** All rows in one transaction, and in memory until there are many. */
  function load(table: Table, rows: readonly unknown[][]): void {
    database.exec('PRAGMA cache_size = -1000000')
    database.exec('PRAGMA synchronous = OFF')
    database.transaction(() => {
      let at = 0
      for (; at + rowsAtOnce <= rows.length; at += rowsAtOnce) {
        insert[table].run(rows.slice(at, at + rowsAtOnce).flat())
      }
      const rest = rows.slice(at)
      if (rest.length > 0) database.prepare(insertMany(table, rest.length)).run(rest.flat())
    })()
    database.exec(`PRAGMA synchronous = ${synchronous}`)
    database.exec(`PRAGMA cache_size = ${cacheSize}`)
  }

  return {
    versions: [
      `SQLite ${Object.values(database.prepare('SELECT sqlite_version()').get() as object)[0]}`,
      versionOf(driver, require),
    ],
    users: {
      store: createKyselyUserStore({ db }),
      bare: {
        findById: (id) => by.userById.get(id),
        findByUsername: (usernameKey) => by.userByUsername.get(usernameKey),
        create: (user) => by.insertUser.run(userValues(uuidv7(), user)),
        noteLogin: (id, lastLoginAt, version) =>
          by.noteLoginReturning.get(lastLoginAt.getTime(), version + 1, id, version),
        list: (limit, after) => {
          const time = after?.createdAt.getTime()
          return after ? by.nextUsers.all(time, time, after.id, limit) : by.firstUsers.all(limit)
        },
      },
      async load(from, to) {
        const rows = Array.from({ length: to - from }, (_, at) =>
          userValues(idOf(from + at), person(from + at)),
        )
        load('users', rows)
      },
      idOf,
    },
    sessions: {
      store: createKyselySessionStore({ db }),
      bare: {
        find: (id) => by.session.get(id, Date.now()),
        create: (session) => by.insertSession.run(sessionValues(session)),
        touch: ({ id, lastSeenAt, expiresAt }) =>
          by.touchSession.run(lastSeenAt.getTime(), expiresAt.getTime(), id, Date.now()).changes,
        deleteByUser: (userId) => by.deleteSessionsOfUser.run(userId).changes,
      },
      load: async (sessions) => load('sessions', sessions.map(sessionValues)),
    },
    async settle() {
      database.exec('ANALYZE')
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    },
    async drop() {
      await db.destroy()
      await rm(folder, { recursive: true })
    },
  }
}
