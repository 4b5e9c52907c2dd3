import { createRequire } from 'node:module'
import fastifyRateLimit from '@fastify/rate-limit'
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from './config.js'

/** Everything comes from this server; no inline scripts or styles, no framing. */
const contentSecurityPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  // The one inline style of Swagger UI 5. If an update changes it, the browser's console shows the new hash.
  'style-src': "'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/** The routes are the library's, so the document has the library's version. */
const { version } = createRequire(import.meta.url)('fastify-accounts/package.json')

/** Requests a minute and client address: the document is large. */
const most = 60

/** Serves the OpenAPI document at /docs/json, and a page to try the routes at /docs. */
export async function mountDocs(
  app: FastifyInstance,
  { baseUrl, throttle }: Pick<Settings, 'baseUrl' | 'throttle'>,
): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'The example server of fastify-accounts', version },
      servers: [{ url: baseUrl }],
    },
    // The mailbox and the start page aren't part of the API.
    hideUntagged: true,
  })
  await app.register(async (scope) => {
    await scope.register(fastifyRateLimit, { global: false })
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('x-content-type-options', 'nosniff')
    })
    await scope.register(fastifySwaggerUi, {
      routePrefix: '/docs',
      staticCSP: contentSecurityPolicy,
      uiHooks: {
        ...(throttle && { onRequest: scope.rateLimit({ max: most, timeWindow: 60_000 }) }),
        preHandler: sendJson(app),
      },
    })
  })
}

/** Serves /docs/json itself: Swagger UI would write the document out for each request. */
function sendJson(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  let json: Buffer | undefined
  return async (request, reply) => {
    if (request.routeOptions.url !== '/docs/json') return
    json ??= Buffer.from(JSON.stringify(app.swagger()))
    return reply.type('application/json; charset=utf-8').send(json)
  }
}
