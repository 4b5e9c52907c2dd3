import { createHash } from 'node:crypto'
import type { NewUser, Session } from 'fastify-accounts'

const begin = Date.UTC(2026, 0, 1)
const day = 86_400_000
/** As long as a real hash, and as hard to compress. */
const passwordHash = createHash('sha512').update('hash').digest('hex')

/** User number `at` of a table, or of a kind created later. Each joined a second after the previous one. */
export function person(at: number, kind = 'user'): NewUser {
  return {
    username: `${kind}${at}`,
    usernameKey: `${kind}${at}`,
    email: `${kind}${at}@example.org`,
    emailKey: `${kind}${at}@example.org`,
    passwordHash,
    isVerified: true,
    isStaff: false,
    isActive: true,
    createdAt: new Date(begin + at * 1000),
    lastLoginAt: null,
    emailChangedAt: null,
    sessionEpoch: 0,
    resetEpoch: 0,
    verifyEpoch: 0,
    fields: { locale: 'en', theme: 'dark' },
    factors: [],
    credentials: [],
    identityKeys: [],
  }
}

/** A UUID of version 7, of the millisecond in which the person joined. */
export function idOf(at: number): string {
  const time = (begin + at * 1000).toString(16).padStart(12, '0')
  const rest = createHash('md5').update(String(at)).digest('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`
}

/** Session number `at`, under an id like those that the plugin makes. */
export function session(at: number, userId: string, kind = 'session'): Session {
  const now = Date.now()
  return {
    id: sessionId(at, kind),
    userId,
    epoch: 0,
    createdAt: new Date(now),
    lastSeenAt: new Date(now),
    expiresAt: new Date(now + day),
    details: null,
    methods: ['pwd'],
    confirmedAt: new Date(now),
  }
}

export function sessionId(at: number, kind = 'session'): string {
  return createHash('sha256').update(`${kind}${at}`).digest('base64url')
}

/** Numbers from 0 to `end`, exclusive, the same in each run: the high bits of a linear congruential generator. */
export function draws(end: number): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * end)
  }
}
