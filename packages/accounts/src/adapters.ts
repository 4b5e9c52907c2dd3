import { createConsoleMailer } from './defaults/console-mailer.js'
import { createHmacSigner } from './defaults/hmac-signer.js'
import { createMemorySessionStore } from './defaults/memory-session-store.js'
import { createMemoryThrottleStore } from './defaults/memory-throttle-store.js'
import { createMemoryUserStore } from './defaults/memory-user-store.js'
import { createScryptHasher } from './defaults/scrypt-hasher.js'
import { guard } from './guard.js'
import type { ResolvedOptions } from './options.js'
import type { Mailer } from './seams/mailer.js'
import type { PasswordHasher } from './seams/password-hasher.js'
import type { SessionStore } from './seams/session-store.js'
import type { ThrottleStore } from './seams/throttle-store.js'
import type { TokenSigner } from './seams/token-signer.js'
import type { UserStore } from './seams/user-store.js'

/** The adapters in use, each call with a deadline. */
export interface Adapters {
  users: Omit<UserStore, 'close'>
  sessions: Omit<SessionStore, 'close' | 'deleteExpired'>
  /** Without a deadline: nobody waits for it. */
  deleteExpiredSessions(): Promise<number>
  mailer: Pick<Mailer, 'send'>
  signer: TokenSigner
  /** Without a deadline: its work is bounded by the queue before it. */
  hasher: PasswordHasher
  throttleStore: ThrottleStore
}

/** Mails leave after the answer, so they may take longer than an adapter that somebody waits for, in milliseconds. */
const mailTimeout = 60_000

/** Takes the integrator's adapters, and defaults for those that are not given. */
export function chooseAdapters(options: ResolvedOptions): Adapters {
  const { given, adapterTimeout, secrets } = options
  const users = given.userStore ?? createMemoryUserStore()
  const sessions = given.sessionStore ?? createMemorySessionStore()
  return {
    users: guard(
      users,
      ['create', 'findById', 'findByUsername', 'findByEmail', 'list', 'update', 'delete'],
      adapterTimeout,
    ),
    sessions: guard(
      sessions,
      ['create', 'find', 'touch', 'delete', 'listByUser', 'deleteByUser'],
      adapterTimeout,
    ),
    deleteExpiredSessions: async () => sessions.deleteExpired(new Date()),
    mailer: guard(given.mailer ?? createConsoleMailer(), ['send'], mailTimeout),
    signer: guard(
      given.tokenSigner ?? createHmacSigner({ secret: secrets }),
      ['sign', 'verify'],
      adapterTimeout,
    ),
    hasher: given.passwordHasher ?? createScryptHasher(),
    throttleStore: guard(
      given.throttleStore ?? createMemoryThrottleStore(),
      ['increment', 'decrement', 'clear'],
      adapterTimeout,
    ),
  }
}
