import { randomBytes } from 'node:crypto'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  openSqlite,
  sqliteDialect,
} from '@fastify-accounts/kysely'
import { createNodemailerMailer } from '@fastify-accounts/nodemailer'
import Fastify from 'fastify'
import accounts, {
  type Accounts,
  type AccountsOptions,
  type AccountUser,
  type ErrorCode,
  type Mailer,
  type UserStore,
} from 'fastify-accounts'
import { Kysely } from 'kysely'

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts<typeof fields>
  }
  interface FastifyRequest {
    user: AccountUser<typeof fields> | null
  }
}
const fields = {
  type: 'object',
  properties: { display_name: { type: 'string', maxLength: 80 } },
  required: ['display_name'],
} as const
const mailer: Mailer = createNodemailerMailer({
  url: 'smtp://localhost:1025',
  from: 'accounts@example.org',
})
const code: ErrorCode = 'ACCOUNTS_LOGIN_REQUIRED'
const app = Fastify()
// This is compiled and run, so the databases are real ones.
const other = new Kysely<never>({ dialect: sqliteDialect(':memory:') })
await migrate(other)
await other.destroy()
const db = openSqlite<{ notes: { text: string } }>(':memory:')
await migrate(db)
await db.schema.createTable('notes').addColumn('text', 'text').execute()
const notes: { text: string }[] = await db.selectFrom('notes').selectAll().execute()
const userStore: UserStore = createKyselyUserStore({ db })
const options: AccountsOptions = {
  secret: randomBytes(32).toString('base64url'),
  baseUrl: 'http://localhost:3000',
  users: { variant: 'signup', fields, publicFields: ['created_at', 'display_name'] },
  userStore,
  sessionStore: createKyselySessionStore({ db, userStore }),
  mailer,
}
await app.register(accounts, options)
app.get('/hello', { onRequest: app.accounts.requireUser }, async (request) => {
  const name: string | undefined = request.user?.fields.display_name
  return { hello: name ?? code, notes }
})
const response = await app.inject({ url: '/hello' })
if (response.statusCode !== 401) throw new Error(response.body)
await app.close()
await db.destroy()
