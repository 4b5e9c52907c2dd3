/**
 * Counts tries in fixed windows. In memory by default; a shared one makes many processes count as one.
 * All calls are atomic.
 */
export interface ThrottleStore {
  /**
   * Adds one and returns the count within the key's window, which begins with the first try.
   * @param windowMs length of the window in milliseconds
   * @returns `resetMs`: milliseconds until the window ends
   */
  increment(key: string, windowMs: number): Promise<{ count: number; resetMs: number }>

  /** Forgets the key. */
  clear(key: string): Promise<void>
}
