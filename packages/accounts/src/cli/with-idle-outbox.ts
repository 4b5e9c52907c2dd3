import type { Outbox } from '../index.js'

/**
 * The same store, whose outbox takes emails and gives none to deliver; the service does that. Later changes to the store
 * remain visible. Stores that share an outbox still do.
 */
export function withIdleOutbox<Store extends { readonly outbox?: unknown }>(store: Store): Store {
  return withChanged(store, (key, value) =>
    key === 'outbox' && value !== undefined ? idle(value as Outbox) : value,
  )
}

const idleOutboxes = new WeakMap<Outbox, Outbox>()

function idle(outbox: Outbox): Outbox {
  const found =
    idleOutboxes.get(outbox) ??
    withChanged(outbox, (name, member) => (name === 'claim' ? async () => [] : member))
  idleOutboxes.set(outbox, found)
  return found
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
