import { later } from '@fastify-accounts/test-support/sabotage'
import {
  assertStorable,
  createStoreWithOutbox,
  type StoreWithOutbox as Store,
} from '@fastify-accounts/test-support/store-with-outbox'
import {
  createMemoryUserStore,
  type Outbox,
  type OutboxEntry,
  type PendingMail,
  type PendingMessage,
  type UserStore,
} from 'fastify-accounts'
import { expect, test } from 'vitest'
import { newPendingMail, outboxCases, runCases } from '../../src/index.js'
import { failing } from './failing.js'
import {
  detects,
  forEach,
  given,
  hides,
  type Mistake,
  type Mistakes,
  type Mutations,
  overdue,
  rarely,
  result,
  says,
  second,
  whenever,
} from './mutations.js'

type Queue = Required<Outbox>
type At = Parameters<Outbox['claim']>[0]

/** Other messages are stored than were given. */
const stores = (other: (message: PendingMessage) => PendingMessage): Mistake<Queue, 'add'> =>
  given((messages) => messages.map(other))
/** Entries are handed out differently. */
const hands = (other: (entry: OutboxEntry) => object): Mistake<Queue, 'claim'> =>
  result((entries) => entries.map((entry) => ({ ...entry, ...other(entry) })))
const asks = (other: (at: At) => Partial<At>): Mistake<Queue, 'claim'> =>
  given((at) => ({ ...at, ...other(at) }))
const later1h = (time: Date, hours = 1) => new Date(Number(time) + hours * 3_600_000)
/** Only the properties of an email. */
const asEmail = (message: PendingMessage): PendingMessage => {
  const known = Object.keys(newPendingMail()) as (keyof PendingMail)[]
  return Object.fromEntries(known.map((name) => [name, Reflect.get(message, name) ?? null])) as never
}
/** Another choice of the messages that are due, which come in the order of their due times within each realm. */
const claimsBy =
  (choose: (due: OutboxEntry[], at: At) => OutboxEntry[]): Mistake<Queue, 'claim'> =>
  (call, outbox) =>
  async (at) => {
    const due = await call({ ...at, limit: at.limit && 1000 })
    const chosen = choose(due, at)
    // Released in their order, and still due.
    const left = due.filter((entry) => !chosen.includes(entry))
    for (const [index, entry] of left.entries()) {
      const dueAt = new Date(Number(at.now) - left.length + index)
      await outbox.postpone(entry, { dueAt, attempts: entry.attempts - 1, error: '' })
    }
    return chosen
  }
const ofRealm = (due: OutboxEntry[], realm: string) => due.filter(({ message }) => message.realm === realm)
/** Realms are compared in another way. */
const claimsOf =
  (isSame: (known: string, asked: string) => boolean): Mistakes<Queue> =>
  (outbox) => {
    const known = new Set<string>()
    return {
      async add(messages) {
        for (const { realm } of messages) known.add(realm)
        return outbox.add(messages)
      },
      claim: ({ realms, ...at }) =>
        outbox.claim({
          ...at,
          realms: [...known].filter((realm) => realms.some((asked) => isSame(realm, asked))),
        }),
    }
  }
