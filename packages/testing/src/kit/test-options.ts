import { randomBytes } from 'node:crypto'
import {
  createMemorySessionStore,
  createMemoryUserStore,
  type ListingUserStore,
  type PasswordHasher,
  type SessionStore,
} from 'fastify-accounts'
import { createCheapHasher } from './cheap-hasher.js'
import { createMailbox, type Mailbox } from './mailbox.js'

/** Options that replace an app's secret and adapters in a test. */
export interface TestOptions {
  secret: string
  userStore: ListingUserStore
  sessionStore: SessionStore
  mailer: Mailbox
  passwordHasher: PasswordHasher
}

/**
 * Makes a secret, empty stores in memory, a mailbox and the cheap hasher, for an app that registers the plugin itself and
 * lets its tests override options.
 * @throws Error with `NODE_ENV=production`
 */
export function createTestOptions(): TestOptions {
  return {
    secret: randomBytes(32).toString('base64url'),
    userStore: createMemoryUserStore(),
    sessionStore: createMemorySessionStore(),
    mailer: createMailbox(),
    passwordHasher: createCheapHasher(),
  }
}
