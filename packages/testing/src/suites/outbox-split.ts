import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { check, range, rounds, same } from './checks.js'
import { newMessage, type TestMessage } from './messages.js'
import { at, claimAt, claimOne, names, type WithOutbox } from './outbox-steps.js'

/** Laws about `split`. */
export const outboxSplitLaws: Laws<WithOutbox> = {
  'law 15: split replaces a claimed message by others, which are due since then': async ({ outbox }) => {
    await outbox.add([newMessage({ name: 'one' })])
    const entry = await claimOne(outbox, 0)
    const messages = [
      newMessage({ name: 'mail', userId: null }),
      newMessage({ name: 'hook', realm: 'accounts:to:hook', data: { version: 2 } }),
      newMessage({ name: 'again' }),
    ]
    same(await outbox.split(entry, messages), true, 'split()')
    same(await outbox.count('accounts'), { waiting: 2, dead: 0 }, 'count()')
    same(await outbox.count('accounts:to:hook'), { waiting: 1, dead: 0 }, 'count() of another realm')
    same(await outbox.remove(entry), false, 'remove() of the message that was split')
    same(await outbox.split(entry, messages), false, 'split(), once more')
    const entries = await claimAt(outbox, 0, 100, ['accounts', 'accounts:to:hook'])
    same(names(entries), ['again', 'hook', 'mail'], 'the messages claimed')
    for (const { message, attempts } of entries) {
      const original = messages.find(({ name }) => name === message.name)
      same([message, attempts], [original, 1], `the message ${message.name}`)
    }
    same(new Set([entry, ...entries].map(({ id }) => id)).size, 4, 'the number of ids')
  },

  'law 15: a message can be split into none': async ({ outbox }) => {
    await outbox.add([newMessage()])
    const entry = await claimOne(outbox, 0)
    same(await outbox.split(entry, []), true, 'split()')
    same(await outbox.count('accounts'), { waiting: 0, dead: 0 }, 'count()')
  },

  'law 15: a claim that another has replaced splits nothing': async ({ outbox }) => {
    await outbox.add([newMessage({ name: 'one' })])
    const stale = await claimOne(outbox, 0)
    const current = await claimOne(outbox, 60)
    const messages = ['a', 'b'].map((name) => newMessage({ name }))
    same(await outbox.split(stale, messages), false, 'split() of a stale claim')
    same(await outbox.count('accounts'), { waiting: 1, dead: 0 }, 'count()')
    same(await outbox.split(current, messages), true, 'split() of the current claim')
    same(names(await claimAt(outbox, 120)), ['a', 'b'], 'the messages that are left')
  },

  'law 15: of many simultaneous splits of a message, one wins': async (first, second) => {
    const turn = inTurns(first, second)
    await rounds(20, 6, async (callers, round) => {
      const { entry, realms } = await claimOfRound(first, round)
      const split = callers.map((n) => partsOf(n, realms.parts))
      const values = await raced(
        split.map((parts, n) => async () => ((await turn(n).outbox.split(entry, parts)) ? parts : null)),
      )
      const winners = values.filter((parts) => parts !== null)
      same(winners.length, 1, 'the number of winners')
      const left = await claimAt(second.outbox, 0, 100, Object.values(realms))
      same(
        names(left),
        winners[0]?.map(({ name }) => name),
        'the messages that are left',
      )
    })
  },

  'law 15: of a split and another end of the same claim, one wins': async (first, second) => {
    const turn = inTurns(first, second)
    await rounds(6, 6, async (callers, round) => {
      const { entry, realms } = await claimOfRound(first, round)
      const parts = partsOf(round, realms.parts)
      const postponed = { dueAt: at(10), attempts: 1, error: 'busy' }
      const end = (n: number): Promise<boolean> => {
        const { outbox } = turn(n)
        if (n === round % callers.length) return outbox.split(entry, parts)
        return round % 2 ? outbox.remove(entry) : outbox.postpone(entry, postponed)
      }
      const values = await raced(callers.map((n) => () => end(n)))
      same(values.filter((won) => won).length, 1, 'the number of winners')
      const isSplit = values[round % callers.length] === true
      const other = round % 2 ? [] : [entry.message.name]
      const left = await claimAt(second.outbox, 20, 100, Object.values(realms))
      same(names(left), isSplit ? parts.map(({ name }) => name) : other, 'the messages that are left')
    })
  },
}

/** A claimed message of a realm of its own, and a realm for its parts. */
async function claimOfRound({ outbox }: WithOutbox, round: number) {
  const realms = { own: `${round}`, parts: `${round}:parts` }
  await outbox.add([newMessage({ realm: realms.own, name: 'whole' })])
  const [entry] = await claimAt(outbox, 0, 1, [realms.own])
  check(entry !== undefined, 'no message could be claimed')
  return { entry, realms }
}

function partsOf(caller: number, realm: string): TestMessage[] {
  return range(3).map((n) => newMessage({ realm, name: `${caller} ${n}` }))
}
