import { setTimeout as sleep } from 'node:timers/promises'
import type { UserStore } from 'fastify-accounts'
import type { Laws } from './cases.js'
import { check, show } from './checks.js'
import { having } from './users.js'

/** Maintained clocks differ by less than this, in milliseconds; a wrong unit or time zone by more. */
const farthest = 25 * 60_000

/** Laws about `now`, which a store may omit. */
export const userStoreClockLaws: Laws<UserStore> = {
  'law 33: now is the time in UTC, roughly to the millisecond, and advances': having('now', async (store) => {
    const first = await store.now()
    check(first instanceof Date, `now() returned ${show(first)} instead of a Date`)
    const away = Math.abs(first.getTime() - Date.now())
    check(away < farthest, `now() is ${away} ms from the clock of this process`)
    await sleep(60)
    const passed = (await store.now()).getTime() - first.getTime()
    check(passed >= 30 && passed < 60_000, `now() went on by ${passed} ms in 60`)
  }),
}
