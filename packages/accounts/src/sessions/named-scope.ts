import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

/** A scope with a name: for one without, Fastify searches all modules of the process. */
export function named(name: string, scope: FastifyPluginAsync): FastifyPluginAsync {
  return fastifyPlugin(scope, { name: `fastify-accounts/${name}`, encapsulate: true })
}
