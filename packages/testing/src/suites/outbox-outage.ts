import type { Laws } from './cases.js'
import { same } from './checks.js'
import { newMessage } from './messages.js'
import { type OutageOptions, rejectsWhileDown } from './outage.js'
import { at, claimAt, claimOne, names, type WithOutbox } from './outbox-steps.js'
import { newUser } from './users.js'

/** Laws about a database that is down: nothing is lost, and nothing counts as sent. */
export function outboxOutageLaws({ fail }: OutageOptions): Laws<WithOutbox> {
  return {
    'law 20: an outage is an error of every call, not an empty outbox, and changes nothing': async ({
      store,
      outbox,
    }) => {
      const user = await store.create(newUser())
      await outbox.add([newMessage({ name: 'claimed' })])
      const entry = await claimOne(outbox, 0)
      await outbox.add([newMessage({ name: 'waiting' })])
      const more = [newMessage({ name: 'more' })]
      const { oldestDue } = outbox
      const isOver = await rejectsWhileDown(fail, {
        'add()': () => outbox.add(more),
        'claim()': () => claimAt(outbox, 0),
        'renew()': () => outbox.renew(entry, at(90)),
        'postpone()': () => outbox.postpone(entry, { dueAt: at(90), attempts: 1, error: 'busy' }),
        'split()': () => outbox.split(entry, more),
        'remove()': () => outbox.remove(entry),
        'count()': () => outbox.count('accounts'),
        ...(oldestDue && { 'oldestDue()': () => oldestDue('accounts') }),
        'listDead()': () => outbox.listDead({ limit: 10 }),
        'retry()': () => outbox.retry(entry.id, at(0)),
        'discard()': () => outbox.discard(entry.id),
        'create() with a message': () => store.create(newUser(), more),
        'update() with a message': () => store.update(user.id, { isStaff: true }, 1, more),
        'delete() with a message': () => store.delete(user.id, more),
      })
      if (!isOver) return
      same(await store.findById(user.id), user, 'the user after the outage')
      same(await outbox.count('accounts'), { waiting: 2, dead: 0 }, 'count() after the outage')
      same(names(await claimAt(outbox, 0)), ['waiting'], 'the messages claimed after the outage')
      same(await outbox.remove(entry), true, 'remove() after the outage')
    },
  }
}
