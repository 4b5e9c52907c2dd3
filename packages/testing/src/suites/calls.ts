import { check, race, show } from './checks.js'

const calls = new WeakMap<object, string>()

/**
 * Wraps the subject, and objects within such as `withUsers`, to record each call that throws: an unexpected
 * failure then names its input.
 */
export function noted<Subject extends object>(subject: Subject): Subject {
  // An empty target, because a frozen subject would insist on its own functions.
  return new Proxy(Object.create(null) as Subject, {
    get(_, name) {
      const part = Reflect.get(subject, name)
      if (typeof part === 'object' && part !== null && !Array.isArray(part)) return noted(part)
      if (typeof part !== 'function') return part
      return (...args: unknown[]) => {
        const note = (error: unknown): void => {
          if (typeof error !== 'object' || error === null || calls.has(error)) return
          calls.set(error, `${String(name)}(${args.map(show).join(', ')}) `)
        }
        try {
          const returned = Reflect.apply(part, subject, args)
          if (returned instanceof Promise) returned.catch(note)
          return returned
        } catch (error) {
          note(error)
          throw error
        }
      }
    },
  })
}

/** Runs calls at the same moment. Returns what they returned, in order; fails if one threw, and names it. */
export async function raced<T>(calls: (() => Promise<T>)[]): Promise<T[]> {
  const { values, errors } = await race(calls)
  noErrors(errors)
  return values
}

/** Fails if one of several simultaneous calls threw, and names it. */
export function noErrors(errors: readonly unknown[]): void {
  const [error, ...others] = errors
  const more = others.length === 1 ? ', as did another call' : `, as did ${others.length} other calls`
  check(
    errors.length === 0,
    `${callOf(error) || 'a call '}threw ${show(error)} in a race${others.length > 0 ? more : ''}`,
  )
}

/** The call that this error came from, and a space; nothing if that is unknown. */
export function callOf(error: unknown): string {
  return (typeof error === 'object' && error !== null && calls.get(error)) || ''
}
