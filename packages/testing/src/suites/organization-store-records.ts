import type { Membership, Organization, OrganizationStore } from '@fastify-accounts/organizations/store'
import type { JsonValue } from 'fastify-accounts'
import { inTurns, type Laws } from './cases.js'
import { hostileTexts, range, same, show, worldlyTexts } from './checks.js'
import { establish, keysOf, newMembership, newOrganization, stateOf, writeTo } from './organizations.js'

/** Laws about one organization and one membership: they come back as stored, with nothing added. */
export const organizationStoreRecordLaws: Laws<OrganizationStore> = {
  'law 1: an organization comes back as it was created, with the version 1': async (store) => {
    await comesBack(store, {})
    await comesBack(store, {
      slug: 'a'.repeat(63),
      name: 'é😀'.repeat(66),
      fields: {},
      createdAt: new Date('2026-03-29T01:30:00.123Z'),
      members: 2_000_000_000,
      owners: 0,
    })
    await comesBack(store, { createdAt: new Date(1), members: 0 })
    for (const name of [...worldlyTexts, ...hostileTexts]) await comesBack(store, { name })
  },

  'law 1: own fields come back unchanged, whatever JSON is in them': async (store) => {
    for (const value of manyValues) {
      const fields = { value, list: [value, [value]] }
      await comesBack(store, { fields })
      const organization = await establish(store)
      await store.write([writeTo(organization, { changes: { fields } })])
      same((await store.find({ id: organization.id }))?.fields, fields, `the fields after ${show(value)}`)
    }
  },

  'law 1: a membership comes back as it was written, at the creation and later': async (store) => {
    const memberships = (organizationId: string): Membership[] => [
      newMembership({ organizationId, userId: 'user-1', invitationId: 'invitation-1' }),
      newMembership({ organizationId, userId: 'user-é-😀', roles: ['zoo keeper 😀', ...hostileTexts] }),
      newMembership({ organizationId, userId: 'user-3', since: new Date('2026-10-25T01:30:00.999Z') }),
      newMembership({ organizationId, userId: 'user-4', roles: ['member'], since: new Date(1) }),
    ]
    for (const isLater of [false, true]) {
      const organization = newOrganization()
      const all = memberships(organization.id)
      const expected = structuredClone(all)
      same(await store.create(organization, isLater ? [] : all), true, 'create()')
      if (isLater) {
        const write = writeTo({ ...organization, version: 1 }, { put: all })
        same(await store.write([write]), 'written', 'write()')
      }
      const kept = { ...organization, version: isLater ? 2 : 1 }
      const listed = await store.listMembers(organization.id, { limit: 10 })
      same(listed.length, expected.length, 'the number of memberships')
      for (const membership of expected) {
        const { userId } = membership
        for (const key of keysOf(organization))
          same(
            await store.findFor(key, userId),
            { organization: kept, membership },
            `findFor(${show(key)}, ${userId})`,
          )
        same(
          listed.find((each) => each.userId === userId),
          membership,
          'a membership in listMembers()',
        )
        same(
          (await store.listOfUser(userId, { limit: 10 })).find(
            (each) => each.organization.id === organization.id,
          ),
          { organization: kept, membership },
          'a membership in listOfUser()',
        )
      }
    }
  },

  'law 2: changing an argument or a result doesn’t change the store': async (store) => {
    const organization = newOrganization()
    const member = newMembership({ organizationId: organization.id })
    const expected = {
      organization: { ...structuredClone(organization), version: 1 },
      members: [structuredClone(member)],
    }
    const { id, slug } = organization
    await store.create(organization, [member])
    spoil(organization)
    spoil(member)
    same(await stateOf(store, id), expected, 'after changing what was handed in')
    for (const [what, read] of [
      ['find()', () => store.find({ id })],
      ['find() by slug', () => store.find({ slug })],
      ['findFor()', () => store.findFor({ id }, 'user-1')],
      ['findFor() by slug', () => store.findFor({ slug }, 'user-1')],
      ['list()', () => store.list({ limit: 9 })],
      ['listMembers()', () => store.listMembers(id, { limit: 9 })],
      ['listOfUser()', () => store.listOfUser('user-1', { limit: 9 })],
    ] as const) {
      spoil(await read())
      const first = await read()
      spoil(first)
      same(await stateOf(store, id), expected, `after changing what ${what} returned`)
      const other = await store.findFor({ slug }, 'user-1')
      same(
        other,
        { organization: expected.organization, membership: expected.members[0] },
        `findFor() after changing what ${what} returned`,
      )
    }
    const changes = { name: 'Other', fields: { list: ['a'] } }
    const put = [newMembership({ organizationId: id, userId: 'user-2' })]
    const kept = structuredClone({ changes, put })
    await store.write([writeTo(expected.organization, { changes, put })])
    spoil(changes)
    spoil(put)
    same(
      await store.findFor({ id }, 'user-2'),
      { organization: { ...expected.organization, ...kept.changes, version: 2 }, membership: kept.put[0] },
      'after changing what write() was given',
    )
  },

  'law 3: a missing organization or membership is null, empty, 0 or changed, not an error': async (store) => {
    const organization = await establish(store, {}, ['user-1'])
    for (const text of ['nobody', 'x'.repeat(10_000), ...hostileTexts]) {
      for (const key of keysOf({ id: text, slug: text })) {
        same(await store.find(key), null, `find(${show(key)})`)
        same(await store.findFor(key, 'user-1'), null, `findFor(${show(key)})`)
      }
      for (const key of keysOf(organization))
        same(await store.findFor(key, text), { organization, membership: null }, `findFor() of ${show(text)}`)
      same(await store.listMembers(text, { limit: 9 }), [], `listMembers(${show(text)})`)
      same(await store.listOfUser(text, { limit: 9 }), [], `listOfUser(${show(text)})`)
      same(await store.countOfUser(text), 0, `countOfUser(${show(text)})`)
      for (const isDeletion of [false, true])
        same(
          await store.write([writeTo({ id: text, version: 1 }, { isDeletion })]),
          'changed',
          `write() to ${show(text)}`,
        )
    }
    // One who has no membership is no member, and the membership of another organization isn't one of this.
    const other = await establish(store, {}, ['user-2'])
    for (const key of keysOf(other))
      same(await store.findFor(key, 'user-1'), { organization: other, membership: null }, 'findFor()')
  },

  'law 4: a read sees every acknowledged write': async (store, second) => {
    const turn = inTurns(store, second)
    for (const round of range(20)) {
      const [writer, reader] = [turn(round), turn(round + 1)]
      const userId = `user-${round}`
      const organization = await establish(writer, {}, [userId])
      const { id } = organization
      const seen = async (what: string, expected: Organization | null, roles?: readonly string[]) => {
        for (const key of keysOf({ id, slug: expected?.slug ?? organization.slug })) {
          same(await reader.find(key), expected, `find() ${what}`)
          const pair = await reader.findFor(key, userId)
          same(pair?.organization ?? null, expected, `the organization of findFor() ${what}`)
          same(pair?.membership?.roles, roles, `the roles of findFor() ${what}`)
        }
        const listed = (await reader.list({ limit: 100 })).find((each) => each.id === id)
        same(listed ?? null, expected, `list() ${what}`)
        const count = roles ? 1 : 0
        same(
          (await reader.listMembers(id, { limit: 9 })).length,
          count,
          `the length of listMembers() ${what}`,
        )
        same((await reader.listOfUser(userId, { limit: 9 })).length, count, `that of listOfUser() ${what}`)
        same(await reader.countOfUser(userId), count, `countOfUser() ${what}`)
      }
      await seen('after create()', organization, ['owner', 'admin'])
      const changes = { slug: `${organization.slug}-x`, members: 3 }
      const put = [newMembership({ organizationId: id, userId, roles: ['member'] })]
      await writer.write([writeTo(organization, { changes, put })])
      const changed = { ...organization, ...changes, version: 2 }
      same(await reader.find({ slug: organization.slug }), null, 'find() by the former slug')
      same(await reader.findFor({ slug: organization.slug }, userId), null, 'findFor() by the former slug')
      await seen('after write()', changed, ['member'])
      await writer.write([writeTo(changed, { remove: [userId] })])
      const left = { ...changed, version: 3 }
      await seen('after a removal', left)
      await writer.write([writeTo(left, { isDeletion: true })])
      await seen('after a deletion', null)
    }
  },
}

