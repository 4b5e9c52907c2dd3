import type { Outbox, OutboxEntry, PendingMail } from '../seams/outbox.js'
import { DuplicateError, InvalidArgumentError } from '../seams/store-errors.js'
import type { UserStore } from '../seams/user-store.js'
import { noErrors, noted } from './calls.js'
import {
  type ConformanceCase,
  casesOf,
  type Handles,
  inTurns,
  isPair,
  type Laws,
  notChecked,
} from './cases.js'
import {
  check,
  hostileTexts,
  parallelCalls,
  race,
  range,
  refusesKeys,
  rejects,
  rounds,
  same,
  show,
  worldlyTexts,
} from './checks.js'
import { newUser } from './users.js'

/** A waiting email for your own tests, with the given changes. */
export function newPendingMail(changes: Partial<PendingMail> = {}): PendingMail {
  return {
    realm: 'accounts',
    kind: 'password-changed',
    userId: 'ada',
    emailKey: null,
    to: 'ada@example.org',
    language: 'en',
    state: null,
    variant: null,
    device: null,
    isProven: true,
    heldUntil: null,
    codeSeed: null,
    isFromOwnBrowser: false,
    ...changes,
  }
}

/**
 * The conformance suite of an `Outbox` and its store, including races. Each case tests one law on a store of its own,
 * which it closes.
 *
 * @param makeStore makes a store with an empty outbox at each call; or two stores on the same empty data, which then take
 * turns in races
 */
export function outboxCases(
  makeStore: () => Promise<Handles<UserStore>> | Handles<UserStore>,
): ConformanceCase[] {
  return casesOf(
    outboxLaws,
    async () => {
      const made = await makeStore()
      return isPair(made) ? [withOutbox(made[0]), withOutbox(made[1])] : withOutbox(made)
    },
    ({ store }) => store.close?.(),
  )
}

function withOutbox(store: UserStore): { store: UserStore; outbox: Outbox } {
  if (store.outbox === undefined) throw new Error('the store has no outbox')
  return { store: noted(store), outbox: noted(store.outbox) }
}

/** Seconds of a stopped clock. */
const at = (seconds: number): Date => new Date(1_800_000_000_000 + seconds * 1000)

/** Claims for a minute. */
const claimAt = (outbox: Outbox, seconds: number, limit = 100): Promise<OutboxEntry[]> =>
  outbox.claim({ realm: 'accounts', now: at(seconds), until: at(seconds + 60), limit })

/** The recipients, which identify the emails in the laws. */
const addresses = (entries: readonly { mail: PendingMail }[]): (string | null)[] =>
  entries.map(({ mail }) => mail.to).sort()

async function claimOne(outbox: Outbox, seconds: number): Promise<OutboxEntry> {
  const [entry, ...others] = await claimAt(outbox, seconds)
  same(others, [], 'the other mails claimed')
  check(entry !== undefined, `no mail could be claimed ${seconds} seconds later`)
  return entry
}

/** Adds a dead letter, and returns its id. */
async function bury(outbox: Outbox, changes: Partial<PendingMail> = {}): Promise<string> {
  await outbox.add([newPendingMail(changes)])
  const entry = await claimOne(outbox, 0)
  same(
    await outbox.postpone(entry, { dueAt: null, attempts: entry.attempts, error: 'refused' }),
    true,
    'postpone()',
  )
  return entry.id
}

/** What an outbox may be unable to store: because of JSON, a table constraint, or the engine. */
const oddMails: readonly Partial<Record<keyof PendingMail, unknown>>[] = [
  { device: [1n] },
  { realm: null },
  { realm: undefined },
  { realm: {} },
  { realm: 'a\0' },
  { realm: 'a\ud800' },
  { realm: 'x'.repeat(100_000) },
]

