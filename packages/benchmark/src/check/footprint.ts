import { measureInstalled } from '../footprint/installed.js'
import { measureStarts, type Start } from '../footprint/start.js'
import type { ServiceName } from '../requests/names.js'

/** The figures compared beside requests; less is better. Each has the multiple of its record that is too much. */
const most = {
  'start in memory: CPU, ours / by hand': 1.25,
  'start on SQLite: CPU, ours / by hand': 1.25,
  "packages, beyond Fastify's own": 1,
  "megabytes, beyond Fastify's own": 1.05,
  "megabytes with @fastify-accounts/kysely, beyond Fastify's own": 1.05,
}

type FootprintName = keyof typeof most

/** What was measured before. */
export interface RecordedFootprint {
  what: FootprintName
  value: number
}

export interface FootprintComparison extends RecordedFootprint {
  /** As it is now. */
  now: number
  grown: boolean
}

/** Starts of each service. */
const rounds = 10

/** The least CPU of any start, which excludes what other programs on the machine add. */
export async function measureFootprint(signal: AbortSignal): Promise<RecordedFootprint[]> {
  const silent = (): void => {}
  const services: ServiceName[] = ['accounts-memory', 'by-hand-memory', 'accounts-sqlite', 'by-hand-sqlite']
  const [memory, memoryByHand, sqlite, sqliteByHand] = await measureStarts(rounds, signal, silent, services)
  const [alone, ours, withKysely] = await measureInstalled(signal, silent, [
    'fastify alone',
    'fastify-accounts',
    'fastify-accounts, @fastify-accounts/kysely',
  ])
  if (!alone || !ours || !withKysely) throw new Error('not everything was installed')
  const megabytes = (bytes: number): number => (bytes - alone.bytes) / 1e6
  const values: Record<FootprintName, number> = {
    'start in memory: CPU, ours / by hand': least(memory) / least(memoryByHand),
    'start on SQLite: CPU, ours / by hand': least(sqlite) / least(sqliteByHand),
    "packages, beyond Fastify's own": ours.packages - alone.packages,
    "megabytes, beyond Fastify's own": megabytes(ours.bytes),
    "megabytes with @fastify-accounts/kysely, beyond Fastify's own": megabytes(withKysely.bytes),
  }
  return Object.entries(values).map(([what, value]) => ({
    what: what as FootprintName,
    value: Number(value.toPrecision(3)),
  }))
}

/** @throws Error if something that was recorded was not measured */
export function compareFootprint(
  measured: readonly RecordedFootprint[],
  recorded: readonly RecordedFootprint[],
): FootprintComparison[] {
  return recorded.map(({ what, value }) => {
    const now = measured.find((each) => each.what === what)?.value
    if (now === undefined) throw new Error(`${what}: was not measured`)
    return { what, value, now, grown: now > value * most[what] }
  })
}

function least(start: Start | undefined): number {
  return Math.min(...(start?.cpu ?? []))
}
