import { setImmediate } from 'node:timers'
import type { FastifyInstance } from 'fastify'

/** Hands in work that the first requests would otherwise do while everybody else waits for them. */
export type WarmUp = (work: () => unknown) => void

/** Does that work once the app listens, a piece in each turn of the event loop, with requests answered in between. */
export function createWarmUp(scope: FastifyInstance): WarmUp {
  const works: (() => unknown)[] = []
  function next(): void {
    const work = works.shift()
    if (work === undefined) return
    try {
      work()
    } catch {
      // The request that needs it does it again, and its answer tells what is wrong.
    }
    setImmediate(next)
  }
  scope.addHook('onListen', async () => {
    setImmediate(next)
  })
  return (work) => works.push(work)
}
