import type { UserStore } from 'fastify-accounts'

/** Stores whose calls, once begun, go through so many times; later ones never return. */
export function stoppingAfter<Stores extends { users: UserStore }>(
  stores: Stores,
  calls: number,
): { stores: Stores; begin(): void; count(): number; isStopped: Promise<void> } {
  let hasBegun = false
  let count = 0
  let stop = (): void => {}
  const isStopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const stopping = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        // What one database writes together.
        if (name === 'withUsers' && value) return { ...stopping(value), users }
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
  const users: UserStore = stopping(stores.users)
  const others = Object.entries(stores).map(([name, store]) => [
    name,
    typeof store === 'object' ? stopping(store) : store,
  ])
  return {
    stores: { ...Object.fromEntries(others), users },
    begin() {
      hasBegun = true
    },
    count: () => count,
    isStopped,
  }
}
