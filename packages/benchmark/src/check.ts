import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { mostOfLogin } from './events/benchmark.js'
import { measureLogins } from './events/logins.js'
import { type SettingsOf, whole } from './flags.js'
import { measureInstalled } from './footprint/installed.js'
import { measureStarts, type Start } from './footprint/start.js'
import { mostOfGuard } from './organizations/benchmark.js'
import { engines, measureGuards } from './organizations/guards.js'
import { digits, table } from './report.js'
import type { ServiceName } from './requests/names.js'
import { type OperationName, operationNames } from './requests/operations.js'
import { type Figure, type Pair, ratiosOf, run } from './requests/run.js'
import { quotients, summarize } from './statistics.js'

/** Figures by name, as recorded in recorded.json. */
export type Figures = Record<string, number>

/**
 * The pairs compared: the most frequent actions, logins and signups beside better-auth's. Beside the few lines by hand,
 * their ratio fell by half on a busy machine, without a change of the code.
 */
export const pairs: Pair[] = [
  { operation: 'public', ours: 'accounts-sqlite', theirs: 'bare' },
  // Features that nobody uses cost nothing.
  { operation: 'me', ours: 'accounts-sqlite-features', theirs: 'accounts-sqlite' },
  { operation: 'public', ours: 'accounts-sqlite-features', theirs: 'accounts-sqlite' },
  // A token costs what a cookie does.
  { operation: 'me', ours: 'accounts-sqlite-tokens', theirs: 'accounts-sqlite' },
  { operation: 'me', ours: 'accounts-sqlite', theirs: 'by-hand-sqlite' },
  { operation: 'me', ours: 'accounts-redis-postgres', theirs: 'by-hand-redis-postgres' },
  ...(['log-in', 'sign-up'] as const).flatMap((operation): Pair[] => [
    { operation, ours: 'accounts-sqlite', theirs: 'better-auth-sqlite' },
    { operation, ours: 'accounts-postgres', theirs: 'better-auth-postgres' },
  ]),
]
/** Of the server's CPU per request; more is better. */
export const nameOf = ({ operation, ours, theirs }: Pair): string => `${operation}: ${theirs} / ${ours}`

/** Less is better; each with the multiple of its record that is too much. */
export const footprints: Figures = {
  'start in memory, CPU: ours / by hand': 1.25,
  'start on SQLite, CPU: ours / better-auth': 1.25,
  "packages, beyond Fastify's own": 1,
  "megabytes, beyond Fastify's own": 1.05,
  "megabytes with @fastify-accounts/kysely, beyond Fastify's own": 1.05,
}

/** Less is better; each with what is too much, whatever is recorded. */
export const aims: Figures = {
  'login by code, CPU: with a subscriber / without': mostOfLogin,
  'SQLite, CPU: a request for members / who am I': mostOfGuard,
  'PostgreSQL, CPU: a request for members / who am I': mostOfGuard,
}

/** Whether a ratio has lost more than a third, what should be small has grown, or an aim is missed. */
export function isWorse(name: string, recorded: number, now: number): boolean {
  const [most, aim] = [footprints[name], aims[name]]
  if (aim !== undefined) return now > aim
  return most === undefined ? now < (recorded * 2) / 3 : now > recorded * most
}

// From dist.
const file = new URL('../recorded.json', import.meta.url)
const flags = { record: whole('1 measures, and records what it finds', 0, 0) }

export const benchmark = {
  about: `Measures what is recorded in packages/benchmark/recorded.json, and fails where a ratio of requests has lost more
than a third, the start takes a quarter more CPU beside the same start of others, what is installed has grown, a
subscriber makes a login cost more than 15 % more CPU, or \`requireMember\` a request more than 60 % more than who am I.
What is worse is measured once more before it counts. Databases of SQLite are in /dev/shm where there is one, so the disk
doesn't count. Takes about seven minutes, and needs PostgreSQL, Redis and the npm registry.`,
  flags,

  async run({ record }: SettingsOf<typeof flags>, signal: AbortSignal): Promise<string> {
    const all = await measure(pairs, true, signal)
    if (record) {
      await writeFile(file, `${JSON.stringify(all, null, 2)}\n`)
      return `recorded ${Object.keys(all).length} figures`
    }
    const recorded = JSON.parse(await readFile(file, 'utf8')) as Figures
    const worse = worseThan(recorded, all)
    const text = tableOf(recorded, all)
    if (worse.length === 0) return text
    const fallen = pairs.filter((pair) => worse.includes(nameOf(pair)))
    const again = await measure(fallen, fallen.length < worse.length, signal)
    if (worseThan(recorded, again).some((name) => worse.includes(name))) process.exitCode = 1
    return `${text}\n\nOnce more, what was worse:\n\n${tableOf(recorded, again)}`
  },
}

