import { callBefore, UnavailableError } from 'fastify-accounts'
import { check, pause, range, rejects, show } from './checks.js'
import type { Calls } from './outage.js'

/** Milliseconds until deadlines, from at once to later than most calls take. */
export const lateness: readonly number[] = range(20).map((round) => round * 0.4)

/** Milliseconds after which a call that goes on in spite of its rejection has had its effect. */
export const afterwards = 100

/** Fails unless each call is rejected with `UnavailableError` if it begins after its deadline, and waits for effects. */
export async function refusesLate(calls: Calls): Promise<void> {
  for (const [what, call] of Object.entries(calls)) {
    const late = () => callBefore(performance.now() - 1, call)
    await rejects(UnavailableError, late, `${what} after callDeadline()`)
  }
  await pause(afterwards)
}

/** Makes a call with a deadline so soon that it may pass meanwhile. Returns `undefined` if the call says so. */
export async function inTime<Result>(
  milliseconds: number,
  call: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await callBefore(performance.now() + milliseconds, call)
  } catch (error) {
    const isLate = error instanceof UnavailableError
    check(isLate, `a call whose callDeadline() passed threw ${show(error)} instead of UnavailableError`)
    return undefined
  }
}
