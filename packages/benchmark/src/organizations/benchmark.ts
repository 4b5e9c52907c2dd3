import { names, type SettingsOf, whole } from '../flags.js'
import { spread, table, verdict } from '../report.js'
import { quotients, summarize } from '../statistics.js'
import { machine, versionsOf } from '../versions.js'
import { engines, measureGuards } from './guards.js'

const flags = {
  engines: names('where everything is stored', engines),
  rounds: whole('rounds of each question', 16, 2),
}

/** The most CPU of a request that `requireMember` guards, relative to who am I. */
export const mostOfGuard = 1.6

const titles = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

export const benchmark = {
  about: `What a request costs that requireMember guards, by the id and by the slug of the organization, beside "who am I" at
the same server.`,
  flags,

  async run(
    { engines: wanted, rounds }: SettingsOf<typeof flags>,
    signal: AbortSignal,
    say: (line: string) => void,
  ): Promise<string> {
    const rows: string[][] = []
    for (const engine of engines.filter((each) => wanted.includes(each))) {
      const { me, id, slug } = await measureGuards(engine, rounds, signal, say)
      for (const [by, cpu] of [
        ['id', id],
        ['slug', slug],
      ] as const) {
        const ratios = quotients(cpu, me)
        const met = summarize(ratios).median <= mostOfGuard
        const aim = `at most ${mostOfGuard}: ${verdict(met)}`
        rows.push([
          `${titles[engine]}, by ${by}`,
          `${spread(me)} µs`,
          `${spread(cpu)} µs`,
          spread(ratios),
          aim,
        ])
      }
    }
    const head = ['server CPU a request', 'who am I', 'for members', 'ratio', 'aim']
    return `${machine()}; ${versionsOf(['fastify', 'kysely', 'pg'])}.\n\n${table(head, rows)}`
  },
}
