import type { SeamMethods } from './methods.js'

/**
 * Counts attempts in fixed windows. In memory by default; a shared store lets many processes count as one.
 * Every call is atomic for each key. Keys are compared byte for byte and contain what users typed; those of one
 * `incrementAll` or `clearAll` share the text in braces, the hash tag of a Redis cluster. A rejected call becomes a 503:
 * a store that is down lifts no limit.
 *
 * Its conformance suite is `throttleStoreCases` of `@fastify-accounts/testing`.
 */
export interface ThrottleStore {
  /**
   * Adds one and returns the count within the key's window, which begins with the first attempt.
   * @param windowMs length of the window in milliseconds
   * @returns `resetMs`: milliseconds until the window ends
   */
  increment(key: string, windowMs: number): Promise<{ count: number; resetMs: number }>

  /** Takes back one attempt of the current window, never below 0. */
  decrement(key: string): Promise<void>

  /** Forgets the key. */
  clear(key: string): Promise<void>

  /**
   * Optional: increments several keys in order, up to and including the first whose count exceeds its `max`; the keys
   * after it stay as they are. Each key is counted atomically, not all of them together. Without it, the plugin
   * increments one after the other.
   * @returns what `increment` returns, for each key that was counted
   */
  incrementAll?(
    attempts: readonly { key: string; windowMs: number; max: number }[],
  ): Promise<{ count: number; resetMs: number }[]>

  /** Optional: clears several keys. Without it, the plugin clears each. */
  clearAll?(keys: readonly string[]): Promise<void>
}

/** What every throttle store has, and what the plugin calls if there is more; otherwise it makes a call for each key. */
export const throttleStoreMethods = {
  required: { increment: 'writes', decrement: 'writes', clear: 'writes' },
  optional: { incrementAll: 'writes', clearAll: 'writes' },
} as const satisfies SeamMethods<ThrottleStore>
