import { breaksLaws, later } from '@fastify-accounts/test-support/sabotage'
import { createStoreWithOutbox, type StoreWithOutbox } from '@fastify-accounts/test-support/store-with-outbox'
import {
  assertInTime,
  callBefore,
  callDeadline,
  createMemoryUserStore,
  type Outbox,
  type OutboxEntry,
  type PendingMail,
  type PendingMessage,
  UnavailableError,
  type UserStore,
} from 'fastify-accounts'
import { expect, test } from 'vitest'
import { newPendingMail, outboxCases, runCases } from '../../src/index.js'
import { failing } from './failing.js'

type Fault = (outbox: Required<Outbox>) => Partial<Outbox>

/** Outboxes with one fault each, and the law that must detect it. */
const sabotages: Record<string, [law: string, fault: Fault]> = {
  'add drops a property of emails': [
    'law 1: an email is claimed exactly',
    stores((message) => ({ ...message, device: null })),
  ],
  'only emails are kept': ['law 1: a message may have any', stores(asEmail)],
  'a message has the id of its row': [
    'law 1: a message may have any',
    (outbox) => ({
      claim: async (at) =>
        (await outbox.claim(at)).map((entry) => {
          const { id, message } = entry
          return { ...entry, message: 'id' in message ? { ...message, id } : message }
        }),
    }),
  ],
  'null becomes an empty text': [
    'law 1: a message may have any',
    stores((message) => JSON.parse(JSON.stringify(message).replaceAll(':null', ':""'))),
  ],
  'messages are handed out as they are kept': ['law 1: arguments and results', handsOutReferences],
  'only the first of several is stored': [
    'law 2:',
    (outbox) => ({ add: (messages) => outbox.add(messages.slice(0, 1)) }),
  ],
  'no message is an error': [
    'law 2:',
    (outbox) => ({
      add: async (messages) =>
        messages.length > 0 ? outbox.add(messages) : Promise.reject(new Error('no messages')),
    }),
  ],
  'a message is due at any time': [
    'law 2:',
    (outbox) => ({ claim: (at) => outbox.claim({ ...at, now: new Date(Number(at.now) + 3_600_000) }) }),
  ],
  'a message is due an hour after it was posted': [
    'law 2:',
    (outbox) => ({ claim: (at) => outbox.claim({ ...at, now: new Date(Number(at.now) - 3_600_000) }) }),
  ],
  "a claim doesn't exclude other claims": [
    'law 3: a claimed message',
    (outbox) => ({ claim: (at) => outbox.claim({ ...at, until: at.now }) }),
  ],
  "a claim can't be renewed": ['law 3: a renewed claim', () => ({ renew: async () => true })],
  'a renewal counts as an attempt': [
    'law 3: a renewed claim',
    (outbox) => {
      const renewed = new Set<string>()
      return {
        async renew(entry, until) {
          renewed.add(entry.id)
          return outbox.renew(entry, until)
        },
        claim: async (at) =>
          (await outbox.claim(at)).map((entry) => ({
            ...entry,
            attempts: entry.attempts + Number(renewed.has(entry.id)),
          })),
      }
    },
  ],
  'two simultaneous claims get the same messages': [
    'law 3: of many simultaneous claims',
    (outbox) => {
      let last: ReturnType<Outbox['claim']> | null = null
      return {
        claim(at) {
          last ??= outbox.claim(at).finally(() => {
            last = null
          })
          return last
        },
      }
    },
  ],
  'a claim exceeds its limit': [
    'law 4: claim takes at most',
    (outbox) => ({ claim: (at) => outbox.claim({ ...at, limit: at.limit && at.limit + 10 }) }),
  ],
  'a claim with a limit above one takes everything due': [
    'law 4: claim takes at most',
    (outbox) => ({ claim: (at) => outbox.claim({ ...at, limit: at.limit > 1 ? 100 : at.limit }) }),
  ],
  'a claim takes what was posted last': [
    'law 4: claim takes at most',
    claimsBy((due, { limit }) => due.toReversed().slice(0, limit)),
  ],
  'new messages overtake postponed ones': [
    'law 4: claim takes at most',
    (outbox) => ({
      postpone: (entry, then) => {
        const dueAt = then.dueAt && new Date(Math.max(Number(then.dueAt), Date.UTC(2098, 0)))
        return outbox.postpone(entry, { ...then, dueAt })
      },
    }),
  ],
  'a limit of none takes nothing': [
    'law 4: claim takes at most',
    (outbox) => ({ claim: async (at) => (at.limit === 0 ? [] : outbox.claim(at)) }),
  ],
  'the first realm takes all': [
    'law 4: each realm gets',
    claimsBy((due, { realms, limit }) =>
      realms.flatMap((realm) => due.filter(({ message }) => message.realm === realm)).slice(0, limit),
    ),
  ],
  'the realm with the oldest messages takes all': [
    'law 4: each realm gets',
    claimsBy((due, { limit }) => due.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit)),
  ],
  'what a realm leaves over is lost': [
    'law 4: each realm gets',
    claimsBy((due, { realms, limit }) =>
      realms.flatMap((realm) =>
        due.filter(({ message }) => message.realm === realm).slice(0, Math.ceil(limit / realms.length)),
      ),
    ),
  ],
  'the share of a realm is not what has been due longest': [
    'law 4: of each realm',
    claimsBy((due, { realms, limit }) => {
      const newest = (realm: string) => due.filter(({ message }) => message.realm === realm).toReversed()
      return realms.flatMap((realm) => newest(realm).slice(0, limit / realms.length))
    }),
  ],
  'realms are not separate': ['law 4: claim, count', claimsOf(() => true)],
  'a realm has all that begin with it': [
    'law 4: claim, count',
    claimsOf((known, asked) => known.startsWith(asked)),
  ],
  'realms are case-insensitive': [
    'law 4: claim, count',
    claimsOf((known, asked) => known.toLowerCase() === asked.toLowerCase()),
  ],
  'a realm may have wildcards': [
    'law 4: claim, count',
    claimsOf((known, asked) => known === asked || asked === '%'),
  ],
  'oldestDue takes a realm for all that begin with it': [
    'law 4: claim, count and oldestDue',
    (outbox) => ({
      async oldestDue(realm) {
        const realms = ['a', 'a:events', 'a:to:mail', 'A', 'a%', 'a_', "a'"].filter((each) =>
          each.startsWith(`${realm}`),
        )
        const found = await Promise.all([realm, ...realms].map((each) => outbox.oldestDue(each)))
        return found.find((due) => due !== null) ?? null
      },
    }),
  ],
  'an unreadable message is an error': [
    'law 19:',
    (outbox) => ({
      claim: async (at) => {
        const before = (await outbox.count()).dead
        const entries = await outbox.claim(at)
        if ((await outbox.count()).dead > before) throw new SyntaxError('no JSON')
        return entries
      },
    }),
  ],
  'an unreadable message is dropped': [
    'law 19:',
    (outbox) => ({
      claim: async (at) => {
        const entries = await outbox.claim(at)
        for (const { id, message } of await outbox.listDead({ limit: 100 }))
          if (message === null) await outbox.discard(id)
        return entries
      },
    }),
  ],
  'a late message is added': [
    'law 17: a call after its deadline',
    (outbox) => ({ add: (messages) => callBefore(Number.POSITIVE_INFINITY, () => outbox.add(messages)) }),
  ],
  'a late claim is made': [
    'law 17: a call after its deadline',
    (outbox) => ({ claim: (at) => callBefore(Number.POSITIVE_INFINITY, () => outbox.claim(at)) }),
  ],
  'a late message is rejected, and added': [
    'law 17: a message whose deadline',
    (outbox) => ({
      async add(messages) {
        assertInTime()
        const deadline = callDeadline()
        await later(2)
        await outbox.add(messages)
        if (performance.now() >= deadline) throw new UnavailableError('too late')
      },
    }),
  ],
  'count counts all realms': ['law 4: claim, count', (outbox) => ({ count: () => outbox.count() })],
  'postponing ignores the attempt count': [
    'law 5: a postponed message',
    (outbox) => ({ postpone: (entry, then) => outbox.postpone(entry, { ...then, attempts: 5 }) }),
  ],
  'a postponed message is due at once': [
    'law 5: a postponed message',
    (outbox) => ({
      postpone: (entry, then) => outbox.postpone(entry, { ...then, dueAt: then.dueAt && new Date(0) }),
    }),
  ],
  'a new message counts as due since ever': [
    'law 5: oldestDue',
    (outbox) => ({ oldestDue: async (realm) => ((await outbox.oldestDue(realm)) ? new Date(0) : null) }),
  ],
  'no message counts as due before it was posted': [
    'law 5: oldestDue',
    (outbox) => ({
      async oldestDue(realm) {
        const found = await outbox.oldestDue(realm)
        return found && new Date(Math.max(Number(found), Date.now() - 60_000))
      },
    }),
  ],
  'the latest message counts as the one due longest': [
    'law 5: oldestDue',
    (outbox) => {
      let latest: Date | null = null
      return {
        async oldestDue(realm) {
          const found = await outbox.oldestDue(realm)
          if (found !== null && (latest === null || found > latest)) latest = found
          return found && latest
        },
      }
    },
  ],
  'oldestDue ignores the realm': ['law 5: oldestDue', (outbox) => ({ oldestDue: () => outbox.oldestDue() })],
  'oldestDue of all realms is that of one': [
    'law 5: oldestDue',
    (outbox) => ({ oldestDue: (realm = 'accounts') => outbox.oldestDue(realm) }),
  ],
  ...Object.fromEntries(
    (['remove', 'renew', 'postpone', 'split'] as const).map((method): [string, [string, Fault]] => [
      `a stale claim can still ${method}`,
      ['law 6: a claim that another has replaced', staleClaims(method)],
    ]),
  ),
  'a postponed message can still be removed': [
    'law 6: postponing a message',
    (outbox) => {
      const postponed = new Set<string>()
      return {
        async postpone(entry, then) {
          const isPostponed = await outbox.postpone(entry, then)
          if (isPostponed) postponed.add(entry.claim)
          return isPostponed
        },
        remove: async (entry) => (await outbox.remove(entry)) || postponed.has(entry.claim),
      }
    },
  ],
  'a dead letter is retried': [
    'law 7: a dead letter is not claimed',
    (outbox) => ({
      postpone: (entry, then) => outbox.postpone(entry, { ...then, dueAt: then.dueAt ?? new Date(0) }),
    }),
  ],
  'a long error is rejected': [
    'law 7: an error of any length',
    (outbox) => ({
      async postpone(entry, then) {
        if (then.error.length > 1000) throw new Error('value too long')
        return outbox.postpone(entry, then)
      },
    }),
  ],
  'the dead letters of all realms are counted': [
    'law 7: count counts',
    (outbox) => ({
      count: async (realm) => ({ ...(await outbox.count(realm)), dead: (await outbox.count()).dead }),
    }),
  ],
  'claimed messages do not wait': [
    'law 7: count counts',
    (outbox) => {
      const claimed = new Map<string, string>()
      return {
        async claim(at) {
          const entries = await outbox.claim(at)
          for (const { id, message } of entries) claimed.set(id, message.realm)
          return entries
        },
        async postpone(entry, then) {
          claimed.delete(entry.id)
          return outbox.postpone(entry, then)
        },
        async count(realm) {
          const { waiting, dead } = await outbox.count(realm)
          return { waiting: waiting - [...claimed.values()].filter((each) => each === realm).length, dead }
        },
      }
    },
  ],
  'without a realm count counts one': [
    'law 7: count counts',
    (outbox) => ({ count: (realm = 'accounts') => outbox.count(realm) }),
  ],
  'every page starts from the beginning': [
    'law 8:',
    (outbox) => ({ listDead: ({ limit }) => outbox.listDead({ limit }) }),
  ],
  'the dead letters of one realm are listed': [
    'law 8:',
    (outbox) => ({
      listDead: async (page) => (await outbox.listDead(page)).filter(({ message }) => message?.realm === 'a'),
    }),
  ],
  'retry succeeds for an unknown id': [
    'law 9:',
    (outbox) => ({ retry: async (id, now) => (await outbox.retry(id, now)) || id !== 'nobody' }),
  ],
  'a message that waits can be discarded': [
    'law 10:',
    (outbox) => ({ discard: async (id) => (await outbox.discard(id)) || true }),
  ],
  'split takes keys of any type': [
    'law 13:',
    (outbox) => ({ split: (...given) => outbox.split(...given).catch(() => false) }),
  ],
  'messages are added one by one': [
    'law 14: a message that can’t be kept leaves nothing',
    (outbox) => ({
      async add(messages) {
        for (const message of messages) await outbox.add([message])
      },
    }),
  ],
  'split removes first': [
    'law 14: a message that can’t be kept leaves the one',
    (outbox) => ({
      async split(entry, messages) {
        const isRemoved = await outbox.remove(entry)
        if (isRemoved) await outbox.add(messages)
        return isRemoved
      },
    }),
  ],
  'split leaves the message': [
    'law 15: split replaces',
    (outbox) => ({
      async split(entry, messages) {
        const isSplit = await outbox.renew(entry, new Date(Date.UTC(2099, 1)))
        if (isSplit) await outbox.add(messages)
        return isSplit
      },
    }),
  ],
  'split adds the first of several': [
    'law 15: split replaces',
    (outbox) => ({ split: (entry, messages) => outbox.split(entry, messages.slice(0, 1)) }),
  ],
  'split adds to the realm of the message': [
    'law 15: split replaces',
    (outbox) => ({
      split: (entry, messages) =>
        outbox.split(
          entry,
          messages.map((message) => ({ ...message, realm: 'accounts' })),
        ),
    }),
  ],
  'what was split counts attempts on': [
    'law 15: split replaces',
    (outbox) => {
      let isSplit = false
      return {
        async split(entry, messages) {
          const isDone = await outbox.split(entry, messages)
          isSplit ||= isDone
          return isDone
        },
        claim: async (at) =>
          (await outbox.claim(at)).map((entry) => ({ ...entry, attempts: entry.attempts + Number(isSplit) })),
      }
    },
  ],
  'split into none does nothing': [
    'law 15: a message can be split into none',
    (outbox) => ({
      split: async (entry, messages) => messages.length === 0 || outbox.split(entry, messages),
    }),
  ],
  'split adds before it checks the claim': [
    'law 15: a claim that another has replaced',
    (outbox) => ({
      async split(entry, messages) {
        await outbox.add(messages)
        return outbox.remove(entry)
      },
    }),
  ],
  'of simultaneous splits, all add their messages': ['law 15: of many simultaneous splits', splitsLate],
  'a message that is removed is split all the same': ['law 15: of a split and another end', splitsLate],
}

