import Fastify, { type FastifyInstance } from 'fastify'
import accounts, { type AccountsOptions, secondFactor } from 'fastify-accounts'

/** How @fastify/swagger asks a route for its place in the document. */
type Describe = (asked: { schema: unknown; url: string; openapiObject: object }) => {
  schema: { operationId?: string }
}

/**
 * Every route of the plugin by the name of its operation, as `POST /login/`; the action of each route; and an app that has
 * them.
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
