import type { FastifyInstance, RouteOptions } from 'fastify'
import { fail } from '../options/checks.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { scopePath } from './scope-path.js'

/** Decides whether one mount accepts the links of another. */
type Mount = Pick<ResolvedOptions, 'userStore' | 'tokenSigner' | 'secret' | 'baseUrl'>

/** The mount that answers links without a version, by site and URL. Each app has one server. */
const servers = new WeakMap<object, Map<string, Mount>>()

/**
 * The constraints of a link page for browsers: a browser that follows a link sends no `Accept-Version`. Other
 * constraints stay. `undefined` if the route has no version, or an earlier mount answers at this URL: of
 * several versions in one app, the first serves links without one.
 * @throws Error with one line that names the option, if the earlier mount would reject the links of this one
 */
export function unversionedConstraints(
  scope: FastifyInstance,
  url: string,
  options: Mount & Pick<ResolvedOptions, 'constraints'>,
): NonNullable<RouteOptions['constraints']> | undefined {
  const { version, ...site } = options.constraints ?? {}
  if (version === undefined) return undefined
  const mounts = servers.get(scope.server) ?? new Map<string, Mount>()
  servers.set(scope.server, mounts)
  const names = Object.keys(site).toSorted()
  const key = JSON.stringify([scopePath(scope) + url, ...names.map((name) => [name, String(site[name])])])
  const first = mounts.get(key) ?? options
  mounts.set(key, first)
  if (first === options) return site
  if (!acceptsLinksOf(first, options)) {
    fail(
      'prefix',
      'must differ from that of the version registered earlier, unless both have the same secret, tokenSigner and baseUrl: emailed links carry no version, so the earlier one would receive the links of this one and reject them',
    )
  }
  return undefined
}

function acceptsLinksOf(first: Mount, second: Mount): boolean {
  // Mounts with different users fail earlier, because they need another prefix anyway.
  const signers = [first.tokenSigner, second.tokenSigner]
  const [newest = ''] = second.secret
  return (
    signers[0] === signers[1] &&
    (signers[0] !== undefined || first.secret.includes(newest)) &&
    first.baseUrl === second.baseUrl
  )
}
