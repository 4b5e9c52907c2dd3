import { UnavailableError } from 'fastify-accounts'

/** One database for all stores of a test, which may be down. */
export function failing() {
  let isDown = false
  const fail = async () => {
    isDown = true
    return async () => {
      isDown = false
    }
  }
  /** A store whose calls reject while it is. */
  function over<Store extends object>(store: Store): Store {
    const fallible = (part: unknown): unknown => {
      if (typeof part === 'object' && part !== null && !Array.isArray(part)) return over(part)
      if (typeof part !== 'function') return part
      return async (...given: unknown[]) => {
        if (isDown) throw new UnavailableError('down')
        return part(...given)
      }
    }
    const calls = Object.entries(store).map(([name, part]) => [name, fallible(part)])
    return Object.fromEntries(calls) as Store
  }
  return { fail, over }
}
