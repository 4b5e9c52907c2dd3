import type { Subscribers } from '../events/subscribers.js'
import type { MountCore } from '../http/feature-core.js'
import { eventData } from '../http/openapi/schemas.js'
import { fail } from '../options/checks.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { Subscriber } from '../seams/events.js'
import type { Feature } from './feature.js'

/**
 * The subscribers of a mount: those of the option `on`, and of its features.
 * @throws Error with one line that names the option
 */
export function composeSubscribers(
  features: readonly Feature[],
  { on }: Pick<ResolvedOptions, 'on'>,
  core: MountCore,
): Subscribers {
  const types = new Set(['*', ...Object.keys(eventData), ...features.flatMap(({ events = [] }) => events)])
  const all = new Map<string, Subscriber>()
  const add = (subscribers: Readonly<Record<string, Subscriber>>, option: string, whose: string): void => {
    for (const [name, subscriber] of Object.entries(subscribers)) {
      if (all.has(name)) fail(option, `has ${whose}${name}, and so does another`)
      const unknown = Object.keys(subscriber).find((type) => !types.has(type))
      if (unknown !== undefined)
        fail(option, `has ${whose}${name}, with a handler for the unknown event ${unknown}`)
      all.set(name, subscriber)
    }
  }
  for (const { name, subscribers } of features)
    add(subscribers?.(core) ?? {}, 'features', `${name}, which brings the subscriber `)
  add(on, 'on', 'the subscriber ')
  return all
}
