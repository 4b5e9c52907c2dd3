/** What the index of routes knows of one. */
export interface NamedRoute {
  name: string
  method: string
  path: string
}

/** The routes at one path: the first of them, and the methods of all. */
export function routesByPath<Each extends NamedRoute>(
  routes: readonly Each[],
): Map<string, { first: Each; methods: string[] }> {
  const byPath = new Map<string, { first: Each; methods: string[] }>()
  for (const route of routes) {
    const entry = byPath.get(route.path)
    if (entry) entry.methods.push(route.method)
    else byPath.set(route.path, { first: route, methods: [route.method] })
  }
  return byPath
}
