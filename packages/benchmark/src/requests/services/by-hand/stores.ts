import { join } from 'node:path'
import type { SessionStore } from '@fastify/session'
import type Database from 'libsql'
import type pg from 'pg'
import { openPool, openRedis, openSqliteFile } from '../../../databases.js'
import type { Place } from '../../service.js'
import { type Statement, statements, tables, type User, type Users, valuesOf } from './users.js'

export interface UsersAndSeed {
  users: Users
  seed(users: readonly User[]): unknown
}

export interface Stores extends UsersAndSeed {
  /** Absent: the in-memory ones of @fastify/session. */
  sessions?: SessionStore
}

export const lifetime = 7 * 86_400_000

/** Maps, and one array in order of creation. */
export async function inMemory(): Promise<Stores> {
  const byId = new Map<string, User>()
  const byUsername = new Map<string, User>()
  const emails = new Set<string>()
  const all: User[] = []
  const set = (id: string, changes: Partial<User>) => Object.assign(byId.get(id) ?? {}, changes)
  const users: Users = {
    byId: (id) => byId.get(id),
    byUsername: (username) => byUsername.get(username),
    insert(user) {
      if (byUsername.has(user.username) || emails.has(user.email)) return false
      byId.set(user.id, user)
      byUsername.set(user.username, user)
      emails.add(user.email)
      all.push(user)
      return true
    },
    noteLogin: (id, last_login_at) => set(id, { last_login_at }),
    setPassword: (id, password_hash) => set(id, { password_hash }),
    page(limit, { createdAt, id }) {
      let [from, to] = [0, all.length]
      while (from < to) {
        const middle = (from + to) >> 1
        const user = all[middle] as User
        if (user.created_at > createdAt || (user.created_at === createdAt && user.id > id)) to = middle
        else from = middle + 1
      }
      return all.slice(from, from + limit)
    },
  }
  return { users, seed: (all) => all.forEach(users.insert) }
}

/** Each statement is prepared once. */
export async function usersInSqlite({
  folder,
}: Place): Promise<UsersAndSeed & { database: Database.Database }> {
  const database = await openSqliteFile(join(folder, 'accounts.db'))
  for (const setting of ['journal_mode = WAL', 'synchronous = FULL']) database.exec(`PRAGMA ${setting}`)
  for (const table of tables) database.exec(table)
  const by = Object.fromEntries(
    Object.entries(statements).map(([name, sql]) => [name, database.prepare(sql)]),
  ) as Record<Statement, Database.Statement>
  const users: Users = {
    byId: (id) => by.byId.get(id) as User | undefined,
    byUsername: (username) => by.byUsername.get(username) as User | undefined,
    insert: (user) => by.insert.run(valuesOf(user)).changes === 1,
    noteLogin: (id, at) => by.noteLogin.run(at, id),
    setPassword: (id, hash) => by.setPassword.run(hash, id),
    page: (limit, { createdAt, id }) => by.page.all(createdAt, id, limit) as User[],
  }
  const seed = database.transaction((all: readonly User[]) => all.forEach(users.insert))
  return { database, users, seed }
}

/** A session is one row, as JSON, until it expires. */
export async function inSqlite(place: Place): Promise<Stores> {
  const { database, users, seed } = await usersInSqlite(place)
  database.exec(
    'CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, session TEXT NOT NULL, expires_at BIGINT NOT NULL)',
  )
  const find = database.prepare('SELECT session FROM sessions WHERE id = ? AND expires_at > ?')
  const put = database.prepare('INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)')
  const remove = database.prepare('DELETE FROM sessions WHERE id = ?')
  const sessions: SessionStore = {
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
  return { users, sessions, seed }
}

/** Named statements, which a connection prepares once. */
export async function usersInPostgres({ postgresUrl }: Place): Promise<UsersAndSeed & { pool: pg.Pool }> {
  const pool = await openPool(postgresUrl)
  for (const table of tables) await pool.query(table)
  const ask = (name: Statement) => {
    let at = 0
    const text = statements[name].replaceAll('?', () => `$${++at}`)
    return (...values: unknown[]) => pool.query<User>({ name, text, values })
  }
  const [byId, byUsername, page] = [ask('byId'), ask('byUsername'), ask('page')]
  const [insert, noteLogin, setPassword] = [ask('insert'), ask('noteLogin'), ask('setPassword')]
  const users: Users = {
    byId: async (id) => (await byId(id)).rows[0],
    byUsername: async (username) => (await byUsername(username)).rows[0],
    insert: async (user) => (await insert(...valuesOf(user))).rowCount === 1,
    noteLogin: (id, at) => noteLogin(at, id),
    setPassword: (id, hash) => setPassword(hash, id),
    page: async (limit, { createdAt, id }) => (await page(createdAt, id, limit)).rows,
  }
  return { pool, users, seed: (all: readonly User[]) => Promise.all(all.map(users.insert)) }
}

/** A session is one key, as JSON, which Redis expires. */
export async function inRedisAndPostgres(place: Place): Promise<Stores> {
  const { users, seed } = await usersInPostgres(place)
  const { redisPrefix } = place
  const redis = await openRedis()
  const sessions: SessionStore = {
    get(id, callback) {
      redis
        .get(redisPrefix + id)
        .then((text) => callback(null, text === null ? null : JSON.parse(text)), callback)
    },
    set(id, session, callback) {
      redis.set(redisPrefix + id, JSON.stringify(session), 'PX', lifetime).then(() => callback(), callback)
    },
    destroy(id, callback) {
      redis.del(redisPrefix + id).then(() => callback(), callback)
    },
  }
  return { users, sessions, seed }
}
