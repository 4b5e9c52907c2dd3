import type { MountCore } from '../http/feature-core.js'
import { add } from './compose.js'
import type { Feature } from './feature.js'
import type { FeatureHost } from './host.js'
import { hostsOfNone } from './shipped.js'

/**
 * What the features of a mount add to `app.accounts`, and in place of those that it lacks what says so.
 * @throws Error with one line that names the option
 */
export function composeHost(features: readonly Feature[], core: MountCore): Required<FeatureHost> {
  const calls: Record<string, unknown> = {}
  const hosts = features.flatMap((feature) => {
    const host = feature.host?.(core)
    if (host === undefined) return []
    add(calls, host.calls, 'the call', feature)
    return host
  })
  const missing = hostsOfNone(core)
  // With those of its own features, every member has a value.
  return Object.assign({}, ...missing, ...hosts, {
    calls: Object.assign({}, ...missing.map((host) => host.calls), calls),
  })
}
