import { createHash } from 'node:crypto'

/** The services' address in browsers, which send it as `Origin`. */
export const publicUrl = 'http://accounts.example'
export const password = 'seven-green-lanterns'
export const otherPassword = 'eight-yellow-lanterns'

// User number `at`.
export const usernameOf = (at: number): string => `user${at}`
export const emailOf = (at: number): string => `user${at}@example.org`
/** Each joined a second after the previous one. */
export const joinedAt = (at: number): number => Date.UTC(2026, 0, 1) + at * 1000
/** A UUID of version 7, of the millisecond in which the user joined. */
export function idOf(at: number): string {
  const time = joinedAt(at).toString(16).padStart(12, '0')
  const rest = createHash('md5').update(String(at)).digest('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`
}

/** The user's row in our table. */
export function userRow(at: number, passwordHash: string) {
  return {
    id: idOf(at),
    version: 1,
    username: usernameOf(at),
    username_key: usernameOf(at),
    email: emailOf(at),
    email_key: emailOf(at),
    password_hash: passwordHash,
    is_verified: 1,
    is_staff: 0,
    is_active: 1,
    created_at: joinedAt(at),
    session_epoch: 0,
    reset_epoch: 0,
    verify_epoch: 0,
    fields: '{}',
  }
}