const manyValues: readonly JsonValue[] = [
  [],
  {},
  null,
  true,
  false,
  0,
  -1.5,
  '',
  'null',
  '"',
  'ÿ "\\\'',
  'a\0b',
  { 'a\0b': 'a\0b', __proto: '$ne' },
  { z: 1, a: 2, long: 'x'.repeat(70_000) },
]

async function comesBack(store: OrganizationStore, overrides: Partial<Organization>): Promise<void> {
  const organization = await establish(store, overrides)
  const { id } = organization
  for (const key of keysOf(organization)) {
    same(await store.find(key), organization, `find(${show(key)})`)
    same(await store.findFor(key, 'user-1'), { organization, membership: null }, `findFor(${show(key)})`)
  }
  const listed = (await store.list({ limit: 1000 })).find((each) => each.id === id)
  same(listed, organization, 'the organization in list()')
}

/** Changes everything shared by reference. */
function spoil(record: unknown): void {
  if (typeof record !== 'object' || record === null) return
  if (record instanceof Date) record.setTime(0)
  else if (Array.isArray(record)) {
    record.forEach(spoil)
    record.push('spoiled')
  } else {
    for (const value of Object.values(record)) spoil(value)
    Object.assign(record, { name: 'spoiled', members: 99, spoiled: true })
  }
}
