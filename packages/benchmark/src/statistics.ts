/** The median of some figures, and their spread: a quarter of them lies below `low`, a quarter above `high`. */
export interface Summary {
  low: number
  median: number
  high: number
}

/** @throws RangeError if there are no figures */
export function summarize(figures: readonly number[]): Summary {
  return { low: quantile(figures, 0.25), median: quantile(figures, 0.5), high: quantile(figures, 0.75) }
}

/** @param share 0 is the smallest of the figures, 1 the largest; between two figures it is interpolated */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) throw new RangeError('there are no figures')
  return below + (above - below) * (place % 1)
}

/** Round by round: those that ran beside each other. */
export function quotients(these: readonly number[], those: readonly number[]): number[] {
  return these.map((value, round) => value / (those[round] ?? Number.NaN))
}
