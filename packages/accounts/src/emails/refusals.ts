/** Distinguishes a mail server that refuses everybody from addresses that it refuses. */
export interface Refusals {
  isEverybody(): boolean
  noteAccepted(): void
  noteRefused(address: string, error: unknown): void
}

/**
 * If this many recipients are refused with none accepted in between, the mail server is at fault, not the
 * addresses. Two in a row may well be typos.
 */
const refusalsInARow = 3

/**
 * @param tell called once when the server begins to refuse everybody, with the last refusal, and once when it
 * accepts an email again, with `null`
 */
export function watchRefusals(tell: (error: unknown) => void): Refusals {
  /** The recipients refused since the last accepted one. */
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
