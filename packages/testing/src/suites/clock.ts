import { type Law, lawOf } from './cases.js'
import { check, pause, show } from './checks.js'

/** Maintained clocks differ by less than this, in milliseconds; a wrong unit or time zone by more. */
const farthest = 25 * 60_000

/** The law about `now`, which a store may omit. */
export const clockLaw: Law<{ now?(): Promise<Date> }> = lawOf('now', async (store) => {
  const first = await store.now()
  check(first instanceof Date, `now() returned ${show(first)} instead of a Date`)
  const away = Math.abs(first.getTime() - Date.now())
  check(away < farthest, `now() is ${away} ms from the clock of this process`)
  await pause(60)
  const passed = (await store.now()).getTime() - first.getTime()
  check(passed >= 30 && passed < 60_000, `now() went on by ${passed} ms in 60`)
})
