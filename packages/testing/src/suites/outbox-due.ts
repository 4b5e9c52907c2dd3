import { InvalidArgumentError } from 'fastify-accounts'
import { type Laws, notChecked } from './cases.js'
import { check, pause, range, rejects, same, show } from './checks.js'
import { newMessage } from './messages.js'
import { addPostponed, at, bury, claimAt, claimOne, clock, names, type WithOutbox } from './outbox-steps.js'

const minute = 60_000

/** Laws about which messages are due, and which of them a claim takes. */
export const outboxDueLaws: Laws<WithOutbox> = {
  'law 2: add keeps all messages, due since they are posted, and accepts an empty list': async ({
    store,
    outbox,
  }) => {
    await outbox.add([])
    same(await outbox.count('accounts'), { waiting: 0, dead: 0 }, 'count() of nothing')
    const posting = (await clock(store)).getTime()
    await outbox.add(range(3).map((n) => newMessage({ name: `${n}` })))
    same(await outbox.count('accounts'), { waiting: 3, dead: 0 }, 'count()')
    // Far enough from the posting for a time that was rounded.
    const claim = (now: number) =>
      outbox.claim({ realms: ['accounts'], now: new Date(now), until: at(0), limit: 100 })
    same(await claim(posting - minute), [], 'claim() a minute before they were posted')
    same(names(await claim(posting + minute)), ['0', '1', '2'], 'the messages claimed')
  },

  'law 4: claim takes at most its limit, those due longest first, whether new or postponed': async ({
    store,
    outbox,
  }) => {
    for (const [limit, expected] of [
      [1, [['longest'], ['long'], ['older'], ['newer'], ['latest'], []]],
      [2, [['long', 'longest'], ['newer', 'older'], ['latest'], []]],
      [100, [['latest', 'long', 'longest', 'newer', 'older'], []]],
    ] as const) {
      const posting = (await clock(store)).getTime()
      await addPostponed(outbox, {
        latest: at(30),
        longest: new Date(posting - 2 * minute),
        long: new Date(posting - minute),
      })
      await outbox.add([newMessage({ name: 'older' })])
      // So that the clock goes on.
      await pause(20)
      await outbox.add([newMessage({ name: 'newer' })])
      for (const taken of expected) {
        const entries = await claimAt(outbox, 40, limit)
        same(names(entries), taken, `the messages claimed, at most ${limit} at a time`)
        for (const entry of entries) await outbox.remove(entry)
      }
    }
    await rejects(InvalidArgumentError, () => claimAt(outbox, 0, 0), 'claim() of none')
  },

  'law 4: each realm gets an equal share, and what one leaves over goes to the others': async ({
    outbox,
  }) => {
    const cases: [limit: number, counts: { [realm: string]: number }][] = [
      [6, { busy: 100, quiet: 3 }],
      [10, { busy: 30, quiet: 3 }],
      [7, { one: 4, other: 4, quiet: 1 }],
      [6, { one: 4, other: 4, quiet: 1 }],
      [3, { one: 3, other: 3, third: 3 }],
      [4, { busy: 5, unknown: 0 }],
      [100, { one: 2, other: 3 }],
    ]
    for (const [round, [limit, counts]] of cases.entries()) {
      for (const isReversed of [false, true]) {
        const own = (realm: string): string => `${realm} ${round} ${isReversed}`
        // One after the other: those of the first realm are due longer than all others.
        for (const [realm, count] of Object.entries(counts))
          await outbox.add(range(count).map(() => newMessage({ realm: own(realm) })))
        const realms = Object.keys(counts)
        const realmNames = (isReversed ? realms.toReversed() : realms).map(own)
        const taken = await claimAt(outbox, 0, limit, realmNames)
        const what = `of at most ${limit} claimed where ${show(counts)} are due`
        const due = Object.values(counts).reduce((sum, count) => sum + count)
        same(taken.length, Math.min(limit, due), `the number ${what}`)
        const share = shareOf(limit, Object.values(counts))
        for (const [realm, count] of Object.entries(counts)) {
          const got = taken.filter(({ message }) => message.realm === own(realm)).length
          const [fewest, most] = [Math.min(count, share), Math.min(count, share + 1)]
          check(got >= fewest && got <= most, `the share of ${realm}, ${what}, is ${got}`)
        }
      }
    }
  },

  'law 4: of each realm, claim takes those due longest': async ({ store, outbox }) => {
    const now = (await clock(store)).getTime()
    const ago = (minutes: number): Date => new Date(now - minutes * minute)
    await addPostponed(outbox, { a3: ago(10), a1: ago(30), a4: ago(9), a2: ago(20) }, 'a')
    await addPostponed(outbox, { b2: ago(2), b3: ago(1), b1: ago(3) }, 'b')
    same(names(await claimAt(outbox, 0, 4, ['a', 'b'])), ['a1', 'a2', 'b1', 'b2'], 'the messages claimed')
    same(names(await claimAt(outbox, 0, 4, ['a', 'b'])), ['a3', 'a4', 'b3'], 'the messages claimed next')
  },

  'law 4: claim, count and oldestDue take messages of exactly the given realms': async ({ outbox }) => {
    const realms = ['a', 'a:events', 'a:to:mail', 'A', 'a%', '%', 'a_', "a'", 'ä']
    await outbox.add(realms.map((realm) => newMessage({ realm, name: realm })))
    for (const realm of [...realms, 'a:', 'b']) {
      const isKnown = realms.includes(realm)
      same(await outbox.count(realm), { waiting: Number(isKnown), dead: 0 }, `count(${realm})`)
      const oldest = await outbox.oldestDue?.(realm)
      if (oldest !== undefined) same(oldest !== null, isKnown, `whether oldestDue(${realm}) is a time`)
    }
    same(await claimAt(outbox, 0, 100, ['a:', 'b']), [], 'the messages of unknown realms')
    for (const realmNames of [['a'], ['a:to:mail', 'b', '%'], ['a%'], ['a_'], ["a'", 'A', 'ä']]) {
      const entries = await claimAt(outbox, 0, 100, realmNames)
      const expected = realmNames.filter((realm) => realm !== 'b').sort()
      same(names(entries), expected, `the messages of ${show(realmNames)}`)
    }
    same(names(await claimAt(outbox, 0, 100, ['a:events'])), ['a:events'], 'the messages that are left')
  },

  'law 4: realms lists each realm that has a message, once': async ({ outbox }) => {
    if (outbox.realms === undefined) return notChecked('realms')
    const sorted = async () => (await outbox.realms?.())?.toSorted()
    same(await sorted(), [], 'realms() of nothing')
    await bury(outbox)
    same(await sorted(), ['accounts'], 'realms() of a dead letter')
    const others = ['a', 'a:events', 'a:to:mail', 'A', 'a%', 'ä']
    await outbox.add([...others, ...others].map((realm) => newMessage({ realm })))
    same(await sorted(), ['accounts', ...others].sort(), 'realms()')
    const [entry] = await claimAt(outbox, 0, 1, ['a%'])
    if (entry) await outbox.remove(entry)
    const [last] = await claimAt(outbox, 0, 1, ['a%'])
    if (last) await outbox.remove(last)
    same(
      await sorted(),
      ['accounts', ...others.filter((realm) => realm !== 'a%')].sort(),
      'realms() after remove()',
    )
  },

  'law 5: a postponed message is due at its time and not before, with the given number of attempts': async ({
    outbox,
  }) => {
    await outbox.add([newMessage()])
    const first = await claimOne(outbox, 0)
    same(await outbox.postpone(first, { dueAt: at(10), attempts: 0, error: 'busy' }), true, 'postpone()')
    same(await claimAt(outbox, 9.999), [], 'claim() a millisecond before')
    const second = await claimOne(outbox, 10)
    same(second.attempts, 1, 'attempts')
    await outbox.postpone(second, { dueAt: at(5), attempts: 7, error: 'busy' })
    same((await claimOne(outbox, 10)).attempts, 8, 'attempts after seven')
  },

  'law 5: oldestDue tells since when the message that has been due longest is due, of a realm or of all':
    async ({ store, outbox }) => {
      if (outbox.oldestDue === undefined) return notChecked('oldestDue')
      const oldest = async (realm = 'accounts') => (await outbox.oldestDue?.(realm)) ?? null
      const oldestOfAll = async () => (await outbox.oldestDue?.()) ?? null
      same([await oldest(), await oldestOfAll()], [null, null], 'oldestDue() of nothing')
      await bury(outbox)
      same([await oldest(), await oldestOfAll()], [null, null], 'oldestDue() of a dead letter')
      const posting = (await clock(store)).getTime()
      await outbox.add([newMessage()])
      const posted = (await oldest())?.getTime() ?? 0
      check(Math.abs(posted - posting) < minute, 'oldestDue() of a new message must be when it was posted')
      const entry = await claimOne(outbox, 0)
      same(await oldest(), at(60), 'oldestDue() of a claimed message')
      const dueAt = new Date(posting - 60 * minute)
      await outbox.postpone(entry, { dueAt, attempts: 1, error: 'busy' })
      same(await oldest(), dueAt, 'oldestDue() of a message that was postponed to before its posting')
      await outbox.add([newMessage()])
      same(await oldest(), dueAt, 'oldestDue() of two')
      same(await oldest('another'), null, 'oldestDue() of another realm')
      await addPostponed(outbox, { another: at(10) }, 'another')
      same(await oldest('another'), at(10), 'oldestDue() of another realm with a message')
      same(await oldest(), dueAt, 'oldestDue() of the first realm')
      same(await oldestOfAll(), dueAt, 'oldestDue() of all realms')
      const earlier = new Date(posting - 90 * minute)
      await addPostponed(outbox, { earlier }, 'a third')
      same(await oldestOfAll(), earlier, 'oldestDue() of all realms, with an earlier one')
      same(await oldest(), dueAt, 'oldestDue() of the first realm, still')
    },
}

/** How many each realm gets, if it has as many, or one more: the most that all of them can get. */
function shareOf(limit: number, counts: readonly number[]): number {
  const taken = (share: number): number => counts.reduce((sum, count) => sum + Math.min(count, share), 0)
  let share = 0
  while (share < limit && taken(share + 1) <= limit) share += 1
  return share
}
