import { writeFile } from 'node:fs/promises'
import { writeBetween } from '../report.js'
import { run } from './run.js'
import { settingsOf, usage } from './settings.js'
import { tables } from './tables.js'

const settings = settingsOf(process.argv.slice(2))
if (settings) {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => stop.abort(new Error(`ended by ${signal}`)))
  }
  const late = AbortSignal.timeout(settings.timeLimit)
  const results = await run(settings, AbortSignal.any([stop.signal, late]), (line) => console.error(line))
  const text = tables(results)
  console.log(text)
  if (settings.json) await writeFile(settings.json, `${JSON.stringify(results, null, 2)}\n`)
  if (settings.page) await writeBetween(settings.page, 'stores', text)
} else {
  console.log(usage)
}
