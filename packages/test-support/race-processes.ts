import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleTasks } from './bundle-tasks.js'

export interface Processes<Task extends string, Place> {
  /** Runs a task in each process, from the same moment on. What each returned. */
  race<Result>(task: Task, place: Place): Promise<Result[]>
  /** Ends the processes, and resolves when they are gone. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/**
 * @param tasks a module that exports `tasks`: each takes a place, gets ready there, and returns what starts it
 * @param count how many processes
 */
export async function startProcesses<Task extends string, Place>(
  tasks: URL,
  count: number,
): Promise<Processes<Task, Place>> {
  const main = fileURLToPath(new URL('race-child.mjs', import.meta.url))
  const folder = await bundleTasks(tasks)
  const bundle = pathToFileURL(join(folder, 'tasks.mjs')).href
  const children = Array.from({ length: count }, () => fork(main, [bundle]))
  await Promise.all(children.map(answer))
  return {
    async race<Result>(task: Task, place: Place) {
      const prepared = children.map(answer)
      for (const child of children) child.send({ task, place })
      await Promise.all(prepared)
      const results = children.map(answer)
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

/** The next message; rejects where the process ends instead. */
async function answer(child: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  const ended = once(child, 'exit', over).then(([code]) => {
    throw new Error(`the process ended with ${code}`)
  })
  try {
    const [said] = await Promise.race([once(child, 'message', over), ended])
    return said
  } finally {
    ended.catch(() => undefined)
    over.abort()
  }
}
