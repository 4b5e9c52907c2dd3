import type { ActivityStore } from 'fastify-accounts'
import { activityCalls, allOf, idsOf, many, newActivityEntry, note } from './activities.js'
import type { Laws } from './cases.js'
import { pause, range, same } from './checks.js'
import { closesWell } from './closing.js'
import { afterwards, inTime, lateness, refusesLate } from './late.js'
import { type OutageOptions, rejectsWhileDown } from './outage.js'

/** Laws about calls that come too late, a database that is down, and a store that closes. */
export function activityStoreFailureLaws({ fail }: OutageOptions): Laws<ActivityStore> {
  return {
    'law 11: a call after its deadline changes nothing, and says so': async (store) => {
      const entry = await note(store)
      await refusesLate(activityCalls(store).writes)
      same(await allOf(store), [entry], 'the entries after calls that were too late')
    },

    'law 11: a call whose deadline passes while it runs has an effect if and only if it says so': async (
      store,
      second,
    ) => {
      const expected: [userId: string, ids: string[]][] = []
      for (const [round, late] of lateness.entries())
        await Promise.all(
          range(6).map(async (n) => {
            const entry = newActivityEntry({ userId: `user-${round}-${n}` })
            const { id, userId } = entry
            if (n % 2) {
              const said = await inTime(late, async () => {
                await store.add([entry], many)
                return true
              })
              expected.push([userId, said ? [id] : []])
              return
            }
            await store.add([entry], many)
            const said = await inTime(late, () => second.removeAll(userId))
            expected.push([userId, said ? [] : [id]])
          }),
        )
      await pause(afterwards)
      for (const [userId, ids] of expected)
        same(idsOf(await allOf(store, userId)), ids, 'the ids of the entries, as the late call said')
    },

    'law 12: an outage is an error of every call, not a lack of entries, and changes nothing': async (
      store,
    ) => {
      const entry = await note(store)
      const { writes, reads } = activityCalls(store)
      const deleteExpired = () => store.deleteExpired(new Date(8.64e15))
      const isOver = await rejectsWhileDown(fail, { ...reads, ...writes, 'deleteExpired()': deleteExpired })
      if (isOver) same(await allOf(store), [entry], 'the entries after the outage')
    },

    'law 13: close waits for calls in progress, may be called twice, and later calls reject': async (
      store,
    ) => {
      const { writes, reads } = activityCalls(store)
      const calls = { ...writes, ...reads, 'deleteExpired()': () => store.deleteExpired(new Date()) }
      await closesWell(store, () => store.add([newActivityEntry()], many), calls)
    },
  }
}
