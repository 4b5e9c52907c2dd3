import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { byCommand } from '../events/actor.js'
import {
  type Accounts,
  type AccountsOptions,
  accounts,
  createMemoryInvitationStore,
  createMemorySessionStore,
} from '../index.js'
import { mountOf } from './project.js'
import { withIdleOutbox } from './with-idle-outbox.js'

/** How the app differs from the running one. */
interface AppOverrides {
  /** Whether the options are complete, so nothing missing is made up. */
  complete?: boolean
  /** Of the server; default: those of Fastify. */
  serverOptions?: FastifyServerOptions | undefined
  /** Called with each warning at start. */
  onWarning?(text: string): void
}

/**
 * Runs with `app.accounts` of an app without a network address: every check and default is the plugin's.
 * @param options missing required ones are made up, unless `complete`
 */
export async function withAccounts<T>(
  options: Partial<AccountsOptions>,
  work: (accounts: Accounts, app: FastifyInstance) => Promise<T>,
  { complete = false, serverOptions, onWarning = () => {} }: AppOverrides = {},
): Promise<T> {
  const stream = warningsTo(onWarning, serverOptions !== undefined)
  const serializers = typeof serverOptions?.logger === 'object' && serverOptions.logger.serializers
  // Fastify takes no second logger.
  const { loggerInstance: _theirs, ...others } = serverOptions ?? {}
  const app = Fastify({
    requestTimeout: 120_000,
    ...others,
    logger: { level: 'warn', stream, ...(serializers && { serializers }) },
  })
  const madeUp: Partial<AccountsOptions> = {
    secret: randomBytes(32).toString('base64url'),
    baseUrl: 'http://localhost',
    sessionStore: createMemorySessionStore(),
    invitationStore: createMemoryInvitationStore(),
    // No email is sent from here; in production the default would stop the start.
    mailer: { async send() {} },
  }
  app.decorate(byCommand, true)
  try {
    await app.register(accounts, {
      ...(complete ? {} : madeUp),
      ...options,
      // Waiting emails are for the service to send: here, the fake mailer would drop them.
      ...(options.userStore && { userStore: withIdleOutbox(options.userStore) }),
      ...(options.invitationStore && { invitationStore: withIdleOutbox(options.invitationStore) }),
    } as AccountsOptions)
    await app.ready()
    return await work(app.getDecorator<Accounts>(mountOf(options)), app)
  } finally {
    await app.close()
  }
}

/** Picks the plugin's warnings from a log. */
function warningsTo(onWarning: (text: string) => void, knowsServer: boolean): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      const { code, msg } = JSON.parse(String(chunk)) as { code?: unknown; msg?: unknown }
      // The app may extend its exported options; the framework's errors are tested by a request.
      const isOfServer =
        code === 'ACCOUNTS_WARN_NO_PROXY' ||
        code === 'ACCOUNTS_WARN_FRAMEWORK_ERRORS' ||
        (code === 'ACCOUNTS_WARN_REQUEST_TIMEOUT' && !knowsServer)
      if (typeof code === 'string' && !isOfServer) onWarning(`${code}: ${String(msg)}`)
      done()
    },
  })
}
