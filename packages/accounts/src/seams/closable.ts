import { UnavailableError } from './store-errors.js'

type Method = (...args: unknown[]) => unknown

/**
 * Adds `close()` to a store: it waits for calls in progress, then frees what the store holds. It may be called twice;
 * later calls reject with `UnavailableError`. Calls of the store's `outbox` and `withUsers` count as well.
 *
 * @param store its methods return promises
 * @param free runs once, after the last call; for example ends a pool of connections
 */
export function closable<Store extends object>(
  store: Store,
  free: () => unknown,
): Store & { close(): Promise<void> } {
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  function run(part: object, method: Method, ...args: unknown[]): Promise<unknown> {
    if (closing) return Promise.reject(new UnavailableError('the store is closed'))
    // Begun before anything is waited for, so it can ask for `callDeadline()`.
    const result: Promise<unknown> = (async () => Reflect.apply(method, part, args))().finally(() =>
      underWay.delete(result),
    )
    underWay.add(result)
    return result
  }

  function watched<Part extends object>(part: Part): Part {
    const copy: Record<string, unknown> = {}
    for (const name of namesOf(part)) {
      const value: unknown = Reflect.get(part, name)
      if (typeof value === 'function') copy[name] = run.bind(null, part, value as Method)
      else copy[name] = (name === 'outbox' || name === 'withUsers') && value ? watched(value) : value
    }
    return copy as Part
  }

  return {
    ...watched(store),
    close() {
      closing ??= Promise.allSettled(underWay).then(async () => void (await free()))
      return closing
    },
  }
}

/** Those that a class has as well. */
function namesOf(part: object): Set<string> {
  const names = new Set(Object.getOwnPropertyNames(part))
  const above: object | null = Object.getPrototypeOf(part)
  if (above !== null && Object.getPrototypeOf(above) !== null)
    for (const name of namesOf(above)) names.add(name)
  names.delete('constructor')
  return names
}
