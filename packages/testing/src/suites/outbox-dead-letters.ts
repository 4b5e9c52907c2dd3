import type { Laws } from './cases.js'
import { check, range, same } from './checks.js'
import { newMessage } from './messages.js'
import { addPostponed, at, bury, claimAt, claimOne, names, type WithOutbox } from './outbox-steps.js'

/** Laws about abandoned messages. */
export const outboxDeadLetterLaws: Laws<WithOutbox> = {
  'law 7: a dead letter is not claimed, but counted and listed, with its error': async ({ outbox }) => {
    const before = Date.now()
    const id = await bury(outbox, { name: 'dead' })
    await outbox.add([newMessage({ name: 'waiting' })])
    same(await outbox.count('accounts'), { waiting: 1, dead: 1 }, 'count()')
    same(names(await claimAt(outbox, 10_000)), ['waiting'], 'the messages claimed')
    const [letter, ...others] = await outbox.listDead({ limit: 10 })
    same(others, [], 'the other dead letters')
    const { postedAt, ...rest } = letter ?? { postedAt: new Date(0) }
    same(
      rest,
      { id, message: newMessage({ name: 'dead' }), attempts: 1, error: 'refused' },
      'the dead letter',
    )
    check(Math.abs(postedAt.getTime() - before) < 60_000, `it was posted ${postedAt}, and not just now`)
  },

  'law 7: an error of any length and content is accepted, and its beginning kept': async ({ outbox }) => {
    await outbox.add([newMessage()])
    const entry = await claimOne(outbox, 0)
    const error = `550 'no' "such" \0 user \ud800 ${'x'.repeat(100_000)}`
    same(await outbox.postpone(entry, { dueAt: null, attempts: 1, error }), true, 'postpone()')
    const [letter] = await outbox.listDead({ limit: 10 })
    check(letter?.error.startsWith(`550 'no' "such"`) === true, 'the reason does not begin as it was given')
  },

  'law 7: count counts the messages and dead letters of one realm, or of all': async ({ outbox }) => {
    await bury(outbox, { realm: 'a' })
    for (const name of ['1', '2']) await bury(outbox, { realm: 'a:events', name })
    await addPostponed(outbox, { later: at(1000) }, 'b')
    await outbox.add(['a', 'a', 'b', 'b', 'b'].map((realm) => newMessage({ realm })))
    await claimAt(outbox, 0, 1, ['b'])
    for (const [realm, waiting, dead] of [
      ['a', 2, 1],
      ['a:events', 0, 2],
      ['b', 4, 0],
      ['none', 0, 0],
    ] as const)
      same(await outbox.count(realm), { waiting, dead }, `count(${realm})`)
    same(await outbox.count(), { waiting: 6, dead: 3 }, 'count()')
  },

  'law 8: dead letters of all realms are listed in pages': async ({ outbox }) => {
    const ids: string[] = []
    for (const n of range(5)) ids.push(await bury(outbox, { realm: n % 2 ? 'a' : 'b', name: `${n}` }))
    const found: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await outbox.listDead({ limit: 2, after })
      check(page.length <= 2, `a page of 2 has ${page.length} dead letters`)
      found.push(...page.map(({ id }) => id))
      after = page.at(-1)?.id
      if (after === undefined || found.length > 5) break
    }
    same(found, ids.toSorted(), 'the pages together')
  },

  'law 9: a retried dead letter is due at the given time, with no attempts counted': async ({ outbox }) => {
    const id = await bury(outbox)
    same(await outbox.retry(id, at(100)), true, 'retry()')
    same(await outbox.retry(id, at(100)), false, 'retry(), once more')
    same(await outbox.count('accounts'), { waiting: 1, dead: 0 }, 'count()')
    same(await claimAt(outbox, 99), [], 'claim() before')
    const entry = await claimOne(outbox, 100)
    same([entry.id, entry.attempts], [id, 1], 'the message')
    same(await outbox.retry(id, at(100)), false, 'retry() of what is no dead letter')
    same(await outbox.retry('nobody', at(100)), false, 'retry() of what is not there')
  },

  'law 10: only dead letters can be discarded': async ({ outbox }) => {
    await outbox.add([newMessage()])
    const { id } = await claimOne(outbox, 0)
    same(await outbox.discard(id), false, 'discard() of a message that waits')
    same((await claimAt(outbox, 60)).length, 1, 'the messages that wait')
    const dead = await bury(outbox, { realm: 'another' })
    same(await outbox.discard(dead), true, 'discard()')
    same(await outbox.discard(dead), false, 'discard(), once more')
    same(await outbox.listDead({ limit: 10 }), [], 'listDead()')
  },
}
