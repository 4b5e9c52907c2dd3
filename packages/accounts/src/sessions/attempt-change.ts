import { changedMeanwhile } from '../errors.js'

/** How often a change is attempted while others change the same session: each time, one of them has succeeded. */
const maxAttempts = 25

/**
 * Changes a session by compare-and-swap.
 * @param attempt reads the session anew each time; `undefined` if it ran into another change
 * @throws AccountsError ACCOUNTS_CONFLICT if every attempt did
 */
export async function attemptChange<Outcome>(attempt: () => Promise<Outcome | undefined>): Promise<Outcome> {
  for (let count = 0; count < maxAttempts; count += 1) {
    const outcome = await attempt()
    if (outcome !== undefined) return outcome
  }
  throw changedMeanwhile()
}
