import type { Language } from '../languages/languages.js'
import { type Removed, removedSentence } from '../languages/removed.js'

/** The response of a route that secures an account: its text and, if it removed ways to log in, how many of each. */
export function removedResponse(
  language: Language,
  detail: string,
  removed: Removed | null,
): { detail: string; removed?: Removed } {
  if (removed === null) return { detail }
  return { detail: `${detail} ${removedSentence(language, removed)}`, removed }
}
