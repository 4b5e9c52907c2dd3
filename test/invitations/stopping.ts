import type { Stores } from './service.js'

/** Stores whose calls, once begun, go through so many times; later ones never return. */
export function stoppingAfter(
  stores: Stores,
  calls: number,
): { stores: Omit<Stores, 'disconnect'>; begin(): void; count(): number; isStopped: Promise<void> } {
  let hasBegun = false
  let count = 0
  let stop = (): void => {}
  const isStopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const stopping = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const value = Reflect.get(target, name)
        // A clock is asked once a minute, whichever request comes then.
        if (typeof value !== 'function' || name === 'now') return value
        return (...args: unknown[]) => {
          if (hasBegun && count === calls) {
            stop()
            return new Promise(() => {})
          }
          if (hasBegun) count += 1
          return Reflect.apply(value, target, args)
        }
      },
    })
  return {
    stores: {
      users: stopping(stores.users),
      sessions: stopping(stores.sessions),
      invitations: stopping(stores.invitations),
    },
    begin() {
      hasBegun = true
    },
    count: () => count,
    isStopped,
  }
}
