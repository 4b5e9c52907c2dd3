import { closesBadly, later } from '@fastify-accounts/test-support/sabotage'
import { assertStorable, createStoreWithOutbox } from '@fastify-accounts/test-support/store-with-outbox'
import {
  assertInTime,
  closable,
  createMemoryInvitationStore,
  InvalidArgumentError,
  type Invitation,
  type InvitationChanges,
  type PendingMessage,
  type InvitationStore as Store,
} from 'fastify-accounts'
import { expect, test } from 'vitest'
import { invitationStoreCases, newInvitation, runCases } from '../../src/index.js'
import { failing } from './failing.js'
import {
  detects,
  each,
  fails,
  forEach,
  foreign,
  given,
  hides,
  type Mistake,
  type Mistakes,
  type Mutations,
  mergedBelow,
  ofText,
  overdue,
  remembers,
  result,
  says,
  second,
  whenever,
  without,
} from './mutations.js'

type New = Omit<Invitation, 'version'>
type Queue = NonNullable<Store['outbox']>

/** A store with an outbox, a clock and an end. It checks messages before it writes; nothing can come between the two. */
function create(): Store & { outbox: Queue } {
  const store = createMemoryInvitationStore()
  const { outbox } = createStoreWithOutbox()
  return {
    ...store,
    outbox,
    now: async () => new Date(),
    async create(invitation, messages = []) {
      assertInTime()
      assertStorable(messages)
      const isMade = await store.create(invitation)
      if (isMade) await outbox.add(messages)
      return isMade
    },
    async update(id, changes, version, messages = []) {
      assertInTime()
      assertStorable(messages)
      const updated = await store.update(id, changes, version)
      if (updated) await outbox.add(messages)
      return updated
    },
    async delete(id, version, messages = []) {
      assertInTime()
      assertStorable(messages)
      const isDeleted = await store.delete(id, version)
      if (isDeleted) await outbox.add(messages)
      return isDeleted
    },
  }
}
const broken = (mutate: (store: Store) => Store) => invitationStoreCases(() => mutate(create()))

const keeps = (other: (invitation: New) => Partial<Invitation>): Mistake<Store, 'create'> =>
  given((invitation) => ({ ...invitation, ...other(invitation) }))
const writes = (other: (changes: InvitationChanges) => InvitationChanges): Mistake<Store, 'update'> =>
  second(other)
const whole = (time: Date) => new Date(Math.floor(Number(time) / 1000) * 1000)
/** The messages are stored like this, apart from the write. */
const tells = (
  add: (outbox: Queue, messages: readonly PendingMessage[], made: unknown) => unknown,
): Mistakes<Store> => {
  return (store) => {
    const outbox = store.outbox as Queue
    return {
      async create(invitation, messages = []) {
        const made = await store.create(invitation)
        await add(outbox, messages, made)
        return made
      },
      async update(id, changes, version, messages = []) {
        const made = await store.update(id, changes, version)
        await add(outbox, messages, made)
        return made
      },
    }
  }
}
/** Writes a row that it has read before, whatever happened meanwhile. */
const rewrites: Mistake<Store, 'update'> = (_, store) => async (id, changes, version) => {
  const found = await store.find(id)
  if (found?.version !== version) return null
  await later()
  await store.delete(id)
  await store.create({ ...found, ...(changes as Partial<Invitation>) })
  for (let at = 1; at < version; at += 1) await store.update(id, {}, at)
  return store.update(id, {}, version)
}
const inAnyCase = ofText((text) => text.toLowerCase())

