import { describeError } from './describe-error.js'
import { onceAMinute } from './once-a-minute.js'

/** Calls of an adapter that were given up because others kept changing the same rows: the database is fine. */
export interface Contention {
  /** @param error what the call rejects with */
  note(error: unknown): void
  /** How many there have been. */
  count(): number
}

/** @param name such as `the user store` */
export function createContention(name: string, log: { warn(data: object, text: string): void }): Contention {
  let count = 0
  const warn = onceAMinute((error: unknown) => {
    const text = `accounts: ${name} gave up a call because others kept changing the same rows`
    log.warn({ adapter: name, givenUp: count }, `${text}: ${describeError(error)}`)
  })
  return {
    note(error) {
      count += 1
      warn(error)
    },
    count: () => count,
  }
}
