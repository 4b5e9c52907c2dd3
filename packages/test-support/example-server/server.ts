import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { openDoor } from '../door.js'

/** The built server: what `npm start` runs. */
const main = fileURLToPath(new URL('../../../examples/server/dist/main.js', import.meta.url))

type Environment = Record<string, string>

export interface RunningServer {
  url: string
  /** Where it listens itself, for tests of connections. */
  ownUrl: string
  process: ChildProcess
  /** Its output so far. */
  output(): string
  /** Resolves with the exit code, `null` if a signal killed it. */
  ended: Promise<number | null>
}

/** Registers a cleanup, as `onTestFinished` does. */
export type Later = (clean: () => void | Promise<void>) => void

/** A folder that is removed after the test. */
export function temporaryFolder(later: Later = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'example-server-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the server with only the given environment, and kills it after the test, or when `later` says. */
export function run(
  environment: Environment,
  cwd?: string,
  later: Later = onTestFinished,
): Omit<RunningServer, 'url' | 'ownUrl'> {
  const folder = cwd ?? temporaryFolder(later)
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  later(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { process: child, output: () => text, ended }
}

/** Starts the server behind a door, whose address it knows, and waits until it listens. */
export async function start(
  environment: Environment = {},
  cwd?: string,
  later: Later = onTestFinished,
): Promise<RunningServer> {
  const door = await openDoor()
  later(door.close)
  const baseUrl = `http://${environment.HOST ?? 'localhost'}:${door.port}`
  // A cheap hash, as its strength doesn't matter here.
  const server = run({ PORT: '0', BASE_URL: baseUrl, SCRYPT: '10,8,1', ...environment }, cwd, later)
  for (;;) {
    const [, port] = /Server listening at http:\/\/\S+:(\d+)/.exec(server.output()) ?? []
    if (port !== undefined) {
      door.leadTo(Number(port))
      const [url, ownUrl] = [`http://localhost:${door.port}`, `http://localhost:${port}`]
      return { ...server, url, ownUrl }
    }
    if (server.process.exitCode !== null) throw new Error(`the server did not start: ${server.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
