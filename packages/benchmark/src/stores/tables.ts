import { count, digits, duration, table } from '../report.js'
import type { Summary } from '../statistics.js'
import { titleOf } from './engines.js'
import type { Figure, Results } from './run.js'

/** The results as Markdown: one table per engine, the worst ratios by name. */
export function tables({ machine, versions, figures }: Results): string {
  const engines = [...new Set(figures.map(({ engine }) => engine))]
  return [
    `${machine}; ${versions.join(', ')}.`,
    ...engines.map((engine) => {
      const own = figures.filter((figure) => figure.engine === engine)
      return `### ${titleOf(engine)}\n\n${own.some(({ ratio }) => ratio) ? compared(own) : alone(own)}`
    }),
  ].join('\n\n')
}

function compared(figures: readonly Figure[]): string {
  return table(
    ['operation', 'users', 'bare driver', 'store', 'store / bare (middle half)'],
    figures.map(({ operation, size, theirs, ours, ratio }) => [
      operation,
      count(size),
      theirs ? duration(theirs.median) : '',
      duration(ours.median),
      ratio ? `${ratio.median.toFixed(2)} (${range(ratio)})` : '',
    ]),
  )
}

function alone(figures: readonly Figure[]): string {
  return table(
    ['operation', 'users', 'store', 'middle half'],
    figures.map(({ operation, size, ours }) => [
      operation,
      count(size),
      duration(ours.median),
      `${digits(ours.low)}–${digits(ours.high)} µs`,
    ]),
  )
}

function range({ low, high }: Summary): string {
  return `${low.toFixed(2)}–${high.toFixed(2)}`
}
