import type { FastifyInstance, RouteOptions } from 'fastify'
import { fail } from '../../options/checks.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { scopePath } from '../scope-path.js'

/** Decides whether one mount accepts the links of another. */
type Mount = Pick<ResolvedOptions, 'userStore' | 'tokenSigner' | 'secret' | 'baseUrl'>

/** The mount that serves browsers, by site and URL. Each app has one server. */
const servers = new WeakMap<object, Map<string, Mount>>()

/**
 * The constraints of a link page, or of the target of a form, for browsers: they send neither `Accept-Version` nor
 * another header of the app's own. The host stays, because it is that of the link. `undefined` if the route has no
 * other constraint, or an earlier mount serves this URL: of several versions in one app, the first serves browsers.
 * @throws Error if the earlier mount would reject the links of this one
 */
export function browserConstraints(
  scope: FastifyInstance,
  url: string,
  options: Mount & Pick<ResolvedOptions, 'constraints'>,
): NonNullable<RouteOptions['constraints']> | undefined {
  const { host, ...others } = options.constraints ?? {}
  const mounts = servers.get(scope.server) ?? new Map<string, Mount>()
  servers.set(scope.server, mounts)
  const key = JSON.stringify([scopePath(scope) + url, host === undefined ? null : String(host)])
  const first = mounts.get(key) ?? options
  mounts.set(key, first)
  if (Object.keys(others).length === 0) return undefined
  if (first === options) return host === undefined ? {} : { host }
  if (!acceptsLinksOf(first, options)) {
    fail(
      'prefix',
      'must differ from that of the mount registered earlier, unless both have the same secret, tokenSigner and baseUrl, or different hosts in constraints: emailed links carry no version or other header, so the earlier one would receive the links of this one and reject them',
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
