/** A case that is decided, not tried. */
export interface Decision {
  /** Of ids.json. */
  id: string
  /** What the case is about, in a few words. */
  tried: string
  /** What was decided and why, in one or two sentences. */
  decision: string
}

/** They stand in docs/security-cases.md. */
export const decisions: readonly Decision[] = []
