/** Tells a mail server that refuses everybody from addresses that it refuses. */
export interface Refusals {
  isEverybody(): boolean
  noteAccepted(): void
  noteRefused(address: string, error: unknown): void
}

/**
 * With so many recipients refused and none accepted in between, it is the mail server that refuses, and not the
 * addresses. Two in a row may well be typing errors.
 */
const refusalsInARow = 3

/**
 * @param tell told once when the server begins to refuse everybody, with the last refusal, and once when it accepts a
 * mail again, with `null`
 */
export function watchRefusals(tell: (error: unknown) => void): Refusals {
  /** The recipients that were refused since the last one that was accepted. */
  const refused = new Set<string>()
  const isEverybody = (): boolean => refused.size >= refusalsInARow
  return {
    isEverybody,
    noteAccepted() {
      const wasRefusing = isEverybody()
      refused.clear()
      if (wasRefusing) tell(null)
    },
    noteRefused(address, error) {
      if (isEverybody()) return
      refused.add(address)
      if (isEverybody()) tell(error)
    },
  }
}