/** One method takes every claim of a message for its last one. */
const staleClaims =
  (method: 'remove' | 'renew' | 'postpone' | 'split'): Mistakes<Queue> =>
  (outbox) => {
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
/** What has gone through one method counts as an attempt when it is claimed. */
const countsAttempts =
  (method: 'renew' | 'split', isMeant: (seen: Set<string>, id: string) => boolean): Mistakes<Queue> =>
  (outbox) => {
    const seen = new Set<string>()
    const noted = async ({ id, claim }: OutboxEntry, ...rest: unknown[]) => {
      const isDone: boolean = await Reflect.apply(outbox[method], outbox, [{ id, claim }, ...rest])
      if (isDone) seen.add(id)
      return isDone
    }
    const one = ({ attempts, id }: OutboxEntry) => ({ attempts: attempts + Number(isMeant(seen, id)) })
    return { [method]: noted, claim: hands(one)(outbox.claim, outbox) }
  }
/** Adds the messages if the claim was valid a moment ago. */
const splitsLate: Mistake<Queue, 'split'> = (call, outbox) => async (entry, messages) => {
  const isClaimed = await outbox.renew(entry, new Date(Date.UTC(2099, 1)))
  await later()
  if (isClaimed && !(await call(entry, messages))) await outbox.add(messages)
  return isClaimed
}
const isPrefix = (known: string, asked: string) => known.startsWith(asked)

const mutations: Mutations<Queue> = {
  'law 1: an email is claimed exactly': {
    add: { 'a property is dropped': stores((one) => ({ ...one, device: null })) },
  },
  'law 1: a message may have any': {
    add: {
      'only those of emails are kept': stores(asEmail),
      'null becomes an empty text': stores((one) =>
        JSON.parse(JSON.stringify(one).replaceAll(':null', ':""')),
      ),
    },
    claim: {
      'it has the id of its row': hands(({ id, message }) => ({
        message: 'id' in message ? { ...message, id } : message,
      })),
    },
  },
  'law 1: arguments and results': {
    claim: {
      'messages are handed out as they are kept': (call, outbox, known = new Map<string, PendingMessage>()) =>
        hands(({ id, message }) => {
          known.set(id, known.get(id) ?? message)
          return { message: known.get(id) }
        })(call, outbox),
    },
  },
  'law 2:': {
    add: {
      'only the first of several is stored': given((messages) => messages.slice(0, 1)),
      'none is an error': (call) => async (messages) =>
        messages.length > 0 ? call(messages) : Promise.reject(new Error('no messages')),
    },
    claim: {
      'a message is due at any time': asks(({ now }) => ({ now: later1h(now) })),
      'a message is due an hour later': asks(({ now }) => ({ now: later1h(now, -1) })),
    },
  },
  'law 3: a claimed message': { claim: { 'others can claim it': asks(({ now }) => ({ until: now })) } },
  'law 3: a renewed claim': {
    renew: { 'it isn’t': says(true) },
    several: { 'it counts as an attempt': countsAttempts('renew', (seen, id) => seen.has(id)) },
  },
  'law 3: of many simultaneous claims': {
    claim: {
      'two get the same messages': (call) => {
        let last: ReturnType<Outbox['claim']> | null = null
        return (at) => {
          last ??= call(at).finally(() => {
            last = null
          })
          return last
        }
      },
      'one in twenty goes twice': (call, _, isRare = rarely()) =>
        result<Queue['claim']>((entries) => [...entries, ...entries.filter(({ id }) => isRare(id))])(call),
    },
  },
  'law 4: claim takes at most': {
    claim: {
      'the limit is exceeded': asks(({ limit }) => ({ limit: limit && limit + 10 })),
      'above one there is none': asks(({ limit }) => ({ limit: limit > 1 ? 100 : limit })),
      'the latest go first': claimsBy((due, { limit }) => due.toReversed().slice(0, limit)),
      'a limit of none takes nothing': (call) => async (at) => (at.limit === 0 ? [] : call(at)),
    },
    postpone: {
      'new messages overtake postponed ones': second((then) => ({
        ...then,
        dueAt: then.dueAt && new Date(Math.max(Number(then.dueAt), Date.UTC(2098, 0))),
      })),
    },
  },
  'law 4: each realm gets': {
    claim: {
      'the first takes all': claimsBy((due, { realms, limit }) =>
        realms.flatMap((realm) => ofRealm(due, realm)).slice(0, limit),
      ),
      'the one with the oldest messages takes all': claimsBy((due, { limit }) =>
        due.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit),
      ),
      'what one leaves over is lost': claimsBy((due, { realms, limit }) =>
        realms.flatMap((realm) => ofRealm(due, realm).slice(0, Math.ceil(limit / realms.length))),
      ),
    },
  },
  'law 4: of each realm': {
    claim: {
      'the latest go': claimsBy((due, { realms, limit }) =>
        realms.flatMap((realm) =>
          ofRealm(due, realm)
            .toReversed()
            .slice(0, limit / realms.length),
        ),
      ),
    },
  },
  'law 4: claim, count': {
    count: { 'all realms are counted': (call) => () => call() },
    several: {
      'realms are not separate': claimsOf(() => true),
      'all that begin so': claimsOf(isPrefix),
      'in any case': claimsOf((known, asked) => known.toLowerCase() === asked.toLowerCase()),
      wildcards: claimsOf((known, asked) => known === asked || asked === '%'),
    },
  },
  'law 4: claim, count and oldestDue': {
    oldestDue: {
      'all that begin so': (call) => async (realm) => {
        const realms = ['a', 'a:events', 'a:to:mail', 'A', 'a%', 'a_', "a'"].filter((one) =>
          isPrefix(one, `${realm}`),
        )
        const found = await Promise.all([realm, ...realms].map((one) => call(one)))
        return found.find((due) => due !== null) ?? null
      },
    },
  },
  'law 4: realms': {
    realms: {
      'one for each message': (call, outbox) => async () => {
        const realms = await call()
        const counts = await Promise.all(realms.map((realm) => outbox.count(realm)))
        return realms.flatMap((realm, at) => Array(counts[at]?.waiting || 1).fill(realm))
      },
      'those without messages stay':
        (call, _, known = new Set<string>()) =>
        async () => {
          for (const realm of await call()) known.add(realm)
          return [...known]
        },
      'those of dead letters are missing': (call, outbox) => async () => {
        const realms = await call()
        const counts = await Promise.all(realms.map((realm) => outbox.count(realm)))
        return realms.filter((_, at) => counts[at]?.waiting)
      },
      'in any case': (call) => async () => [
        ...new Map((await call()).map((realm) => [realm.toLowerCase(), realm])).values(),
      ],
    },
  },
  'law 5: a postponed message': {
    postpone: {
      'the attempts are ignored': second((then) => ({ ...then, attempts: 5 })),
      'it is due at once': second((then) => ({ ...then, dueAt: then.dueAt && new Date(0) })),
    },
  },
  'law 5: oldestDue': {
    oldestDue: {
      'a new message is due since ever': result((due) => due && new Date(0)),
      'none is due before it was posted': result(
        (due) => due && new Date(Math.max(Number(due), Date.now() - 60_000)),
      ),
      'the latest counts': (call, _, latest = { at: 0 }) =>
        result<Queue['oldestDue']>((due) => {
          latest.at = Math.max(latest.at, Number(due))
          return due && new Date(latest.at)
        })(call),
      'the realm is ignored': (call) => () => call(),
      'that of one realm':
        (call) =>
        (realm = 'accounts') =>
          call(realm),
    },
  },
  'law 6: a claim that another has replaced': {
    several: forEach(['remove', 'renew', 'postpone', 'split'] as const, staleClaims),
  },
  'law 6: postponing a message': {
    several: {
      'it can still be removed': (outbox) => {
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
    },
  },
  'law 7: a dead letter is not claimed': {
    postpone: { 'it is retried': second((then) => ({ ...then, dueAt: then.dueAt ?? new Date(0) })) },
  },
  'law 7: an error of any length': {
    postpone: {
      'a long one is rejected': (call) => async (entry, then) =>
        then.error.length > 1000 ? Promise.reject(new Error('value too long')) : call(entry, then),
    },
  },
  'law 7: count counts': {
    count: {
      'the dead letters of all realms': (call) => async (realm) => ({
        ...(await call(realm)),
        dead: (await call()).dead,
      }),
      'without a realm those of one':
        (call) =>
        (realm = 'accounts') =>
          call(realm),
    },
    several: {
      'claimed messages do not wait': (outbox) => {
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
            return { waiting: waiting - [...claimed.values()].filter((one) => one === realm).length, dead }
          },
        }
      },
    },
  },
  'law 8:': {
    listDead: {
      'every page starts from the beginning': given(({ limit }) => ({ limit })),
      'those of one realm': result((letters) => letters.filter(({ message }) => message?.realm === 'a')),
    },
  },
  'law 9:': { retry: { 'an unknown id will do': result((isDone, id) => isDone || id !== 'nobody') } },
  'law 10:': { discard: { 'always yes': result((isDone) => isDone || true) } },
  'law 13:': { split: { 'keys may be of any type': hides(false) } },
  'law 14: a message that can’t be kept leaves nothing': {
    add: {
      'they are added one by one': (call) => async (messages) => {
        for (const message of messages) await call([message])
      },
    },
  },
  'law 14: a message that can’t be kept leaves the one': {
    split: {
      'it removes first': (_, outbox) => async (entry, messages) => {
        const isRemoved = await outbox.remove(entry)
        if (isRemoved) await outbox.add(messages)
        return isRemoved
      },
    },
  },
  'law 15: split replaces': {
    split: {
      'it leaves the message': (_, outbox) => async (entry, messages) => {
        const isSplit = await outbox.renew(entry, new Date(Date.UTC(2099, 1)))
        if (isSplit) await outbox.add(messages)
        return isSplit
      },
      'it adds the first of several': second((messages) => messages.slice(0, 1)),
      'it adds to the realm of the message': second((messages) =>
        messages.map((message) => ({ ...message, realm: 'accounts' })),
      ),
    },
    several: { 'attempts count on': countsAttempts('split', (seen) => seen.size > 0) },
  },
  'law 15: a message can be split into none': {
    split: {
      'that does nothing': (call) => async (entry, messages) =>
        messages.length === 0 || call(entry, messages),
    },
  },
  'law 15: a claim that another has replaced': {
    split: {
      'it adds before it checks': (_, outbox) => async (entry, messages) => {
        await outbox.add(messages)
        return outbox.remove(entry)
      },
    },
  },
  'law 15: of many simultaneous splits': {
    split: {
      'all add their messages': splitsLate,
      'one in twenty has two winners':
        (call, outbox, isRare = rarely()) =>
        async (entry, messages) => {
          if (await call(entry, messages)) return true
          if (isRare(entry.id)) await outbox.add(messages)
          return isRare(entry.id)
        },
    },
  },
  'law 15: of a split and another end': {
    split: { 'one that is removed is split all the same': splitsLate },
  },
  'law 17: a call after its deadline': { add: { 'is made': whenever }, claim: { 'is made': whenever } },
  'law 17: a message whose deadline': { add: { 'it is rejected, and added': overdue } },
  'law 19:': {
    claim: {
      'it is an error': (call, outbox) => async (at) => {
        const before = (await outbox.count()).dead
        const entries = await call(at)
        if ((await outbox.count()).dead > before) throw new SyntaxError('no JSON')
        return entries
      },
      'it is dropped': (call, outbox) => async (at) => {
        const entries = await call(at)
        for (const { id, message } of await outbox.listDead({ limit: 100 }))
          if (message === null) await outbox.discard(id)
        return entries
      },
    },
  },
}
/** Makes a message of a store in memory unreadable. */
const spoiling = { spoil: (id: string, store: UserStore) => (store as Store).spoil(id) }
const withQueue = (store: Store, mutate: (outbox: Queue) => Queue) => ({
  ...store,
  outbox: mutate(store.outbox),
})
detects<Queue>((mutate) => outboxCases(() => withQueue(createStoreWithOutbox(), mutate), spoiling), mutations)

