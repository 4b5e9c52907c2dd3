import { type Flags, readFlags, type SettingsOf, usageOf } from './flags.js'
import { writeBetween } from './report.js'

/** A benchmark, from its flags to its report. */
export interface Benchmark<Own extends Flags> {
  about: string
  flags: Own
  /**
   * @param say receives a line whenever something begins
   * @returns the results as Markdown
   * @throws the reason of the signal if it ends the run; what was created is removed by then as well
   */
  run(settings: SettingsOf<Own>, signal: AbortSignal, say: (line: string) => void): Promise<string>
}

const benchmarks: Record<string, () => Promise<{ benchmark: unknown }>> = {
  requests: () => import('./requests/benchmark.js'),
  footprint: () => import('./footprint/benchmark.js'),
  scale: () => import('./scale/benchmark.js'),
  storm: () => import('./storm/benchmark.js'),
  types: () => import('./types.js'),
  events: () => import('./events/benchmark.js'),
  organizations: () => import('./organizations/benchmark.js'),
  check: () => import('./check.js'),
}

// argv names the benchmark, followed by its flags. The tables go to standard output, progress to standard error.
const [name = '', ...args] = process.argv.slice(2)
const load = benchmarks[name]
if (!load) throw new Error(`${name} is none of ${Object.keys(benchmarks).join(', ')}`)
const { about, flags, run } = (await load()).benchmark as Benchmark<Flags>
const page = { about: 'writes the tables between the markers of this page', initial: '', read: text }
const common = { ...flags, page }

if (args.includes('--help')) console.log(`${about}\n\n${usageOf(common)}`)
else {
  const { page, ...settings } = readFlags(common, args)
  const stop = new AbortController()
  for (const each of ['SIGINT', 'SIGTERM']) {
    process.once(each, () => stop.abort(new Error(`ended by ${each}`)))
  }
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(2 * 3_600_000)])
  const tables = await run(settings, signal, (line) => console.error(line))
  console.log(tables)
  if (page) await writeBetween(page, name, tables)
}

function text(_flag: string, value: string): string {
  return value
}
