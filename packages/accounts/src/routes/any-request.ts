import type { FastifyReply, FastifyRequest } from 'fastify'

// biome-ignore-start lint/suspicious/noExplicitAny: an app can choose each of these parameters.

/** A request of any app: over HTTP/1.1 or HTTP/2, with any type provider. */
export type AnyRequest = FastifyRequest<any, any, any, any, any, any, any, any>

/** Its reply. */
export type AnyReply = FastifyReply<any, any, any, any, any, any, any, any>

// biome-ignore-end lint/suspicious/noExplicitAny: as above
