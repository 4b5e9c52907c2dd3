import { InvalidArgumentError } from '../seams/store-errors.js'
import type { ThrottleStore } from '../seams/throttle-store.js'

interface Counter {
  key: string
  kind: Kind
  count: number
  windowMs: number
  endsAt: number
  /** Among the counters with the same count. */
  inCount: Place
  /** Among the counters with the same window length. */
  inWindow: Place
}

/** A place in a group: a circular list whose head holds no counter. */
class Place {
  counter: Counter | null = null
  before: Place = this
  after: Place = this
}

/** Counters of one kind of key, by count, each in order of arrival: the front of the first is the oldest. */
interface Kind {
  size: number
  byCount: ReturnType<typeof createGroups>
  /** No counter has a lower one. */
  lowest: number
}

const createKind = (): Kind => ({ size: 0, byCount: createGroups(), lowest: 1 })

/** The most kinds that are told apart; the plugin's keys have fewer. */
const maxKinds = 100

/**
 * Counts attempts in this process' memory: each process has its own counters.
 *
 * A full store drops a counter of the kind that has the most, where the kind is the key up to its first colon: a
 * flood of client addresses drops none of accounts, as long as these are fewer. Of that kind it drops the counter
 * with the lowest count, the oldest of these first, so a flood of other keys doesn't wipe out a counter near its
 * limit. No call scans all keys.
 *
 * @param options.maxKeys the most keys counted at the same time; 100 000 by default, about 20 MB
 * @throws RangeError if `maxKeys` is not a whole number above 0; `increment` rejects with InvalidArgumentError
 * if `windowMs` is not a number above 0
 */
export function createMemoryThrottleStore(options: { maxKeys?: number } = {}): Required<ThrottleStore> {
  const { maxKeys = 100_000 } = options
  if (!Number.isSafeInteger(maxKeys) || maxKeys < 1) {
    throw new RangeError(`createMemoryThrottleStore: maxKeys must be a whole number above 0, not ${maxKeys}`)
  }
  const byKey = new Map<string, Counter>()
  const others = createKind()
  const kinds = new Map([['', others]])
  // Counters by window length, each in order of arrival: the front ends first.
  const byWindow = createGroups()

  function kindOf(key: string): Kind {
    const name = key.slice(0, key.indexOf(':') + 1)
    const storedKind = kinds.get(name)
    if (storedKind !== undefined || kinds.size === maxKinds) return storedKind ?? others
    const kind = createKind()
    kinds.set(name, kind)
    return kind
  }

  function remove(counter: Counter | null | undefined): void {
    if (!counter) return
    const { key, kind, count, windowMs, inCount, inWindow } = counter
    byKey.delete(key)
    kind.size -= 1
    kind.byCount.remove(count, inCount)
    byWindow.remove(windowMs, inWindow)
  }

  function setCount(counter: Counter, count: number): void {
    const { kind, inCount } = counter
    kind.byCount.remove(counter.count, inCount)
    counter.count = count
    kind.byCount.add(count, inCount)
    kind.lowest = Math.min(kind.lowest, count)
  }

  function removeExpired(now: number): void {
    for (const windowMs of byWindow.numbers()) {
      for (let counter = byWindow.first(windowMs); counter && counter.endsAt <= now; ) {
        remove(counter)
        counter = byWindow.first(windowMs)
      }
    }
  }

  function removeLowest(): void {
    let largest = others
    for (const kind of kinds.values()) if (kind.size > largest.size) largest = kind
    const { byCount } = largest
    // The group becomes empty only with its last counter; in a flood the new keys themselves refill it.
    if (!byCount.first(largest.lowest)) largest.lowest = leastOf(byCount.numbers())
    remove(byCount.first(largest.lowest))
  }

  function live(key: string, now: number): Counter | undefined {
    const counter = byKey.get(key)
    if (counter === undefined || counter.endsAt > now) return counter
    remove(counter)
    return undefined
  }

  function begin(key: string, windowMs: number, now: number): Counter {
    removeExpired(now)
    if (byKey.size >= maxKeys) removeLowest()
    const kind = kindOf(key)
    const counter = {
      key,
      kind,
      count: 0,
      windowMs,
      endsAt: now + windowMs,
      inCount: new Place(),
      inWindow: new Place(),
    }
    counter.inCount.counter = counter
    counter.inWindow.counter = counter
    byKey.set(key, counter)
    kind.size += 1
    byWindow.add(windowMs, counter.inWindow)
    return counter
  }

  function count(key: string, windowMs: number): { count: number; resetMs: number } {
    if (!Number.isFinite(windowMs) || windowMs <= 0) {
      throw new InvalidArgumentError('windowMs must be a number above 0')
    }
    const now = Date.now()
    const counter = live(key, now) ?? begin(key, windowMs, now)
    setCount(counter, counter.count + 1)
    return { count: counter.count, resetMs: counter.endsAt - now }
  }

  return {
    async increment(key, windowMs) {
      return count(key, windowMs)
    },

    async decrement(key) {
      const counter = live(key, Date.now())
      if (counter !== undefined && counter.count > 0) setCount(counter, counter.count - 1)
    },

    async clear(key) {
      remove(byKey.get(key))
    },

    async incrementAll(attempts) {
      const counts: { count: number; resetMs: number }[] = []
      for (const { key, windowMs, max } of attempts) {
        const counted = count(key, windowMs)
        counts.push(counted)
        if (counted.count > max) break
      }
      return counts
    },

    async clearAll(keys) {
      for (const key of keys) remove(byKey.get(key))
    },
  }
}

function leastOf(numbers: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY
  for (const number of numbers) least = Math.min(least, number)
  return least
}

/**
 * Lists of counters by number; an empty one takes no memory. Sets would be slow: finding the front after a
 * thousand removals there takes a thousand steps.
 */
function createGroups() {
  const heads = new Map<number, Place>()
  return {
    numbers: () => heads.keys(),
    first: (number: number): Counter | null => heads.get(number)?.after.counter ?? null,
    add(number: number, place: Place): void {
      const head = heads.get(number) ?? new Place()
      heads.set(number, head)
      place.before = head.before
      place.after = head
      head.before.after = place
      head.before = place
    },
    remove(number: number, place: Place): void {
      place.before.after = place.after
      place.after.before = place.before
      const head = heads.get(number)
      if (head?.after === head) heads.delete(number)
    },
  }
}
