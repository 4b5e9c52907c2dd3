import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { type Accounts, type AccountsOptions, accounts, createMemorySessionStore } from '../index.js'
import { withoutOutbox } from './without-outbox.js'

/** How the app differs from the one that runs. */
interface AppOverrides {
  /** Whether the options are all there are: what is missing is then missing. */
  complete?: boolean
  /** Of the server; Fastify's defaults where it is left out. */
  serverOptions?: FastifyServerOptions | undefined
  /** Told of each warning of the start. */
  onWarning?(text: string): void
}

/**
 * Runs with `app.accounts` of an app that nobody can reach: every check and every default is the plugin's.
 * @param options what is missing of the required ones is made up, unless `complete` says that nothing is
 */
export async function withAccounts<T>(
  options: Partial<AccountsOptions>,
  work: (accounts: Accounts, app: FastifyInstance) => Promise<T>,
  { complete = false, serverOptions, onWarning = () => {} }: AppOverrides = {},
): Promise<T> {
  const app = Fastify({
    requestTimeout: 120_000,
    ...serverOptions,
    logger: { level: 'warn', stream: warningsTo(onWarning, serverOptions !== undefined) },
  })
  const madeUp: Partial<AccountsOptions> = {
    secret: randomBytes(32).toString('base64url'),
    baseUrl: 'http://localhost',
    sessionStore: createMemorySessionStore(),
    // No mail is sent from here; in production the default would stop the start.
    mailer: { async send() {} },
  }
  try {
    await app.register(accounts, {
      ...(complete ? {} : madeUp),
      ...options,
      // The mails that wait are the service's to send: here they would go by a mailer that is none.
      ...(options.userStore && { userStore: withoutOutbox(options.userStore) }),
      decorateAs: {},
    } as AccountsOptions)
    await app.ready()
    return await work(app.getDecorator<Accounts>('accounts'), app)
  } finally {
    await app.close()
  }
}

/** What of a log is a warning of the plugin. */
function warningsTo(onWarning: (text: string) => void, knowsServer: boolean): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      const { code, msg } = JSON.parse(String(chunk)) as { code?: unknown; msg?: unknown }
      // The app may add to what it exports; the framework's errors are looked at by asking.
      const isOfServer =
        code === 'ACCOUNTS_WARN_NO_PROXY' ||
        code === 'ACCOUNTS_WARN_FRAMEWORK_ERRORS' ||
        (code === 'ACCOUNTS_WARN_REQUEST_TIMEOUT' && !knowsServer)
      if (typeof code === 'string' && !isOfServer) onWarning(`${code}: ${String(msg)}`)
      done()
    },
  })
}
