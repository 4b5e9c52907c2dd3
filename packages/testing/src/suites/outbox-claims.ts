import type { PendingMessage } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import {
  check,
  hostileTexts,
  parallelCalls,
  range,
  refusesKeys,
  rounds,
  same,
  show,
  worldlyTexts,
} from './checks.js'
import { newMessage, newPendingMail, type TestMessage } from './messages.js'
import { at, claimAt, claimOne, type WithOutbox } from './outbox-steps.js'

/** Laws about messages and their claims. */
export const outboxClaimLaws: Laws<WithOutbox> = {
  'law 1: an email is claimed exactly as it was added': async ({ mails }) => {
    const full = newPendingMail({
      kind: 'new-device',
      userId: null,
      emailKey: 'ada@example.org',
      to: null,
      state: 'a-digest',
      variant: 'signup',
      device: ['Firefox', null, '192.0.2.0/24'],
    })
    const odd = [...hostileTexts, ...worldlyTexts].map((to) => newPendingMail({ to }))
    const added = [full, ...odd]
    await mails.add(added)
    const entries = await mails.claim({ realms: ['accounts'], now: at(0), until: at(60), limit: 100 })
    const found = added.map(({ to }) => entries.find(({ message }) => message.to === to)?.message)
    same(found, added, 'the emails')
    same(new Set(entries.map(({ id }) => id)).size, added.length, 'the number of ids')
  },

  'law 1: a message may have any other properties, which come back as they were added': async ({
    outbox,
  }) => {
    for (const more of otherProperties) {
      const message = { realm: 'accounts', userId: null, ...more } as PendingMessage as TestMessage
      await outbox.add([message])
      const entry = await claimOne(outbox, 0)
      same(entry.message, message, `the message with ${show(more)}`)
      await outbox.remove(entry)
    }
  },

  'law 1: arguments and results are copies': async ({ outbox }) => {
    const tags = ['as given']
    await outbox.add([newMessage({ data: { tags } })])
    tags.push('changed')
    const first = await claimOne(outbox, 0)
    same(first.message.data, { tags: ['as given'] }, 'data')
    Object.assign(first.message.data, { tags })
    const second = await claimOne(outbox, 60)
    same(second.message.data, { tags: ['as given'] }, 'data, claimed again')
  },

  'law 3: a claimed message can’t be claimed again before the given time, and can from then on': async ({
    outbox,
  }) => {
    await outbox.add([newMessage()])
    const first = await claimOne(outbox, 0)
    same(first.attempts, 1, 'attempts')
    same(await claimAt(outbox, 0), [], 'claim() at the same moment')
    same(await claimAt(outbox, 59.999), [], 'claim() a millisecond before')
    const second = await claimOne(outbox, 60)
    same(
      [second.id, second.message, second.attempts],
      [first.id, first.message, 2],
      'the message, claimed again',
    )
    check(second.claim !== first.claim, 'two claims have one name')
  },

  'law 3: a renewed claim lasts until the new time, and counts no attempt': async ({ outbox }) => {
    await outbox.add([newMessage()])
    const first = await claimOne(outbox, 0)
    same(await outbox.renew(first, at(90)), true, 'renew()')
    same(await claimAt(outbox, 89.999), [], 'claim() a millisecond before')
    same(await outbox.renew(first, at(100)), true, 'renew(), once more')
    same(await claimAt(outbox, 90), [], 'claim() at the time of before')
    same((await claimOne(outbox, 100)).attempts, 2, 'attempts')
  },

  'law 3: of many simultaneous claims, one gets each message': async (first, second) => {
    const turn = inTurns(first, second)
    const realms = ['accounts', 'accounts:events']
    await rounds(parallelCalls, 5, async (callers) => {
      const count = 2 * callers.length
      await first.outbox.add(range(count).map((n) => newMessage({ realm: realms[n % 2] ?? '' })))
      const claim = (n: number) => claimAt(turn(n).outbox, 0, 5, n % 3 ? realms : realms.slice(0, 1))
      const values = await raced(callers.map((n) => () => claim(n)))
      const taken = values.flat()
      // The loser of a race may have got less than there was. Stops if there are too many.
      while (taken.length <= count) {
        const more = await claimAt(first.outbox, 0, 100, realms)
        if (more.length === 0) break
        taken.push(...more)
      }
      same(taken.length, count, 'the number of messages claimed')
      same(new Set(taken.map(({ id }) => id)).size, count, 'the number of different ones')
    })
  },

  'law 6: a claim that another has replaced changes nothing': async ({ outbox }) => {
    await outbox.add([newMessage()])
    const stale = await claimOne(outbox, 0)
    const current = await claimOne(outbox, 60)
    const never = { dueAt: null, attempts: 9, error: 'stale' }
    same(await outbox.postpone(stale, never), false, 'postpone() of a stale claim')
    same(await outbox.renew(stale, at(1000)), false, 'renew() of a stale claim')
    same(await outbox.remove(stale), false, 'remove() of a stale claim')
    same(await outbox.split(stale, [newMessage()]), false, 'split() of a stale claim')
    same(await outbox.count('accounts'), { waiting: 1, dead: 0 }, 'count()')
    same(await outbox.remove(current), true, 'remove()')
    same(await outbox.remove(current), false, 'remove(), once more')
    same(await outbox.renew(current, at(1000)), false, 'renew() of what is gone')
    same(await outbox.postpone(current, never), false, 'postpone() of what is gone')
    same(await outbox.split(current, [newMessage()]), false, 'split() of what is gone')
    same(await outbox.count('accounts'), { waiting: 0, dead: 0 }, 'count(), in the end')
    same(await claimAt(outbox, 1000), [], 'claim(), in the end')
  },

  'law 6: postponing a message ends its claim': async ({ outbox }) => {
    await outbox.add([newMessage()])
    const entry = await claimOne(outbox, 0)
    await outbox.postpone(entry, { dueAt: at(10), attempts: 1, error: 'busy' })
    same(await outbox.remove(entry), false, 'remove() by a claim that has ended')
    same(await outbox.split(entry, []), false, 'split() by a claim that has ended')
    same((await claimAt(outbox, 10)).length, 1, 'the number of messages')
  },

  'law 13: an invalid id is rejected': async ({ outbox }) => {
    await outbox.add([newMessage()])
    const { id, claim } = await claimOne(outbox, 0)
    await refusesKeys('retry', (key) => outbox.retry(key, at(0)))
    await refusesKeys('discard', (key) => outbox.discard(key))
    await refusesKeys('remove', (key) => outbox.remove({ id: key, claim }))
    await refusesKeys('renew', (key) => outbox.renew({ id: key, claim }, at(60)))
    await refusesKeys('split', (key) => outbox.split({ id: key, claim }, [newMessage()]))
    await refusesKeys('remove by the claim', (key) => outbox.remove({ id, claim: key }))
    same(await outbox.count('accounts'), { waiting: 1, dead: 0 }, 'count()')
  },
}

/** Events and others: an outbox must not take every message for an email. */
const otherProperties: readonly object[] = [
  {},
  {
    userId: 'ada',
    type: 'user.created',
    at: '2026-01-02T03:04:05.678Z',
    data: { user: { id: 'ben', version: 3 }, actor: null, fields: ['email', 'username'] },
  },
  // Named like columns and like the properties of an email, but of other types.
  { id: 7, claim: null, attempts: 'many', dueAt: [], error: { of: 'mine' }, kind: 3, to: ['a'], device: 'x' },
  { message: { realm: 'another', userId: 'another' }, mail: null, posted_at: false },
  { nested: [[], {}, [{ deep: [null, 0.1, -1.5, Number.MAX_SAFE_INTEGER] }]], '': '', 'a.b': { $set: 1 } },
  { text: '"\\\n\t\'', number_like: '007', date_like: '2026-01-02T03:04:05.678Z', 'ключ 😀': worldlyTexts },
]
