import { setImmediate } from 'node:timers/promises'

/** Resolves once this turn of the event loop has received all that had arrived. */
export const endOfTurn = (): Promise<void> => setImmediate()

/** Calls of one turn share a run of the work, at the end of the turn: it sees all that was written before each call. */
export function oncePerTurn<T>(work: () => T): () => Promise<T> {
  let run: Promise<T> | undefined
  return () => {
    run ??= endOfTurn().then(() => {
      run = undefined
      return work()
    })
    return run
  }
}
