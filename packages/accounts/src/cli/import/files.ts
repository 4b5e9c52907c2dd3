import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  createReadStream,
  createWriteStream,
  openSync,
  readSync,
  statSync,
  type WriteStream,
} from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../command.js'

interface Input {
  chunks: AsyncIterable<string>
  /** How much was read, from 0 to 1; `null` if the end is unknown. */
  part(): number | null
}

/** Why a file can't be read, without Node.js's words for the call. */
const faults: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
}

/** @throws Error with one line if the file can't be read, at once or when its chunks are read */
export function openInput(cwd: string, file: string): Input {
  if (file === '-') return { chunks: process.stdin.setEncoding('utf8'), part: () => null }
  const path = resolve(cwd, file)
  const unreadable = (error: NodeJS.ErrnoException): Error =>
    new Error(`can't read ${file}: ${faults[error.code ?? ''] ?? error.message}`)
  let size = 0
  try {
    size = statSync(path).size
  } catch (error) {
    throw unreadable(error as NodeJS.ErrnoException)
  }
  let bytesRead = 0
  // Opened on first read; before that, nobody listens for error events.
  async function* chunks(): AsyncGenerator<string> {
    const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: 2 ** 16 })
    try {
      for await (const chunk of stream) {
        bytesRead = stream.bytesRead
        yield chunk
      }
    } catch (error) {
      throw unreadable(error as NodeJS.ErrnoException)
    }
  }
  return { chunks: chunks(), part: () => (size === 0 ? 1 : Math.min(1, bytesRead / size)) }
}

/** The chunks, each after the previous one's output is written, so even a file of rejected lines needs little memory. */
export async function* paced(
  chunks: AsyncIterable<string>,
  ready: () => Promise<unknown>,
): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    await ready()
    yield chunk
  }
}

/** The first line of a list of rejected lines. */
export const errorsHeader = 'line,reason'

/**
 * Checks that no file is overwritten, except an earlier run's list of rejected lines.
 * @throws UsageError
 */
export function checkFiles(
  cwd: string,
  options: { file: string; errorsFile: string; idMap: string | undefined },
): void {
  const paths = [options.file, options.errorsFile, options.idMap].flatMap((path) =>
    path === undefined || path === '-' ? [] : [resolve(cwd, path)],
  )
  if (new Set(paths).size < paths.length)
    throw new UsageError('the file, --errors and --id-map must be three different files')
  const errorsPath = resolve(cwd, options.errorsFile)
  const found = statSync(errorsPath, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size === 0) return
  const start = Buffer.alloc(errorsHeader.length)
  const handle = openSync(errorsPath, 'r')
  readSync(handle, start)
  closeSync(handle)
  if (start.toString() !== errorsHeader)
    throw new UsageError(`--errors: ${options.errorsFile} exists, and is not a list of rejected lines`)
}

interface LazyFile {
  write(line: string): void
  drained(): Promise<void>
  end(): Promise<void>
}

/** A file that is created with its first line. */
export function lazyFile(path: string, header: string): LazyFile {
  let stream: WriteStream | undefined
  let failure: Error | undefined
  return {
    write(line) {
      // It contains no hashes, but ids and whose they are.
      if (stream === undefined) {
        // The mode below only applies to new files.
        if (statSync(path, { throwIfNoEntry: false })?.isFile()) chmodSync(path, 0o600)
        stream = createWriteStream(path, { mode: 0o600 })
        stream.on('error', (error) => {
          failure = new Error(`${path} cannot be written`, { cause: error })
        })
        stream.write(`${header}\n`)
      }
      stream.write(`${line}\n`)
    },
    async drained() {
      if (failure !== undefined) throw failure
      if (stream?.writableNeedDrain) await once(stream, 'drain')
    },
    async end() {
      if (stream === undefined) return
      stream.end()
      if (!stream.closed) await once(stream, 'close')
      if (failure !== undefined) throw failure
    },
  }
}
