import Fastify, { type FastifyInstance } from 'fastify'
import accounts, { type AccountsOptions, apiKeys, invitations, secondFactor, tokens } from 'fastify-accounts'

/** How @fastify/swagger transforms the schema of a route. */
type Describe = (asked: { schema: unknown; url: string; openapiObject: object }) => {
  schema: { operationId?: string; response?: object }
}

/**
 * An app with every route of the plugin, the routes by the names of their operations, as `POST /login/`, and the action
 * of each route. `refused` are the operations that a rule of the app may refuse.
 */
export async function mountedOperations(options: Partial<AccountsOptions> = {}): Promise<{
  app: FastifyInstance
  routes: Map<string, string>
  actions: Map<string, string>
  refused: Set<string>
}> {
  const routes = new Map<string, string>()
  const actions = new Map<string, string>()
  const refused = new Set<string>()
  const app = Fastify()
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    const describe = (config as { swaggerTransform?: Describe } | undefined)?.swaggerTransform
    const described = describe?.({ schema, url, openapiObject: {} }).schema
    const id = described?.operationId
    if (id === undefined || method === 'HEAD') return
    const name = id.slice('accounts'.length)
    const route = `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
    const operation = name.charAt(0).toLowerCase() + name.slice(1)
    routes.set(operation, route)
    if (described?.response && '4XX' in described.response) refused.add(operation)
    actions.set(route, (config as { accounts: { action: string } }).accounts.action)
  })
  await app.register(accounts, {
    secret: 'a test needs no better secret than this one',
    baseUrl: 'https://example.org',
    users: true,
    login: { emailCode: true },
    features: [secondFactor(), tokens(), apiKeys({ scopes: ['orders:read'] }), invitations()],
    ...options,
  })
  await app.ready()
  return { app, routes, actions, refused }
}
