import { show } from './checks.js'

const calls = new WeakMap<object, string>()

/** The subject, with a note of each call that throws: a failure that nobody expected then names its input. */
export function noted<Subject extends object>(subject: Subject): Subject {
  // An empty target: a frozen subject would insist on its own functions.
  return new Proxy(Object.create(null) as Subject, {
    get(_, name) {
      const part = Reflect.get(subject, name)
      if (typeof part !== 'function') return part
      return (...given: unknown[]) => {
        const note = (error: unknown): void => {
          if (typeof error !== 'object' || error === null || calls.has(error)) return
          calls.set(error, `${String(name)}(${given.map(show).join(', ')}) `)
        }
        try {
          const answer = Reflect.apply(part, subject, given)
          if (answer instanceof Promise) answer.catch(note)
          return answer
        } catch (error) {
          note(error)
          throw error
        }
      }
    },
  })
}

/** The call that this error came from, and a space; nothing if that is unknown. */
export function callOf(error: unknown): string {
  return (typeof error === 'object' && error !== null && calls.get(error)) || ''
}