const mutations: Mutations<Store> = {
  'law 1: an invitation': {
    create: {
      'times lose their milliseconds': keeps(({ createdAt }) => ({ createdAt: whole(createdAt) })),
      'the end loses its milliseconds': keeps(({ expiresAt }) => ({ expiresAt: whole(expiresAt) })),
      'the address is its key': keeps(({ emailKey }) => ({ email: emailKey })),
      'it is for accounts': keeps(() => ({ target: 'accounts' })),
      'nobody is a user': keeps(({ inviterId }) => ({ inviterId: inviterId ?? 'null' })),
      'one link was mailed': keeps(() => ({ sends: 1 })),
      'it is open': keeps(() => ({ acceptingUntil: null })),
      'sends are 16 bits': keeps(({ sends }) => ({ sends: sends % 65_536 })),
    },
    find: { 'the version is missing': result((found) => found && without(found, 'version')) },
    listByEmail: { 'something is added': result((all) => all.map((one) => ({ ...one, state: 'open' }))) },
    list: { 'the end is missing': result((all) => all.map((one) => without(one, 'expiresAt'))) },
  },
  'law 1: what an invitation gives': {
    create: {
      'null is nothing': keeps(({ gives }) => ({ gives: gives ?? {} })),
      'it is cut': keeps(({ gives }) => ({
        gives: JSON.stringify(gives).length > 65_535 ? {} : gives,
      })),
      'objects get one more key': keeps(({ gives }) => ({
        gives: Array.isArray(gives) || typeof gives !== 'object' ? gives : { ...gives, sorted: true },
      })),
    },
    update: {
      'what is falsy is left alone': writes((changes) =>
        changes.gives ? changes : without(changes, 'gives'),
      ),
    },
  },
  'law 2:': {
    find: { 'it returns the record itself': remembers },
    several: {
      'update keeps its arguments': (store) => {
        const known = new Map<string, InvitationChanges>()
        return {
          async update(id, changes, version, messages) {
            known.set(id, changes)
            return store.update(id, changes, version, messages)
          },
          async find(id) {
            const found = await store.find(id)
            const { gives } = known.get(id) ?? {}
            return found && { ...found, ...(gives !== undefined && { gives }) }
          },
        }
      },
    },
  },
  'law 3:': {
    find: { 'it is undefined': result((found) => found ?? (undefined as never)) },
    delete: { 'always yes': result((isDeleted) => isDeleted || true) },
    list: { 'the target is a pattern': given((query) => (query.target === '%' ? { limit: 9 } : query)) },
    deleteExpired: { 'it counts those that are left': says(1) },
  },
  'law 4:': {
    find: {
      'it remembers': (call) => {
        const find = remembers(call)
        return async (id) => structuredClone(await find(id))
      },
    },
  },
  'law 5: expired invitations': {
    find: {
      'expired ones are missing': result((found) =>
        found && Number(found.expiresAt) > Date.now() ? found : null,
      ),
    },
    listByEmail: {
      'expired ones are missing': result((all) =>
        all.filter(({ expiresAt }) => Number(expiresAt) > Date.now()),
      ),
    },
    list: {
      'expired ones are missing': result((all) =>
        all.filter(({ expiresAt }) => Number(expiresAt) > Date.now()),
      ),
    },
    deleteExpired: {
      'all go': given(() => new Date(8.64e15)),
      'none goes': says(0),
      'it does not count': result(() => 1),
      'by the clock': given(() => new Date()),
    },
    several: {
      'those whose acceptance ended go': (store) => ({
        async deleteExpired(now) {
          for (const { id, acceptingUntil } of await store.list({ limit: 99 }))
            if (acceptingUntil && acceptingUntil < now) await store.delete(id)
          return store.deleteExpired(now)
        },
      }),
    },
  },
  'law 5: deleteExpired removes more': {
    deleteExpired: {
      'one portion goes': (_, store) => async (now) => {
        const all = await store.list({ limit: 2000 })
        const expired = all.filter(({ expiresAt }) => expiresAt < now).slice(0, 500)
        for (const { id } of expired) await store.delete(id)
        return expired.length
      },
    },
  },
  'law 6: there is one': {
    create: {
      'for each address': (call, store) => async (invitation, messages) =>
        (await store.listByEmail(invitation.emailKey)).length === 0 && call(invitation, messages),
      'for each target and address': (call, store) => async (invitation, messages) => {
        const all = await store.listByEmail(invitation.emailKey)
        return all.every(({ target }) => target !== invitation.target) && call(invitation, messages)
      },
      'for each inviter and address': (call, store) => async (invitation, messages) => {
        const all = await store.listByEmail(invitation.emailKey)
        return all.every(({ inviterId }) => inviterId !== invitation.inviterId) && call(invitation, messages)
      },
      'but not of nobody, as where NULL is unique': (call) => async (invitation, messages) =>
        call({ ...invitation, inviterId: invitation.inviterId ?? `${Math.random()}` }, messages),
      'it is an error': (call) => async (invitation, messages) => {
        if (await call(invitation, messages)) return true
        throw foreign()
      },
      'it replaces the first': (call, store) => async (invitation, messages) => {
        const all = await store.listByEmail(invitation.emailKey)
        const isTwin = ({ target, inviterId }: Invitation) =>
          target === invitation.target && inviterId === invitation.inviterId
        for (const { id } of all.filter(isTwin)) await store.delete(id)
        return call(invitation, messages)
      },
    },
  },
  'law 6: no second': {
    create: {
      'it replaces the first': (call, store) => async (invitation, messages) => {
        if (await store.find(invitation.id).catch(() => null)) await store.delete(invitation.id)
        return call(invitation, messages)
      },
      'it says that there is one': hides(false),
    },
  },
  'law 6: exactly one': {
    create: {
      'it checks before it writes': (call, store) => async (invitation, messages) => {
        const all = await store.listByEmail(invitation.emailKey)
        const { target, inviterId } = invitation
        if (all.some((one) => one.target === target && one.inviterId === inviterId)) return false
        await later()
        return (await call(invitation, messages)) || true
      },
    },
  },
  'law 7: ids, targets': {
    find: { 'in any case': given(inAnyCase) },
    listByEmail: { 'spaces are cut': given(ofText((text) => text.trim() || text)) },
    list: {
      'targets in any case': given((query) => ({ ...query, target: inAnyCase(query.target) })),
      'inviters in any case': given((query) => ({ ...query, inviterId: inAnyCase(query.inviterId) })),
    },
    create: {
      'addresses are composed': keeps(({ emailKey }) => ({
        emailKey: ofText((text) => text.normalize())(emailKey),
      })),
    },
  },
  'law 7: anything but': {
    find: { 'keys may be of any type': hides(null) },
    listByEmail: { 'keys may be of any type': hides([]) },
    list: { 'keys may be of any type': hides([]) },
    update: { 'keys may be of any type': hides(null) },
    delete: { 'keys may be of any type': hides(false) },
    create: {
      'an empty inviter is nobody': keeps(({ inviterId }) => ({ inviterId: inviterId || null })),
      'keys may be of any type': hides(false),
    },
  },
  'law 8:': {
    create: {
      'addresses are cut': keeps(({ emailKey }) => ({
        emailKey: ofText((text) => text.slice(0, 253))(emailKey),
      })),
      'inviters are cut': keeps(({ inviterId }) => ({
        inviterId: ofText((text) => text.slice(0, 255))(inviterId),
      })),
      'short addresses only': (call) => async (invitation, messages) => {
        if (`${invitation.emailKey}`.length > 253) throw new InvalidArgumentError('emailKey is too long')
        return call(invitation, messages)
      },
    },
  },
  'law 9: listByEmail returns all': {
    listByEmail: {
      'the oldest is first': result((all) => all.toReversed()),
      'only of accounts': result((all) => all.filter(({ target }) => target === 'accounts')),
      'only of users': result((all) => all.filter(({ inviterId }) => inviterId !== null)),
    },
  },
  'law 9: listByEmail returns a hundred': {
    listByEmail: { 'it ends there': result((all) => all.slice(0, 100)) },
  },
  'law 10: list returns pages': {
    list: {
      'the newest is first': result((all) => all.toReversed()),
      'the limit is ignored': given((query) => ({ ...query, limit: 99 })),
      'it goes on after the time':
        (_, store) =>
        async ({ after, limit, ...query }) => {
          const all = await store.list({ ...query, limit: 99 })
          return all.filter(({ createdAt }) => !after || createdAt > after.createdAt).slice(0, limit)
        },
      'it goes on at the position':
        (_, store) =>
        async ({ after, limit, ...query }) => {
          const all = await store.list({ ...query, limit: 99 })
          const from = after ? all.findIndex(({ id }) => id === after.id) : 0
          return all.slice(from, from + limit)
        },
      'those of one time are in another order':
        (_, store) =>
        async ({ after, ...query }) => {
          const page = await store.list({ ...query, after: after && { ...after, id: `${after.id} ` } })
          const time = ({ createdAt }: Invitation) => Number(createdAt)
          return page.toSorted((one, other) => time(one) - time(other) || (one.id < other.id ? 1 : -1))
        },
    },
  },
  'law 10: list filters': {
    list: {
      'not by target': given((query) => without(query, 'target')),
      'not by inviter': given((query) => without(query, 'inviterId')),
      'nobody is anybody': given((query) => ({ ...query, inviterId: query.inviterId ?? undefined })),
      'after it has cut the page':
        (_, store) =>
        async ({ target, ...query }) =>
          (await store.list(query)).filter((one) => target === undefined || one.target === target),
    },
  },
  'law 10: a page begins': {
    list: {
      'where the invitation was found':
        (_, store) =>
        async ({ after, limit, ...query }) => {
          const all = await store.list({ ...query, limit: 99 })
          return all.slice(after ? all.findIndex(({ id }) => id === after.id) + 1 : 0).slice(0, limit)
        },
    },
  },
  'law 11: update applies': {
    update: {
      ...forEach(
        ['email', 'gives', 'expiresAt', 'sends', 'acceptingUntil'],
        (field): Mistake<Store, 'update'> => writes((changes) => without(changes, field)),
      ),
      'null leaves a field alone': writes(({ acceptingUntil, ...changes }) => ({
        ...changes,
        ...(acceptingUntil && { acceptingUntil }),
      })),
      'it clears what it is not given': writes((changes) => ({ acceptingUntil: null, ...changes })),
      'it counts the links': writes(({ sends, ...changes }) => ({ ...changes, sends: (sends ?? 0) + 1 })),
      ...forEach(
        ['merges below 0', 'merges below 1', 'merges below 2'],
        (depth): Mistake<Store, 'update'> =>
          (call, store) =>
          async (id, changes, ...rest) => {
            const { gives: old } = (await store.find(id)) ?? {}
            const gives = mergedBelow(Number(depth.at(-1)), old, changes.gives) as InvitationChanges['gives']
            return call(id, { ...changes, gives }, ...rest)
          },
      ),
      'it returns what was there':
        (call, store) =>
        async (id, ...rest) => {
          const before = await store.find(id)
          return (await call(id, ...rest)) && before
        },
      'the version stays': result((updated) => updated && { ...updated, version: updated.version - 1 }),
      'it changes the others':
        (call, store) =>
        async (id, changes, ...rest) => {
          for (const other of await store.list({ limit: 9 }))
            if (other.id !== id) await store.update(other.id, changes, other.version)
          return call(id, changes, ...rest)
        },
    },
  },
  'law 11: an invitation keeps': {
    update: {
      'it writes every given field': (_, store) => async (id, changes, version) => {
        const found = await store.find(id)
        if (found?.version !== version) return null
        await store.delete(id)
        await store.create({ ...found, ...(changes as Partial<Invitation>) })
        return store.update((changes as Partial<Invitation>).id ?? id, {}, 1)
      },
    },
  },
  'law 11: update and delete': {
    update: {
      'at any version': (call, store) => async (id, changes, _, messages) =>
        call(id, changes, (await store.find(id))?.version ?? 0, messages),
      'at an earlier version': (call, store) => async (id, changes, version, messages) => {
        const { version: now = 0 } = (await store.find(id)) ?? {}
        return call(id, changes, Math.max(version, now), messages)
      },
    },
    delete: {
      'at any version': (call) => async (id) => call(id),
      'version 0 is any': (call) => async (id, version) => call(id, version || undefined),
      'only with a version':
        (call) =>
        async (id, version = 1) =>
          call(id, version),
    },
  },
  'law 11: exactly one of 20': {
    update: {
      'it checks before it writes': (call, store) => async (id, changes, version, messages) => {
        const found = await store.find(id)
        if (found?.version !== version) return null
        await later()
        const { version: now = 0 } = (await store.find(id)) ?? {}
        return call(id, changes, now, messages)
      },
    },
  },
  'law 12: of an update': {
    delete: {
      'it checks before it deletes': (call, store) => async (id, version) => {
        const found = await store.find(id)
        if (found?.version !== version) return false
        await later()
        return (await call(id)) || true
      },
    },
  },
  'law 12: a deleted invitation': { update: { 'it writes a row that it has read': rewrites } },
  'law 12: of simultaneous deletions': {
    delete: {
      'it looks before it deletes': (call, store) => async (id, version) => {
        const found = await store.find(id)
        await later()
        await call(id, version)
        return found !== null
      },
      'another takes its place': (call, store) => {
        const taken = new Set<string>()
        return async (id, version) => {
          const found = await store.find(id)
          const isDeleted = await call(id, version)
          if (isDeleted && found && !taken.has(found.emailKey)) {
            taken.add(found.emailKey)
            await store.create({ ...found, id: `${id}-` })
          }
          return isDeleted
        }
      },
    },
  },
  'law 13: a message of a creation': {
    several: {
      'none is kept': tells(() => undefined),
      'it is kept in any case': tells((outbox, messages) => outbox.add(messages)),
      'its user is the invitation': (store) => ({
        create: (invitation, messages = []) =>
          store.create(
            invitation,
            messages.map((message) => ({ ...message, userId: invitation.id })),
          ),
      }),
    },
    create: {
      'the invitation is not kept':
        (_, store) =>
        async (_new, messages = []) => {
          await store.outbox?.add(messages)
          return true
        },
    },
  },
  'law 13: a message of an update': {
    several: {
      'none is kept': tells(() => undefined),
      'one is kept': tells((outbox, messages, made) => made && outbox.add(messages.slice(0, 1))),
      'it is kept in any case': tells((outbox, messages) => outbox.add(messages)),
    },
  },
  'law 13: a message of a deletion': {
    delete: {
      'none is kept': (call) => (id, version) => call(id, version),
      'one is kept':
        (call) =>
        (id, version, messages = []) =>
          call(id, version, messages.slice(0, 1)),
      'it is kept in any case':
        (call, store) =>
        async (id, version, messages = []) => {
          await store.outbox?.add(messages)
          return call(id, version)
        },
    },
  },
  'law 13: a message that can’t': {
    several: {
      'the invitation is changed first': tells((outbox, messages, made) => made && outbox.add(messages)),
      'the messages are kept one by one': (store) => ({
        async update(id, changes, version, messages = []) {
          if ((await store.find(id))?.version !== version) return null
          for (const message of messages) await store.outbox?.add([message])
          return store.update(id, changes, version)
        },
      }),
    },
  },
  'law 13: of simultaneous': {
    several: {
      'losers’ messages are kept': (store) => ({
        async create(invitation, messages = []) {
          const isFree = (await store.listByEmail(invitation.emailKey)).length === 0
          await later()
          if (isFree) await store.outbox?.add(messages)
          return store.create(invitation)
        },
      }),
      'losers’ messages of updates are kept': (store) => ({
        async update(id, changes, version, messages = []) {
          if ((await store.find(id))?.version !== version) return null
          await later()
          await store.outbox?.add(messages)
          return store.update(id, changes, version)
        },
      }),
    },
  },
  'law 14:': {
    now: {
      'it is in seconds': result((time) => new Date(Number(time) / 1000)),
      'it stands still':
        (_call, _store, time = new Date()) =>
        async () =>
          time,
    },
  },
  'law 15: a call after': { several: { 'all are made': each(['create', 'update', 'delete'], whenever) } },
  'law 15: a call whose': {
    several: forEach(['create', 'update', 'delete'] as const, (name) =>
      each<Store, 'create' | 'update' | 'delete'>([name], overdue),
    ),
  },
  'law 17:': {
    several: {
      'close does not wait': (store) => closesBadly(store, { waits: false }),
      'close works only once': (store) => closesBadly(store, { twice: false }),
      'a closed store still works': (store) => closesBadly(store, { rejects: false }),
      'a closed store still lists': (store) => ({ ...closable(store, () => {}), list: store.list }),
    },
  },
}
detects(broken, mutations, { atOnce: true })

