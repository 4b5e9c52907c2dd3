import type { MountCore } from '../http/feature-core.js'
import { add } from './compose.js'
import type { Feature } from './feature.js'
import type { FeatureHost, Visitors } from './host.js'
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
    return { feature, host }
  })
  function hooks(visitors: Visitors): object {
    const all: Record<string, unknown> = {}
    for (const { feature, host } of hosts) add(all, host.hooks?.(visitors), 'the hook', feature)
    return all
  }
  const missing = hostsOfNone(core)
  // With those of its own features, every member has a value.
  return Object.assign({}, ...missing, ...hosts.map(({ host }) => host), {
    hooks,
    calls: Object.assign({}, ...missing.map((host) => host.calls), calls),
  })
}
