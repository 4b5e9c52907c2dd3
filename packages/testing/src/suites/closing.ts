import { noErrors } from './calls.js'
import { notChecked } from './cases.js'
import { race, range, rejects, same } from './checks.js'
import type { Calls } from './outage.js'

/**
 * Fails unless close waits for calls in progress, may be called twice, and later calls reject.
 *
 * @param create a call of the store, each time
 */
export async function closesWell(
  store: { close?(): Promise<void> },
  create: () => Promise<unknown>,
  calls: Calls,
): Promise<void> {
  // Closing is optional: a store may have nothing to free.
  if (store.close === undefined) return notChecked('close')
  let finished = 0
  const underWay = race(
    range(10).map(() => async () => {
      await create().finally(() => {
        finished += 1
      })
    }),
  )
  await store.close()
  await new Promise((resolve) => setImmediate(resolve))
  same(finished, 10, 'the number of calls that had finished when close() was done')
  noErrors((await underWay).errors)
  await store.close()
  for (const [what, call] of Object.entries(calls)) await rejects(Error, call, `${what} after close()`)
}
