import { names, type SettingsOf, whole } from '../flags.js'
import { count, digits, spread, table, verdict } from '../report.js'
import { quotients, type Summary, summarize } from '../statistics.js'
import { machine, versionsOf } from '../versions.js'
import { measureLogins } from './logins.js'
import { type Beside, measureBeside } from './waiting.js'

const flags = {
  parts: names('what is measured', ['logins', 'waiting']),
  waiting: whole('events that wait', 1_000_000),
  rounds: whole('rounds of each side', 12, 2),
}

/** The most CPU of a login by code with a subscriber, relative to one without. */
export const mostOfLogin = 1.15
/** The most of "who am I" beside events that wait, relative to the same without. */
const mostOfMe = 1.05
/** Milliseconds: an email leaves half a second to two seconds after it was posted, and takes time to write. */
const mostOfReset = 2500

export const benchmark = {
  about: `What events cost: a login by code with one subscriber beside the same without, on SQLite; and "who am I" and a
reset mail beside a million events that wait, on PostgreSQL.`,
  flags,

  async run(
    { parts, waiting, rounds }: SettingsOf<typeof flags>,
    signal: AbortSignal,
    say: (line: string) => void,
  ) {
    const texts = [`${machine()}; ${versionsOf(['fastify', 'kysely', 'pg'])}.`]
    if (parts.includes('logins')) {
      const { alone, told } = await measureLogins(rounds, signal, say)
      const ratios = quotients(told, alone)
      const met = summarize(ratios).median <= mostOfLogin
      const row = [
        `${spread(alone)} µs`,
        `${spread(told)} µs`,
        spread(ratios),
        `at most ${mostOfLogin}: ${verdict(met)}`,
      ]
      texts.push(
        table(['a login by code', 'without', 'with a subscriber', 'ratio', 'aim'], [['CPU', ...row]]),
      )
    }
    if (parts.includes('waiting')) {
      const rows: string[][] = []
      for (const fate of ['for others', 'failing', 'delivered'] as const) {
        rows.push(rowOf(await measureBeside(fate, waiting, rounds, signal, say)))
      }
      const head = [
        `${count(waiting)} events that wait`,
        '"who am I", CPU: beside them / without',
        'p50',
        'reset mail, at most, without / beside them',
        'check()',
        'delivered a second',
      ]
      texts.push(table(head, rows))
    }
    return texts.join('\n\n')
  },
}

function rowOf({ fate, cpu, p50, reset, health, perSecond }: Beside): string[] {
  const ratio = ({ low, median, high }: Summary) => `${digits(median)} (${digits(low)}–${digits(high)})`
  const aim = fate === 'delivered' ? '' : `; at most ${mostOfMe}: ${verdict(cpu.median <= mostOfMe)}`
  return [
    ...[fate, `${ratio(cpu)}${aim}`, ratio(p50)],
    `${digits(reset[0])} / ${digits(reset[1])} ms: ${verdict(reset[1] <= mostOfReset)}`,
    ...[`${health.ok ? 'ok' : 'not ok'}, ${digits(health.ms)} ms`, digits(perSecond)],
  ]
}