/** What a store may make of an outage. */
const unavailable = (mutate: (store: Store) => Store) => {
  const { fail, over } = failing()
  return invitationStoreCases(() => mutate(over(createMemoryInvitationStore())), { fail })
}
detects<Store>(unavailable, {
  'law 16:': {
    create: { 'there is one': hides(false) },
    find: { 'an invitation is missing': hides(null) },
    listByEmail: { 'there are none': hides([]) },
    list: { 'there are none': hides([]) },
    update: { 'another was first': hides(null) },
    delete: { 'the argument is invalid': fails(() => new InvalidArgumentError('id')) },
    deleteExpired: { 'none has expired': hides(0) },
  },
})

test.each<[string, () => Store, notChecked: string[]]>([
  ['has all', () => closable(create(), () => {}), ['fail']],
  ['has only what it must', createMemoryInvitationStore, ['outbox', 'now', 'fail', 'close']],
])('a store that %s passes', async (_, make, notChecked) => {
  const { failures, skipped } = await runCases(invitationStoreCases(make), () => undefined)
  expect(failures).toEqual([])
  const reasons = new Set(skipped.map(({ reason }) => reason))
  expect(reasons).toEqual(new Set(notChecked.map((name) => `not checked: ${name}`)))
})

test('a store whose database fails passes the law about outages', async () => {
  const own = unavailable((store) => store).filter(({ name }) => name.startsWith('law 16:'))
  expect((await runCases(own, () => undefined)).failures).toEqual([])
})

test('newInvitation makes invitations that differ in id and address', () => {
  const [one, other] = [newInvitation(), newInvitation()]
  expect(one.id).not.toBe(other.id)
  expect(one.emailKey).not.toBe(other.emailKey)
  expect(one.id).toMatch(/^[\w-]{22}$/)
})
