import { names, type SettingsOf, whole } from '../flags.js'
import { digits, spread, table, verdict } from '../report.js'
import { titles } from '../requests/names.js'
import { quotients, summarize } from '../statistics.js'
import { machine, versionsOf } from '../versions.js'
import { type Installed, measureInstalled, type SetName, setNames } from './installed.js'
import { measureStarts, type Start } from './start.js'

const flags = {
  parts: names('what is measured', ['start', 'installed']),
  rounds: whole('starts of each service', 8),
}

export const benchmark = {
  about: 'The start, and what is installed, which comes from the npm registry into a folder that is removed.',
  flags,

  async run({ parts, rounds }: SettingsOf<typeof flags>, signal: AbortSignal, say: (line: string) => void) {
    const packages = ['fastify', '@fastify/session', '@fastify/cookie', 'better-auth']
    const texts = [`${machine()}; ${versionsOf(packages)}.`]
    if (parts.includes('start')) texts.push(...tablesOfStarts(await measureStarts(rounds, signal, say)))
    if (parts.includes('installed')) {
      const installed = new Map<SetName, Installed>()
      for (const name of setNames) {
        say(`installing ${name}`)
        installed.set(name, await measureInstalled(name, signal))
      }
      texts.push(...tablesOfInstalled(installed))
    }
    return texts.join('\n\n')
  },
}

function tablesOfStarts(starts: readonly Start[]): string[] {
  const find = (name: string) => starts.find(({ service }) => service === name) as Start
  const ratio = (name: 'memory' | 'sqlite') => {
    const [ours, byHand] = [find(`accounts-${name}`), find(`by-hand-${name}`)]
    return summarize(quotients(ours.times, byHand.times)).median
  }
  const { firstLogin, tenthLogin } = find('accounts-sqlite')
  const targets = [
    target('first response after start, in memory: ours / by hand', 1.3, ratio('memory')),
    target('first response after start, on SQLite: ours / by hand', 1.5, ratio('sqlite')),
    target('CPU of the first login after a start / of the tenth', 1, timesTenth({ firstLogin, tenthLogin })),
  ]
  const bare = find('bare').times
  const rows = starts.map((start) => {
    const { service, times, cpu, firstLogin, tenthLogin } = start
    const logins = [firstLogin, tenthLogin].map((each) => `${digits(summarize(each).median)} ms`)
    return [
      titles[service],
      `${spread(times)} ms`,
      spread(quotients(times, bare)),
      `${digits(Math.min(...cpu))} ms`,
      Number.isNaN(firstLogin[0]) ? '' : `${logins.join(' / ')}: ${digits(timesTenth(start))}`,
    ]
  })
  const head = [
    'from the start of the process to the first response',
    'time',
    'of bare Fastify',
    'CPU at the least',
    'CPU of the first login / of the tenth',
  ]
  return [tableOfTargets(targets), table(head, rows)]
}

function timesTenth({ firstLogin, tenthLogin }: Pick<Start, 'firstLogin' | 'tenthLogin'>): number {
  return summarize(firstLogin).median / summarize(tenthLogin).median
}

function tablesOfInstalled(installed: ReadonlyMap<SetName, Installed>): string[] {
  const [ours, fastify] = ['fastify-accounts', 'fastify alone'].map((name) => installed.get(name as SetName))
  if (!ours || !fastify) return []
  const targets = [
    target("packages, beyond Fastify's own", 16, ours.packages - fastify.packages),
    target("megabytes, beyond Fastify's own", 2, (ours.bytes - fastify.bytes) / 1e6),
  ]
  const rows = [...installed].map(([what, { packages, bytes, maps }]) => [
    ...[what, String(packages), digits(bytes / 1e6), digits(maps / 1e6)],
  ])
  const head = ['installed with fastify', 'packages', 'MB', 'MB of source maps beside']
  return [tableOfTargets(targets), table(head, rows)]
}

function target(what: string, most: number, measured: number): string[] {
  return [what, `at most ${most}`, digits(measured), verdict(measured <= most)]
}

function tableOfTargets(rows: readonly string[][]): string {
  return table(['what', 'aim', 'measured', 'met'], rows, 2)
}
