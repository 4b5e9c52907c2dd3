import { names, type SettingsOf, whole, wholes } from '../flags.js'
import { count, digits, table, verdict } from '../report.js'
import { machine, versionsOf } from '../versions.js'
import { engineNames, engines } from './engines.js'
import type { Growth } from './measure.js'
import { bytesInRedis, bytesOfUsers, measureSessions, type RowBytes } from './sessions.js'
import { measureUsers } from './users.js'

const flags = {
  parts: names('what is measured', ['users', 'sessions', 'tokens']),
  engines: names('where users are stored', engineNames),
  users: wholes('two numbers of users', '10000,1000000', 1000),
  sessions: wholes('two numbers of sessions, as rows on PostgreSQL', '100000,10000000', 1000),
  tokens: whole('sessions of tokens, and as many of cookies, as rows on PostgreSQL', 1_000_000, 1000),
  rounds: whole('rounds of each side', 16, 2),
}

/** The most that a page and a lookup may cost at the larger size, relative to the smaller. */
const most = { page: 1.2, lookUp: 1.5 }
/** The most that a call may cost for a session of tokens, relative to one of a cookie. */
const mostOfTokens = 1.2

export const benchmark = {
  about: `What a large table costs beside a small one, and sessions of tokens beside those of cookies; how large rows are.
Databases are the benchmark's own, where the tests look for PostgreSQL, MariaDB and Redis, and are dropped in the end.`,
  flags,

  async run(settings: SettingsOf<typeof flags>, signal: AbortSignal, say: (line: string) => void) {
    const { parts, users, sessions, tokens, rounds } = settings
    const texts = [
      `${machine()}; ${versionsOf(['fastify', 'kysely', 'better-sqlite3', 'pg', 'mysql2', 'ioredis'])}.`,
    ]
    if (parts.includes('users')) {
      const rows: string[][] = []
      for (const name of settings.engines) {
        const figures = await measureUsers(name, users, rounds, signal, say)
        rows.push(...rowsOf(engines[name].title, figures))
      }
      texts.push(table(headOf('users', users.map(count)), rows, 2))
    }
    if (parts.includes('sessions')) {
      const [small = 0, large = 0] = sessions
      const both = [
        { size: small, kind: 'cookie' },
        { size: large, kind: 'cookie' },
      ] as const
      const { growth, bytes } = await measureSessions(both, rounds, signal, say)
      texts.push(table(headOf('sessions', sessions.map(count)), rowsOf('PostgreSQL', growth), 2))
      texts.push(
        tableOfBytes([await bytesOfUsers(100_000), ...bytes.slice(1), await bytesInRedis(2000, 'cookie')]),
      )
    }
    if (parts.includes('tokens')) {
      const both = [
        { size: tokens, kind: 'cookie' },
        { size: tokens, kind: 'token' },
      ] as const
      const { growth, bytes } = await measureSessions(both, rounds, signal, say)
      const head = headOf(`${count(tokens)} sessions`, ['of cookies', 'of tokens'])
      texts.push(table(head, rowsOf('PostgreSQL', growth, mostOfTokens), 2))
      texts.push(
        tableOfBytes([...bytes, await bytesInRedis(2000, 'cookie'), await bytesInRedis(2000, 'token')]),
      )
    }
    return texts.join('\n\n')
  },
}

function headOf(what: string, [one = '', other = '']: readonly string[]): string[] {
  return [what, 'operation', one, other, 'ratio (middle half)', 'aim']
}

function rowsOf(title: string, figures: readonly Growth[], mostOfAll?: number): string[][] {
  return figures.map(({ name, small, large, ratio: { low, median, high } }) => {
    const aim = mostOfAll ?? (name.includes('page') ? most.page : most.lookUp)
    return [
      ...[title, name, `${digits(small)} µs`, `${digits(large)} µs`],
      `${digits(median)} (${digits(low)}–${digits(high)})`,
      `at most ${aim}: ${verdict(median <= aim)}`,
    ]
  })
}

function tableOfBytes(all: readonly RowBytes[]): string {
  const rows = all.map(({ what, where, rows, row, indexes }) => [
    ...[what, where, count(rows), String(Math.round(row)), String(Math.round(indexes))],
    `${digits(((row + indexes) * 10_000_000) / 2 ** 30)} GiB`,
  ])
  return table(['what', 'where', 'measured on', 'bytes', 'indexes, bytes', 'ten million'], rows, 2)
}
