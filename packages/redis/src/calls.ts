import { UnavailableError } from 'fastify-accounts'
import { withConnectionError } from './connection.js'

/** What stands between a store's methods and Redis: typed errors, and an orderly end. */
export interface Calls {
  /**
   * Runs `work` once. What was sent before a connection was lost may have been applied, so nothing is tried again.
   * @throws UnavailableError for whatever it throws; that is its cause
   */
  run<T>(work: () => Promise<T>): Promise<T>

  /** Refuses further calls and waits for those under way. */
  close(): Promise<void>
}

/** @param connectionError why there is no connection, where there is none */
export function createCalls(connectionError: () => unknown): Calls {
  let underWay = 0
  let onIdle = (): void => {}
  let closing: Promise<void> | undefined

  return {
    async run(work) {
      if (closing) throw new UnavailableError('the store is closed')
      underWay += 1
      try {
        return await work()
      } catch (error) {
        // The client's texts may hold hosts, and its errors the keys and values of the command: they stay in the cause.
        const cause = withConnectionError(error, connectionError())
        throw new UnavailableError('Redis cannot answer', { cause })
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
