import Fastify, { type FastifyInstance } from 'fastify'
import accounts, { type AccountsOptions, apiKeys, invitations, secondFactor, tokens } from 'fastify-accounts'
import type { Route, RouteContext } from '../accounts/src/http/route.js'

/** How @fastify/swagger transforms the schema of a route. */
type Describe = (asked: { schema: unknown; url: string; openapiObject: object }) => {
  schema: { operationId?: string; response?: object }
}

/** A route as it is mounted, with the path as in the docs: `/sessions/{id}`. */
export interface Mounted extends Route {
  /** Whether a rule of the app may refuse it, as the OpenAPI document says. */
  mayBeRefused: boolean
}

/** The features of the package of the core that apps opt in to. */
export const optedIn = () => ({
  'second-factor': secondFactor(),
  tokens: tokens(),
  'api-keys': apiKeys({ scopes: ['orders:read'] }),
  invitations: invitations(),
})

/** These and those of other packages. */
export async function everyFeature(): Promise<AccountsOptions['features']> {
  // Names that the compiler does not follow: the packages add theirs to the types of the whole program.
  const names: string[] = ['@fastify-accounts/providers', '@fastify-accounts/passkeys']
  const [{ google, providers }, { passkeys }] = await Promise.all(names.map((name) => import(name)))
  const provider = { ...google({ clientId: 'app', clientSecret: 'secret' }), appAudiences: ['app'] }
  const appRedirectUris = ['org.example.app:/login']
  return [...Object.values(optedIn()), passkeys(), providers([provider], { appRedirectUris })]
}

/** An app with every route of the plugin, and the routes by the names of their operations, as `POST /login/` and whole. */
export async function mountedOperations(options: Partial<AccountsOptions> = {}): Promise<{
  app: FastifyInstance
  routes: Map<string, string>
  mounted: Map<string, Mounted>
}> {
  const mounted = new Map<string, Mounted>()
  const app = Fastify()
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    const describe = (config as { swaggerTransform?: Describe } | undefined)?.swaggerTransform
    const route = (config as { accounts?: RouteContext } | undefined)?.accounts?.route
    const described = describe?.({ schema, url, openapiObject: {} }).schema
    if (route === undefined || described?.operationId === undefined || method === 'HEAD') return
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    const mayBeRefused = '4XX' in (described.response ?? {})
    mounted.set(route.operation.id, { ...route, path, mayBeRefused })
  })
  await app.register(accounts, {
    secret: 'a test needs no better secret than this one',
    baseUrl: 'https://example.org',
    users: true,
    login: { emailCode: true },
    features: Object.values(optedIn()),
    ...options,
  })
  await app.ready()
  return {
    app,
    mounted,
    routes: new Map([...mounted].map(([id, { method, path }]) => [id, `${method} ${path}`])),
  }
}
