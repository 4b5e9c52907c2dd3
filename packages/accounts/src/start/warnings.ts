import cluster from 'node:cluster'
import type { Settings } from 'node:http2'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { copies } from '../copies.js'
import { answersPreflights } from '../http/guard/preflights.js'
import { hiddenIn } from '../http/output/hidden-in.js'
import { maskedRequest } from '../http/output/log-serializers.js'
import { isLoopback } from '../options/checks.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { addressOf } from '../sessions/describe-client.js'

/**
 * Setups that work but are probably unintended. Each logs one warning with a stable code; docs/warnings.md
 * says what to do.
 */
export const warningTable = {
  ACCOUNTS_WARN_TRUST_PROXY:
    'trustProxy is true: every client can choose the address that limits count by, with X-Forwarded-For; set the addresses of your proxies, or nothing if an adapter such as @fastify/aws-lambda injects the requests',
  ACCOUNTS_WARN_PROXY_NUMBER:
    'trustProxy is a number, which Fastify ignores since 5.12: all clients behind a proxy share one address and one limit; set the addresses of your proxies',
  ACCOUNTS_WARN_NO_PROXY:
    'baseUrl is https, but this server speaks http and trusts no proxy: all clients behind the proxy share one address and one limit; set trustProxy',
  ACCOUNTS_WARN_ENUMERATION:
    'requireEmailConfirmation is not set: sign-up returns 409 for an email address that has an account, so anyone can find out who has one; set it to true, or to false if you accept that',
  ACCOUNTS_WARN_FORWARDED:
    'a request has X-Forwarded-For, but trustProxy is not set: all clients behind that proxy share one address and one limit',
  ACCOUNTS_WARN_NO_ADDRESS:
    'the request.ip of a request is not an IP address: all such clients share one limit; check trustProxy and what the proxy sends as X-Forwarded-For',
  ACCOUNTS_WARN_MEMORY_COUNTERS:
    'there are several processes, but each counts attempts in its own memory, which multiplies every limit; set throttle.store',
  ACCOUNTS_WARN_THROTTLE_OFF: 'throttle is false in production: passwords can be guessed without limit',
  ACCOUNTS_WARN_HTTP:
    'baseUrl is http in production: passwords and cookies travel in the clear; set the https URL',
  ACCOUNTS_WARN_REQUEST_TIMEOUT:
    'requestTimeout is 0 in production: slow clients can hold connections forever; set it to 120000, for example',
  ACCOUNTS_WARN_HTTP2_STREAMS:
    'with HTTP/2, a client can have any number of requests under way on one connection; set maxConcurrentStreams to 100, for example',
  ACCOUNTS_WARN_FRAMEWORK_ERRORS:
    'frameworkErrors is not set: the response to a malformed path repeats it, including the token of a link; set it to frameworkErrors from fastify-accounts',
  ACCOUNTS_WARN_LATE_SWAGGER:
    '@fastify/swagger was registered after the plugin, so its document lacks the routes; register it before',
  ACCOUNTS_WARN_LOGGED_LINKS:
    'trustedOrigins are set, @fastify/cors was not registered before the plugin, and the logger shows paths: preflights put emailed links into the log before they are used; register @fastify/cors first, or set the logger’s serializers.req to maskedRequest from fastify-accounts',
  ACCOUNTS_WARN_ERROR_HANDLER:
    'with errorResponses: "host", your error handler turned a refusal of the plugin, such as a wrong password, into a response of status 500 or more; let it keep statusCode, code and fields',
  ACCOUNTS_WARN_MEMORY_EVENTS:
    'the user store has no outbox: events wait in memory, and are lost with the process; use a store with an outbox, such as createKyselyUserStore',
  ACCOUNTS_WARN_COPIES:
    'this process has loaded several copies of fastify-accounts; let every package use the same version of it, and of Fastify',
} as const

type WarningCode = keyof typeof warningTable

/**
 * Checks the app's setup once it is ready, and logs each warning.
 * @param hasMemoryEvents whether there are subscribers, and events for them wait in memory
 */
export function warnAboutSetup(
  app: FastifyInstance,
  options: ResolvedOptions,
  hasMemoryEvents: boolean,
): void {
  const trustProxy = serverOptionOf(app, 'trustProxy')
  const production = process.env.NODE_ENV === 'production'
  const doubts: { [Code in WarningCode]?: boolean } = {
    ACCOUNTS_WARN_TRUST_PROXY: trustProxy === true,
    ACCOUNTS_WARN_PROXY_NUMBER: typeof trustProxy === 'number',
    ACCOUNTS_WARN_ENUMERATION: options.users !== false && !options.decidedOnConfirmation,
    ACCOUNTS_WARN_MEMORY_COUNTERS:
      options.throttle !== false && options.throttle.store === undefined && isOneOfMany(),
    ACCOUNTS_WARN_THROTTLE_OFF: production && options.limits === false,
    ACCOUNTS_WARN_HTTP: production && !options.secure,
    ACCOUNTS_WARN_REQUEST_TIMEOUT: production && app.server.requestTimeout === 0,
    ACCOUNTS_WARN_HTTP2_STREAMS: production && hasUnlimitedStreams(app),
    ACCOUNTS_WARN_MEMORY_EVENTS: hasMemoryEvents,
    ACCOUNTS_WARN_FRAMEWORK_ERRORS: production && serverOptionOf(app, 'frameworkErrors') === undefined,
  }
  for (const [code, applies] of Object.entries(doubts)) if (applies) warn(app, code as WarningCode)
  if (copies.size > 1) warn(app, 'ACCOUNTS_WARN_COPIES', [...copies].join(', '))
}

