import type { EventHandler, EventType, Subscriber } from '../seams/events.js'

/** Those of the option `on` and of features, by name. */
export type Subscribers = ReadonlyMap<string, Subscriber>

/** The handler of a subscriber for a type of event, which a newer version may have written; `undefined` if it has none. */
export function handlerFor(subscriber: Subscriber, type: string): EventHandler | undefined {
  const own = Object.hasOwn(subscriber, type) ? subscriber[type as EventType] : undefined
  return (own ?? subscriber['*']) as EventHandler | undefined
}
