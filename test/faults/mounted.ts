import { baseUrl, secret } from '@fastify-accounts/test-support/app'
import Fastify, { type InjectOptions } from 'fastify'
import accounts, { type AccountsOptions } from 'fastify-accounts'

export interface Mounted {
  /** Such as `POST /login/`. */
  name: string
  /** The entry in /api-root/ and the method. */
  route: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body: { required?: readonly string[]; properties?: Record<string, Property> } | undefined
}

interface Property {
  type?: unknown
  examples?: readonly unknown[]
  enum?: readonly unknown[]
}

/** Every route of a mount with these options, with the schema of its body. */
export async function mounted(options: Partial<AccountsOptions> = {}): Promise<Mounted[]> {
  const bodies = new Map<string, Mounted['body']>()
  const app = Fastify()
  app.addHook('onRoute', ({ method, url, schema }) => {
    bodies.set(`${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`, schema?.body as Mounted['body'])
  })
  await app.register(accounts, { secret, baseUrl, users: true, ...options })
  const index: Record<string, { methods: Mounted['method'][]; href: string }> = (
    await app.inject('/api-root/')
  ).json()
  await app.close()
  return Object.entries(index).flatMap(([name, { methods, href }]) =>
    methods.map((method) => {
      const path = href.slice(baseUrl.length)
      const own = `${method} ${path}`
      return { name: own, route: `${name} ${method}`, method, path, body: bodies.get(own) }
    }),
  )
}

/** A route that may change something: if all its samples are refused, no fault meets its writes. */
export const mayChange = ({ method }: Mounted): boolean => method !== 'GET'

/** The route that a request goes to. */
export function routeOf({ method = 'GET', url }: InjectOptions, routes: readonly Mounted[]) {
  const [path = ''] = String(url).split('?')
  const own = routes.filter((each) => each.method === method)
  return (
    own.find((each) => each.path === path) ??
    own.find((each) => new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
  )
}
