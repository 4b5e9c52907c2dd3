import type { SourceRecord } from './csv.js'
import { parseJson } from './parse-json.js'

/** The maximum length of a line. */
const longestLine = 1_000_000

/** Reads one JSON object per line. */
export async function* readJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<SourceRecord> {
  let rest = ''
  let line = 0
  let dropped = false
  for await (const chunk of chunks) {
    rest += chunk
    let from = 0
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n', from)) {
      line += 1
      const record = dropped ? tooLong(line) : toRecord(line, rest.slice(from, end))
      dropped = false
      if (record !== null) yield record
      from = end + 1
    }
    rest = rest.slice(from)
    if (rest.length > longestLine) [rest, dropped] = ['', true]
  }
  const record = dropped ? tooLong(line + 1) : toRecord(line + 1, rest)
  if (record !== null) yield record
}

function tooLong(line: number): SourceRecord {
  return { line, values: null, reason: 'too long' }
}

function toRecord(line: number, text: string): SourceRecord | null {
  const bare = (line === 1 ? text.replace(/^\ufeff/, '') : text).trim()
  if (bare === '') return null
  const parsed = parseJson(bare)
  if ('reason' in parsed) return { line, values: null, reason: parsed.reason }
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { line, values: null, reason: 'is not a JSON object' }
  }
  return { line, values: value as Record<string, unknown> }
}
