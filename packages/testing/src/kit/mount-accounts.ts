import accounts, { type AccountsOptions } from 'fastify-accounts'
import type { AnyApp } from './any-app.js'
import type { Mailbox } from './mailbox.js'
import { onlyInTests } from './only-in-tests.js'
import { createTestOptions } from './test-options.js'

/** What `mountAccounts` has made. */
export interface MountedAccounts {
  /** Where the emails of the app arrive, unless you gave another `mailer`. */
  mailbox: Mailbox
}

/**
 * Registers the plugin in an app of a test, before the routes that use it, with `createTestOptions()` and the `baseUrl`
 * `http://localhost`. All its rules and rate limits are those of a real app.
 * @param overrides options that replace these, or add to them
 * @throws Error with `NODE_ENV=production`, and what the plugin throws
 */
export async function mountAccounts(
  app: AnyApp,
  overrides: Partial<AccountsOptions> = {},
): Promise<MountedAccounts> {
  onlyInTests('mountAccounts')
  // Sessions are in memory by default, or in the app's @fastify/session.
  const { sessionStore: _, ...options } = createTestOptions()
  await app.register(accounts, { baseUrl: 'http://localhost', ...options, ...overrides })
  return { mailbox: options.mailer }
}
