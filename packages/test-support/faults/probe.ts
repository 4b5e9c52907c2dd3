import { AsyncLocalStorage } from 'node:async_hooks'

/** What becomes of a call of an adapter that belongs to a watched request. `inner` makes the real call. */
export type OnCall = (site: string, inner: () => unknown) => unknown

const watching = new AsyncLocalStorage<OnCall>()

/** The adapter, whose calls can be watched. Each is named after the adapter and the method: `users.update`. */
export function probed<Adapter extends object>(name: string, adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get(target, key) {
      const value = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const inner = (): unknown => Reflect.apply(value, target, args)
        const onCall = watching.getStore()
        return onCall === undefined ? inner() : onCall(`${name}.${String(key)}`, inner)
      }
    },
  })
}

/**
 * Does some work and watches the calls that it makes, those too that it makes when its answer is out. What others do
 * at the same time goes on unwatched.
 */
export function watch<Result>(onCall: OnCall, work: () => Promise<Result>): Promise<Result> {
  // Awaited within: a request that is injected begins with the first look at its answer.
  return watching.run(onCall, async () => await work())
}
