import { digits, table } from '../report.js'
import { type ServiceName, titles } from '../requests/names.js'
import { summarize } from '../statistics.js'
import { type Outcomes, patience } from './outcomes.js'
import { type Contest, type Storm, seconds, times } from './run.js'

/** One column per service, with the median of the rounds and their range. */
export function stormTable(storms: readonly Storm[]): string {
  const of = columnsOf(storms)
  const share = (part: number, { storm }: Storm) => (100 * part) / storm.logins.sent
  const rows: string[][] = [
    ['logins it can do, a second', ...of(({ capacity }) => capacity)],
    ['"who am I", idle: p50', ...of(({ idle }) => idle.p50, ' ms')],
    ['"who am I", idle: p99', ...of(({ idle }) => idle.p99, ' ms')],
    [`"who am I", ${times} times as many logins: p50`, ...of(({ storm }) => storm.me.p50, ' ms')],
    [`"who am I", ${times} times as many logins: p99`, ...of(({ storm }) => storm.me.p99, ' ms')],
    ['**p99, storm / idle**', ...of(({ storm, idle }) => storm.me.p99 / idle.p99)],
    ['"who am I", afterwards: p99', ...of(({ recovered }) => recovered.p99, ' ms')],
    [
      'logins let in during the storm, a second',
      ...of(({ storm }) => countOf(storm.logins) / (seconds + storm.drain)),
    ],
    ['logins let in', ...of((each) => share(countOf(each.storm.logins), each), ' %')],
    ['logins refused (429, 503)', ...of((each) => share(each.storm.logins.refused?.count ?? 0, each), ' %')],
    ['logins without a response in 15 s', ...of((each) => share(each.storm.logins.timedOut, each), ' %')],
    ['a refusal takes: p50', ...of(({ storm }) => storm.logins.refused?.p50 ?? Number.NaN, ' ms')],
    ['a refusal takes: p99', ...of(({ storm }) => storm.logins.refused?.p99 ?? Number.NaN, ' ms')],
    ['a login takes: p50', ...of(({ storm }) => storm.logins.hashed?.p50 ?? Number.NaN, ' ms')],
    ['memory (RSS) before', ...of(({ base }) => base / 2 ** 20, ' MiB')],
    ['**memory at the most, above that**', ...of(({ base, peak }) => (peak - base) / 2 ** 20, ' MiB')],
  ]
  return table(['', ...servicesOf(storms)], rows)
}

/** The same for insiders against strangers. */
export function contestTable(contests: readonly Contest[]): string {
  const of = columnsOf(contests)
  const share = ({ contest: { strangers, insiders } }: Contest) =>
    (100 * countOf(strangers)) / (countOf(strangers) + countOf(insiders))
  const waits = (who: string, part: 'strangers' | 'insiders') => [
    [
      `${who} whose password is hashed: p50`,
      ...of(({ contest }) => contest[part].hashed?.p50 ?? Number.NaN, ' ms'),
    ],
    [`${who} who is refused: p50`, ...of(({ contest }) => contest[part].refused?.p50 ?? Number.NaN, ' ms')],
    [`${who} without a response in 15 s`, ...of(({ contest }) => contest[part].timedOut)],
    [
      `**the longest that ${who} waited for a response**`,
      ...of(({ contest }) => longestOf(contest[part]), ' ms'),
    ],
  ]
  const rows = [
    ['logins it can do, a second', ...of(({ capacity }) => capacity)],
    ['**hashes that were for strangers**', ...of(share, ' %')],
    ['logins of known devices let in', ...of(({ contest }) => letIn(contest.devices), ' %')],
    ["**a known device's login: p99**", ...of(({ contest }) => loginP99(contest.devices), ' ms')],
    ['logins of strangers let in', ...of(({ contest }) => letIn(contest.strangers), ' %')],
    ["**a stranger's login: p99**", ...of(({ contest }) => loginP99(contest.strangers), ' ms')],
    ...waits('a stranger', 'strangers'),
    ...waits('an insider', 'insiders'),
    ['"who am I", idle: p99', ...of(({ idle }) => idle.p99, ' ms')],
    ['**"who am I": p99**', ...of(({ contest }) => contest.me.p99, ' ms')],
  ]
  return table(['insiders against strangers', ...servicesOf(contests)], rows)
}

function countOf({ hashed }: Outcomes): number {
  return hashed?.count ?? 0
}

/** Percent. */
function letIn(outcomes: Outcomes): number {
  return (100 * countOf(outcomes)) / outcomes.sent
}

/** Of logins that succeeded or had no response: the latter waited until their timeout. */
function loginP99(outcomes: Outcomes): number {
  const { hashed, timedOut } = outcomes
  const waited = timedOut + countOf(outcomes)
  return timedOut > waited / 100 ? patience : (hashed?.p99 ?? Number.NaN)
}

function longestOf({ hashed, refused, timedOut }: Outcomes): number {
  return timedOut > 0 ? patience : Math.max(hashed?.max ?? 0, refused?.max ?? 0)
}

function servicesOf(rounds: readonly { service: ServiceName }[]): string[] {
  return [...new Set(rounds.map(({ service }) => titles[service]))]
}

/** One figure per service, in the order of `servicesOf`. */
function columnsOf<Round extends { service: ServiceName }>(rounds: readonly Round[]) {
  return (figure: (round: Round) => number, unit = ''): string[] =>
    servicesOf(rounds).map((title) =>
      range(rounds.filter(({ service }) => titles[service] === title).map(figure), unit),
    )
}

function range(figures: readonly number[], unit: string): string {
  if (figures.some(Number.isNaN)) return '–'
  const [least, most] = [Math.min(...figures), Math.max(...figures)]
  const spread = figures.length > 1 ? ` (${digits(least)}–${digits(most)})` : ''
  return `${digits(summarize(figures).median)}${unit}${spread}`
}
