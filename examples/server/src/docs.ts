import { createRequire } from 'node:module'
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** Everything from this server, no script or style in the page itself, and nobody frames it. */
const contentSecurityPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  // The one style that the script of Swagger UI 5 puts into the page; the browser names another where it has changed.
  'style-src': "'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/** The routes are those of the library, whose version is told. */
const { version } = createRequire(import.meta.url)('fastify-accounts/package.json')

/** Puts the OpenAPI document of the routes at /docs/json, and a page to try them with at /docs. */
export async function mountDocs(app: FastifyInstance, baseUrl: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'The example server of fastify-accounts', version },
      servers: [{ url: baseUrl }],
    },
    // The mailbox and the start page are for people.
    hideUntagged: true,
  })
  await app.register(fastifySwaggerUi, { routePrefix: '/docs', staticCSP: contentSecurityPolicy })
}
