import Fastify, { type FastifyInstance } from 'fastify'

/** The host application of every service: no log, and one public route of its own. */
export function createHost(): FastifyInstance {
  const app = Fastify({ logger: false, trustProxy: 'loopback', keepAliveTimeout: 600_000 })
  return app
}

export function addPublicRoute(app: FastifyInstance): void {
  const response = { 200: { type: 'object', properties: { hello: { type: 'string' } } } }
  app.get('/public', { schema: { response } }, async () => ({ hello: 'world' }))
}
