import type { NewUser, Session } from 'fastify-accounts'

/** The columns of both tables, in the order of `userValues` and `sessionValues`. */
export const columns = {
  users: [
    'id',
    'version',
    'username',
    'username_key',
    'email',
    'email_key',
    'password_hash',
    'is_verified',
    'is_staff',
    'is_active',
    'created_at',
    'last_login_at',
    'session_epoch',
    'reset_epoch',
    'verify_epoch',
    'fields',
  ],
  sessions: ['id', 'user_id', 'epoch', 'created_at', 'last_seen_at', 'expires_at'],
} as const
export type Table = keyof typeof columns

const userColumns = columns.users.join(', ')
const user = `SELECT ${userColumns} FROM accounts_users`
const session = `SELECT ${columns.sessions.join(', ')} FROM accounts_sessions`
const noteLogin = 'UPDATE accounts_users SET last_login_at = ?, version = ? WHERE id = ? AND version = ?'

/** The statements of the stores, written by hand; values in the order in which they occur. */
export const statements = {
  userById: `${user} WHERE id = ?`,
  userByUsername: `${user} WHERE username_key = ?`,
  firstUsers: `${user} ORDER BY created_at, id LIMIT ?`,
  nextUsers: `${user} WHERE created_at >= ? AND (created_at > ? OR id > ?) ORDER BY created_at, id LIMIT ?`,
  insertUser: insertMany('users', 1),
  noteLogin,
  noteLoginReturning: `${noteLogin} RETURNING ${userColumns}`,
  session: `${session} WHERE id = ? AND expires_at > ?`,
  insertSession: insertMany('sessions', 1),
  touchSession:
    'UPDATE accounts_sessions SET last_seen_at = ?, expires_at = ? WHERE id = ? AND expires_at > ?',
  deleteSessionsOfUser: 'DELETE FROM accounts_sessions WHERE user_id = ?',
}

/** INSERT of this many rows at once. */
export function insertMany(table: Table, rows: number): string {
  const row = `(${columns[table].map(() => '?').join(', ')})`
  return `INSERT INTO accounts_${table} (${columns[table].join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`
}

/** The statement as PostgreSQL numbers its parameters. */
export function numbered(statement: string): string {
  let at = 0
  return statement.replaceAll('?', () => `$${++at}`)
}

/** The values of a user in the order of the columns. */
export function userValues(id: string, user: NewUser): (string | number | null)[] {
  return [
    id,
    1,
    user.username,
    user.usernameKey,
    user.email,
    user.emailKey,
    user.passwordHash,
    Number(user.isVerified),
    Number(user.isStaff),
    Number(user.isActive),
    user.createdAt.getTime(),
    user.lastLoginAt?.getTime() ?? null,
    user.sessionEpoch,
    user.resetEpoch,
    user.verifyEpoch,
    JSON.stringify(user.fields),
  ]
}

export function sessionValues(session: Session): (string | number)[] {
  const { id, userId, epoch, createdAt, lastSeenAt, expiresAt } = session
  return [id, userId, epoch, createdAt.getTime(), lastSeenAt.getTime(), expiresAt.getTime()]
}