function worseThan(recorded: Figures, figures: Figures): string[] {
  return Object.keys(figures).filter((name) =>
    isWorse(name, recorded[name] ?? Number.NaN, figures[name] ?? Number.NaN),
  )
}

function tableOf(recorded: Figures, figures: Figures): string {
  const rows = Object.entries(figures).map(([name, now]) => {
    const before = recorded[name] ?? Number.NaN
    return [name, digits(before), digits(now), isWorse(name, before, now) ? 'worse' : '']
  })
  return table(['CPU a request: theirs / ours; start and size', 'recorded', 'now', ''], rows)
}

async function measure(
  wanted: readonly Pair[],
  withFootprint: boolean,
  signal: AbortSignal,
): Promise<Figures> {
  const requests = wanted.length > 0 ? await measureRequests(wanted, signal) : []
  const ratios = wanted.map((pair): [string, number] => {
    const ratio = ratiosOf(requests, pair)
    if (!ratio) throw new Error(`${nameOf(pair)} was not measured`)
    return [nameOf(pair), summarize(ratio.cpu).median]
  })
  const all = [
    ...ratios,
    ...(withFootprint ? [...(await measureFootprints(signal)), ...(await measureAims(signal))] : []),
  ]
  return Object.fromEntries(all.map(([name, value]) => [name, Number(value.toPrecision(3))]))
}

async function measureRequests(wanted: readonly Pair[], signal: AbortSignal): Promise<Figure[]> {
  const operations = operationNames.filter((name): name is OperationName =>
    wanted.some(({ operation }) => operation === name),
  )
  const services = [...new Set(wanted.flatMap(({ ours, theirs }) => [ours, theirs]))]
  const parent = inMemory()
  const { figures } = await run({ operations, services, rounds: 14, seconds: 0.25, parent }, signal, () => {})
  return figures
}

/** What a commit costs on a disk depends on the machine, and would hide what the code costs. */
function inMemory(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
}

async function measureFootprints(signal: AbortSignal): Promise<[string, number][]> {
  const services: ServiceName[] = [
    'accounts-memory',
    'by-hand-memory',
    'accounts-sqlite',
    'better-auth-sqlite',
  ]
  const starts = await measureStarts(16, signal, () => {}, services)
  const [memory = [], memoryByHand = [], sqlite = [], betterAuth = []] = starts.map(({ cpu }: Start) => cpu)
  const alone = await measureInstalled('fastify alone', signal)
  const ours = await measureInstalled('fastify-accounts', signal)
  const withKysely = await measureInstalled('fastify-accounts, @fastify-accounts/kysely', signal)
  const values = [
    summarize(quotients(memory, memoryByHand)).median,
    summarize(quotients(sqlite, betterAuth)).median,
    ours.packages - alone.packages,
    (ours.bytes - alone.bytes) / 1e6,
    (withKysely.bytes - alone.bytes) / 1e6,
  ]
  return Object.keys(footprints).map((name, at) => [name, values[at] ?? Number.NaN])
}

async function measureAims(signal: AbortSignal): Promise<[string, number][]> {
  const { alone, told } = await measureLogins(20, signal, () => {}, inMemory())
  const values = [summarize(quotients(told, alone)).median]
  for (const engine of engines) {
    const { me, id } = await measureGuards(engine, 6, signal, () => {}, inMemory())
    values.push(summarize(quotients(id, me)).median)
  }
  return Object.keys(aims).map((name, at) => [name, values[at] ?? Number.NaN])
}
