import type { Laws } from './cases.js'
import { pause, same } from './checks.js'
import { afterwards, inTime, lateness, refusesLate } from './late.js'
import { newMessage } from './messages.js'
import { claimAt, inUse, names, type WithOutbox } from './outbox-steps.js'

/** Laws about `callDeadline()`: the response is 503 by then, so nothing may happen anymore. */
export const outboxLateLaws: Laws<WithOutbox> = {
  'law 17: a call after its deadline changes nothing, and says so': async (subject) => {
    const { writes, isUnchanged } = await inUse(subject)
    await refusesLate(writes)
    await isUnchanged('calls that were too late')
  },

  'law 17: a message whose deadline passes while it is added is kept if and only if the call says so':
    async ({ outbox }) => {
      const kept: string[] = []
      for (const late of lateness) {
        const name = `${late}`
        const said = await inTime(late, async () => outbox.add([newMessage({ name })]).then(() => true))
        if (said) kept.push(name)
      }
      await pause(afterwards)
      same(names(await claimAt(outbox, 0)), kept.toSorted(), 'the messages, as the late calls said')
    },
}
