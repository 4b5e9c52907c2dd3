import { writeFile } from 'node:fs/promises'
import type { CommonSettings } from './flags.js'
import { writeBetween } from './report.js'

/** A benchmark, from its flags to its report. */
export interface Benchmark<Settings extends CommonSettings, Results> {
  /** Used in the markers of the page. */
  name: string
  usage: string
  /**
   * @returns `null` if help was requested
   * @throws TypeError with one line that names the flag
   */
  settingsOf(args: readonly string[]): Settings | null
  /**
   * @param say receives a line whenever something begins
   * @throws the reason of the signal if it ends the run; what was created is removed by then too
   */
  run(settings: Settings, signal: AbortSignal, say: (line: string) => void): Promise<Results>
  /** The results as Markdown. */
  tables(results: Results): string
  /** Writes any other output. */
  write?(settings: Settings, results: Results): Promise<void>
}

/** Runs it with the flags of this process: the tables to standard output, progress to standard error. */
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
