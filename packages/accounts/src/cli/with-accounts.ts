import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { type Accounts, type AccountsOptions, accounts, createMemorySessionStore } from '../index.js'

/**
 * Runs with `app.accounts` of an app that nobody can reach: every check and every default is the plugin's.
 * @param options what is missing of the required ones is made up
 */
export async function withAccounts<T>(
  options: Partial<AccountsOptions>,
  work: (accounts: Accounts) => Promise<T>,
): Promise<T> {
  const app = Fastify({ logger: false })
  try {
    await app.register(accounts, {
      secret: randomBytes(32).toString('base64url'),
      baseUrl: 'http://localhost',
      // The user is told of nothing by mail; in production the default would stop the start.
      mailer: { async send() {} },
      sessionStore: createMemorySessionStore(),
      ...options,
      decorateAs: {},
    } as AccountsOptions)
    await app.ready()
    return await work((app as unknown as { accounts: Accounts }).accounts)
  } finally {
    await app.close()
  }
}
