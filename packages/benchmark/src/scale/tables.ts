import { count, digits, duration, table } from '../report.js'
import { titles } from '../requests/names.js'
import { operations } from '../requests/operations.js'
import type { Summary } from '../statistics.js'
import { titleOf } from '../stores/engines.js'
import type { Results } from './run.js'

/** The most that a page and a lookup may cost at the largest size, relative to the smallest. */
const most = { page: 1.2, lookUp: 1.5 }

/** The results as Markdown, one table per part. */
export function tables({ machine, versions, users, sessions, processes }: Results): string {
  const parts = [`${machine}; ${versions.join(', ')}.`]
  if (users.length > 0) {
    const rows = users.map(({ engine, operation, small, size, theirs, ours, ratio }) => {
      const aim = operation.startsWith('list') ? most.page : most.lookUp
      return [
        titleOf(engine),
        operation,
        `${count(size)} / ${count(small)}`,
        theirs ? duration(theirs.median) : '',
        duration(ours.median),
        ratio ? spread(ratio) : '',
        `at most ${aim}: ${ratio && ratio.median <= aim ? 'yes' : '**no**'}`,
      ]
    })
    parts.push(
      table(['store', 'operation', 'users', 'small', 'large', 'ratio (middle half)', 'aim'], rows, 3),
    )
  }
  if (sessions) {
    const rows = sessions.growth.map(({ operation, small, size, theirs, ours, ratio }) => [
      operation,
      `${count(size)} / ${count(small)}`,
      theirs ? duration(theirs.median) : '',
      duration(ours.median),
      ratio ? spread(ratio) : '',
    ])
    parts.push(table(['sessions on PostgreSQL', 'rows', 'small', 'large', 'ratio (middle half)'], rows, 2))
    const bytes = sessions.bytes.map(({ what, where, rows, row, indexes }) => [
      `a ${what}`,
      where,
      count(rows),
      String(Math.round(row)),
      String(Math.round(indexes)),
      `${digits(((row + indexes) * 10_000_000) / 2 ** 30)} GiB`,
    ])
    const head = ['what', 'where', 'measured on', 'bytes', 'indexes, bytes', 'ten million']
    parts.push(table(head, bytes, 2))
  }
  if (processes.length > 0) {
    const rows = processes.map(({ processes, operation, perSecond, cpu, memory }) => [
      String(processes),
      operations[operation].title,
      spread(perSecond),
      `${spread(cpu)} µs`,
      `${digits(memory / 2 ** 20)} MiB`,
    ])
    const title = `processes: ${titles['accounts-redis-postgres']}`
    parts.push(
      table([title, 'operation', 'requests/s', 'server CPU a request', 'a process, resident'], rows, 2),
    )
  }
  return parts.join('\n\n')
}

function spread({ low, median, high }: Summary): string {
  return `${digits(median)} (${digits(low)}–${digits(high)})`
}