/** Once the server listens: an adapter of a serverless platform injects the requests instead, with the client's address. */
export function warnAboutProxy(app: FastifyInstance, { secure, baseUrl }: ResolvedOptions): void {
  const { https = false } = app.initialConfig
  const trusts = serverOptionOf(app, 'trustProxy') !== undefined
  if (secure && !https && !trusts && !isLoopback(new URL(baseUrl))) warn(app, 'ACCOUNTS_WARN_NO_PROXY')
}

/**
 * Warns once, at the first such request, about a proxy that the app isn't configured for. None is missing if the header has
 * the address of the request: an adapter such as @fastify/aws-lambda passes it on.
 */
export function warnOnForwarded(scope: FastifyInstance): void {
  if (serverOptionOf(scope, 'trustProxy') !== undefined) return
  let told = false
  scope.addHook('onRequest', (request: FastifyRequest, _reply, done) => {
    const forwarded = told ? undefined : request.headers['x-forwarded-for']
    if (forwarded !== undefined && !String(forwarded).split(/[ ,]+/).includes(request.ip)) {
      told = true
      warn(scope, 'ACCOUNTS_WARN_FORWARDED')
    }
    done()
  })
}

/** Warns once that a client has no address to count by. */
export function warnOnMissingAddress(scope: FastifyInstance): void {
  let told = false
  scope.addHook('onRequest', (request: FastifyRequest, _reply, done) => {
    // Nearly all are plain addresses, and checking that is cheaper than parsing.
    if (!told && isIP(request.ip) === 0 && addressOf(request) === null && !isReset(request)) {
      told = true
      warn(scope, 'ACCOUNTS_WARN_NO_ADDRESS')
    }
    done()
  })
}

/** Whether the client has reset the connection: its own address can then no longer be read, but the server's can. */
function isReset({ raw: { socket } }: FastifyRequest): boolean {
  return socket.remoteAddress === undefined && socket.localAddress !== undefined
}

/** Warns that @fastify/swagger, which describes only routes that are added after it, comes too late. */
export function warnOnLateSwagger(app: FastifyInstance): void {
  if (app.hasDecorator('swagger')) return
  app.addHook('onReady', async () => {
    if (app.hasDecorator('swagger')) warn(app, 'ACCOUNTS_WARN_LATE_SWAGGER')
  })
}

/** Warns that the host answers preflights by routes of its own, whose logger shows paths: those of links are secret. */
export function warnOnLoggedLinks(app: FastifyInstance, { trustedOrigins }: ResolvedOptions): void {
  if (trustedOrigins.length === 0 || answersPreflights(app)) return
  const { req } = Reflect.get(app.log, Symbol.for('pino.serializers')) ?? {}
  if (req !== undefined && req !== maskedRequest) warn(app, 'ACCOUNTS_WARN_LOGGED_LINKS')
}

/** A function that warns once that the host's error handler turns refusals into failures. */
export function warnOnLostRefusals(scope: FastifyInstance): () => void {
  let told = false
  return () => {
    if (!told) warn(scope, 'ACCOUNTS_WARN_ERROR_HANDLER')
    told = true
  }
}

function warn(app: FastifyInstance, code: WarningCode, found?: string): void {
  const text = found === undefined ? warningTable[code] : `${warningTable[code]}: ${found}`
  app.log.warn({ code }, `fastify-accounts: ${text} (${code})`)
}

/** Under node:cluster or pm2, or a host that announces how many processes it starts. */
function isOneOfMany(): boolean {
  const { WEB_CONCURRENCY, NODE_APP_INSTANCE } = process.env
  return cluster.isWorker || Number(WEB_CONCURRENCY) > 1 || Number(NODE_APP_INSTANCE) > 0
}

/** Whether the server speaks HTTP/2 with Node.js's default, no limit. Node.js doesn't expose the settings of a server. */
function hasUnlimitedStreams({ server }: FastifyInstance): boolean {
  if (!('updateSettings' in server)) return false
  const { settings } = (hiddenIn(server, 'options') ?? {}) as { settings?: Settings }
  return settings?.maxConcurrentStreams === undefined
}

/** An option of Fastify, which doesn't expose it, read from where it is stored. `undefined` if unset or not found. */
function serverOptionOf(app: FastifyInstance, name: 'trustProxy' | 'frameworkErrors'): unknown {
  return Reflect.get(hiddenIn(app, 'fastify.options') ?? {}, name) || undefined
}
