import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const waiting = []
let free = availableParallelism()
const failure = new AbortController()

/**
 * Runs a command, at most one per core at a time. Once one has failed, all others are stopped.
 * @returns what it printed
 */
export async function run(command, args, cwd, environment = {}) {
  if (free === 0) await new Promise((resolve) => waiting.push(resolve))
  else free -= 1
  try {
    const { stdout } = await execute(command, args, {
      cwd,
      env: { ...process.env, ...environment },
      shell: process.platform === 'win32' && command !== process.execPath,
      maxBuffer: 1 << 26,
      signal: failure.signal,
    })
    return stdout
  } catch ({ message, stdout = '' }) {
    failure.abort()
    // The message has the command and stderr.
    throw new Error(`${message}${stdout}`)
  } finally {
    if (waiting.length > 0) waiting.shift()()
    else free += 1
  }
}