const outboxLaws: Laws<{ store: UserStore; outbox: Outbox }> = {
  'law 1: an email is claimed exactly as it was added': async ({ outbox }) => {
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
    const mails = [full, ...odd]
    await outbox.add(mails)
    const entries = await claimAt(outbox, 0)
    const found = mails.map((mail) => entries.find((entry) => entry.mail.to === mail.to)?.mail)
    same(found, mails, 'the mails')
    same(new Set(entries.map(({ id }) => id)).size, mails.length, 'the number of ids')
  },

  'law 1: arguments and results are copies': async ({ outbox }) => {
    const mail = newPendingMail({ device: ['Firefox'] })
    await outbox.add([mail])
    mail.device?.push('changed')
    const first = await claimOne(outbox, 0)
    same(first.mail.device, ['Firefox'], 'device')
    first.mail.device?.push('changed')
    same((await claimOne(outbox, 60)).mail.device, ['Firefox'], 'device, claimed again')
  },

  'law 2: add keeps all emails, due at once on any clock, and accepts an empty list': async ({ outbox }) => {
    await outbox.add([])
    same(await outbox.count(), { waiting: 0, dead: 0 }, 'count() of nothing')
    await outbox.add(range(3).map((n) => newPendingMail({ to: `${n}` })))
    same(await outbox.count(), { waiting: 3, dead: 0 }, 'count()')
    const entries = await outbox.claim({
      realm: 'accounts',
      now: new Date(0),
      until: new Date(1),
      limit: 100,
    })
    same(addresses(entries), ['0', '1', '2'], 'the mails claimed')
  },

  'law 3: a claimed email can’t be claimed again before the given time, and can from then on': async ({
    outbox,
  }) => {
    await outbox.add([newPendingMail()])
    const first = await claimOne(outbox, 0)
    same(first.attempts, 1, 'attempts')
    same(await claimAt(outbox, 0), [], 'claim() at the same moment')
    same(await claimAt(outbox, 59.999), [], 'claim() a millisecond before')
    const second = await claimOne(outbox, 60)
    same([second.id, second.mail, second.attempts], [first.id, first.mail, 2], 'the mail, claimed again')
    check(second.claim !== first.claim, 'two claims have one name')
  },

  'law 3: a renewed claim lasts until the new time, and counts no attempt': async ({ outbox }) => {
    await outbox.add([newPendingMail()])
    const first = await claimOne(outbox, 0)
    same(await outbox.renew(first, at(90)), true, 'renew()')
    same(await claimAt(outbox, 89.999), [], 'claim() a millisecond before')
    same(await outbox.renew(first, at(100)), true, 'renew(), once more')
    same(await claimAt(outbox, 90), [], 'claim() at the time of before')
    same((await claimOne(outbox, 100)).attempts, 2, 'attempts')
  },

  'law 3: of many simultaneous claims, one gets each email': async (first, second) => {
    const { outbox } = first
    const turn = inTurns(first, second)
    await rounds(parallelCalls, 5, async (callers) => {
      const count = 2 * callers.length
      await outbox.add(range(count).map((n) => newPendingMail({ to: `${n}` })))
      const { values, errors } = await race(callers.map((n) => () => claimAt(turn(n).outbox, 0, 5)))
      noErrors(errors)
      const taken = values.flat()
      // The loser of a race may have got less than there was. Stops if there are too many.
      while (taken.length <= count) {
        const more = await claimAt(outbox, 0)
        if (more.length === 0) break
        taken.push(...more)
      }
      same(taken.length, count, 'the number of mails claimed')
      same(new Set(taken.map(({ id }) => id)).size, count, 'the number of different ones')
    })
  },

  'law 4: claim takes at most its limit, those due longest first': async ({ outbox }) => {
    for (const [limit, expected] of [
      [1, [['new'], ['sooner'], ['later'], []]],
      [2, [['new', 'sooner'], ['later'], []]],
    ] as const) {
      for (const [to, dueAt] of [
        ['later', at(30)],
        ['sooner', at(10)],
      ] as const) {
        await outbox.add([newPendingMail({ to })])
        const entry = await claimOne(outbox, 0)
        await outbox.postpone(entry, { dueAt, attempts: 1, error: 'busy' })
      }
      await outbox.add([newPendingMail({ to: 'new' })])
      for (const mails of expected) {
        const entries = await claimAt(outbox, 40, limit)
        same(addresses(entries), mails, `the mails claimed, at most ${limit} at a time`)
        for (const entry of entries) await outbox.remove(entry)
      }
    }
    await rejects(InvalidArgumentError, () => claimAt(outbox, 0, 0), 'claim() of none')
  },

  'law 4: claim takes emails of the given realm only': async ({ outbox }) => {
    const realms = ['accounts', 'staff', 'Staff']
    await outbox.add(realms.map((realm) => newPendingMail({ realm, to: realm })))
    for (const realm of realms) {
      const entries = await outbox.claim({ realm, now: at(0), until: at(60), limit: 100 })
      same(addresses(entries), [realm], `the mails of ${realm}`)
    }
  },

  'law 5: a postponed email is due at its time and not before, with the given number of attempts': async ({
    outbox,
  }) => {
    await outbox.add([newPendingMail()])
    const first = await claimOne(outbox, 0)
    same(await outbox.postpone(first, { dueAt: at(10), attempts: 0, error: 'busy' }), true, 'postpone()')
    same(await claimAt(outbox, 9.999), [], 'claim() a millisecond before')
    const second = await claimOne(outbox, 10)
    same(second.attempts, 1, 'attempts')
    await outbox.postpone(second, { dueAt: at(5), attempts: 7, error: 'busy' })
    same((await claimOne(outbox, 10)).attempts, 8, 'attempts after seven')
  },

  'law 5: oldestDue tells since when the email that has been due longest is due': async ({ outbox }) => {
    if (outbox.oldestDue === undefined) return notChecked('oldestDue')
    same(await outbox.oldestDue(), null, 'oldestDue() of nothing')
    await bury(outbox)
    same(await outbox.oldestDue(), null, 'oldestDue() of a dead letter')
    await outbox.add([newPendingMail()])
    const posted = (await outbox.oldestDue())?.getTime() ?? 0
    const hour = 3_600_000
    check(Math.abs(posted - Date.now()) < hour, 'oldestDue() of a new email must be the time of its posting')
    // Later than the posting, whatever the store's clock.
    const [until, dueAt] = [new Date(posted + 2 * hour), new Date(posted + 3 * hour)]
    const [entry] = await outbox.claim({ realm: 'accounts', now: new Date(posted + hour), until, limit: 1 })
    check(entry !== undefined, 'no mail could be claimed')
    same(await outbox.oldestDue(), until, 'oldestDue() of a claimed email')
    await outbox.postpone(entry, { dueAt, attempts: 1, error: 'busy' })
    same(await outbox.oldestDue(), dueAt, 'oldestDue() of a postponed email')
    await outbox.add([newPendingMail()])
    check(((await outbox.oldestDue()) ?? dueAt) < until, 'oldestDue() must be the earliest of two')
  },

  'law 6: a claim that another has replaced changes nothing': async ({ outbox }) => {
    await outbox.add([newPendingMail()])
    const stale = await claimOne(outbox, 0)
    const current = await claimOne(outbox, 60)
    const never = { dueAt: null, attempts: 9, error: 'stale' }
    same(await outbox.postpone(stale, never), false, 'postpone() of a stale claim')
    same(await outbox.renew(stale, at(1000)), false, 'renew() of a stale claim')
    same(await outbox.remove(stale), false, 'remove() of a stale claim')
    same(await outbox.count(), { waiting: 1, dead: 0 }, 'count()')
    same(await outbox.remove(current), true, 'remove()')
    same(await outbox.remove(current), false, 'remove(), once more')
    same(await outbox.renew(current, at(1000)), false, 'renew() of what is gone')
    same(await outbox.postpone(current, never), false, 'postpone() of what is gone')
    same(await outbox.count(), { waiting: 0, dead: 0 }, 'count(), in the end')
    same(await claimAt(outbox, 1000), [], 'claim(), in the end')
  },

  'law 6: postponing an email ends its claim': async ({ outbox }) => {
    await outbox.add([newPendingMail()])
    const entry = await claimOne(outbox, 0)
    await outbox.postpone(entry, { dueAt: at(10), attempts: 1, error: 'busy' })
    same(await outbox.remove(entry), false, 'remove() by a claim that has ended')
    same((await claimAt(outbox, 10)).length, 1, 'the number of mails')
  },

  'law 7: a dead letter is not claimed, but counted and listed, with its error': async ({ outbox }) => {
    const before = Date.now()
    const id = await bury(outbox, { to: 'dead' })
    await outbox.add([newPendingMail({ to: 'waiting' })])
    same(await outbox.count(), { waiting: 1, dead: 1 }, 'count()')
    same(addresses(await claimAt(outbox, 10_000)), ['waiting'], 'the mails claimed')
    const [letter, ...others] = await outbox.listDead({ limit: 10 })
    same(others, [], 'the other dead letters')
    const { postedAt, ...rest } = letter ?? { postedAt: new Date(0) }
    same(rest, { id, mail: newPendingMail({ to: 'dead' }), attempts: 1, error: 'refused' }, 'the dead letter')
    check(Math.abs(postedAt.getTime() - before) < 60_000, `it was posted ${postedAt}, and not just now`)
  },

  'law 7: an error of any length and content is accepted, and its beginning kept': async ({ outbox }) => {
    await outbox.add([newPendingMail()])
    const entry = await claimOne(outbox, 0)
    const error = `550 'no' "such" \0 user \ud800 ${'x'.repeat(100_000)}`
    same(await outbox.postpone(entry, { dueAt: null, attempts: 1, error }), true, 'postpone()')
    const [letter] = await outbox.listDead({ limit: 10 })
    check(letter?.error.startsWith(`550 'no' "such"`) === true, 'the reason does not begin as it was given')
  },

  'law 8: dead letters are listed in pages': async ({ outbox }) => {
    const ids: string[] = []
    for (const n of range(5)) ids.push(await bury(outbox, { to: `${n}` }))
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
    same(await outbox.count(), { waiting: 1, dead: 0 }, 'count()')
    same(await claimAt(outbox, 99), [], 'claim() before')
    const entry = await claimOne(outbox, 100)
    same([entry.id, entry.attempts], [id, 1], 'the mail')
    same(await outbox.retry(id, at(100)), false, 'retry() of what is no dead letter')
    same(await outbox.retry('nobody', at(100)), false, 'retry() of what is not there')
  },

  'law 10: only dead letters can be discarded': async ({ outbox }) => {
    await outbox.add([newPendingMail()])
    const { id } = await claimOne(outbox, 0)
    same(await outbox.discard(id), false, 'discard() of a mail that waits')
    same((await claimAt(outbox, 60)).length, 1, 'the mails that wait')
    const dead = await bury(outbox)
    same(await outbox.discard(dead), true, 'discard()')
    same(await outbox.discard(dead), false, 'discard(), once more')
    same(await outbox.listDead({ limit: 10 }), [], 'listDead()')
  },

  'law 11: an email of a creation is kept with the user, under the user’s id': async ({ store, outbox }) => {
    const mails = ['a', 'b'].map((to) => newPendingMail({ to, userId: null }))
    const user = await store.create(newUser(), mails)
    same(await store.findById(user.id), user, 'the user')
    const entries = await claimAt(outbox, 0)
    same(addresses(entries), ['a', 'b'], 'the mails')
    same(
      entries.map(({ mail }) => mail.userId),
      [user.id, user.id],
      'userId',
    )
    same(
      mails.map(({ userId }) => userId),
      [null, null],
      'userId of what was handed in',
    )
  },

  'law 11: a rejected creation leaves no email behind': async ({ store, outbox }) => {
    const { usernameKey } = await store.create(newUser())
    const twin = newUser({ usernameKey })
    await rejects(DuplicateError, () => store.create(twin, [newPendingMail()]), 'create() of a taken name')
    same(await outbox.count(), { waiting: 0, dead: 0 }, 'count()')
  },

  'law 12: an email of an update is kept if and only if the update was made': async ({ store, outbox }) => {
    const { usernameKey } = await store.create(newUser())
    const { id } = await store.create(newUser())
    const mails = [newPendingMail({ userId: id })]
    same(await store.update(id, { isStaff: true }, 7, mails), null, 'update() at another version')
    same(await store.update('nobody', { isStaff: true }, 1, mails), null, 'update() of nobody')
    const toTaken = (): Promise<unknown> => store.update(id, { usernameKey }, 1, mails)
    await rejects(DuplicateError, toTaken, 'update() to a taken name')
    same(await outbox.count(), { waiting: 0, dead: 0 }, 'count()')
    const changed = await store.update(id, { isStaff: true }, 1, mails)
    same([changed?.isStaff, changed?.version], [true, 2], 'the user')
    same((await claimOne(outbox, 0)).mail, mails[0], 'the mail')
  },

  'law 12: of simultaneous updates from one version, only the winner’s email is kept': async (
    first,
    second,
  ) => {
    const { store, outbox } = first
    const turn = inTurns(first, second)
    const { id } = await store.create(newUser())
    await rounds(20, 5, async (callers, round) => {
      const { values, errors } = await race(
        callers.map((n) => async () => {
          const passwordHash = `hash ${round} ${n}`
          return turn(n).store.update(id, { passwordHash }, round + 1, [newPendingMail({ to: passwordHash })])
        }),
      )
      noErrors(errors)
      const winners = values.filter((user) => user !== null)
      same(winners.length, 1, 'the number of winners')
      same((await claimOne(outbox, 0)).mail.to, winners[0]?.passwordHash, 'the mail')
    })
  },

  'law 14: an email that can’t be kept leaves nothing behind: no other email, no user, no change': async ({
    store,
    outbox,
  }) => {
    const user = await store.create(newUser())
    let waiting = 0
    for (const odd of oddMails) {
      const mails = [newPendingMail(), { ...newPendingMail(), ...odd } as PendingMail]
      const given = newUser()
      const what = (call: string): string => `${call} with a mail of ${show(odd)}`
      const [created] = (await race([() => store.create(given, mails)])).values
      const found = await store.findByUsername(`${given.usernameKey}`)
      same(found?.id, created?.id, `the user after ${what('create()')}`)
      const before = await store.findById(user.id)
      const [changed] = (
        await race([() => store.update(user.id, { isStaff: true }, before?.version ?? 0, mails)])
      ).values
      same(await store.findById(user.id), changed ?? before, `the user after ${what('update()')}`)
      const added = (await race([() => outbox.add(mails)])).values.length
      waiting += 2 * (Number(created !== undefined) + Number(Boolean(changed)) + added)
      same((await outbox.count()).waiting, waiting, `the number of mails after ${what('each call')}`)
    }
  },

  'law 13: an invalid id is rejected': async ({ outbox }) => {
    await outbox.add([newPendingMail()])
    const { id, claim } = await claimOne(outbox, 0)
    await refusesKeys('retry', (key) => outbox.retry(key, at(0)))
    await refusesKeys('discard', (key) => outbox.discard(key))
    await refusesKeys('remove', (key) => outbox.remove({ id: key, claim }))
    await refusesKeys('renew', (key) => outbox.renew({ id: key, claim }, at(60)))
    await refusesKeys('remove by the claim', (key) => outbox.remove({ id, claim: key }))
    same(await outbox.count(), { waiting: 1, dead: 0 }, 'count()')
  },
}
