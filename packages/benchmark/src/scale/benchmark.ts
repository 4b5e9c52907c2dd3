import { names, type SettingsOf, whole, wholes } from '../flags.js'
import { count, digits, table, verdict } from '../report.js'
import { machine, versionsOf } from '../versions.js'
import { engineNames, engines } from './engines.js'
import type { Growth } from './measure.js'
import { bytesInRedis, bytesOfUsers, measureSessions, type RowBytes } from './sessions.js'
import { measureUsers } from './users.js'

const flags = {
  parts: names('what is measured', ['users', 'sessions']),
  engines: names('where users are stored', engineNames),
  users: wholes('two numbers of users', '10000,1000000', 1000),
  sessions: wholes('two numbers of sessions, as rows on PostgreSQL', '100000,10000000', 1000),
  rounds: whole('rounds of each side', 16, 2),
}

/** The most that a page and a lookup may cost at the larger size, relative to the smaller. */
const most = { page: 1.2, lookUp: 1.5 }

export const benchmark = {
  about: `What a large table costs beside a small one, and how large its rows are. Databases are the benchmark's own, where
the tests look for PostgreSQL, MariaDB and Redis, and are dropped in the end.`,
  flags,

  async run(settings: SettingsOf<typeof flags>, signal: AbortSignal, say: (line: string) => void) {
    const { parts, users, sessions, rounds } = settings
    const texts = [
      `${machine()}; ${versionsOf(['fastify', 'kysely', 'better-sqlite3', 'pg', 'mysql2', 'ioredis'])}.`,
    ]
    if (parts.includes('users')) {
      const rows: string[][] = []
      for (const name of settings.engines) {
        const figures = await measureUsers(name, users, rounds, signal, say)
        rows.push(...rowsOf(engines[name].title, figures))
      }
      texts.push(table(headOf('users', users), rows, 2))
    }
    if (parts.includes('sessions')) {
      const { growth, bytes } = await measureSessions(sessions, rounds, signal, say)
      texts.push(table(headOf('sessions', sessions), rowsOf('PostgreSQL', growth), 2))
      texts.push(tableOfBytes([await bytesOfUsers(100_000), bytes, await bytesInRedis(2000)]))
    }
    return texts.join('\n\n')
  },
}

function headOf(what: string, [small = 0, large = 0]: readonly number[]): string[] {
  return [what, 'operation', count(small), count(large), 'ratio (middle half)', 'aim']
}

function rowsOf(title: string, figures: readonly Growth[]): string[][] {
  return figures.map(({ name, small, large, ratio: { low, median, high } }) => {
    const aim = name.includes('page') ? most.page : most.lookUp
    return [
      ...[title, name, `${digits(small)} µs`, `${digits(large)} µs`],
      `${digits(median)} (${digits(low)}–${digits(high)})`,
      `at most ${aim}: ${verdict(median <= aim)}`,
    ]
  })
}

function tableOfBytes(all: readonly RowBytes[]): string {
  const rows = all.map(({ what, where, rows, row, indexes }) => [
    ...[`a ${what}`, where, count(rows), String(Math.round(row)), String(Math.round(indexes))],
    `${digits(((row + indexes) * 10_000_000) / 2 ** 30)} GiB`,
  ])
  return table(['what', 'where', 'measured on', 'bytes', 'indexes, bytes', 'ten million'], rows, 2)
}
