import { fail } from '../options/checks.js'
import type { MountedRoute, Route } from './route.js'

/**
 * Moves routes to the paths that the option `paths` gives them by name. An unknown route name, a missing or additional
 * parameter, and two routes at one path stop the start.
 */
export function moveRoutes<Group extends { prefix: string; routes: readonly MountedRoute[] }>(
  groups: readonly Group[],
  paths: Readonly<Record<string, string>>,
): Group[] {
  const names = new Set(groups.flatMap(({ routes }) => routes.map(({ name }) => name)))
  for (const name of Object.keys(paths)) {
    if (!names.has(name)) {
      fail(`paths.${name}`, `does not name a mounted route; those are: ${[...names].join(', ')}`)
    }
  }
  const moved = groups.map((group) => ({
    ...group,
    routes: group.routes.map((route) => ({ ...route, path: pathOf(route, paths[route.name]) })),
  }))
  refuseTwins(moved, paths)
  return moved
}

/** In Fastify's syntax, with the same parameters as before. */
function pathOf({ name, path }: Route, template: string | undefined): string {
  if (template === undefined) return path
  const moved = template.replaceAll(/\{(\w+)\}/g, ':$1')
  const wanted = paramsOf(path)
  if (paramsOf(moved).join() !== wanted.join()) {
    const list = wanted.map((param) => `{${param}}`).join(' and ')
    fail(
      `paths.${name}`,
      wanted.length === 0 ? 'must have no parameters' : `must have ${list}, once, and no other parameter`,
    )
  }
  return moved
}

function paramsOf(path: string): string[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, param = '']) => param).toSorted()
}

/** The router compares paths by shape, with and without the slash, whatever their parameters are called. */
function refuseTwins(
  groups: readonly { prefix: string; routes: readonly Route[] }[],
  paths: Readonly<Record<string, string>>,
): void {
  const byShape = new Map<string, string>()
  for (const { prefix, routes } of groups) {
    for (const { name, path } of routes) {
      const shape = `${prefix}${path}`.replaceAll(/:\w+/g, ':').replace(/\/$/, '')
      const first = byShape.get(shape) ?? name
      byShape.set(shape, first)
      if (first === name) continue
      const [one, other] = Object.hasOwn(paths, name) ? [name, first] : [first, name]
      fail(`paths.${one}`, `must not be the path of ${other}, which is ${prefix}${path}`)
    }
  }
}
