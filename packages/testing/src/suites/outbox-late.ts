import type { Laws } from './cases.js'
import { pause, same } from './checks.js'
import { afterwards, inTime, lateness, refusesLate } from './late.js'
import { newMessage } from './messages.js'
import { at, claimAt, claimOne, names, type WithOutbox } from './outbox-steps.js'
import { newUser } from './users.js'

/** Laws about `callDeadline()`: the response is 503 by then, so nothing may happen anymore. */
export const outboxLateLaws: Laws<WithOutbox> = {
  'law 17: a call after its deadline changes nothing, and says so': async ({ store, outbox }) => {
    const user = await store.create(newUser())
    await outbox.add([newMessage({ name: 'claimed' })])
    const entry = await claimOne(outbox, 0)
    await outbox.add([newMessage({ name: 'waiting' })])
    const late = [newMessage({ name: 'late' })]
    const given = newUser()
    await refusesLate('add()', () => outbox.add(late))
    await refusesLate('claim()', () => claimAt(outbox, 0))
    await refusesLate('renew()', () => outbox.renew(entry, at(1000)))
    await refusesLate('postpone()', () => outbox.postpone(entry, { dueAt: null, attempts: 1, error: 'late' }))
    await refusesLate('split()', () => outbox.split(entry, late))
    await refusesLate('remove()', () => outbox.remove(entry))
    await refusesLate('create()', () => store.create(given, late))
    await refusesLate('update()', () => store.update(user.id, { isStaff: true }, 1, late))
    await refusesLate('delete()', () => store.delete(user.id, late))
    await pause(afterwards)
    same(await store.findById(user.id), user, 'the user')
    same(await store.findByUsername(`${given.usernameKey}`), null, 'a user created after the deadline')
    same(await outbox.count('accounts'), { waiting: 2, dead: 0 }, 'count()')
    same(names(await claimAt(outbox, 0)), ['waiting'], 'the messages that can be claimed')
    same(await outbox.remove(entry), true, 'remove() by a claim that all late calls left alone')
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
