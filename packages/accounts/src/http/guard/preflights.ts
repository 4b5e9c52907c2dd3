import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'

/** Whether a hook of @fastify/cors answers the preflights of routes that are added from now on. */
export function answersPreflights(app: FastifyInstance): boolean {
  return app.hasPlugin('@fastify/cors')
}

/**
 * Takes the preflights of an emailed link into the plugin's scope, where that hook answers them. The route that
 * @fastify/cors adds is outside of it, so Fastify would log the path, with the token, before the link is used.
 */
export function preflightRoute(path: string, allow: string): RouteOptions {
  return {
    method: 'OPTIONS',
    url: path,
    schema: { hide: true } as FastifySchema,
    // The hook may leave some to the route, as its options say.
    handler: async (_request, reply) => reply.code(204).header('allow', allow).send(),
  }
}
