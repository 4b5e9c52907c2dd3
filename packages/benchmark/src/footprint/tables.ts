import { count, digits, table } from '../report.js'
import { titles } from '../requests/names.js'
import { quotients } from '../requests/ratios.js'
import { type Summary, summarize } from '../statistics.js'
import type { SetName } from './installed.js'
import type { Results } from './run.js'

/** The results as Markdown, one table per part. */
export function tables({ machine, versions, memory, starts, installed }: Results): string {
  const parts = [`${machine}; ${versions.join(', ')}.`]
  const targets = targetsOf({ memory, starts, installed })
  if (targets.length > 0) parts.push(table(['what', 'aim', 'measured', 'met'], targets, 2))
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
        ['from the start of the process to the first answer', 'time', 'of bare Fastify', 'CPU at the least'],
        starts.map(({ service, times, cpu }) => [
          titles[service],
          `${spread(summarize(times))} ms`,
          spread(summarize(quotients(times, bare))),
          `${digits(Math.min(...cpu))} ms`,
        ]),
      ),
    )
  }
  if (installed.length > 0) {
    parts.push(
      table(
        ['installed with fastify', 'packages', 'MB', 'MB of source maps beside'],
        installed.map(({ what, packages, bytes, maps }) => [
          what,
          String(packages),
          digits(bytes / 1e6),
          digits(maps / 1e6),
        ]),
      ),
    )
  }
  return parts.join('\n\n')
}

/** This project's targets, as rows: what, the target, the measurement, whether it is met. */
function targetsOf({
  memory,
  starts,
  installed,
}: Pick<Results, 'memory' | 'starts' | 'installed'>): string[][] {
  const row = (what: string, most: number, unit: string, measured: number) => {
    const verdict = measured <= most ? 'yes' : '**no**'
    return [what, `at most ${digits(most)}${unit}`, digits(measured) + unit, verdict]
  }
  const rows: string[][] = []
  for (const { service, sessions, before, after } of memory) {
    if (!service.startsWith('accounts')) continue
    rows.push(row(`heap a login: ${titles[service]}`, 1024, ' bytes', (after - before) / sessions))
  }
  for (const [store, most] of [
    ['memory', 1.3],
    ['sqlite', 1.5],
  ] as const) {
    const ours = starts.find(({ service }) => service === `accounts-${store}`)
    const byHand = starts.find(({ service }) => service === `by-hand-${store}`)
    if (!ours || !byHand) continue
    const what = `first answer after start: ${titles[ours.service]} / ${titles[byHand.service]}`
    rows.push(row(what, most, '', summarize(quotients(ours.times, byHand.times)).median))
  }
  const find = (name: SetName) => installed.find(({ what }) => what === name)
  const [ours, fastify] = [find('fastify-accounts'), find('fastify alone')]
  if (ours && fastify) {
    rows.push(row("packages, beyond Fastify's own", 16, '', ours.packages - fastify.packages))
    rows.push(row("size, beyond Fastify's own", 2, ' MB', (ours.bytes - fastify.bytes) / 1e6))
  }
  return rows
}

function spread({ low, median, high }: Summary): string {
  return `${digits(median)} (${digits(low)}–${digits(high)})`
}
