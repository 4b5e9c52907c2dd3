import { digits, table } from '../report.js'
import { type Summary, summarize } from '../statistics.js'
import type { Contest, Start } from './hash-queue.js'
import { type Outcomes, patience } from './outcomes.js'
import type { ServiceName } from './requests.js'
import type { Results, Storm } from './run.js'

/** The results as Markdown: one table per scenario, with medians of the rounds and their range. */
export function tables({ machine, versions, times, storms, contests, starts }: Results): string {
  const parts = [`${machine}; ${versions.join(', ')}.`]
  if (storms.length > 0) parts.push(stormTable(storms, times))
  if (contests.length > 0) parts.push(contestTable(contests))
  if (starts.length > 0) parts.push(startTable(starts))
  return parts.join('\n\n')
}

/** The measurements as rows, one column per service. */
function stormTable(storms: readonly Storm[], times: number): string {
  const of = columnsOf(storms)
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
    ['logins let in', ...of((each) => share(each.storm.logins.hashed?.count ?? 0, each), ' %')],
    ['logins refused (429, 503)', ...of((each) => share(each.storm.logins.refused?.count ?? 0, each), ' %')],
    ['logins without an answer in 15 s', ...of((each) => share(each.storm.logins.unanswered, each), ' %')],
    ['a refusal takes: p50', ...of(({ storm }) => storm.logins.refused?.p50 ?? Number.NaN, ' ms')],
    ['a refusal takes: p99', ...of(({ storm }) => storm.logins.refused?.p99 ?? Number.NaN, ' ms')],
    ['a login takes: p50', ...of(({ storm }) => storm.logins.hashed?.p50 ?? Number.NaN, ' ms')],
    ['memory (RSS) before', ...of(({ base }) => base / 2 ** 20, ' MiB')],
    ['**memory at the most, above that**', ...of(({ base, peak }) => (peak - base) / 2 ** 20, ' MiB')],
  ]
  return table(['', ...servicesOf(storms)], rows)
}

function contestTable(contests: readonly Contest[]): string {
  const of = columnsOf(contests)
  const hashes = (outcomes: Outcomes) => outcomes.hashed?.count ?? 0
  const share = ({ contest: { strangers, insiders } }: Contest) =>
    (100 * hashes(strangers)) / (hashes(strangers) + hashes(insiders))
  return table(
    ['insiders against strangers', ...servicesOf(contests)],
    [
      ['logins it can do, a second', ...of(({ capacity }) => capacity)],
      ['**hashes that were for strangers**', ...of(share, ' %')],
      ['logins of known devices let in', ...of(({ contest }) => letIn(contest.devices), ' %')],
      ["**a known device's login: p99**", ...of(({ contest }) => loginP99(contest.devices), ' ms')],
      ['logins of strangers let in', ...of(({ contest }) => letIn(contest.strangers), ' %')],
      ["**a stranger's login: p99**", ...of(({ contest }) => loginP99(contest.strangers), ' ms')],
      ...waits('a stranger', ({ contest }: Contest) => contest.strangers, of),
      ...waits('an insider', ({ contest }: Contest) => contest.insiders, of),
      ['"who am I", idle: p99', ...of(({ idle }) => idle.p99, ' ms')],
      ['**"who am I": p99**', ...of(({ contest }) => contest.me.p99, ' ms')],
    ],
  )
}

/** Percent. */
function letIn({ sent, hashed }: Outcomes): number {
  return (100 * (hashed?.count ?? 0)) / sent
}

/** Of logins that succeeded or had no response: the latter waited until their timeout. */
function loginP99({ hashed, unanswered }: Outcomes): number {
  const waited = unanswered + (hashed?.count ?? 0)
  return unanswered > waited / 100 ? patience : (hashed?.p99 ?? Number.NaN)
}

function startTable(starts: readonly Start[]): string {
  const of = columnsOf(starts)
  return table(
    [`${starts[0]?.logins} logins at once, right after a start`, ...servicesOf(starts)],
    [
      ['let in', ...of(({ burst }) => burst.logins.hashed?.count ?? 0)],
      ...waits('a login', ({ burst }: Start) => burst.logins, of),
      ['"who am I", idle: p99', ...of(({ idle }) => idle.p99, ' ms')],
      ['**"who am I": p99**', ...of(({ burst }) => burst.me.p99, ' ms')],
      [
        '"who am I", from the request read to the answer written: p99',
        ...of(({ clock }) => clock.me?.p99 ?? Number.NaN, ' ms'),
      ],
      ['the longest that the event loop was held up', ...of(({ clock }) => clock.longest, ' ms')],
      ['how long the event loop was busy', ...of(({ clock }) => clock.busy, ' ms')],
    ],
  )
}

function servicesOf(rounds: readonly { service: ServiceName }[]): ServiceName[] {
  return [...new Set(rounds.map(({ service }) => service))]
}

/** One figure per service, in the order of `servicesOf`. */
function columnsOf<Round extends { service: ServiceName }>(rounds: readonly Round[]) {
  return (figure: (round: Round) => number, unit = ''): string[] =>
    servicesOf(rounds).map((name) =>
      range(rounds.filter(({ service }) => service === name).map(figure), unit),
    )
}

/** How long a hash took, and how long a rejection. */
function waits<Round>(
  who: string,
  outcomesOf: (round: Round) => Outcomes,
  of: (figure: (round: Round) => number, unit?: string) => string[],
): [string, ...string[]][] {
  const longest = (outcomes: Outcomes) =>
    outcomes.unanswered > 0 ? patience : Math.max(outcomes.hashed?.max ?? 0, outcomes.refused?.max ?? 0)
  return [
    [
      `${who} whose password is hashed: p50`,
      ...of((each) => outcomesOf(each).hashed?.p50 ?? Number.NaN, ' ms'),
    ],
    [`${who} who is refused: p50`, ...of((each) => outcomesOf(each).refused?.p50 ?? Number.NaN, ' ms')],
    [`${who} without an answer in 15 s`, ...of((each) => outcomesOf(each).unanswered)],
    [`**the longest that ${who} waited for an answer**`, ...of((each) => longest(outcomesOf(each)), ' ms')],
  ]
}

/** Logins per second, until the last login of the storm has its response. */
function lettingIn({ seconds, storm }: Storm): number {
  return (storm.logins.hashed?.count ?? 0) / (seconds + storm.drain)
}

function range(figures: readonly number[], unit: string): string {
  if (figures.some(Number.isNaN)) return '–'
  const { median }: Summary = summarize(figures)
  const [least, most] = [Math.min(...figures), Math.max(...figures)]
  const spread = figures.length > 1 ? ` (${digits(least)}–${digits(most)})` : ''
  return `${digits(median)}${unit}${spread}`
}
