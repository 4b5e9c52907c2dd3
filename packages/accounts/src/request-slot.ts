/** A value that the plugin keeps with a request. */
export interface RequestSlot<T> {
  get(request: object): T | undefined
  set(request: object, value: T | undefined): void
  getOrCreate(request: object, create: () => T): T
}

const prefix = 'fastify-accounts.'

/**
 * Each call creates a separate slot.
 * @param name appears in a printed request; the value doesn't
 */
export function createRequestSlot<T>(name: string): RequestSlot<T> {
  return slotOf(Symbol(prefix + name))
}

/** One slot for all copies of this package: a feature reads it through its own. */
export function sharedRequestSlot<T>(name: string): RequestSlot<T> {
  return slotOf(Symbol.for(prefix + name))
}

/** The same request with slots of its own, which are empty. */
export function withOwnSlots<Request extends object>(request: Request): Request {
  const slots = Object.getOwnPropertySymbols(request).filter(({ description }) =>
    description?.startsWith(prefix),
  )
  return Object.create(
    request,
    Object.fromEntries(slots.map((slot) => [slot, { value: undefined, writable: true }])),
  )
}

/** The value is on the request itself: a WeakMap entry costs more, above all in garbage collection. */
function slotOf<T>(key: symbol): RequestSlot<T> {
  type WithSlot = { [key]?: Hidden<T> | undefined }
  return {
    get: (request: WithSlot) => request[key]?.value,
    set(request: WithSlot, value) {
      request[key] = value === undefined ? undefined : new Hidden(value)
    },
    getOrCreate(request: WithSlot, create) {
      request[key] ??= new Hidden(create())
      return request[key].value
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
