/**
 * A setup file of vitest, for the map of scripts/mistakes.mjs: writes down which lines of the sources a test file runs, by
 * V8's coverage. A line is known by its text, so the map outlives moves of lines and files. Lines outside functions run
 * once in a process, for whichever file comes first, so they aren't in the map.
 */
import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { afterAll, expect } from 'vitest'

const sources = /\/packages\/[^/]+\/src\/.*\.ts$/
// Test files that share a process share it.
globalThis.accountsReach ??= await begin()
const { session, scripts } = globalThis.accountsReach
await session.post('Profiler.takePreciseCoverage')

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const lines = new Set()
  for (const { scriptId, functions } of result.filter(({ url }) => sources.test(url))) {
    if (!scripts.has(scriptId)) scripts.set(scriptId, await placesIn(scriptId))
    const places = scripts.get(scriptId)
    const runs = new Uint8Array((places.at(-1)?.at ?? 0) + 1)
    // The first two are the module itself. Each range lies within an earlier one, or beside it.
    for (const { startOffset, endOffset, count } of functions.slice(2).flatMap(({ ranges }) => ranges)) {
      runs.fill(Math.min(count, 1), startOffset, endOffset)
    }
    for (const { at, text } of places) if (runs[at] === 1) lines.add(text)
  }
  const reached = { test: expect.getState().testPath, lines: [...lines] }
  appendFileSync(process.env.MISTAKES_MAP, `${JSON.stringify(reached)}\n`)
})

async function begin() {
  const session = new Session()
  session.connect()
  await session.post('Debugger.enable')
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return { session, scripts: new Map() }
}

/** The offsets of a script at which something of a line of its source begins, each with the text of that line. */
async function placesIn(scriptId) {
  const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId })
  const marker = '\n//# sourceMappingURL=data:application/json;base64,'
  const from = scriptSource.lastIndexOf(marker)
  if (from === -1) return []
  const [encoded] = scriptSource.slice(from + marker.length).split('\n', 1)
  const { mappings, sourcesContent } = JSON.parse(Buffer.from(encoded, 'base64').toString())
  const texts = sourcesContent[0].split('\n').map((text) => text.trim())
  const places = []
  let line = 0
  // What vitest puts before the code.
  let start = scriptSource.indexOf('{{') + 2
  for (const segments of mappings.split(';')) {
    let column = 0
    for (const segment of segments.split(',').filter(Boolean)) {
      const [columns, , lines = 0] = numbersOf(segment)
      column += columns
      line += lines
      places.push({ at: start + column, text: texts[line] })
    }
    start = scriptSource.indexOf('\n', start) + 1
  }
  return places
}

/** The numbers of a segment of a source map, in base64 VLQ (ECMA-426). */
function numbersOf(segment) {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const numbers = []
  let value = 0
  let shift = 0
  for (const character of segment) {
    const digit = digits.indexOf(character)
    value += (digit & 31) << shift
    shift += 5
    if (digit > 31) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}
