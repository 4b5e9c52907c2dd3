import { count, digits, spread, table, verdict } from '../report.js'
import { quotients, summarize } from '../statistics.js'
import { titles } from './names.js'
import { operationNames, operations } from './operations.js'
import { type Figure, type Pair, type Results, ratiosOf } from './run.js'

interface Target extends Pair {
  /** The ratio that counts. */
  by: 'throughput' | 'cpu'
  least: number
}

const inSqlite = { ours: 'accounts-sqlite', theirs: 'by-hand-sqlite' } as const
const inRedis = { ours: 'accounts-redis-postgres', theirs: 'by-hand-redis-postgres' } as const
const onPostgres = { theirs: 'better-auth-postgres' } as const

/** This project's targets. */
const targets: Target[] = [
  { operation: 'me', ...inSqlite, theirs: 'bare', by: 'throughput', least: 0.5 },
  { operation: 'me', ...inSqlite, by: 'throughput', least: 2 },
  { operation: 'me', ...inSqlite, theirs: 'better-auth-sqlite', by: 'throughput', least: 10 },
  { operation: 'me', ...inRedis, by: 'throughput', least: 1.2 },
  { operation: 'me', ...inRedis, ...onPostgres, by: 'throughput', least: 6 },
  { operation: 'me', ours: 'accounts-sqlite-tokens', theirs: 'accounts-sqlite', by: 'cpu', least: 0.9 },
  { operation: 'me', ours: 'accounts-sqlite-tokens', theirs: 'bare', by: 'cpu', least: 0.45 },
  { operation: 'public', ...inSqlite, theirs: 'bare', by: 'throughput', least: 0.97 },
  { operation: 'log-in', ours: 'accounts-memory', theirs: 'by-hand-memory', by: 'cpu', least: 1 },
  { operation: 'log-in', ...inSqlite, by: 'cpu', least: 1 },
  { operation: 'log-in', ...inRedis, by: 'cpu', least: 1 },
  { operation: 'log-in', ...inSqlite, theirs: 'better-auth-sqlite', by: 'cpu', least: 10 },
  { operation: 'log-in', ours: 'accounts-postgres', ...onPostgres, by: 'cpu', least: 10 },
  { operation: 'log-in-hashed', ...inSqlite, theirs: 'bare', by: 'throughput', least: 0.95 },
]

/** The results as Markdown: the targets, and one table per operation with one row per service. */
export function tables({ about, figures }: Results): string {
  const parts = operationNames.flatMap((operation) => {
    const rows = figures.filter((figure) => figure.operation === operation)
    return rows.length === 0 ? [] : [`### ${capital(operations[operation].title)}\n\n${tableOf(rows)}`]
  })
  return [about, tableOfTargets(figures), ...parts].join('\n\n')
}

/** The ratio that counts, whether its median meets the target, and the other ratio. */
function tableOfTargets(figures: readonly Figure[]): string {
  const rows = targets.flatMap((target) => {
    const ratios = ratiosOf(figures, target)
    if (!ratios) return []
    const { operation, ours, theirs, by, least } = target
    const what = `${operations[operation].title.split(';')[0]}: ${titles[ours]} / ${titles[theirs]}`
    const byCpu = by === 'cpu'
    const met = summarize(ratios[by]).median >= least
    return [
      [
        what,
        byCpu ? 'CPU, theirs / ours' : 'requests/s',
        `at least ${least}`,
        ...[spread(ratios[by]), verdict(met), spread(byCpu ? ratios.throughput : ratios.cpu)],
      ],
    ]
  })
  const head = ['what', 'by', 'aim', 'measured (middle half)', 'met', 'the other way: CPU or requests/s']
  return table(head, rows, 3)
}

function tableOf(rows: readonly Figure[]): string {
  const first = rows[0] as Figure
  const ofFirst = (row: Figure, of: 'perSecond' | 'cpu') =>
    row === first ? '1' : spread(quotients(row[of], first[of]))
  return table(
    ['service', 'requests/s', 'of the first', 'server CPU a request', 'of the first', 'p50', 'p99'],
    rows.map((row) => [
      titles[row.service],
      spread(row.perSecond, (value) => (value < 100 ? digits(value) : count(Math.round(value)))),
      ofFirst(row, 'perSecond'),
      `${spread(row.cpu)} µs`,
      ofFirst(row, 'cpu'),
      `${digits(summarize(row.p50).median)} ms`,
      `${digits(summarize(row.p99).median)} ms`,
    ]),
  )
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
