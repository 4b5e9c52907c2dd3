import type { UserStore } from '../index.js'

/** The very store, as if it had no outbox: what it is changed into later on is seen too. */
export function withoutOutbox<Store extends UserStore>(store: Store): Store {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'outbox') return undefined
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
