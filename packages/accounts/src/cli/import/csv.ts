/** One record of a file, with the number of the line that it begins in. */
export interface SourceRecord {
  line: number
  /** `null` where the line cannot be read; `reason` says why. */
  values: Record<string, unknown> | null
  reason?: string
}

/** The most characters of one record. More is a quote that was never closed, and must not fill the memory. */
const longestRecord = 1_000_000

/**
 * Reads CSV as RFC 4180 has it: quotes around what holds delimiters, quotes or line ends; the first record names the
 * columns. A byte order mark is no part of them.
 * @throws Error of one line where the first record is no header
 */
export async function* readCsv(
  chunks: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<SourceRecord> {
  let header: string[] | undefined
  for await (const { line, cells, reason } of cellsOf(chunks, delimiter)) {
    if (header === undefined) {
      header = cells
      const empty = cells.length === 0 || cells.some((name) => name === '')
      if (reason !== undefined || empty || new Set(cells).size < cells.length) {
        throw new Error('the first line must name the columns, each by a name of its own')
      }
    } else if (reason !== undefined) {
      yield { line, values: null, reason }
    } else if (cells.length !== header.length) {
      yield {
        line,
        values: null,
        reason: `${cells.length} columns, where the first line has ${header.length}`,
      }
    } else {
      yield { line, values: Object.fromEntries(header.map((name, at) => [name, cells[at]])) }
    }
  }
}

interface Cells {
  line: number
  cells: string[]
  reason?: string
}

async function* cellsOf(chunks: AsyncIterable<string>, delimiter: string): AsyncGenerator<Cells> {
  let cells: string[] = []
  let cell = ''
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  let [line, startedAt, size] = [1, 1, 0]
  let reason: string | undefined
  let first = true

  const endRecord = (): Cells | null => {
    cells.push(cell)
    // A line with nothing on it is none.
    const blank = cells.length === 1 && cell === '' && state === 'start' && reason === undefined
    const record: Cells = { line: startedAt, cells, ...(reason !== undefined && { reason }) }
    ;[cells, cell, state, size, reason] = [[], '', 'start', 0, undefined]
    return blank ? null : record
  }

  for await (const chunk of chunks) {
    const text = first ? chunk.replace(/^\ufeff/, '') : chunk
    first = false
    let at = 0
    while (at < text.length) {
      if (state === 'plain' || state === 'quoted') {
        // Take all up to the next character that means something at once.
        const end = state === 'quoted' ? text.indexOf('"', at) : plainEnd(text, at, delimiter)
        const part = text.slice(at, end === -1 ? undefined : end)
        size += part.length
        if (size <= longestRecord) cell += part
        else reason ??= 'too long, or a quote that is not closed'
        if (state === 'quoted') line += count(part, '\n')
        if (end === -1) break
        at = end
      }
      const character = text[at] as string
      at += 1
      if (state === 'quoted') state = 'closed'
      else if (character === delimiter) {
        cells.push(cell)
        ;[cell, state] = ['', 'start']
      } else if (character === '\n') {
        const record = endRecord()
        line += 1
        startedAt = line
        if (record !== null) yield record
      } else if (character === '\r') {
        // Belongs to the line feed that follows.
      } else if (character === '"' && state === 'start') state = 'quoted'
      else if (character === '"' && state === 'closed') {
        cell += '"'
        state = 'quoted'
      } else {
        if (state === 'closed') reason ??= 'text behind a closing quote'
        cell += character
        state = state === 'closed' ? 'closed' : 'plain'
      }
    }
  }
  if (state === 'quoted') reason ??= 'a quote that is not closed'
  const record = endRecord()
  if (record !== null) yield record
}

function plainEnd(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (character === delimiter || character === '\n' || character === '\r') return at
  }
  return -1
}

function count(text: string, character: string): number {
  let found = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) found += 1
  return found
}
