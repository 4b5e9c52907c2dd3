import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts, { type AccountsOptions, closable } from 'fastify-accounts'
import { customerFields } from './customer-fields.js'
import { createDrizzleUserStore } from './drizzle-user-store.js'

/** The customers' accounts in a database, such as `file:customers.db`. */
export async function buildApp(
  url: string,
  options: Pick<AccountsOptions, 'secret' | 'baseUrl' | 'mailer'>,
): Promise<FastifyInstance> {
  // How long a statement waits for another process's lock, in milliseconds: no longer than a 503 comes after the deadline.
  const client = createClient({ url, timeout: 200 })
  const userStore = closable(createDrizzleUserStore(drizzle(client)), () => client.close())
  const app = Fastify()
  app.addHook('onClose', () => userStore.close())
  await app.register(accounts, {
    ...options,
    userStore,
    users: { fields: customerFields, publicFields: ['full_name'] },
  })
  return app
}
