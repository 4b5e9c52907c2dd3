import { digits, table } from '../report.js'
import { type Summary, summarize } from '../statistics.js'
import { titles } from './names.js'
import { operations } from './operations.js'
import { type Pair, type Ratios, ratiosOf } from './ratios.js'
import type { Figure } from './run.js'

interface Target extends Pair {
  /** The ratio of the pair that counts. */
  by: keyof Ratios
  least: number
}

/** This project's targets. */
const targets: Target[] = [
  { operation: 'me', ours: 'accounts-sqlite', theirs: 'bare', by: 'throughput', least: 0.5 },
  { operation: 'me', ours: 'accounts-sqlite', theirs: 'by-hand-sqlite', by: 'throughput', least: 2 },
  { operation: 'me', ours: 'accounts-sqlite', theirs: 'better-auth-sqlite', by: 'throughput', least: 10 },
  {
    operation: 'me',
    ours: 'accounts-redis-postgres',
    theirs: 'by-hand-redis-postgres',
    by: 'throughput',
    least: 1.2,
  },
  {
    operation: 'me',
    ours: 'accounts-redis-postgres',
    theirs: 'better-auth-postgres',
    by: 'throughput',
    least: 6,
  },
  { operation: 'public', ours: 'accounts-sqlite', theirs: 'bare', by: 'throughput', least: 0.97 },
  { operation: 'log-in', ours: 'accounts-memory', theirs: 'by-hand-memory', by: 'cpu', least: 1 },
  { operation: 'log-in', ours: 'accounts-sqlite', theirs: 'by-hand-sqlite', by: 'cpu', least: 1 },
  {
    operation: 'log-in',
    ours: 'accounts-redis-postgres',
    theirs: 'by-hand-redis-postgres',
    by: 'cpu',
    least: 1,
  },
  { operation: 'log-in', ours: 'accounts-sqlite', theirs: 'better-auth-sqlite', by: 'cpu', least: 10 },
  { operation: 'log-in', ours: 'accounts-postgres', theirs: 'better-auth-postgres', by: 'cpu', least: 10 },
  { operation: 'log-in-hashed', ours: 'accounts-sqlite', theirs: 'bare', by: 'throughput', least: 0.95 },
]

/** The most microseconds of CPU that a login may cost beside the hash. */
const mostLogin = 1000

/** The targets as a Markdown table: the measurement, and whether the median meets the target. */
export function tableOfTargets(figures: readonly Figure[]): string {
  const rows = targets.flatMap((target) => {
    const ratios = ratiosOf(figures, target)
    if (!ratios) return []
    const what = `${operations[target.operation].title.split(';')[0]}: ${titles[target.ours]} / ${titles[target.theirs]}`
    const [by, other] =
      target.by === 'cpu' ? ['CPU, theirs / ours', ratios.throughput] : ['requests/s', ratios.cpu]
    const measured = ratios[target.by]
    return [
      [
        what,
        by,
        `at least ${target.least}`,
        spread(measured),
        verdict(measured.median >= target.least),
        spread(other),
      ],
    ]
  })
  const login = figures.find(
    ({ operation, service }) => operation === 'log-in' && service === 'accounts-sqlite',
  )
  if (login) {
    const cpu = summarize(login.cpu)
    rows.push([
      `log in, hash removed: ${titles[login.service]}`,
      'CPU, µs',
      `under ${mostLogin}`,
      spread(cpu),
      verdict(cpu.median < mostLogin),
      '',
    ])
  }
  const head = ['what', 'by', 'aim', 'measured (middle half)', 'met', 'the other way: CPU or requests/s']
  return table(head, rows, 3)
}

function spread({ low, median, high }: Summary): string {
  return `${digits(median)} (${digits(low)}–${digits(high)})`
}

function verdict(met: boolean): string {
  return met ? 'yes' : '**no**'
}
