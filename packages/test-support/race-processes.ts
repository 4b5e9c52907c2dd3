import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleTasks } from './bundle-tasks.js'

export interface Processes<Task extends string, Place> {
  /** Starts a task in all processes at the same moment, and returns their results. */
  race<Result>(task: Task, place: Place): Promise<Result[]>
  /** Kills the processes and resolves when they have exited. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/**
 * @param tasks a module that exports `tasks`: each takes a place, prepares, and returns a function to start the task
 * @param count number of processes
 */
export async function startProcesses<Task extends string, Place>(
  tasks: URL,
  count: number,
): Promise<Processes<Task, Place>> {
  const main = fileURLToPath(new URL('race-child.mjs', import.meta.url))
  const folder = await bundleTasks(tasks)
  const bundle = pathToFileURL(join(folder, 'tasks.mjs')).href
  const children = Array.from({ length: count }, () => fork(main, [bundle]))
  await Promise.all(children.map(reply))
  return {
    async race<Result>(task: Task, place: Place) {
      const prepared = children.map(reply)
      for (const child of children) child.send({ task, place })
      await Promise.all(prepared)
      const results = children.map(reply)
      for (const child of children) child.send('go')
      return (await Promise.all(results)).map((said) => (said as { result: Result }).result)
    },
    async stop(signal = 'SIGTERM') {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return
          const gone = once(child, 'exit')
          child.kill(signal)
          await gone
        }),
      )
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The next message; rejects if the process exits instead. */
async function reply(child: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  const ended = once(child, 'exit', over).then(([code]) => {
    throw new Error(`the process exited with ${code}`)
  })
  try {
    const [said] = await Promise.race([once(child, 'message', over), ended])
    return said
  } finally {
    ended.catch(() => undefined)
    over.abort()
  }
}
