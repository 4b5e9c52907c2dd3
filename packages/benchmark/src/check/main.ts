import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { digits, table } from '../report.js'
import type { Pair } from '../requests/ratios.js'
import { ratiosOf } from '../requests/ratios.js'
import { type Figure, run } from '../requests/run.js'
import { settingsOf } from '../requests/settings.js'
import { type Comparison, compare, pairs, type Recorded } from './recorded.js'

const usage = `Measures the ratios that are recorded in packages/benchmark/recorded.json, and fails where one has lost more
than a third. Ratios, not times, of short rounds that alternate; what has fallen is measured once more before it counts.
Takes about two minutes, and needs PostgreSQL and Redis.

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
  const recorded = pairs.map((pair): Recorded => {
    const cpu = ratiosOf(figures, pair)?.cpu.median ?? Number.NaN
    return { ...pair, cpu: Number(cpu.toPrecision(3)) }
  })
  await writeFile(file, `${JSON.stringify(recorded, null, 2)}\n`)
  console.log(JSON.stringify(recorded, null, 2))
}

/** @returns whether all is well */
async function check(): Promise<boolean> {
  const recorded = JSON.parse(await readFile(file, 'utf8')) as Recorded[]
  const first = compare(await measure(recorded), recorded)
  console.log(tableOf(first))
  const fallen = first.filter((each) => each.fallen)
  if (fallen.length === 0) return true
  console.log('\nOnce more, what has fallen:\n')
  const second = compare(await measure(fallen), fallen)
  console.log(tableOf(second))
  return second.every((each) => !each.fallen)
}

async function measure(wanted: readonly Pair[]): Promise<Figure[]> {
  const services = new Set(wanted.flatMap(({ ours, theirs }) => [ours, theirs]))
  const settings = settingsOf([
    ...['--operations', [...new Set(wanted.map(({ operation }) => operation))].join()],
    ...['--services', [...services].join()],
    ...['--rounds', '14', '--seconds', '0.25', '--warm-up', '1'],
  ])
  if (!settings) throw new Error('no help was asked for')
  const { figures } = await run(settings, AbortSignal.timeout(8 * 60_000), () => {})
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
