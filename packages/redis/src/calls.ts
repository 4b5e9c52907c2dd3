import { assertInTime, UnavailableError } from 'fastify-accounts'
import { withConnectionError } from './connection.js'

/** Wraps a store's calls to Redis: typed errors and a graceful shutdown. */
export interface Calls {
  /**
   * Runs `work` once, if the deadline of the call hasn't passed. A command sent before the connection was lost may have been applied, so there is no retry.
   * @throws UnavailableError for any error, with that error as its cause
   */
  run<T>(work: () => Promise<T>): Promise<T>

  /** Rejects new calls and waits for those in progress. */
  close(): Promise<void>
}

/** @param connectionError why there is no connection, if there is none */
export function createCalls(connectionError: () => unknown): Calls {
  let underWay = 0
  let onIdle = (): void => {}
  let closing: Promise<void> | undefined

  return {
    async run(work) {
      if (closing) throw new UnavailableError('the store is closed')
      assertInTime()
      underWay += 1
      try {
        return await work()
      } catch (error) {
        // The client's messages may contain hosts, and its errors the command's keys and values: they stay in the cause.
        const cause = withConnectionError(error, connectionError())
        throw new UnavailableError('Redis failed', { cause })
      } finally {
        underWay -= 1
        if (underWay === 0) onIdle()
      }
    },

    close() {
      closing ??= new Promise<void>((resolve) => {
        onIdle = resolve
        if (underWay === 0) resolve()
      })
      return closing
    },
  }
}
