import { apiRootReply } from './output/schemas.js'
import type { Route } from './route.js'
import type { RouteUrls } from './route-urls.js'

declare module '../feature-names.js' {
  interface FeatureActions {
    'api-root': 'api-root'
  }
}

/** The index of what is mounted. */
export function apiRootRoute(where: RouteUrls): Route {
  return {
    name: 'api-root',
    action: 'api-root',
    method: 'GET',
    path: '/api-root/',
    operation: { id: 'listRoutes', host: 'page', summary: 'List the mounted routes' },
    access: 'anyone',
    budget: null,
    schema: { response: { 200: apiRootReply } },
    handle: () => ({ body: where.index() }),
  }
}
