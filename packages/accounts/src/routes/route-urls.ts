import { type Route, routesByPath } from './route.js'

/** Where the routes are, by their names in /api-root/. Answers once they are mounted. */
export interface RouteUrls {
  /** Absolute; `undefined` where no such route is mounted. Values are escaped, each as one segment of the path. */
  url(name: string, params?: Readonly<Record<string, string>>): string | undefined
  /**
   * The same without the origin, for redirects and links within the site.
   * @throws Error where no such route is mounted
   */
  path(name: string, params?: Readonly<Record<string, string>>): string
  /** The index of what is mounted. A path with parameters is a URI template (RFC 6570). */
  index(): Record<string, { methods: string[]; href: string }>
}

/** Begins empty; what is mounted is added, at absolute URLs that begin with `base`. */
export function createRouteUrls(): RouteUrls & { add(routes: readonly Route[], base: string): void } {
  const index: Record<string, { methods: string[]; href: string }> = {}

  const url: RouteUrls['url'] = (name, params = {}) => {
    const template = index[name]?.href
    return template?.replaceAll(/\{(\w+)\}/g, (_, param) => encodeURIComponent(params[param] ?? ''))
  }
  return {
    url,
    path(name, params) {
      const found = url(name, params)
      if (found === undefined) throw new Error(`fastify-accounts: no route ${name} is mounted`)
      return new URL(found).pathname
    },
    index: () => index,
    add(routes, base) {
      const byPath = routesByPath(routes)
      for (const { name, path } of routes) {
        const template = path.replaceAll(/:(\w+)/g, '{$1}')
        index[name] = { methods: byPath.get(path)?.methods ?? [], href: `${base}${template}` }
      }
    },
  }
}
