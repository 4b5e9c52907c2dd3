import { AsyncLocalStorage } from 'node:async_hooks'

/** Handles an adapter call of a watched request. `inner` makes the real call. */
export type OnCall = (site: string, inner: () => unknown) => unknown

const watching = new AsyncLocalStorage<OnCall>()

const known = new WeakMap<object, object>()

/**
 * Wraps an adapter so that its calls can be watched. Calls are named by adapter and method: `users.update`. The same adapter is
 * wrapped once.
 */
export function probed<Adapter extends object>(name: string, adapter: Adapter): Adapter {
  const made = (known.get(adapter) as Adapter | undefined) ?? wrapped(name, adapter)
  known.set(adapter, made)
  return made
}

function wrapped<Adapter extends object>(name: string, adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get(target, key) {
      const value = Reflect.get(target, key)
      // A clock is asked once a minute, whichever request comes then.
      if (typeof value !== 'function' || key === 'now') return value
      return (...args: unknown[]) => {
        const inner = (): unknown => Reflect.apply(value, target, args)
        const onCall = watching.getStore()
        return onCall === undefined ? inner() : onCall(`${name}.${String(key)}`, inner)
      }
    },
  })
}

/**
 * Runs `work` and watches its adapter calls, including those after its response. Concurrent calls of others aren't
 * watched.
 */
export function watch<Result>(onCall: OnCall, work: () => Promise<Result>): Promise<Result> {
  // Awaited inside, because an injected request only starts when its promise is awaited.
  return watching.run(onCall, async () => await work())
}
