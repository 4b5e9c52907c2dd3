/** The URLs of the routes, by their names in /api-root/. Available once they are mounted. */
export interface RouteUrls {
  /** Absolute; `undefined` if no such route is mounted. Each value is escaped as one path segment. */
  url(name: string, params?: Readonly<Record<string, string>>): string | undefined
  /**
   * The same without the origin, for redirects and links within the site.
   * @throws Error if no such route is mounted
   */
  path(name: string, params?: Readonly<Record<string, string>>): string
  /** The index of mounted routes. A path with parameters is a URI template (RFC 6570). */
  index(): Record<string, { methods: string[]; href: string }>
}

/** What the index knows of a route. */
interface NamedRoute {
  name: string
  method: string
  path: string
}

/** Starts empty; mounted routes are added, at absolute URLs that start with `base`. */
export function createRouteUrls(): RouteUrls & { add(routes: readonly NamedRoute[], base: string): void } {
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
      for (const { name, path } of routes) {
        const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
        index[name] = { methods, href: base + path.replaceAll(/:(\w+)/g, '{$1}') }
      }
    },
  }
}
