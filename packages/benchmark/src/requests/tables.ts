import { count, digits, table } from '../report.js'
import { summarize } from '../statistics.js'
import { titles } from './names.js'
import { operationNames, operations } from './operations.js'
import { quotients } from './ratios.js'
import type { Figure, Results } from './run.js'
import { tableOfTargets } from './targets.js'

/** The results as Markdown: one table per operation, one row per service; the rounds' medians and middle half. */
export function tables({ machine, versions, bound, figures }: Results): string {
  const parts = operationNames.flatMap((operation) => {
    const rows = figures.filter((figure) => figure.operation === operation)
    return rows.length === 0 ? [] : [`### ${capital(operations[operation].title)}\n\n${tableOf(rows)}`]
  })
  const cores = bound ? 'the server on one core, the clients on another' : 'no process bound to a core'
  return `${machine}, ${cores}; ${versions.join(', ')}.\n\n${tableOfTargets(figures)}\n\n${parts.join('\n\n')}`
}

function tableOf(rows: readonly Figure[]): string {
  const first = rows[0]
  const head = ['service', 'requests/s', 'of the first', 'server CPU a request', 'of the first', 'p50', 'p99']
  return table(
    head,
    rows.map((row) => [
      titles[row.service],
      spread(row.perSecond, (value) => (value < 100 ? digits(value) : count(Math.round(value)))),
      first === row || !first ? '1' : spread(quotients(row.perSecond, first.perSecond), digits),
      `${spread(row.cpu, digits)} µs`,
      first === row || !first ? '1' : spread(quotients(row.cpu, first.cpu), digits),
      `${digits(summarize(row.p50).median)} ms`,
      `${digits(summarize(row.p99).median)} ms`,
    ]),
  )
}

function spread(values: readonly number[], text: (value: number) => string): string {
  const { low, median, high } = summarize(values)
  return `${text(median)} (${text(low)}–${text(high)})`
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