/** What an outbox may make of an outage. */
const unavailable = (mutate: (outbox: Queue) => Queue) => {
  const { fail, over } = failing()
  return outboxCases(() => withQueue(over(createStoreWithOutbox()), mutate), { fail })
}
detects<Queue>(unavailable, {
  'law 20:': {
    claim: { 'nothing is due': hides([]) },
    remove: { 'a message is gone': hides(true) },
    count: { 'it is empty': hides({ waiting: 0, dead: 0 }) },
  },
})
test('an outbox whose database fails passes the law about outages', async () => {
  const own = unavailable((outbox) => outbox).filter(({ name }) => name.startsWith('law 20:'))
  expect((await runCases(own, () => undefined)).failures).toEqual([])
})

/** Stores the messages before the change, whatever becomes of it. */
const first = (store: Store, messages: readonly PendingMessage[] = []) => store.outbox.add(messages)
const about = (messages: readonly PendingMessage[], userId: string) =>
  messages.map((message) => ({ ...message, userId }))

/** How messages are stored with a change of a user. */
const changes: Mutations<Store> = {
  'law 11: a message of a creation': {
    create: {
      'it has no id':
        (call, { outbox }) =>
        async (user, messages = []) => {
          const created = await call(user)
          await outbox.add(messages)
          return created
        },
      'only one about nobody has the id':
        (call, { outbox }) =>
        async (user, messages = []) => {
          const created = await call(user)
          await outbox.add(messages.map((one) => ({ ...one, userId: one.userId ?? created.id })))
          return created
        },
      'the given one has the id': result((created, _, messages = []) => {
        for (const message of messages) message.userId = created.id
        return created
      }),
    },
  },
  'law 11: a rejected creation': {
    create: {
      'its messages are stored': (call, store) => async (user, messages) => {
        await first(store, messages)
        return call(user)
      },
    },
  },
  'law 12: a message of an update': {
    update: {
      'it is stored even if that fails': (call, store) => async (id, given, version, messages) => {
        const changed = await call(id, given, version)
        await first(store, messages)
        return changed
      },
      'it has the id':
        (call) =>
        (id, given, version, messages = []) =>
          call(id, given, version, about(messages, id)),
    },
  },
  'law 12: of simultaneous updates': {
    update: { 'messages are dropped': (call) => (id, given, version) => call(id, given, version) },
  },
  'law 14: a message that can’t be kept leaves nothing': {
    create: {
      'the user is created':
        (call, { outbox }) =>
        async (user, messages = []) => {
          const created = await call(user)
          await outbox.add(about(messages, created.id))
          return created
        },
    },
    update: {
      'the user is updated':
        (call, { outbox }) =>
        async (id, given, version, messages = []) => {
          const changed = await call(id, given, version)
          if (changed) await outbox.add(messages)
          return changed
        },
    },
    delete: {
      'the user is deleted':
        (call, { outbox }) =>
        async (id, messages = []) => {
          const isDeleted = await call(id)
          if (isDeleted) await outbox.add(messages)
          return isDeleted
        },
    },
  },
  'law 16: a message of a deletion': {
    delete: {
      'it is dropped': (call) => (id) => call(id),
      'it is stored even if there was nobody': (call, store) => async (id, messages) => {
        await first(store, messages)
        return call(id)
      },
      'it goes with the user':
        (call) =>
        (id, messages = []) =>
          call(
            id,
            messages.filter(({ userId }) => userId !== id),
          ),
    },
  },
  'law 16: of simultaneous deletions': {
    delete: {
      'each stores its messages': (call, store) => async (id, messages) => {
        const found = await store.findById(id)
        await later()
        if (found !== null) await first(store, messages)
        return call(id)
      },
    },
  },
  'law 18: nobody sees a change without its message: create()': {
    create: {
      'messages come later':
        (call, { outbox }) =>
        async (user, messages = []) => {
          assertStorable(messages)
          const created = await call(user)
          await later()
          await outbox.add(about(messages, created.id))
          return created
        },
    },
  },
  'law 18: nobody sees a change without its message: update()': {
    update: {
      'messages come later':
        (call, { outbox }) =>
        async (id, given, version, messages = []) => {
          assertStorable(messages)
          const changed = await call(id, given, version)
          await later()
          if (changed) await outbox.add(messages)
          return changed
        },
    },
  },
  'law 18: nobody sees a change without its message: delete()': {
    delete: {
      'messages come later':
        (call, { outbox }) =>
        async (id, messages = []) => {
          assertStorable(messages)
          const isDeleted = await call(id)
          await later()
          if (isDeleted) await outbox.add(messages)
          return isDeleted
        },
    },
  },
}
detects<Store>((mutate) => outboxCases(() => mutate(createStoreWithOutbox())), changes)

test('a store without an outbox passes no law', async () => {
  const { passed } = await runCases(outboxCases(createMemoryUserStore), () => {})
  expect(passed).toBe(0)
})

test('newPendingMail makes an email to the given address', () => {
  expect(newPendingMail({ to: 'x' })).toMatchObject({ to: 'x', kind: 'password-changed' })
})
