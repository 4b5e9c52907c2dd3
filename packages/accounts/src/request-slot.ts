/** A value that the plugin keeps with a request. */
export interface RequestSlot<T> {
  get(request: object): T | undefined
  set(request: object, value: T | undefined): void
  getOrCreate(request: object, create: () => T): T
}

/**
 * Each call creates a separate slot.
 * @param name appears in a printed request; the value doesn't
 */
export function createRequestSlot<T>(name: string): RequestSlot<T> {
  return slotOf(Symbol(`fastify-accounts.${name}`))
}

/** One slot for all copies of this package: a feature reads it through its own. */
export function sharedRequestSlot<T>(name: string): RequestSlot<T> {
  return slotOf(Symbol.for(`fastify-accounts.${name}`))
}

/**
 * The value is on the request itself: a WeakMap entry costs more, above all in garbage collection. One that an operation in a
 * route of the app gets inherits from the app's, but none of its values.
 */
function slotOf<T>(key: symbol): RequestSlot<T> {
  type WithSlot = { [key]?: Hidden<T> | undefined }
  const read = (request: WithSlot) => (Object.hasOwn(request, key) ? request[key] : undefined)
  return {
    get: (request: WithSlot) => read(request)?.value,
    set(request: WithSlot, value) {
      request[key] = value === undefined ? undefined : new Hidden(value)
    },
    getOrCreate(request: WithSlot, create) {
      const found = read(request) ?? new Hidden(create())
      request[key] = found
      return found.value
    },
  }
}

/** Neither `console.log` nor JSON shows a private field. */
class Hidden<T> {
  readonly #value: T
  constructor(value: T) {
    this.#value = value
  }
  get value(): T {
    return this.#value
  }
}
