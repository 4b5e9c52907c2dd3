import { dirname, join } from 'node:path'
import { createNodemailerMailer } from '@fastify-accounts/nodemailer'
import { pages } from '@fastify-accounts/pages'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts, {
  apiKeys,
  frameworkErrors,
  invitations,
  limitPipelining,
  lingeringClose,
  type Mailer,
  maskedRequest,
  secondFactor,
  tokens,
} from 'fastify-accounts'
import { mountApi, scopes } from './api.js'
import type { DatabasePlace, Settings } from './config.js'
import { openDatabase } from './database.js'
import { mountDocs } from './docs.js'
import { logEvents } from './events.js'
import { createMailbox, mountMailbox } from './mailbox.js'
import { mountProjects, organizationsIn } from './organizations.js'
import { fieldTexts, languageOfBrowser, ownFields } from './own-fields.js'
import { passkeysAt } from './passkeys.js'
import { openProviders } from './providers.js'
import { openRedis } from './redis.js'
import { roles } from './roles.js'
import { keptSecret } from './secret.js'
import { appName, createSite, type Site } from './site.js'
import { asText, mountStartPage, wantsPage } from './start-page.js'
import { lostPage, mountWebApp } from './web-app.js'

/**
 * The complete service, ready to listen. Closing it waits for emails being sent, then closes the database.
 * @throws SettingError if a setting is invalid
 */
export async function buildApp(settings: Settings): Promise<FastifyInstance> {
  const { usersVariant, requireEmailConfirmation } = settings
  const { userStore, invitationStore, organizationStore, activity, close, ...database } = await openDatabase(
    settings.database,
  )
  const shared = settings.redisUrl === null ? null : await openRedis(settings.redisUrl)
  const providers = await openProviders(settings)
  const secret = settings.secret ?? [keptSecret(secretFile(settings.database))]

  const app = createFastify(settings)
  app.addHook('onRequest', limitPipelining)
  // Otherwise a proxy would report a rejected large body as a failed upstream.
  app.addHook('onRequest', lingeringClose)
  for (const warning of settings.warnings) app.log.warn(warning)
  // Fastify runs these in reverse order: the mailer and database close after the emails are sent.
  app.addHook('onClose', close)
  app.addHook('onClose', async () => shared?.close())
  app.addHook('onClose', providers.close)
  endConnections(app)
  const site = createSite(settings)
  handleLostPaths(app, site)

  const mailer = openMailer(app, settings, site)
  app.addHook('onClose', async () => mailer.close?.())
  await mountDocs(app, settings)
  mountStartPage(app, settings, site)

  await app.register(accounts, {
    secret,
    baseUrl: settings.baseUrl,
    users: usersVariant === 'off' ? false : { variant: usersVariant, fields: ownFields },
    roles,
    requireEmailConfirmation,
    ...(usersVariant !== 'off' && {
      before: { signUp: languageOfBrowser },
      languages: { texts: fieldTexts },
    }),
    login: { emailCode: true },
    features: [
      ...[secondFactor(), tokens(), apiKeys({ scopes })],
      ...(usersVariant === 'off' ? [] : [invitations(), organizationsIn(organizationStore)]),
      ...[...passkeysAt(settings.baseUrl), ...providers.features, pages({ layout: site.layout })],
    ],
    on: { log: logEvents(app.log) },
    brand: {
      name: appName,
      url: `${settings.baseUrl}/`,
      about: 'Example App shows what fastify-accounts does.',
    },
    // The page for it, which asks for a login if needed. There is only one such URL per origin.
    ...(new URL(settings.baseUrl).pathname === '/' && { changePasswordUrl: '/account/password/' }),
    userStore,
    sessionStore: shared?.sessionStore ?? database.sessionStore,
    invitationStore,
    activity,
    mailer,
    passwordHasher: settings.passwordHasher,
    password: { minLength: settings.passwordMinLength },
    throttle: settings.throttle && (shared === null ? {} : { store: shared.throttleStore }),
  })
  mountHealth(app)
  mountApi(app)
  if (usersVariant !== 'off') mountProjects(app)
  await mountWebApp(app, settings, site, (reply) => asText(reply, settings))
  return app
}

function createFastify(settings: Settings): FastifyInstance {
  return Fastify({
    logger: {
      level: settings.logLevel,
      // A path may contain a link's token, even if no route matches.
      serializers: { req: maskedRequest },
    },
    trustProxy: settings.trustProxy,
    // Errors of the router, without the path in the response.
    frameworkErrors,
    // Slow clients: Node.js checks every `connectionsCheckingInterval` for headers and requests that take longer.
    requestTimeout: 20_000,
    http: { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 2_000 },
    // After SIGTERM the library itself rejects new requests, with an error code and Retry-After.
    return503OnClosing: false,
  })
}

/** Fastify's own handler logs the path, and a mistyped link still contains its token. */
function handleLostPaths(app: FastifyInstance, site: Site): void {
  app.setNotFoundHandler((request, reply) => {
    reply.code(404)
    return wantsPage(request)
      ? reply.send(lostPage(reply, site))
      : reply.send({ statusCode: 404, error: 'Not Found', message: 'Not found.' })
  })
}

/** A mailbox in the browser, without a mail server. */
function openMailer(app: FastifyInstance, { smtp, baseUrl }: Settings, site: Site): Mailer {
  if (smtp !== null) return createNodemailerMailer(smtp)
  const mailbox = createMailbox()
  mountMailbox(app, mailbox, baseUrl, site)
  return mailbox
}

/** A health check for the proxy and the process manager. Says nothing else, since anyone can call it. */
function mountHealth(app: FastifyInstance): void {
  app.get('/healthz', { logLevel: 'warn' }, async (_request, reply) => {
    const { ok } = await app.accounts.check()
    return reply
      .code(ok ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ok })
  })
}

/** Next to the database file; if the database is on a server, in the folder `data`. */
function secretFile(database: DatabasePlace): string {
  return join(database.engine === 'sqlite' ? dirname(database.file) : 'data', 'secret')
}

/** A connection kept alive after its last response would delay the shutdown until it times out. */
function endConnections(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}
