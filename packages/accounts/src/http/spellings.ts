import type { FastifyInstance } from 'fastify'

/** A path with and without the trailing slash; only one of them if the host's router treats both as the same. */
export function spellings(scope: FastifyInstance, path: string): string[] {
  const { ignoreTrailingSlash } = scope.initialConfig.routerOptions ?? scope.initialConfig
  if (ignoreTrailingSlash) return [path]
  return path.endsWith('/') ? [path, path.slice(0, -1)] : [path, `${path}/`]
}
