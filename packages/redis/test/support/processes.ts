import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { tasks } from './tasks.js'

export interface Processes {
  /** Runs a task of tasks.ts in each process, from the same moment on. What each returned. */
  race<Result>(task: keyof typeof tasks, prefix: string): Promise<Result[]>
  stop(): void
}

export async function startProcesses(count: number): Promise<Processes> {
  const children = Array.from({ length: count }, () =>
    fork(fileURLToPath(new URL('child.mjs', import.meta.url))),
  )
  await Promise.all(children.map(answer))
  return {
    async race<Result>(task: keyof typeof tasks, prefix: string) {
      const prepared = children.map(answer)
      for (const child of children) child.send({ task, prefix })
      await Promise.all(prepared)
      const results = children.map(answer)
      for (const child of children) child.send('go')
      return (await Promise.all(results)).map((said) => (said as { result: Result }).result)
    },
    stop() {
      for (const child of children) child.kill()
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
