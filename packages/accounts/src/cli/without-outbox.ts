import type { UserStore } from '../index.js'

/** The same store without its outbox; later changes to it remain visible. */
export function withoutOutbox<Store extends UserStore>(store: Store): Store {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'outbox') return undefined
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
