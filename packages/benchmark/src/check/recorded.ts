import { type Pair, ratiosOf } from '../requests/ratios.js'
import type { Figure } from '../requests/run.js'

/** A ratio that was measured before: server CPU per request, theirs divided by ours, so more is better. */
export interface Recorded extends Pair {
  cpu: number
}

/** The pairs compared: the most frequent actions, beside the same by hand on the same stores. */
export const pairs: Pair[] = [
  { operation: 'me', ours: 'accounts-sqlite', theirs: 'bare' },
  { operation: 'public', ours: 'accounts-sqlite', theirs: 'bare' },
  // Features that nobody uses cost nothing.
  { operation: 'me', ours: 'accounts-sqlite-features', theirs: 'accounts-sqlite' },
  { operation: 'public', ours: 'accounts-sqlite-features', theirs: 'accounts-sqlite' },
  ...(['me', 'log-in', 'sign-up'] as const).flatMap((operation): Pair[] => [
    { operation, ours: 'accounts-sqlite', theirs: 'by-hand-sqlite' },
    { operation, ours: 'accounts-redis-postgres', theirs: 'by-hand-redis-postgres' },
  ]),
]

/** The share of a recorded ratio below which it has fallen: it has lost more than a third. */
const least = 2 / 3

export interface Comparison extends Recorded {
  /** As it is now. */
  now: number
  fallen: boolean
}

/** @throws Error if a pair that was recorded was not measured */
export function compare(figures: readonly Figure[], recorded: readonly Recorded[]): Comparison[] {
  return recorded.map((each) => {
    const ratios = ratiosOf(figures, each)
    if (!ratios) throw new Error(`${each.operation}: ${each.ours} and ${each.theirs} were not measured`)
    const now = ratios.cpu.median
    return { ...each, now, fallen: now < each.cpu * least }
  })
}
