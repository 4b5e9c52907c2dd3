import { createDeadline } from '../adapters/deadline.js'
import type { AccountEvent, EventHandler } from '../seams/events.js'

/** The calls of one subscriber's handlers. */
export interface HandlerCalls {
  /**
   * Resolves once the handler has.
   * @throws what it throws, or an Error when its time is over: then its signal is aborted, and nobody waits for it any longer
   */
  call(handler: EventHandler, event: AccountEvent): Promise<void>
  /** Whether so many calls that nobody waits for still run that no further one may begin. */
  isPaused(): boolean
  /** Aborts the signals of all calls: the app closes. */
  abort(): void
}

/** How long a handler may take, in milliseconds. */
const timeout = 30_000

/** How many abandoned calls of one subscriber may still run; each holds memory, and perhaps a connection. */
const maxAbandoned = 100

/**
 * @param deps.onPause called when too many calls don't end
 * @param deps.onResume called when one of them has ended
 */
export function createHandlerCalls(deps: { onPause(running: number): void; onResume(): void }): HandlerCalls {
  const inTime = createDeadline(timeout)
  const running = new Set<AbortController>()
  let abandoned = 0
  const isPaused = (): boolean => abandoned >= maxAbandoned

  function abandon(controller: AbortController, call: Promise<unknown>): Error {
    const error = new Error(`it took longer than ${timeout / 1000} seconds`)
    controller.abort(error)
    abandoned += 1
    if (abandoned === maxAbandoned) deps.onPause(abandoned)
    const end = (): void => {
      const wasPaused = isPaused()
      abandoned -= 1
      if (wasPaused) deps.onResume()
    }
    call.then(end, end)
    return error
  }

  return {
    isPaused,
    async call(handler, event) {
      const controller = new AbortController()
      running.add(controller)
      try {
        const call = (async () => handler(event, { signal: controller.signal }))()
        await inTime(call, () => abandon(controller, call))
      } finally {
        running.delete(controller)
      }
    },
    abort() {
      for (const controller of running) controller.abort(new Error('the app is closing'))
    },
  }
}
