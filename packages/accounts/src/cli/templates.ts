/** The files that `init` writes. The app owns them from then on. */

export type Flavor = 'esm' | 'commonjs' | 'typescript'
export type DatabaseKind = 'sqlite' | 'postgres' | 'mysql'

interface Opener {
  imports: string[]
  /** Lines before the database. */
  before?: string[]
  /** Of `@fastify-accounts/kysely`. */
  open: string
  database: string
}

const exampleUrls = {
  postgres: 'postgres://user:password@127.0.0.1:5432/app',
  mysql: 'mysql://user:password@127.0.0.1:3306/app',
}

const openers: Record<DatabaseKind, Opener> = {
  sqlite: {
    imports: [],
    open: 'openSqlite',
    database: "process.env.DATABASE_FILE ?? 'accounts.db'",
  },
  postgres: {
    imports: ["import pg from 'pg'"],
    before: urlLines('postgres'),
    open: 'openPostgres',
    database: `
  new pg.Pool({ connectionString: url, connectionTimeoutMillis: 3000, query_timeout: 4000 }),
`,
  },
  mysql: {
    imports: ["import { createPool } from 'mysql2'"],
    before: urlLines('mysql'),
    open: 'openMysql',
    database: 'createPool({ uri: url, connectTimeout: 3000 })',
  },
}

/** Without a URL the drivers would choose a database themselves; throwing would keep tests from importing the file. */
function urlLines(database: keyof typeof exampleUrls): string[] {
  return [
    `// Set DATABASE_URL, such as ${exampleUrls[database]}. There is no database at the other URL.`,
    `const url = process.env.DATABASE_URL || '${database}://set-database-url.invalid/app'`,
    '',
  ]
}

/** Options of the app's own server. */
const serverOptions = `const serverOptions = {
  // A path may contain the token of a link: it is neither logged nor repeated when the router rejects it.
  logger: { serializers: { req: maskedRequest } },
  frameworkErrors,
  // Slow clients: Node.js checks every few seconds for headers and requests that take longer.
  requestTimeout: 20_000,
  http: { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 2_000 },
  // While the app closes, the plugin responds with a code and Retry-After.
  return503OnClosing: false,
}`

