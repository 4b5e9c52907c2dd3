import type { FastifyInstance } from 'fastify'

/** An app of any kind, over HTTP/1.1 or HTTP/2, with any logger and type provider. */
// biome-ignore lint/suspicious/noExplicitAny: these depend on the app, and are never looked at.
export type AnyApp = FastifyInstance<any, any, any, any, any>
