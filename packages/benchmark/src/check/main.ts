import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { digits, table } from '../report.js'
import type { Pair } from '../requests/ratios.js'
import { ratiosOf } from '../requests/ratios.js'
import { type Figure, run } from '../requests/run.js'
import { settingsOf } from '../requests/settings.js'
import {
  compareFootprint,
  type FootprintComparison,
  measureFootprint,
  type RecordedFootprint,
} from './footprint.js'
import { type Comparison, compare, pairs, type Recorded } from './recorded.js'

const usage = `Measures what is recorded in packages/benchmark/recorded.json, and fails where a ratio of requests has lost more than a
third, the start takes a quarter more CPU beside the same by hand, or what is installed has grown. Ratios, not times, of
short rounds that alternate; what has fallen is measured once more before it counts. Takes about four minutes, and needs
PostgreSQL, Redis and the npm registry.

  --record   measures, and records what it finds
  --help`

const { values } = parseArgs({ options: { record: { type: 'boolean' }, help: { type: 'boolean' } } })
// From dist.
const file = new URL('../../recorded.json', import.meta.url)

if (values.help) console.log(usage)
else if (values.record) await record()
else if (!(await check())) process.exitCode = 1

async function record(): Promise<void> {
  const figures = await measure(pairs)
  const ratios = pairs.map((pair): Recorded => {
    const cpu = ratiosOf(figures, pair)?.cpu.median ?? Number.NaN
    return { ...pair, cpu: Number(cpu.toPrecision(3)) }
  })
  const text = JSON.stringify([...ratios, ...(await measureFootprint(deadline()))], null, 2)
  await writeFile(file, `${text}\n`)
  console.log(text)
}

/** @returns whether all is well */
async function check(): Promise<boolean> {
  const recorded = JSON.parse(await readFile(file, 'utf8')) as (Recorded | RecordedFootprint)[]
  const areFast = await checkRequests(recorded.filter((each) => 'operation' in each))
  const areSmall = await checkFootprint(recorded.filter((each) => 'what' in each))
  return areFast && areSmall
}

async function checkRequests(recorded: readonly Recorded[]): Promise<boolean> {
  const first = compare(await measure(recorded), recorded)
  console.log(tableOf(first))
  const fallen = first.filter((each) => each.fallen)
  if (fallen.length === 0) return true
  console.log('\nOnce more, what has fallen:\n')
  const second = compare(await measure(fallen), fallen)
  console.log(tableOf(second))
  return second.every((each) => !each.fallen)
}

async function checkFootprint(recorded: readonly RecordedFootprint[]): Promise<boolean> {
  const first = compareFootprint(await measureFootprint(deadline()), recorded)
  console.log(`\n${footprintTableOf(first)}`)
  const grown = first.filter((each) => each.grown)
  if (grown.length === 0) return true
  console.log('\nOnce more, what has grown:\n')
  const second = compareFootprint(await measureFootprint(deadline()), grown)
  console.log(footprintTableOf(second))
  return second.every((each) => !each.grown)
}

async function measure(wanted: readonly Pair[]): Promise<Figure[]> {
  const services = new Set(wanted.flatMap(({ ours, theirs }) => [ours, theirs]))
  const settings = settingsOf([
    ...['--operations', [...new Set(wanted.map(({ operation }) => operation))].join()],
    ...['--services', [...services].join()],
    ...['--rounds', '14', '--seconds', '0.25', '--warm-up', '1'],
  ])
  if (!settings) throw new Error('no help was asked for')
  const { figures } = await run(settings, deadline(), () => {})
  return figures
}

function tableOf(comparisons: readonly Comparison[]): string {
  return table(
    ['operation', 'ours', 'theirs', 'CPU, theirs / ours, recorded', 'now', ''],
    comparisons.map(({ operation, ours, theirs, cpu, now, fallen }) => [
      ...[operation, ours, theirs, digits(cpu), digits(now)],
      fallen ? 'fallen' : '',
    ]),
    3,
  )
}

function footprintTableOf(comparisons: readonly FootprintComparison[]): string {
  return table(
    ['start and size', 'recorded', 'now', ''],
    comparisons.map(({ what, value, now, grown }) => [
      ...[what, digits(value), digits(now)],
      grown ? 'grown' : '',
    ]),
  )
}

function deadline(): AbortSignal {
  return AbortSignal.timeout(8 * 60_000)
}
