import { emailOf, idOf, joinedAt, usernameOf } from '../../../people.js'

/** A user as stored by hand; times are milliseconds since 1970. */
export interface User {
  id: string
  username: string
  email: string
  password_hash: string
  is_verified: number
  is_staff: number
  is_active: number
  created_at: number
  last_login_at: number | null
}

type Soon<T> = T | Promise<T>

/** What the routes need from the table of users. */
export interface Users {
  byId(id: string): Soon<User | undefined>
  byUsername(username: string): Soon<User | undefined>
  /** `false` if the username or the address is taken. */
  insert(user: User): Soon<boolean>
  noteLogin(id: string, at: number): Soon<unknown>
  setPassword(id: string, hash: string): Soon<unknown>
  /** In order of creation, after the user with this time and id. */
  page(limit: number, after: { createdAt: number; id: string }): Soon<User[]>
}

export function userNumber(at: number, password_hash: string): User {
  return {
    id: idOf(at),
    username: usernameOf(at),
    email: emailOf(at),
    password_hash,
    is_verified: 1,
    is_staff: 0,
    is_active: 1,
    created_at: joinedAt(at),
    last_login_at: null,
  }
}

const columns = Object.keys(userNumber(0, '')) as (keyof User)[]
export const valuesOf = (user: User) => columns.map((name) => user[name])

export const tables = [
  `CREATE TABLE IF NOT EXISTS users (id TEXT PRIMARY KEY, username TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL, is_verified SMALLINT NOT NULL, is_staff SMALLINT NOT NULL, is_active SMALLINT NOT NULL,
    created_at BIGINT NOT NULL, last_login_at BIGINT)`,
  'CREATE INDEX IF NOT EXISTS users_by_creation ON users (created_at, id)',
]

const select = `SELECT ${columns.join(', ')} FROM users`
export const statements = {
  byId: `${select} WHERE id = ?`,
  byUsername: `${select} WHERE username = ?`,
  insert: `INSERT INTO users (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT DO NOTHING`,
  noteLogin: 'UPDATE users SET last_login_at = ? WHERE id = ?',
  setPassword: 'UPDATE users SET password_hash = ? WHERE id = ?',
  page: `${select} WHERE (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
}
export type Statement = keyof typeof statements
