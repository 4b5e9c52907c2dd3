import Fastify, { type FastifyInstance } from 'fastify'
import accounts, { type AccountsOptions } from 'fastify-accounts'
import { openDatabase } from './database.js'
import { createInvitationStore } from './invitation-store.js'
import { createSessionStore } from './session-store.js'
import { createUserStore } from './user-store.js'
import { workspaceOfUser } from './workspaces.js'

/** Accounts in a database whose migrations drizzle-kit makes. */
export async function buildApp(
  url: string,
  options: Pick<AccountsOptions, 'secret' | 'baseUrl' | 'mailer' | 'passwordHasher'>,
): Promise<FastifyInstance> {
  const database = openDatabase(url)
  const userStore = createUserStore(database, workspaceOfUser)
  const sessionStore = createSessionStore(database, userStore)
  const invitationStore = createInvitationStore(database, userStore)
  const app = Fastify()
  app.addHook('onClose', () => userStore.close?.())
  await app.register(accounts, { ...options, users: true, userStore, sessionStore, invitationStore })
  return app
}
