import { onlyInTests } from './only-in-tests.js'

/** A clock that stands still until it is told to go on. */
export interface HeldClock {
  /** Moves on by so many milliseconds. */
  advance(milliseconds: number): void
  /** Moves to this time, also back. */
  set(time: Date): void
  /** Lets the real time go on. Call it at the end of the test. */
  release(): void
}

/**
 * Holds the clock of this process: `new Date()` and `Date.now()`, which is where the plugin looks for the time. Timers go
 * on, so requests, deadlines and emails work as usual; the fake timers of test runners also stop these, unless you
 * tell them to replace only `Date`. A database has a clock of its own.
 * @param time Default: now
 * @throws Error with `NODE_ENV=production`
 */
export function holdClock(time: Date = new Date()): HeldClock {
  onlyInTests('holdClock')
  const before = globalThis.Date
  let now = checked(time.getTime())
  const held = new Proxy(before, {
    apply: () => new before(now).toString(),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now] : args, newTarget),
    get: (target, name) => (name === 'now' ? () => now : Reflect.get(target, name)),
  })
  globalThis.Date = held
  return {
    advance(milliseconds) {
      now = checked(now + milliseconds)
    },
    set(next) {
      now = checked(next.getTime())
    },
    release() {
      if (globalThis.Date === held) globalThis.Date = before
    },
  }
}

function checked(milliseconds: number): number {
  if (Math.abs(milliseconds) <= 8.64e15) return milliseconds
  throw new RangeError(`holdClock: the time must be a valid one, got ${milliseconds} milliseconds`)
}
