import { pipeline, Readable } from 'node:stream'
import { type Info, parse } from 'csv-parse'

/** One record of a file, with the number of its first line. */
export interface SourceRecord {
  line: number
  /** `null` if the line is unreadable; `reason` says why. */
  values: Record<string, unknown> | null
  reason?: string
}

/** The maximum length of a record. A longer one has an unclosed quote, and must not fill the memory. */
const longestRecord = 1_000_000

/**
 * Reads CSV according to RFC 4180. The first record names the columns. A quote inside a cell that RFC 4180
 * would quote counts as text.
 * @throws Error of one line if the first record isn't a header
 */
export async function* readCsv(
  chunks: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<SourceRecord> {
  // A failed stream would lose its buffered records, so the parser skips the one that never ends.
  let readable = Number.POSITIVE_INFINITY
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    relax_quotes: true,
    // Checked below, because the parser doesn't tell which lines it skips.
    relax_column_count: true,
    max_record_size: longestRecord,
    skip_records_with_error: true,
    on_skip(error) {
      readable = Math.min(readable, Number(error?.records ?? 0))
      return undefined
    },
  })
  // The iterator below reports read errors.
  pipeline(Readable.from(chunks), parser, () => {})
  let header: string[] | undefined
  // csv-parse counts a CRLF inside quotes as two lines.
  let linesRead = 0
  let emptyLines = 0
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
    if (info.records > readable) break
    emptyLines = info.empty_lines
    const line = linesRead + emptyLines + 1
    linesRead += record.join('').split('\n').length
    if (header === undefined) {
      header = record
      if (record.includes('') || new Set(record).size < record.length) throw new Error(badHeader)
    } else if (record.length !== header.length) {
      const reason = `${record.length} columns, but the first line has ${header.length}`
      yield { line, values: null, reason }
    } else {
      yield { line, values: Object.fromEntries(header.map((name, at) => [name, record[at]])) }
    }
  }
  if (readable === Number.POSITIVE_INFINITY) return
  if (header === undefined) throw new Error(badHeader)
  const reason = 'too long, or a quote is not closed; the rest of the file was not read'
  yield { line: linesRead + emptyLines + 1, values: null, reason }
}

const badHeader = 'the first line must name the columns, and each name must be unique'
