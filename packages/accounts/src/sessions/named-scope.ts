import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

/** Gives a scope a name. Otherwise Fastify looks for it in `require.cache`, all loaded CommonJS modules, at each start. */
export function namedScope(name: string, scope: FastifyPluginAsync): FastifyPluginAsync {
  return fastifyPlugin(scope, { name: `fastify-accounts/${name}`, encapsulate: true })
}
