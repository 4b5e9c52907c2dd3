import { callBefore, UnavailableError } from 'fastify-accounts'
import { check, range, rejects, show } from './checks.js'

/** Milliseconds until deadlines, from at once to later than most calls take. */
export const lateness: readonly number[] = range(20).map((round) => round * 0.4)

/** Milliseconds after which a call that goes on in spite of its rejection has had its effect. */
export const afterwards = 100

/** Fails unless a call that begins after its deadline is rejected with `UnavailableError`. */
export async function refusesLate(what: string, call: () => Promise<unknown>): Promise<void> {
  await rejects(
    UnavailableError,
    () => callBefore(performance.now() - 1, call),
    `${what} after callDeadline()`,
  )
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
