import { writeFile } from 'node:fs/promises'
import type { CommonSettings } from './flags.js'
import { writeBetween } from './report.js'

/** A benchmark, from its flags to its report. */
export interface Benchmark<Settings extends CommonSettings, Results> {
  /** Stands in the markers of the page. */
  name: string
  usage: string
  /**
   * @returns `null` where help was asked for
   * @throws TypeError with one line that names the flag
   */
  settingsOf(args: readonly string[]): Settings | null
  /**
   * @param say is handed a line whenever something begins
   * @throws the reason of the signal where it ends the run; what was made is gone then too
   */
  run(settings: Settings, signal: AbortSignal, say: (line: string) => void): Promise<Results>
  /** The results as Markdown. */
  tables(results: Results): string
  /** Whatever else it leaves behind. */
  write?(settings: Settings, results: Results): Promise<void>
}

/** Runs it with the flags of this process: the tables to standard output, what it is doing to standard error. */
export async function command<Settings extends CommonSettings, Results>(
  benchmark: Benchmark<Settings, Results>,
): Promise<void> {
  const settings = benchmark.settingsOf(process.argv.slice(2))
  if (!settings) return console.log(benchmark.usage)

  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => stop.abort(new Error(`ended by ${signal}`)))
  }
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(settings.timeLimit)])
  const results = await benchmark.run(settings, signal, (line) => console.error(line))
  const text = benchmark.tables(results)
  console.log(text)
  if (settings.json) await writeFile(settings.json, `${JSON.stringify(results, null, 2)}\n`)
  await benchmark.write?.(settings, results)
  if (settings.page) await writeBetween(settings.page, benchmark.name, text)
}