/** Makes a message of a store in memory unreadable. */
const spoiling = { spoil: (id: string, store: UserStore) => (store as StoreWithOutbox).spoil(id) }

test.each(Object.entries(sabotages))('%s: the suite detects it', async (_, [law, fault]) => {
  await breaksLaws(
    outboxCases(() => {
      const store = createStoreWithOutbox()
      return { ...store, outbox: { ...store.outbox, ...fault(store.outbox) } }
    }, spoiling),
    law,
  )
})

test.each<[string, Fault]>([
  ['none', () => ({})],
  ['nothing is due during an outage', ({ claim }) => ({ claim: (at) => claim(at).catch(() => []) })],
  ['a message counts as removed', ({ remove }) => ({ remove: (entry) => remove(entry).catch(() => true) })],
  [
    'an outage is an empty outbox',
    ({ count }) => ({ count: (realm) => count(realm).catch(() => ({ waiting: 0, dead: 0 })) }),
  ],
])('an outage, with this fault: %s', async (name, fault) => {
  const { fail, over } = failing()
  const cases = outboxCases(
    () => {
      const store = over(createStoreWithOutbox())
      return { ...store, outbox: { ...store.outbox, ...fault(store.outbox) } }
    },
    { fail },
  ).filter((law) => law.name.startsWith('law 20:'))
  if (name === 'none') expect((await runCases(cases, () => undefined)).failures).toEqual([])
  else await breaksLaws(cases, 'law 20:')
})

