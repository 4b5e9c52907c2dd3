import { describeError } from './describe-error.js'

/** Calls of an adapter that were given up because others kept changing the same rows: the database is fine. */
export interface Contention {
  /** @param error what the call rejects with */
  note(error: unknown): void
  /** How many there have been. */
  count(): number
}

/** Milliseconds that one line stands for, so many such calls don't flood the log. */
const period = 60_000

/** @param name such as `the user store` */
export function createContention(name: string, log: { warn(data: object, text: string): void }): Contention {
  let count = 0
  let told: number | undefined
  return {
    note(error) {
      count += 1
      const now = performance.now()
      if (told !== undefined && now - told < period) return
      told = now
      const text = `accounts: ${name} gave up a call because others kept changing the same rows`
      log.warn({ adapter: name, givenUp: count }, `${text}: ${describeError(error)}`)
    },
    count: () => count,
  }
}
