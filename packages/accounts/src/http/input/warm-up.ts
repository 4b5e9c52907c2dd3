import { setImmediate } from 'node:timers'
import type { FastifyInstance } from 'fastify'

/** Registers work that the first requests would otherwise do while all others wait. */
export type WarmUp = (work: () => unknown) => void

/** Does that work once the app listens, one piece per turn of the event loop, so requests are served in between. */
export function createWarmUp(scope: FastifyInstance): WarmUp {
  const works: (() => unknown)[] = []
  function next(): void {
    const work = works.shift()
    if (work === undefined) return
    try {
      work()
    } catch {
      // The request that needs it does it again, and its response reports the error.
    }
    setImmediate(next)
  }
  scope.addHook('onListen', async () => {
    setImmediate(next)
  })
  return (work) => works.push(work)
}
