import { createHash, randomBytes } from 'node:crypto'
import type { Place } from '../../service.js'
import { type UsersAndSeed, usersInPostgres, usersInSqlite } from './stores.js'

type Soon<T> = T | Promise<T>

/** A table of hashes: a leaked one has no token. */
export interface RefreshTokens {
  insert(hash: string, userId: string, expiresAt: number): Soon<unknown>
  /** Replaces a token by the next, in one statement. @returns whose it is */
  rotate(hash: string, nextHash: string, expiresAt: number, now: number): Soon<string | undefined>
}

export interface TokenStores extends UsersAndSeed {
  refreshTokens: RefreshTokens
}

export const refreshLifetime = 60 * 86_400_000

export const newRefreshToken = (): string => randomBytes(32).toString('base64url')
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

const table = `CREATE TABLE IF NOT EXISTS refresh_tokens
  (hash TEXT PRIMARY KEY, user_id TEXT NOT NULL, expires_at BIGINT NOT NULL)`

export async function inSqlite(place: Place): Promise<TokenStores> {
  const { database, users, seed } = await usersInSqlite(place)
  database.exec(table)
  const insert = database.prepare('INSERT INTO refresh_tokens VALUES (?, ?, ?)')
  const rotate = database.prepare(
    'UPDATE refresh_tokens SET hash = ?, expires_at = ? WHERE hash = ? AND expires_at > ? RETURNING user_id',
  )
  const refreshTokens: RefreshTokens = {
    insert: (...values) => insert.run(...values),
    rotate: (hash, next, expiresAt, now) =>
      (rotate.get(next, expiresAt, hash, now) as { user_id: string } | undefined)?.user_id,
  }
  return { users, refreshTokens, seed }
}

export async function inPostgres(place: Place): Promise<TokenStores> {
  const { pool, users, seed } = await usersInPostgres(place)
  await pool.query(table)
  const refreshTokens: RefreshTokens = {
    insert: (...values) =>
      pool.query({ name: 'keep', text: 'INSERT INTO refresh_tokens VALUES ($1, $2, $3)', values }),
    async rotate(hash, next, expiresAt, now) {
      const text = `UPDATE refresh_tokens SET hash = $1, expires_at = $2
        WHERE hash = $3 AND expires_at > $4 RETURNING user_id`
      const values = [next, expiresAt, hash, now]
      return (await pool.query<{ user_id: string }>({ name: 'rotate', text, values })).rows[0]?.user_id
    },
  }
  return { users, refreshTokens, seed }
}