test('a store without an outbox passes no law', async () => {
  const { passed } = await runCases(outboxCases(createMemoryUserStore), () => {})
  expect(passed).toBe(0)
})

test('newPendingMail makes an email to the given address', () => {
  expect(newPendingMail({ to: 'x' })).toMatchObject({ to: 'x', kind: 'password-changed' })
})

/** Other messages are stored than were given. */
function stores(other: (message: PendingMessage) => PendingMessage): Fault {
  return (outbox) => ({ add: (messages) => outbox.add(messages.map(other)) })
}

/** Only the properties of an email. */
function asEmail(message: PendingMessage): PendingMessage {
  const known = Object.keys(newPendingMail()) as (keyof PendingMail)[]
  return Object.fromEntries(known.map((name) => [name, Reflect.get(message, name) ?? null])) as never
}

/** Another choice of the messages that are due, which come in the order of their due times within each realm. */
function claimsBy(choose: (due: OutboxEntry[], at: Parameters<Outbox['claim']>[0]) => OutboxEntry[]): Fault {
  return (outbox) => ({
    async claim(at) {
      const due = await outbox.claim({ ...at, limit: at.limit && 1000 })
      const chosen = choose(due, at)
      // Released in their order, and still due.
      const left = due.filter((entry) => !chosen.includes(entry))
      for (const [index, entry] of left.entries()) {
        const dueAt = new Date(Number(at.now) - left.length + index)
        await outbox.postpone(entry, { dueAt, attempts: entry.attempts - 1, error: '' })
      }
      return chosen
    },
  })
}

