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
export async function run(command, args, cwd, environment) {
  try {
    return (await runBoth(command, args, cwd, environment)).stdout
  } catch (error) {
    failure.abort()
    throw error
  }
}

/**
 * Runs a command that may fail.
 * @returns what it printed to both
 */
export async function runBoth(command, args, cwd, environment = {}) {
  if (free === 0) await new Promise((resolve) => waiting.push(resolve))
  else free -= 1
  try {
    return await execute(command, args, {
      cwd,
      env: { ...process.env, ...environment },
      shell: process.platform === 'win32' && command !== process.execPath,
      maxBuffer: 1 << 26,
      signal: failure.signal,
    })
  } catch ({ message, stdout = '' }) {
    // The message has the command and stderr.
    throw new Error(`${message}${stdout}`)
  } finally {
    if (waiting.length > 0) waiting.shift()()
    else free += 1
  }
}
