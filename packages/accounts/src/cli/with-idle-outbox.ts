import type { Outbox, UserStore } from '../index.js'

/**
 * The same store, whose outbox takes emails and gives none to deliver; the service does that. Later changes to the store
 * remain visible.
 */
export function withIdleOutbox<Store extends UserStore>(store: Store): Store {
  return withChanged(store, (key, value) =>
    key === 'outbox' && value !== undefined
      ? withChanged(value as Outbox, (name, member) => (name === 'claim' ? async () => [] : member))
      : value,
  )
}

function withChanged<Thing extends object>(
  thing: Thing,
  change: (key: string | symbol, value: unknown) => unknown,
): Thing {
  return new Proxy(thing, {
    get(target, key) {
      const value = change(key, Reflect.get(target, key))
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
