import type {
  Organization,
  OrganizationStore,
  OrganizationWrite,
} from '@fastify-accounts/organizations/store'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { parallelCalls, range, rounds, same, show } from './checks.js'
import { establish, keysOf, newMembership, newOrganization, stateOf, writeTo } from './organizations.js'

/** Laws about `write`. */
export const organizationStoreWriteLaws: Laws<OrganizationStore> = {
  'law 11: write applies the given fields, counts the version, and changes nothing else': async (store) => {
    const other = await establish(store, {}, ['user-1'])
    const others = await stateOf(store, other.id)
    let organization = await establish(store, {}, ['user-1'])
    const { members } = await stateOf(store, organization.id)
    const eachField: NonNullable<OrganizationWrite['changes']>[] = [
      { slug: 'other-slug' },
      { name: 'Ünïcode 😀' },
      { fields: { plan: { seats: 3, at: { floor: 2 } } } },
      { fields: { plan: { at: {} } } },
      { fields: {} },
      { members: 10_000 },
      { owners: 7 },
      { members: 0, owners: 0 },
      {},
      { slug: 'last', name: 'Last', fields: { a: [1] }, members: 3, owners: 2 },
    ]
    for (const changes of eachField) {
      const outcome = await store.write([writeTo(organization, { changes })])
      same(outcome, 'written', `write() of ${show(changes)}`)
      const before = organization.slug
      organization = { ...organization, ...changes, version: organization.version + 1 } as Organization
      same(
        await stateOf(store, organization.id),
        { organization, members },
        `all after write() of ${show(changes)}`,
      )
      same(await store.find({ slug: organization.slug }), organization, 'find() by slug')
      if (before !== organization.slug)
        same(await store.find({ slug: before }), null, 'find() by the former slug')
    }
    const unset = Object.fromEntries(Object.keys(organization).map((name) => [name, undefined]))
    await store.write([writeTo(organization, { changes: unset })])
    organization = { ...organization, version: organization.version + 1 }
    same(await store.find({ id: organization.id }), organization, 'the organization after undefined')
    same(await stateOf(store, other.id), others, 'the other organization')
  },

  'law 11: an organization keeps its id and its beginning': async (store) => {
    const organization = await establish(store)
    // More than it takes, as JavaScript callers may pass it.
    const more = { ...newOrganization({ createdAt: new Date(1) }), version: 9 }
    const { slug, name, fields, members, owners } = more
    const changed = { ...organization, slug, name, fields, members, owners, version: 2 }
    same(await store.write([writeTo(organization, { changes: more })]), 'written', 'write()')
    for (const key of keysOf(changed)) same(await store.find(key), changed, `find(${show(key)})`)
    same(await store.find({ id: more.id }), null, 'find() by the other id')
  },

  'law 12: memberships are added, replaced and removed, and the version counts': async (store) => {
    const organization = await establish(store, {}, ['user-1', 'user-2'])
    const other = await establish(store, {}, ['user-1', 'user-2'])
    const { id } = organization
    const others = await stateOf(store, other.id)
    let version = 1
    const kept = new Map((await stateOf(store, id)).members.map((each) => [each.userId, each]))
    const member = (userId: string, roles: string[], invitationId: string | null = null) =>
      newMembership({ organizationId: id, userId, roles, invitationId, since: new Date(roles.length * 1000) })
    const writes: Omit<OrganizationWrite, 'organizationId' | 'expectedVersion'>[] = [
      { put: [member('user-3', ['member'])], changes: { members: 3 } },
      { put: [member('user-1', ['member', 'admin'], 'invitation-1'), member('user-4', ['owner'])] },
      { put: [member('user-1', ['member'])] },
      { remove: ['user-3'] },
      { remove: ['nobody', 'user-2'], put: [member('user-5', ['a', 'b', 'c'])], changes: { name: 'Other' } },
      { remove: ['nobody'] },
      { remove: ['user-1', 'user-4'] },
      { put: range(60).map((n) => member(`many-${n}`, ['member'])) },
      { remove: range(60).map((n) => `many-${n}`) },
      { put: [], remove: [] },
    ]
    for (const write of writes) {
      same(await store.write([writeTo({ id, version }, write)]), 'written', `write() of ${show(write)}`)
      version += 1
      for (const userId of write.remove ?? []) kept.delete(userId)
      for (const each of write.put ?? []) kept.set(each.userId, each)
      const state = await stateOf(store, id)
      same(state.organization?.version, version, 'the version')
      same(state.members.length, kept.size, `the number of members after ${show(write)}`)
      for (const each of state.members) same(each, kept.get(each.userId), `a membership after ${show(write)}`)
      for (const userId of ['user-1', 'user-3']) {
        const pair = await store.findFor({ id }, userId)
        same(pair?.organization.version, version, 'the version in findFor()')
        same(pair?.membership, kept.get(userId) ?? null, `the membership in findFor() after ${show(write)}`)
      }
    }
    same(await stateOf(store, other.id), others, 'the other organization')
  },

  'law 12: a deletion takes all memberships along, and nothing else': async (store) => {
    const organization = await establish(store, {}, ['user-1', 'user-2'])
    const other = await establish(store, {}, ['user-1'])
    const others = await stateOf(store, other.id)
    const { id } = organization
    const userIds = range(250).map((n) => `many-${n}`)
    const put = userIds.map((userId) => newMembership({ organizationId: id, userId }))
    await store.write([writeTo(organization, { put })])
    const isDeletion = true
    same(await store.write([writeTo({ id, version: 2 }, { isDeletion })]), 'written', 'write() of a deletion')
    for (const key of keysOf(organization)) {
      same(await store.find(key), null, `find(${show(key)})`)
      same(await store.findFor(key, 'user-1'), null, `findFor(${show(key)})`)
    }
    same(await store.listMembers(id, { limit: 999 }), [], 'listMembers()')
    for (const userId of ['user-2', ...userIds.slice(0, 3)]) {
      same(await store.listOfUser(userId, { limit: 9 }), [], `listOfUser(${userId})`)
      same(await store.countOfUser(userId), 0, `countOfUser(${userId})`)
    }
    same(await store.write([writeTo({ id, version: 2 }, { isDeletion })]), 'changed', 'a second deletion')
    same(await store.write([writeTo({ id, version: 3 })]), 'changed', 'write() to one that was deleted')
    same(await stateOf(store, other.id), others, 'the other organization')
    // Nothing of it is left for one that is called the same.
    same(
      await store.create(newOrganization({ id, slug: organization.slug }), []),
      true,
      'create() of the same',
    )
    same(await store.listMembers(id, { limit: 9 }), [], 'the members of the new one')
  },

  'law 13: nothing happens at another version': async (store) => {
    const first = await establish(store, {}, ['user-1'])
    await store.write([writeTo(first)])
    const state = await stateOf(store, first.id)
    const { id } = first
    const put = [newMembership({ organizationId: id, userId: 'user-2' })]
    const writes = [{ changes: { name: 'Other' } }, { put }, { remove: ['user-1'] }, { isDeletion: true }, {}]
    for (const version of [0, 1, 3, -2, 2.5, Number.NaN, Number.POSITIVE_INFINITY])
      for (const write of writes) {
        const what = `write() of ${show(write)} at the version ${version}`
        same(await store.write([writeTo({ id, version }, write)]), 'changed', what)
        same(await stateOf(store, id), state, `all after ${what}`)
        same(await store.countOfUser('user-2'), 0, `countOfUser() after ${what}`)
      }
  },

  'law 13: several organizations are written together, or none is': async (store) => {
    const all = [
      await establish(store, {}, ['user-1']),
      await establish(store, {}, ['user-1', 'user-2']),
      await establish(store, {}, ['user-1', 'user-2']),
    ] as const
    const holder = await establish(store)
    const states = () => Promise.all(all.map(({ id }) => stateOf(store, id)))
    const before = await states()
    const writes = ([one, two, three] = all): OrganizationWrite[] => [
      writeTo(one, { isDeletion: true }),
      writeTo(two, { remove: ['user-1'], changes: { members: 1, slug: 'two' } }),
      writeTo(three, {
        remove: ['user-1'],
        put: [newMembership({ organizationId: three.id, userId: 'user-3' })],
      }),
    ]
    // Whichever comes first, and whichever is wrong.
    for (const at of range(3)) {
      const stale = writes().with(at, writeTo({ id: all[at as 0].id, version: 7 }, { remove: ['user-1'] }))
      for (const some of [stale, stale.toReversed()]) {
        same(await store.write(some), 'changed', 'write() with another version among them')
        same(await states(), before, 'the organizations after another version')
      }
      const gone = [...writes(), writeTo({ id: 'org_gone', version: 1 }, { isDeletion: true })]
      for (const some of [gone, gone.toReversed()]) {
        same(await store.write(some), 'changed', 'write() with one that is not there')
        same(await states(), before, 'the organizations after one that is not there')
      }
    }
    const taken = writes().with(2, writeTo(all[2], { changes: { slug: holder.slug }, remove: ['user-1'] }))
    for (const some of [taken, taken.toReversed()]) {
      same(await store.write(some), 'slug_taken', 'write() with a slug in use')
      same(await states(), before, 'the organizations after a slug in use')
    }
    same(await store.countOfUser('user-1'), 3, 'countOfUser() before')
    same(await store.write(writes()), 'written', 'write()')
    const [one, two, three] = await states()
    same(one, { organization: null, members: [] }, 'the first')
    same(
      [two?.organization?.slug, two?.organization?.version],
      ['two', 2],
      'the slug and version of the second',
    )
    same(
      [two, three].map((state) => state?.members.map(({ userId }) => userId).toSorted()),
      [['user-2'], ['user-2', 'user-3']],
      'the members of the others',
    )
    same(await store.countOfUser('user-1'), 0, 'countOfUser() afterwards')
  },

  [`law 14: exactly one of ${parallelCalls} simultaneous writes from one version wins`]: async (
    store,
    second,
  ) => {
    const turn = inTurns(store, second)
    const organization = await establish(store)
    const { id } = organization
    let version = 1
    let fields = {}
    await rounds(parallelCalls, 6, async (callers, round) => {
      const outcomes = await raced(
        callers.map(
          (n) => () =>
            turn(n).write([
              writeTo(
                { id, version },
                {
                  changes: { fields: { round, n } },
                  put: [newMembership({ organizationId: id, userId: `user-${n}`, roles: [`${round}`] })],
                },
              ),
            ]),
        ),
      )
      const winners = callers.filter((n) => outcomes[n] === 'written')
      same(winners.length, 1, 'the number of winners')
      same(
        outcomes.filter((outcome) => outcome === 'changed').length,
        callers.length - 1,
        'that of the others',
      )
      version += 1
      fields = { round, n: winners[0] }
      for (const each of [store, second]) {
        same(await each.find({ id }), { ...organization, version, fields }, 'the organization')
        const written = (await each.listMembers(id, { limit: 100 })).filter(
          ({ roles }) => roles[0] === `${round}`,
        )
        same(
          written.map(({ userId }) => userId),
          [`user-${winners[0]}`],
          'who was added',
        )
      }
    })
  },

  'law 14: of simultaneous writes of several organizations that overlap, each happens as a whole': async (
    store,
    second,
  ) => {
    const turn = inTurns(store, second)
    await rounds(12, 6, async (callers) => {
      const all: Organization[] = []
      for (const _ of range(3)) all.push(await establish(store))
      // In other orders, which must not lock each other out.
      const outcomes = await raced(
        callers.map((n) => () => {
          const writes = all.map((each) =>
            writeTo(each, { put: [newMembership({ organizationId: each.id, userId: `user-${n}` })] }),
          )
          return turn(n).write(n % 2 ? writes.toReversed() : writes)
        }),
      )
      const winners = callers.filter((n) => outcomes[n] === 'written')
      same(winners.length, 1, 'the number of winners')
      for (const { id } of all)
        same(
          (await second.listMembers(id, { limit: 99 })).map(({ userId }) => userId),
          [`user-${winners[0]}`],
          'the members of each',
        )
    })
  },

  'law 14: writes of different organizations don’t get in each other’s way': async (store, second) => {
    const turn = inTurns(store, second)
    const all: Organization[] = []
    for (const _ of range(20)) all.push(await establish(store, {}, ['user-1']))
    for (const version of range(5).map((n) => n + 1)) {
      const outcomes = await raced(
        all.map(({ id }, n) => () => {
          const put = [newMembership({ organizationId: id, userId: `user-${version}-${n}` })]
          return turn(n).write([writeTo({ id, version }, { put, remove: ['nobody'] })])
        }),
      )
      same(new Set(outcomes), new Set(['written']), 'the outcomes')
    }
    for (const { id } of all)
      same((await store.listMembers(id, { limit: 99 })).length, 6, 'the number of members')
  },

  'law 14: findFor says what was true at one moment, while others write': async (store, second) => {
    const organization = await establish(store, { fields: { roles: 'r-1' } })
    const { id, slug } = organization
    const rolesAt = (version: number) => [`r-${version}`]
    await store.write([
      writeTo(organization, {
        changes: { name: 'r-2' },
        put: [newMembership({ organizationId: id, roles: rolesAt(2) })],
      }),
    ])
    let isOver = false
    const reads = range(4).map(async (n) => {
      while (!isOver) {
        const pair = await (n % 2 ? store : second).findFor(n < 2 ? { id } : { slug }, 'user-1')
        same(pair?.membership?.roles, [`r-${pair?.organization.version}`], 'the roles, by the version')
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    const writes = async () => {
      for (const version of range(40).map((n) => n + 2)) {
        const put = [newMembership({ organizationId: id, roles: rolesAt(version + 1) })]
        await store.write([writeTo({ id, version }, { put })])
      }
    }
    await Promise.all([
      writes().finally(() => {
        isOver = true
      }),
      ...reads,
    ])
  },
}
