import {
  createMemoryOrganizationStore,
  type Membership,
  type Organization,
  type OrganizationKey,
  type OrganizationWrite,
  type OrganizationStore as Store,
} from '@fastify-accounts/organizations/store'
import { closesBadly, later } from '@fastify-accounts/test-support/sabotage'
import { assertStorable, createStoreWithOutbox } from '@fastify-accounts/test-support/store-with-outbox'
import { assertInTime, closable, InvalidArgumentError, type PendingMessage } from 'fastify-accounts'
import { expect, test } from 'vitest'
import { runCases } from '../../src/index.js'
import { newMembership, newOrganization, organizationStoreCases } from '../../src/organizations.js'
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
  overdue,
  result,
  says,
  second,
  whenever,
  without,
} from './mutations.js'

type New = Omit<Organization, 'version'>
type Queue = NonNullable<Store['outbox']>
type Together = NonNullable<Store['withUsers']>
type Change = NonNullable<OrganizationWrite['changes']>

/** A store in the database of users, with an outbox. It checks messages before it writes; nothing comes between the two. */
function create(): Store & { outbox: Queue; withUsers: Together } {
  const store = createMemoryOrganizationStore()
  const users = createStoreWithOutbox()
  const { outbox } = users
  let last: Promise<unknown> = Promise.resolve()
  /** One deletion after the other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work)
    last = next
    return next
  }
  return {
    ...store,
    outbox,
    async create(organization, memberships, messages = []) {
      assertInTime()
      assertStorable(messages)
      const isMade = await store.create(organization, memberships)
      if (isMade) await outbox.add(messages)
      return isMade
    },
    async write(writes, messages = []) {
      assertInTime()
      assertStorable(messages)
      const outcome = await store.write(writes)
      if (outcome === 'written') await outbox.add(messages)
      return outcome
    },
    withUsers: {
      users,
      async delete(writes, ...deletion) {
        assertInTime()
        return inTurn(async () => {
          for (const { organizationId, expectedVersion } of writes)
            if ((await store.find({ id: organizationId }))?.version !== expectedVersion) return 'changed'
          if (!(await users.delete(...deletion))) return 'none'
          await store.write(writes)
          return 'written'
        })
      },
    },
  }
}
const broken = (mutate: (store: Store) => Store) => organizationStoreCases(() => mutate(create()))

const keeps = (other: (organization: New) => Partial<Organization>): Mistake<Store, 'create'> =>
  given((organization) => ({ ...organization, ...other(organization) }))
const members = (other: (membership: Membership) => Membership): Mistakes<Store> => {
  return (store) => ({
    create: (organization, all, messages) => store.create(organization, all.map(other), messages),
    write: (writes, messages) =>
      store.write(
        writes.map((write) => ({ ...write, put: write.put?.map(other) })),
        messages,
      ),
  })
}
const writing = (other: (write: OrganizationWrite) => OrganizationWrite): Mistake<Store, 'write'> =>
  given((writes) => writes.map(other))
const changing = (other: (changes: Change) => Change): Mistake<Store, 'write'> =>
  writing((write) => ({ ...write, changes: write.changes && other(write.changes) }))
const whole = (time: Date) => new Date(Math.floor(Number(time) / 1000) * 1000)
const keyed =
  (other: (text: string) => string) =>
  (key: OrganizationKey): OrganizationKey =>
    'id' in key
      ? { id: typeof key.id === 'string' ? other(key.id) : key.id }
      : { slug: typeof key.slug === 'string' ? other(key.slug) : key.slug }
/** Each organization is written for itself. */
const oneByOne: Mistake<Store, 'write'> = (call) => async (writes, messages) => {
  for (const write of writes) {
    const outcome = await call([write], messages)
    if (outcome !== 'written') return outcome
  }
  return 'written'
}
/** Looks at the version, and writes later, whatever happened meanwhile. */
const looksFirst: Mistake<Store, 'write'> = (call, store) => async (writes, messages) => {
  const versionOf = async ({ organizationId }: OrganizationWrite) =>
    (await store.find({ id: organizationId }))?.version
  for (const write of writes) if ((await versionOf(write)) !== write.expectedVersion) return 'changed'
  await later()
  const now = []
  for (const write of writes) now.push({ ...write, expectedVersion: (await versionOf(write)) ?? 0 })
  return call(now, messages)
}
/** Returns what it returned for the same arguments. */
const remembered = <Given extends unknown[], Found>(call: (...all: Given) => Promise<Found>) => {
  const known = new Map<string, Promise<Found>>()
  return (...all: Given) => {
    const name = JSON.stringify(all)
    const found = known.get(name) ?? call(...all)
    known.set(name, found)
    return found
  }
}
/** The messages are stored like this, apart from the write. */
const tells = (
  add: (outbox: Queue, messages: readonly PendingMessage[], isMade: boolean) => unknown,
): Mistakes<Store> => {
  return (store) => {
    const outbox = store.outbox as Queue
    return {
      async create(organization, memberships, messages = []) {
        const isMade = await store.create(organization, memberships)
        await add(outbox, messages, isMade)
        return isMade
      },
      async write(writes, messages = []) {
        const outcome = await store.write(writes)
        await add(outbox, messages, outcome === 'written')
        return outcome
      },
    }
  }
}
const together = (
  other: (call: Together['delete'], store: Store & { withUsers: Together }) => Together['delete'],
): Mistakes<Store> => {
  return (store) => {
    const { withUsers } = store as Store & { withUsers: Together }
    const { users } = withUsers
    const changed = other(withUsers.delete.bind(withUsers), { ...store, withUsers })
    return { withUsers: { users, delete: changed } }
  }
}

const mutations: Mutations<Store> = {
  'law 1: an organization': {
    create: {
      'times lose their milliseconds': keeps(({ createdAt }) => ({ createdAt: whole(createdAt) })),
      'the name is trimmed': keeps(({ name }) => ({ name: name.trim().slice(0, 100) })),
      'counts are 16 bits': keeps((organization) => ({ members: organization.members % 65_536 })),
      'there is an owner': keeps(({ owners }) => ({ owners: owners || 1 })),
    },
    find: { 'the version is missing': result((found) => found && without(found, 'version')) },
    findFor: { 'something is added': result((pair) => pair && { ...pair, isMember: true }) },
    list: { 'the slug is missing': result((all) => all.map((one) => without(one, 'slug'))) },
  },
  'law 1: own fields': {
    create: {
      'null is nothing': keeps(({ fields }) => ({ fields: fields.value === null ? {} : fields })),
      'they are cut': keeps(({ fields }) => ({
        fields: JSON.stringify(fields).length > 65_535 ? {} : fields,
      })),
    },
    write: { 'empty ones are left alone': changing((changes) => (changes.fields?.value ? changes : {})) },
  },
  'law 1: a membership': {
    several: {
      'times lose their milliseconds': members((each) => ({ ...each, since: whole(each.since) })),
      'roles are sorted': members((each) => ({ ...each, roles: [...each.roles].sort() })),
      'the invitation is lost': members((each) => ({ ...each, invitationId: null })),
    },
    findFor: { 'there is none': result((pair) => pair && { ...pair, membership: null }) },
    listMembers: { 'one is missing': result((all) => all.slice(1)) },
    listOfUser: {
      'roles are missing': result((all) =>
        all.map((one) => ({ ...one, membership: without(one.membership, 'roles') })),
      ),
    },
  },
  'law 2:': {
    find: { 'the record is shared': remembered },
    findFor: { 'the record is shared': remembered },
  },
  'law 3:': {
    find: { 'a missing one is an error': result((found) => found ?? Promise.reject(foreign())) },
    findFor: {
      'a missing one is an error': result((pair) => pair ?? Promise.reject(foreign())),
      'without a membership there is none': result((pair) => (pair?.membership ? pair : null)),
    },
    write: {
      'a missing one is an error': result((outcome) =>
        outcome === 'changed' ? Promise.reject(foreign()) : outcome,
      ),
    },
  },
  'law 4:': {
    find: { 'what was found is kept': remembered },
    findFor: { 'what was found is kept': remembered },
    countOfUser: { 'what was counted is kept': remembered },
  },
  'law 5: no two': {
    create: {
      'the slug is not looked at':
        (call) =>
        async (organization, ...rest) =>
          (await call(organization, ...rest)) ||
          call({ ...organization, slug: `${organization.slug}-2` }, ...rest),
    },
    write: {
      'a slug in use is passed over': (call) => async (writes, messages) => {
        const outcome = await call(writes, messages)
        if (outcome !== 'slug_taken') return outcome
        return call(
          writes.map((write) => ({ ...write, changes: without(write.changes ?? {}, 'slug') })),
          messages,
        )
      },
      'a slug in use is a change': result((outcome) => (outcome === 'slug_taken' ? 'changed' : outcome)),
      'its own is taken': (call, store) => async (writes, messages) => {
        for (const { changes } of writes)
          if (changes?.slug !== undefined && (await store.find({ slug: changes.slug }))) return 'slug_taken'
        return call(writes, messages)
      },
    },
  },
  'law 5: a slug': {
    create: {
      'one that was used is never free': (call) => {
        const used = new Set<string>()
        return async (organization, ...rest) => {
          if (used.has(organization.slug)) return false
          used.add(organization.slug)
          return call(organization, ...rest)
        }
      },
    },
  },
  'law 5: no second': {
    create: {
      'it says that the slug is taken': hides(false),
      'the error is the driver’s': fails(foreign),
    },
  },
  'law 5: exactly one of 50': {
    create: {
      'it looks first':
        (call, store) =>
        async (organization, ...rest) => {
          if (await store.find({ slug: organization.slug })) return false
          await later()
          await call(organization, ...rest)
          return true
        },
    },
  },
  'law 5: exactly one of several': {
    write: {
      'it looks first': (call, store) => async (writes, messages) => {
        const slugs = writes.flatMap(({ changes }) => changes?.slug ?? [])
        for (const slug of slugs) if (await store.find({ slug })) return 'slug_taken'
        await later()
        await call(writes, messages)
        return 'written'
      },
    },
  },
  'law 6: ids': {
    find: {
      'case is ignored': given(keyed((text) => text.toLowerCase())),
      'spaces at the end are ignored': given(keyed((text) => text.trimEnd())),
    },
    findFor: {
      'case is ignored': given(keyed((text) => text.toLowerCase())),
      'accents of users are ignored': second((userId) =>
        typeof userId === 'string' ? userId.normalize('NFC') : userId,
      ),
    },
    write: {
      'those who are removed are a pattern': (call, store) => async (writes, messages) => {
        const all = []
        for (const write of writes) {
          const there = await store.listMembers(write.organizationId, { limit: 100 })
          const like = (id: string) => (write.remove ?? []).some((each) => each === id || each === '%')
          const remove = there.map(({ userId }) => userId).filter(like)
          all.push({ ...write, remove })
        }
        return call(all, messages)
      },
    },
  },
  'law 6: an id is no slug': {
    findFor: {
      'both are tried': (call) => async (key, userId) => {
        const text = 'id' in key ? key.id : key.slug
        return (await call({ id: text }, userId)) ?? call({ slug: text }, userId)
      },
    },
  },
  'law 6: anything': {
    find: { 'nothing is found': hides(null) },
    findFor: { 'nobody is found': hides(null) },
    listMembers: { 'there are none': hides([]) },
    listOfUser: { 'there are none': hides([]) },
    countOfUser: { 'there are none': hides(0) },
    create: { 'the error is the driver’s': fails(foreign) },
    write: { 'it has changed': hides('changed' as const) },
  },
  'law 6: a membership': {
    several: {
      'it is of this one': (store) => ({
        create: (organization, all, messages) =>
          store.create(
            organization,
            all.map((one) => ({ ...one, organizationId: organization.id })),
            messages,
          ),
      }),
    },
    write: {
      'it is of this one': writing((write) => ({
        ...write,
        put: write.put?.map((one) => ({ ...one, organizationId: write.organizationId })),
      })),
    },
  },
  'law 7:': {
    create: {
      'keys are cut': keeps(({ id, slug }) => ({ id: id.slice(0, 255), slug: slug.slice(0, 255) })),
      'short keys are cut': keeps(({ slug }) => ({ slug: slug.slice(0, 63) })),
    },
    write: {
      'ids of users are cut': writing((write) => ({
        ...write,
        put: write.put?.map((one) => ({ ...one, userId: one.userId.slice(0, 255) })),
      })),
    },
  },
  'law 8:': {
    list: {
      'the newest are first': result((all) => all.toReversed()),
      'those of the same time are passed over':
        (call) =>
        async ({ limit, after }) => {
          const all = await call({ limit: 1000 })
          return all.filter(({ createdAt }) => !after || createdAt > after.createdAt).slice(0, limit)
        },
      'a page has one more': given((query) => ({ ...query, limit: query.limit + 1 })),
    },
  },
  'law 9:': {
    listMembers: {
      'the position is looked up': (call, store) => async (id, query) => {
        const { after } = query
        const isThere = after === undefined || (await store.findFor({ id }, after.userId))?.membership
        return isThere ? call(id, query) : []
      },
      'those of the same time are passed over':
        (call) =>
        async (id, { limit, after }) =>
          (await call(id, { limit: 1000 }))
            .filter(({ since }) => !after || since > after.since)
            .slice(0, limit),
      'those of other organizations as well': (call, store) => async (id, query) => {
        const all = []
        for (const each of await store.list({ limit: 99 })) all.push(...(await call(each.id, query)))
        return id === '' ? [] : all.slice(0, query.limit)
      },
    },
  },
  'law 10:': {
    listOfUser: {
      'by when the organization began': result((all) =>
        all.toSorted(
          (one, other) => Number(one.organization.createdAt) - Number(other.organization.createdAt),
        ),
      ),
      'those of the same time are passed over':
        (call) =>
        async (id, { limit, after }) =>
          (await call(id, { limit: 1000 }))
            .filter(({ membership: { since } }) => !after || since > after.since)
            .slice(0, limit),
    },
    countOfUser: { 'at most ten are counted': result((count) => Math.min(count, 10)) },
  },
  'law 11: write': {
    write: {
      'fields are merged': (call, store) => async (writes, messages) => {
        const all = []
        for (const write of writes) {
          const old = (await store.find({ id: write.organizationId }))?.fields
          const fields = write.changes?.fields && { ...old, ...write.changes.fields }
          all.push({ ...write, changes: { ...write.changes, ...(fields && { fields }) } })
        }
        return call(all, messages)
      },
      'a count of 0 is left alone': changing(({ members, owners, ...rest }) => ({
        ...rest,
        members: members || undefined,
        owners: owners || undefined,
      })),
      'nothing is no write': (call) => async (writes, messages) =>
        writes.every(({ changes }) => changes && Object.keys(changes).length === 0)
          ? 'written'
          : call(writes, messages),
    },
  },
  'law 11: an organization': {
    several: {
      'it begins again': (store) => {
        const begun = new Map<string, Date>()
        return {
          async write(writes, messages) {
            for (const { organizationId, changes } of writes) {
              const { createdAt } = (changes ?? {}) as Partial<Organization>
              if (createdAt) begun.set(organizationId, createdAt)
            }
            return store.write(writes, messages)
          },
          async find(key) {
            const found = await store.find(key)
            return found && { ...found, createdAt: begun.get(found.id) ?? found.createdAt }
          },
        }
      },
    },
  },
  'law 12: memberships': {
    write: {
      'those who are members stay as they are': (call, store) => async (writes, messages) => {
        const all = []
        for (const write of writes) {
          const there = await store.listMembers(write.organizationId, { limit: 100 })
          const isNew = ({ userId }: Membership) => there.every((one) => one.userId !== userId)
          all.push({ ...write, put: write.put?.filter(isNew) })
        }
        return call(all, messages)
      },
      'only one is put': writing((write) => ({ ...write, put: write.put?.slice(0, 1) })),
      'only one is removed': writing((write) => ({ ...write, remove: write.remove?.slice(0, 1) })),
      'at most fifty are put': writing((write) => ({ ...write, put: write.put?.slice(0, 50) })),
      'somebody who is no member is an error': (call, store) => async (writes, messages) => {
        for (const { organizationId, remove = [] } of writes)
          for (const userId of remove)
            if (!(await store.findFor({ id: organizationId }, userId))?.membership) throw foreign()
        return call(writes, messages)
      },
    },
  },
  'law 12: a deletion': {
    several: {
      'memberships stay': (store) => {
        const left = new Map<string, number>()
        return {
          async write(writes, messages) {
            for (const { organizationId, isDeletion } of writes)
              for (const { userId } of isDeletion
                ? await store.listMembers(organizationId, { limit: 999 })
                : [])
                left.set(userId, 1)
            return store.write(writes, messages)
          },
          countOfUser: async (userId) => (await store.countOfUser(userId)) + (left.get(userId) ?? 0),
        }
      },
    },
  },
  'law 13: nothing': {
    write: {
      'a deletion needs no version': (call, store) => async (writes, messages) => {
        const all = []
        for (const write of writes) {
          const version = (await store.find({ id: write.organizationId }))?.version
          all.push(write.isDeletion && version ? { ...write, expectedVersion: version } : write)
        }
        return call(all, messages)
      },
      'later versions are as good': (call, store) => async (writes, messages) => {
        const all = []
        for (const write of writes) {
          const version = (await store.find({ id: write.organizationId }))?.version ?? 0
          all.push({
            ...write,
            expectedVersion: Math.min(write.expectedVersion, version),
          })
        }
        return call(all, messages)
      },
      'it says that it is done': result((outcome) => (outcome === 'changed' ? 'written' : outcome)),
    },
  },
  'law 13: several': {
    write: {
      'one after the other': oneByOne,
      'those that have changed are passed over': (call, store) => async (writes, messages) => {
        const same = []
        for (const write of writes) {
          const found = await store.find({ id: write.organizationId })
          if (found?.version === write.expectedVersion) same.push(write)
        }
        return call(same, messages)
      },
    },
  },
  'law 14: exactly': { write: { 'it looks first': looksFirst } },
  'law 14: of simultaneous': {
    write: {
      'one after the other': (call) => async (writes, messages) => {
        let all: 'written' | 'changed' | 'slug_taken' = 'written'
        for (const write of writes) {
          await later()
          const outcome = await call([write], messages)
          if (outcome !== 'written') all = outcome
        }
        return all
      },
    },
  },
  'law 14: writes of different': {
    write: {
      'another write under way is in the way': (call) => {
        let underWay = 0
        return async (writes, messages) => {
          if (underWay > 0) return 'changed'
          underWay += 1
          await later()
          return call(writes, messages).finally(() => {
            underWay -= 1
          })
        }
      },
    },
  },
  'law 14: findFor': {
    findFor: {
      'two look-ups': (_, store) => async (key, userId) => {
        const organization = await store.find(key)
        if (organization === null) return null
        await later()
        const members = await store.listMembers(organization.id, { limit: 999 })
        return { organization, membership: members.find((one) => one.userId === userId) ?? null }
      },
    },
    several: {
      'a write takes two steps': (store) => ({
        async write(writes, messages) {
          const first = writes.map(({ put: _, ...write }) => write)
          const outcome = await store.write(first, messages)
          await later()
          await store.write(
            writes.map(({ changes: _, ...write }) => ({
              ...write,
              expectedVersion: write.expectedVersion + 1,
            })),
          )
          return outcome
        },
      }),
    },
  },
  'law 15: a message of a creation': {
    several: {
      'none is kept': tells(() => undefined),
      'it is kept in any case': tells((outbox, messages) => outbox.add(messages)),
    },
  },
  'law 15: a message of a write': {
    several: {
      'none is kept': tells(() => undefined),
      'one is kept': tells((outbox, messages, isMade) => isMade && outbox.add(messages.slice(0, 1))),
      'it is kept in any case': tells((outbox, messages) => outbox.add(messages)),
    },
  },
  'law 15: a message that can’t': {
    several: {
      'the organization is changed first': tells(
        (outbox, messages, isMade) => isMade && outbox.add(messages),
      ),
    },
  },
  'law 15: of simultaneous': {
    several: {
      'losers’ messages are kept': (store) => ({
        async write(writes, messages = []) {
          for (const { organizationId, expectedVersion } of writes)
            if ((await store.find({ id: organizationId }))?.version !== expectedVersion) return 'changed'
          await later()
          await store.outbox?.add(messages)
          return store.write(writes)
        },
      }),
    },
  },
  'law 16: a user': {
    several: {
      'the memberships stay': together(
        (call) =>
          (_, ...deletion) =>
            call([], ...deletion),
      ),
      'the user stays': together((_, store) => async (writes) => {
        const outcome = await store.write(writes)
        return outcome === 'written' ? outcome : 'changed'
      }),
    },
  },
  'law 16: if the user': {
    several: {
      'the user goes first': together((_, { withUsers, write }) => async (writes, ...deletion) => {
        if (!(await withUsers.users.delete(...deletion))) return 'none'
        return (await write(writes)) === 'written' ? 'written' : 'changed'
      }),
      'the memberships go first': together((_, { withUsers, write }) => async (writes, ...deletion) => {
        if ((await write(writes)) !== 'written') return 'changed'
        return (await withUsers.users.delete(...deletion)) ? 'written' : 'none'
      }),
      'the version of the user is not looked at': together(
        (call) => (writes, id, messages) => call(writes, id, messages),
      ),
    },
  },
  'law 16: messages': {
    several: {
      'none is kept': together(
        (call) =>
          (writes, id, _, ...rest) =>
            call(writes, id, [], ...rest),
      ),
      'they are kept in any case': together(
        (call, { withUsers }) =>
          async (writes, id, messages = [], ...rest) => {
            await withUsers.users.outbox?.add(messages)
            return call(writes, id, [], ...rest)
          },
      ),
    },
  },
  'law 16: of simultaneous': {
    several: {
      'it looks first': together((_, { withUsers, find, write }) => async (writes, ...deletion) => {
        for (const { organizationId, expectedVersion } of writes)
          if ((await find({ id: organizationId }))?.version !== expectedVersion) return 'changed'
        await later()
        if (!(await withUsers.users.delete(...deletion))) return 'none'
        await write(writes)
        return 'written'
      }),
    },
  },
  'law 17: a call after': { several: { 'all are made': each(['create', 'write'], whenever) } },
  'law 17: a call whose': {
    several: forEach(['create', 'write'] as const, (name) =>
      each<Store, 'create' | 'write'>([name], overdue),
    ),
  },
  'law 19:': {
    several: {
      'close does not wait': (store) => closesBadly(store, { waits: false }),
      'close works only once': (store) => closesBadly(store, { twice: false }),
      'a closed store still works': (store) => closesBadly(store, { rejects: false }),
      'a closed store still counts': (store) => ({
        ...closable(store, () => {}),
        countOfUser: store.countOfUser,
      }),
    },
  },
}
detects(broken, mutations, { atOnce: true })

/** What a store may make of an outage. */
const unavailable = (mutate: (store: Store) => Store) => {
  const { fail, over } = failing()
  return organizationStoreCases(() => mutate(over(createMemoryOrganizationStore())), { fail })
}
detects<Store>(unavailable, {
  'law 18:': {
    create: { 'the slug is taken': hides(false) },
    find: { 'an organization is missing': hides(null) },
    findFor: { 'it is missing': hides(null) },
    list: { 'there are none': hides([]) },
    listMembers: { 'there are none': hides([]) },
    listOfUser: { 'there are none': hides([]) },
    countOfUser: { 'there are none': hides(0) },
    write: {
      'another was first': hides('changed' as const),
      'the argument is invalid': fails(() => new InvalidArgumentError('id')),
      'it is done': says('written' as const),
    },
  },
})

test.each<[string, () => Store, notChecked: string[]]>([
  ['has all', () => closable(create(), () => {}), ['fail']],
  ['has only what it must', createMemoryOrganizationStore, ['outbox', 'withUsers', 'fail', 'close']],
])('a store that %s passes', async (_, make, notChecked) => {
  const { failures, skipped } = await runCases(organizationStoreCases(make), () => undefined)
  expect(failures).toEqual([])
  const reasons = new Set(skipped.map(({ reason }) => reason))
  expect(reasons).toEqual(new Set(notChecked.map((name) => `not checked: ${name}`)))
})

test('a store whose database fails passes the law about outages', async () => {
  const own = unavailable((store) => store).filter(({ name }) => name.startsWith('law 18:'))
  expect((await runCases(own, () => undefined)).failures).toEqual([])
})

test('newOrganization makes organizations that differ in id and slug', () => {
  const [one, other] = [newOrganization(), newOrganization()]
  expect(one.id).not.toBe(other.id)
  expect(one.slug).not.toBe(other.slug)
  expect(one.id).toMatch(/^org_[\w-]{22}$/)
  expect(newMembership({ organizationId: one.id })).toMatchObject({
    organizationId: one.id,
    invitationId: null,
  })
})
