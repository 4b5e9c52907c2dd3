import { count, table } from '../report.js'
import { quantile } from '../statistics.js'
import { mebibytes, type Results, type Sample } from './run.js'

/** The results as Markdown: some of the minutes, and how much the last third exceeds the second. */
export function tables({ machine, service, samples }: Results): string {
  const step = Math.max(1, Math.ceil(samples.length / 12))
  const shown = samples.filter((_, at) => at % step === 0 || at === samples.length - 1)
  const rows = shown.map(({ minute, requests, heap, resident }) => [
    String(minute),
    count(requests),
    mebibytes(heap),
    mebibytes(resident),
  ])
  const third = Math.floor(samples.length / 3)
  const middle = (part: readonly Sample[]): number =>
    quantile(
      part.map(({ heap }) => heap),
      0.5,
    )
  const parts = [
    `${machine}; ${service}.`,
    table(['minute', 'requests so far', 'heap after garbage was collected', 'resident'], rows),
  ]
  if (third > 0) {
    const growth = middle(samples.slice(2 * third)) - middle(samples.slice(third, 2 * third))
    parts.push(
      `The heap in the last third of the time, beyond the second: ${mebibytes(growth)} in the median.`,
    )
  }
  return parts.join('\n\n')
}
