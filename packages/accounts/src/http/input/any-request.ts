import type { FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'

// biome-ignore-start lint/suspicious/noExplicitAny: these depend on the app's server. With `any` in the other places, a route with such a hook would lose the types of its schema.

/** A request of any app, over HTTP/1.1 or HTTP/2. */
export type AnyRequest = FastifyRequest<RouteGenericInterface, any, any>

/** Its reply. */
export type AnyReply = FastifyReply<RouteGenericInterface, any, any, any>

// biome-ignore-end lint/suspicious/noExplicitAny: as above
