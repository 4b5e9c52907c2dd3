import Fastify, { type FastifyInstance } from 'fastify'
import accounts, { type AccountsOptions, secondFactor } from 'fastify-accounts'

/** How @fastify/swagger transforms the schema of a route. */
type Describe = (asked: { schema: unknown; url: string; openapiObject: object }) => {
  schema: { operationId?: string }
}

/**
 * An app with every route of the plugin, the routes by the names of their operations, as `POST /login/`, and the action
 * of each route.
 */
export async function mountedOperations(
  options: Partial<AccountsOptions> = {},
): Promise<{ app: FastifyInstance; routes: Map<string, string>; actions: Map<string, string> }> {
  const routes = new Map<string, string>()
  const actions = new Map<string, string>()
  const app = Fastify()
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    const describe = (config as { swaggerTransform?: Describe } | undefined)?.swaggerTransform
    const id = describe?.({ schema, url, openapiObject: {} }).schema.operationId
    if (id === undefined || method === 'HEAD') return
    const name = id.slice('accounts'.length)
    const route = `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
    routes.set(name.charAt(0).toLowerCase() + name.slice(1), route)
    actions.set(route, (config as { accounts: { action: string } }).accounts.action)
  })
  await app.register(accounts, {
    secret: 'a test needs no better secret than this one',
    baseUrl: 'https://example.org',
    users: true,
    login: { emailCode: true },
    features: [secondFactor()],
    ...options,
  })
  await app.ready()
  return { app, routes, actions }
}
