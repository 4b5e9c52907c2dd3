import type { SessionStore } from '@fastify/session'
import type Database from 'libsql'
import { createUsers, createUsersIndex, statements, type User, type Users, valuesOf } from './users.js'

/** Each statement is prepared once. */
export function createSqliteUsers(database: Database.Database): Users {
  database.exec(createUsers)
  database.exec(createUsersIndex)
  const by = Object.fromEntries(
    Object.entries(statements).map(([name, sql]) => [name, database.prepare(sql)]),
  ) as Record<keyof typeof statements, Database.Statement>
  return {
    byId: (id) => by.byId.get(id) as User | undefined,
    byUsername: (username) => by.byUsername.get(username) as User | undefined,
    byEmail: (email) => by.byEmail.get(email) as User | undefined,
    insert: (user) => by.insert.run(valuesOf(user)).changes === 1,
    noteLogin: (id, at) => by.noteLogin.run(at, id),
    setPassword: (id, hash) => by.setPassword.run(hash, id),
    page: (limit, { createdAt, id }) => by.page.all(createdAt, id, limit) as User[],
  }
}

/** One row per session, as JSON, until it expires. */
export function createSqliteSessions(database: Database.Database, lifetime: number): SessionStore {
  database.exec(
    'CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, session TEXT NOT NULL, expires_at BIGINT NOT NULL)',
  )
  const find = database.prepare('SELECT session FROM sessions WHERE id = ? AND expires_at > ?')
  const put = database.prepare('INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)')
  const remove = database.prepare('DELETE FROM sessions WHERE id = ?')
  return {
    get(id, callback) {
      const row = find.get(id, Date.now()) as { session: string } | undefined
      callback(null, row ? JSON.parse(row.session) : null)
    },
    set(id, session, callback) {
      put.run(id, JSON.stringify(session), Date.now() + lifetime)
      callback()
    },
    destroy(id, callback) {
      remove.run(id)
      callback()
    },
  }
}
