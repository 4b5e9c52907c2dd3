import Fastify, { type FastifyInstance } from 'fastify'
import accounts, {
  type AccountsOptions,
  apiKeys,
  createMemoryActivityStore,
  invitations,
  secondFactor,
  tokens,
} from 'fastify-accounts'
import type { MountedRoute, RouteContext } from '../accounts/src/http/route.js'

/** How @fastify/swagger transforms the schema of a route. */
type Describe = (asked: { schema: unknown; url: string; openapiObject: object }) => {
  schema: { operationId?: string; response?: object }
}

/** A route as it is mounted. */
export interface Mounted extends MountedRoute {
  /** The path as in the docs: `/sessions/{id}`. Without the prefix. */
  path: string
  /** The option of its prefix, in an app with the prefixes below. */
  mount: 'auth' | 'users'
  /** Whether a rule of the app may refuse it, as the OpenAPI document says. */
  mayBeRefused: boolean
}

/** Different prefixes, so `mount` is right. */
export const prefixes = { auth: { prefix: '/auth' }, users: { prefix: '/users' } }

const ownFeatures = () => [secondFactor(), tokens(), apiKeys({ scopes: ['orders:read'] }), invitations()]

/** The features that apps opt in to: those of the core's package, and of others. */
export async function everyFeature(): Promise<AccountsOptions['features']> {
  // Names that the compiler does not follow: the packages add theirs to the types of the whole program.
  const names: string[] = [
    '@fastify-accounts/providers',
    '@fastify-accounts/passkeys',
    '@fastify-accounts/organizations',
  ]
  const [{ google, providers }, { passkeys }, { organizations }] = await Promise.all(
    names.map((name) => import(name)),
  )
  const provider = { ...google({ clientId: 'app', clientSecret: 'secret' }), appAudiences: ['app'] }
  const appRedirectUris = ['org.example.app:/login']
  return [...ownFeatures(), passkeys(), providers([provider], { appRedirectUris }), organizations()]
}

/** An app with every route of the plugin, and the routes by the names of their operations, as `POST /login/` and whole. */
export async function mountedOperations(options: Partial<AccountsOptions> = {}): Promise<{
  app: FastifyInstance
  routes: Map<string, string>
  mounted: Map<string, Mounted>
}> {
  const mounted = new Map<string, Mounted>()
  const routes = new Map<string, string>()
  const app = Fastify({ pluginTimeout: 0 })
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    const describe = (config as { swaggerTransform?: Describe } | undefined)?.swaggerTransform
    const route = (config as { accounts?: RouteContext } | undefined)?.accounts?.route
    const described = describe?.({ schema, url, openapiObject: {} }).schema
    if (route === undefined || described?.operationId === undefined || method === 'HEAD') return
    const inBraces = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}')
    const mayBeRefused = '4XX' in (described.response ?? {})
    const mount = url.startsWith('/users/') ? 'users' : 'auth'
    mounted.set(route.operation.id, { ...route, path: inBraces(route.path), mount, mayBeRefused })
    routes.set(route.operation.id, `${method} ${inBraces(url)}`)
  })
  await app.register(accounts, {
    secret: 'a test needs no better secret than this one',
    baseUrl: 'https://example.org',
    users: true,
    login: { emailCode: true },
    activity: createMemoryActivityStore(),
    features: ownFeatures(),
    ...options,
  })
  await app.ready()
  return { app, mounted, routes }
}
