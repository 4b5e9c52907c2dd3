import type { Laws } from './cases.js'
import { type OutageOptions, rejectsWhileDown } from './outage.js'
import { at, inUse, type WithOutbox } from './outbox-steps.js'

/** Laws about a database that is down: nothing is lost, and nothing counts as sent. */
export function outboxOutageLaws({ fail }: OutageOptions): Laws<WithOutbox> {
  return {
    'law 20: an outage is an error of every call, not an empty outbox, and changes nothing': async (
      subject,
    ) => {
      const { outbox } = subject
      const { entry, writes, isUnchanged } = await inUse(subject)
      const { oldestDue, realms } = outbox
      const isOver = await rejectsWhileDown(fail, {
        ...writes,
        'count()': () => outbox.count('accounts'),
        ...(oldestDue && { 'oldestDue()': () => oldestDue('accounts') }),
        ...(realms && { 'realms()': () => realms() }),
        'listDead()': () => outbox.listDead({ limit: 10 }),
        'retry()': () => outbox.retry(entry.id, at(0)),
        'discard()': () => outbox.discard(entry.id),
      })
      if (isOver) await isUnchanged('the outage')
    },
  }
}
