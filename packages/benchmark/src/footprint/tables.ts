import { count, digits, table } from '../report.js'
import { titles } from '../requests/names.js'
import { quotients } from '../requests/ratios.js'
import { type Summary, summarize } from '../statistics.js'
import type { Results } from './run.js'

/** The results as Markdown, a table a part. */
export function tables({ machine, versions, memory, starts, installed }: Results): string {
  const parts = [`${machine}; ${versions.join(', ')}.`]
  if (memory.length > 0) {
    parts.push(
      table(
        ['heap of the server', 'logins', 'before', 'after', 'bytes a login'],
        memory.map(({ service, sessions, before, after }) => [
          titles[service],
          count(sessions),
          `${digits(before / 2 ** 20)} MiB`,
          `${digits(after / 2 ** 20)} MiB`,
          count(Math.round((after - before) / sessions)),
        ]),
      ),
    )
  }
  if (starts.length > 0) {
    const bare = starts[0]?.times ?? []
    parts.push(
      table(
        ['from the start of the process to the first answer', 'time', 'of bare Fastify'],
        starts.map(({ service, times }) => [
          titles[service],
          `${spread(summarize(times))} ms`,
          spread(summarize(quotients(times, bare))),
        ]),
      ),
    )
  }
  if (installed.length > 0) {
    parts.push(
      table(
        ['installed with fastify', 'packages', 'MB'],
        installed.map(({ what, packages, bytes }) => [what, String(packages), digits(bytes / 1e6)]),
      ),
    )
  }
  return parts.join('\n\n')
}

function spread({ low, median, high }: Summary): string {
  return `${digits(median)} (${digits(low)}–${digits(high)})`
}
