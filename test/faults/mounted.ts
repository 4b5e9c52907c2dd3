import { mountedOperations } from '@fastify-accounts/test-support/operations'
import type { InjectOptions } from 'fastify'
import type { AccountsOptions } from 'fastify-accounts'

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
  const { app, mounted } = await mountedOperations({ features: [], login: {}, ...options })
  await app.close()
  return Array.from(mounted.values(), ({ name, method, path, schema }) => ({
    name: `${method} ${path}`,
    route: `${name} ${method}`,
    method,
    path,
    body: schema.body as Mounted['body'],
  }))
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
