import { digits, table } from '../report.js'
import { type Summary, summarize } from '../statistics.js'
import type { Results, Storm } from './run.js'

/** The results as Markdown: what was measured in rows, a column a service; medians of the storms, and their range. */
export function tables({ machine, versions, times, storms }: Results): string {
  const services = [...new Set(storms.map(({ service }) => service))]
  const of = (figure: (storm: Storm) => number, unit = '') =>
    services.map((service) => {
      const figures = storms.filter((storm) => storm.service === service).map(figure)
      return range(figures, unit)
    })
  const share = (part: number, { storm }: Storm) => (100 * part) / storm.logins.sent
  const rows: [string, ...string[]][] = [
    ['logins it can do, a second', ...of(({ capacity }) => capacity)],
    ['"who am I", idle: p50', ...of(({ idle }) => idle.p50, ' ms')],
    ['"who am I", idle: p99', ...of(({ idle }) => idle.p99, ' ms')],
    [`"who am I", ${times} times as many logins: p50`, ...of(({ storm }) => storm.me.p50, ' ms')],
    [`"who am I", ${times} times as many logins: p99`, ...of(({ storm }) => storm.me.p99, ' ms')],
    ['**p99, storm / idle**', ...of(({ storm, idle }) => storm.me.p99 / idle.p99)],
    ['"who am I", afterwards: p99', ...of(({ recovered }) => recovered.p99, ' ms')],
    ['logins let in during the storm, a second', ...of(lettingIn)],
    ['logins let in', ...of((each) => share(each.storm.logins.letIn?.count ?? 0, each), ' %')],
    ['logins refused (429, 503)', ...of((each) => share(each.storm.logins.refused?.count ?? 0, each), ' %')],
    ['logins without an answer in 15 s', ...of((each) => share(each.storm.logins.unanswered, each), ' %')],
    ['a refusal takes: p50', ...of(({ storm }) => storm.logins.refused?.p50 ?? Number.NaN, ' ms')],
    ['a refusal takes: p99', ...of(({ storm }) => storm.logins.refused?.p99 ?? Number.NaN, ' ms')],
    ['a login takes: p50', ...of(({ storm }) => storm.logins.letIn?.p50 ?? Number.NaN, ' ms')],
    ['memory (RSS) before', ...of(({ base }) => base / 2 ** 20, ' MiB')],
    ['**memory at the most, above that**', ...of(({ base, peak }) => (peak - base) / 2 ** 20, ' MiB')],
  ]
  return `${machine}; ${versions.join(', ')}.\n\n${table(['', ...services], rows)}`
}

/** Until the last one had its answer, those of the storm are still at it. */
function lettingIn({ seconds, storm }: Storm): number {
  return (storm.logins.letIn?.count ?? 0) / (seconds + storm.drain)
}

function range(figures: readonly number[], unit: string): string {
  if (figures.some(Number.isNaN)) return '–'
  const { median }: Summary = summarize(figures)
  const [least, most] = [Math.min(...figures), Math.max(...figures)]
  const spread = figures.length > 1 ? ` (${digits(least)}–${digits(most)})` : ''
  return `${digits(median)}${unit}${spread}`
}
