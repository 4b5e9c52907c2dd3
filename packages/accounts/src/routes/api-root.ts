import { type Route, routesByPath } from './route.js'
import { apiRootReply } from './schemas.js'

/** The index of what is mounted. A path with parameters is a URI template (RFC 6570). */
export function apiRootRoute(
  mounted: readonly { routes: readonly Route[]; base: string }[],
  ownBase: string,
): Route {
  const index: Record<string, { methods: string[]; href: string }> = {}
  const route: Route = {
    name: 'api-root',
    action: 'api-root',
    method: 'GET',
    path: '/api-root/',
    operation: { id: 'apiRoot', summary: 'The routes that are mounted', errors: [] },
    access: 'anyone',
    budget: null,
    schema: { response: { 200: apiRootReply } },
    handler: async () => index,
  }
  for (const { routes, base } of [...mounted, { routes: [route], base: ownBase }]) {
    const byPath = routesByPath(routes)
    for (const { name, path } of routes) {
      const template = path.replaceAll(/:(\w+)/g, '{$1}')
      index[name] = { methods: byPath.get(path)?.methods ?? [], href: `${base}${template}` }
    }
  }
  return route
}
