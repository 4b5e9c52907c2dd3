import type { UserStore } from 'fastify-accounts'
import { type Laws, notChecked } from './cases.js'
import { range, same } from './checks.js'
import type { OutageOptions } from './outage.js'
import { addPostponed, at, claimAt, names, type WithOutbox } from './outbox-steps.js'

/** Options of `outboxCases`. What you omit isn't checked. */
export interface OutboxCaseOptions extends OutageOptions {
  /** Makes a waiting message unreadable, such as by writing `{` where its JSON is. */
  spoil?: ((id: string, store: UserStore) => Promise<void>) | undefined
}

/** Laws about rows that somebody has damaged. */
export function outboxUnreadableLaws({ spoil }: OutboxCaseOptions): Laws<WithOutbox> {
  return {
    'law 19: an unreadable message becomes a dead letter, and holds up no other': async ({
      store,
      outbox,
    }) => {
      if (spoil === undefined) return notChecked('spoil')
      await addPostponed(outbox, { bad: at(10), good: at(20), last: at(30) })
      const [bad] = await claimAt(outbox, 10)
      await outbox.postpone(bad ?? { id: '', claim: '' }, { dueAt: at(10), attempts: 1, error: 'busy' })
      await spoil(bad?.id ?? '', store)
      const claimed: string[] = []
      // It may take the place of another once.
      for (const _ of range(3)) claimed.push(...names(await claimAt(outbox, 40, 1)))
      same(claimed, ['good', 'last'], 'the messages claimed')
      same(await outbox.count('accounts'), { waiting: 2, dead: 1 }, 'count()')
      const letters = await outbox.listDead({ limit: 10 })
      same(
        letters.map(({ id, message }) => ({ id, message })),
        [{ id: bad?.id, message: null }],
        'the dead letters',
      )
      same(names(await claimAt(outbox, 1000)), ['good', 'last'], 'the messages claimed again')
      same(await outbox.discard(bad?.id ?? ''), true, 'discard()')
    },
  }
}