/** An ES module in every flavor: the command line and the app both load it. */
export function accountsConfig(flavor: Flavor, database: DatabaseKind): string {
  const { imports, before = [], open, database: handle } = openers[database]
  const typed = flavor === 'typescript'
  return `${[
    `import { createKyselyInvitationStore, createKyselySessionStore, createKyselyUserStore, migrate as migrateTables, ${open} } from '@fastify-accounts/kysely'`,
    "import { createNodemailerMailer } from '@fastify-accounts/nodemailer'",
    ...(flavor === 'commonjs'
      ? []
      : [
          `import { ${typed ? 'type AccountsOptions, ' : ''}frameworkErrors, maskedRequest } from 'fastify-accounts'`,
        ]),
    ...imports,
    '',
    ...before,
    `const db = ${open}(${handle})`,
    'const userStore = createKyselyUserStore({ db })',
    '',
    ...(flavor === 'commonjs'
      ? ["export { serverOptions } from './accounts.cjs'"]
      : `export ${serverOptions}`.split('\n')),
    '',
    '// The app registers the plugin with these options, and npx fastify-accounts uses them as well.',
    `export const options${typed ? ': AccountsOptions' : ''} = {`,
    '  secret: process.env.SECRET, // npx fastify-accounts secret',
    '  // The address that users open, for links and cookies. Set ACCOUNTS_URL in production.',
    "  baseUrl: process.env.ACCOUNTS_URL ?? 'http://localhost:3000',",
    '  users: true,',
    '  // Signup then reveals nothing about existing accounts: users first open a link that we email to the address.',
    '  requireEmailConfirmation: true,',
    '  userStore,',
    '  sessionStore: createKyselySessionStore({ db, userStore }),',
    '  invitationStore: createKyselyInvitationStore({ db, userStore }),',
    '  // Without SMTP_URL, emails are printed to the console; in production the app then does not start.',
    '  ...(process.env.SMTP_URL && {',
    "    mailer: createNodemailerMailer({ url: process.env.SMTP_URL, from: process.env.MAIL_FROM ?? 'accounts@localhost' }),",
    '  }),',
    '}',
    '',
    `export const migrate = ()${typed ? ': Promise<string[]>' : ''} => migrateTables(db)`,
    `export const close = ()${typed ? ': Promise<void>' : ''} => db.destroy()`,
  ].join('\n')}\n`
}

export function accountsPlugin(flavor: Flavor): string {
  if (flavor === 'commonjs') {
    return `const { default: accounts, frameworkErrors, maskedRequest } = require('fastify-accounts')

/** For Fastify(serverOptions). Behind a proxy, add trustProxy with its address. */
${serverOptions}

/** Creates the tables and registers the plugin. Await it before the routes that need a user. */
async function mountAccounts(app) {
  const { close, migrate, options } = await import('./accounts.config.mjs')
  await migrate()
  app.addHook('onClose', close)
  await app.register(accounts, options)
}

module.exports = { mountAccounts, serverOptions }
`
  }
  const typed = flavor === 'typescript'
  const declaration = `
declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts
  }
  interface FastifyRequest {
    user: AccountUser | null
  }
}
`
  return `${typed ? "import type { FastifyInstance } from 'fastify'\nimport accounts, { type Accounts, type AccountUser } from 'fastify-accounts'" : "import accounts from 'fastify-accounts'"}
import { close, migrate, options } from './accounts.config.js'

/** For Fastify(serverOptions). Behind a proxy, add trustProxy with its address. */
export { serverOptions } from './accounts.config.js'
${typed ? declaration : ''}
/** Creates the tables and registers the plugin. Await it before the routes that need a user. */
export async function mountAccounts(app${typed ? ': FastifyInstance' : ''})${typed ? ': Promise<void>' : ''} {
  await migrate()
  app.addHook('onClose', close)
  await app.register(accounts, options)
}
`
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

const kysely = major < 22 ? 'kysely@0.28' : 'kysely@0.29'

/** SQLite without a package: whether this Node.js has a sufficient node:sqlite for @fastify-accounts/kysely. */
const hasSqlite = major > 22 || (major === 22 && minor >= 16)

const drivers: Record<DatabaseKind, string> = {
  sqlite: hasSqlite ? '' : ' libsql',
  postgres: ' pg',
  mysql: ' mysql2',
}

/** The command that installs what the files import. */
export function installCommand(flavor: Flavor, database: DatabaseKind): string {
  const install = `npm install fastify fastify-accounts @fastify-accounts/kysely ${kysely} @fastify-accounts/nodemailer${drivers[database]}`
  return flavor === 'typescript' && database === 'postgres'
    ? `${install} && npm install --save-dev @types/pg`
    : install
}

/** The remaining steps, by hand. */
export function nextSteps(flavor: Flavor, database: DatabaseKind, folder: string): string[] {
  const load =
    flavor === 'commonjs'
      ? "const { mountAccounts, serverOptions } = require('./accounts.cjs')"
      : "import { mountAccounts, serverOptions } from './accounts.js'"
  return [
    'Next:',
    `  ${installCommand(flavor, database)}`,
    '  echo "SECRET=$(npx fastify-accounts secret)" >> .env',
    ...(database === 'sqlite' ? [] : [`  echo "DATABASE_URL=${exampleUrls[database]}" >> .env   # yours`]),
    '',
    `In the file${folder === '' ? '' : ` in ${folder}`} that creates your Fastify app, before your routes${flavor === 'commonjs' ? ', the last line inside an async function' : ''}:`,
    `  ${load}`,
    '  const app = Fastify(serverOptions)',
    '  await mountAccounts(app)',
    '',
    'On a route: { onRequest: app.accounts.requireUser }',
    '',
    'Start it with node --env-file=.env, and keep .env out of version control. The commands here read it as well.',
  ]
}
