import type { FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'

// biome-ignore-start lint/suspicious/noExplicitAny: they depend on the server of the app. More would take the types of the schema from a route with such a hook.

/** A request of any app, over HTTP/1.1 or HTTP/2. */
export type AnyRequest = FastifyRequest<RouteGenericInterface, any, any>

/** Its reply. */
export type AnyReply = FastifyReply<RouteGenericInterface, any, any, any>

// biome-ignore-end lint/suspicious/noExplicitAny: as above
