import type { EventType, Subscriber } from '../seams/events.js'
import { handlerFor } from './subscribers.js'

/** Who wants which events: so what nobody wants is neither computed nor stored. */
export interface Interest {
  /** Adds a subscriber, at start. */
  add(name: string, subscriber: Subscriber): void
  /** Whether any event is wanted. */
  isAny(): boolean
  /** Whether an event of this type is wanted. */
  wants(type: EventType): boolean
  /**
   * Whom a message with events of these types is for.
   * @returns `undefined` if nobody wants it; `null` if other processes know who does
   */
  addressees(types: readonly EventType[]): string[] | null | undefined
}

/** @param others whether subscribers of other processes want all events, if there is none here */
export function createInterest(others: boolean): Interest {
  const subscribers: [name: string, wants: (type: EventType) => boolean][] = []
  const wanted = new Map<EventType, boolean>()
  const compute = (type: EventType): boolean =>
    subscribers.length === 0 ? others : subscribers.some(([, wants]) => wants(type))

  return {
    add(name, subscriber) {
      subscribers.push([name, (type) => handlerFor(subscriber, type) !== undefined])
      wanted.clear()
    },
    isAny: () => others || subscribers.length > 0,
    wants(type) {
      const isWanted = wanted.get(type) ?? compute(type)
      wanted.set(type, isWanted)
      return isWanted
    },
    addressees(types) {
      if (subscribers.length === 0) return others && types.length > 0 ? null : undefined
      const names = subscribers.filter(([, wants]) => types.some(wants)).map(([name]) => name)
      return names.length > 0 ? names : undefined
    },
  }
}