/** Realms are compared in another way. */
function claimsOf(isSame: (known: string, asked: string) => boolean): Fault {
  return (outbox) => {
    const known = new Set<string>()
    return {
      async add(messages) {
        for (const { realm } of messages) known.add(realm)
        return outbox.add(messages)
      },
      claim: ({ realms, ...at }) => {
        const found = [...known].filter((realm) => realms.some((asked) => isSame(realm, asked)))
        return outbox.claim({ ...at, realms: found })
      },
    }
  }
}

/** One method takes every claim of a message for its last one. */
function staleClaims(method: 'remove' | 'renew' | 'postpone' | 'split'): Fault {
  return (outbox) => {
    const claims = new Map<string, string>()
    return {
      async claim(at) {
        const entries = await outbox.claim(at)
        for (const { id, claim } of entries) claims.set(id, claim)
        return entries
      },
      [method]: ({ id, claim }: OutboxEntry, ...rest: unknown[]) =>
        Reflect.apply(outbox[method], outbox, [{ id, claim: claims.get(id) ?? claim }, ...rest]),
    }
  }
}

/** Adds the messages if the claim was valid a moment ago. */
function splitsLate(outbox: Outbox): Partial<Outbox> {
  return {
    async split(entry, messages) {
      const isClaimed = await outbox.renew(entry, new Date(Date.UTC(2099, 1)))
      await later()
      if (isClaimed && !(await outbox.split(entry, messages))) await outbox.add(messages)
      return isClaimed
    },
  }
}

function handsOutReferences(outbox: Outbox): Partial<Outbox> {
  const kept = new Map<string, PendingMessage>()
  return {
    claim: async (at) =>
      (await outbox.claim(at)).map((entry) => {
        const message = kept.get(entry.id) ?? entry.message
        kept.set(entry.id, message)
        return { ...entry, message }
      }),
  }
}
