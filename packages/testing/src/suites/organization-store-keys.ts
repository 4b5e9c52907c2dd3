import type { Organization, OrganizationStore } from '@fastify-accounts/organizations/store'
import { InvalidArgumentError } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import {
  hostileTexts,
  nearlyEqualTexts,
  notKeys,
  parallelCalls,
  race,
  refusesKeys,
  rejects,
  rounds,
  same,
  scramble,
  show,
} from './checks.js'
import { establish, keysOf, newMembership, newOrganization, writeTo } from './organizations.js'

/** Laws about ids, slugs and the ids of users. */
export const organizationStoreKeyLaws: Laws<OrganizationStore> = {
  'law 5: no two organizations have a slug': async (store) => {
    const first = await establish(store)
    const twin = newOrganization({ slug: first.slug })
    const members = [newMembership({ organizationId: twin.id })]
    same(await store.create(twin, members), false, 'create() with a slug in use')
    same(await store.find({ id: twin.id }), null, 'find() of one that was not created')
    same(await store.listMembers(twin.id, { limit: 9 }), [], 'its memberships')
    same(await store.find({ slug: first.slug }), first, 'the first')
    const other = await establish(store)
    const change = writeTo(other, { changes: { slug: first.slug, name: 'Other' }, put: [memberOf(other)] })
    same(await store.write([change]), 'slug_taken', 'write() of a slug in use')
    same(await store.find({ id: other.id }), other, 'the other one')
    same(await store.listMembers(other.id, { limit: 9 }), [], 'the memberships of the other one')
    same(await store.find({ slug: first.slug }), first, 'the first, once more')
    same(
      await store.write([writeTo(first, { changes: { slug: first.slug } })]),
      'written',
      'write() of its own',
    )
  },

  'law 5: a slug that was given up or deleted is free': async (store) => {
    const first = await establish(store)
    await store.write([writeTo(first, { changes: { slug: 'other' } })])
    const next = await establish(store, { slug: first.slug })
    same(await store.find({ slug: first.slug }), next, 'the organization that has the slug now')
    await store.write([writeTo({ ...first, version: 2 }, { isDeletion: true })])
    const last = await establish(store)
    same(
      await store.write([writeTo(last, { changes: { slug: 'other' } })]),
      'written',
      'write() of a free slug',
    )
    same((await store.find({ slug: 'other' }))?.id, last.id, 'the organization that has it')
  },

  'law 5: no second organization gets an id that is in use': async (store) => {
    const first = await establish(store, {}, ['user-1'])
    const intruder = newOrganization({ id: first.id })
    const create = () =>
      store.create(intruder, [newMembership({ organizationId: first.id, userId: 'user-2' })])
    await rejects(InvalidArgumentError, create, 'create() with an id in use')
    same(await store.find({ id: first.id }), first, 'the organization')
    same(await store.find({ slug: intruder.slug }), null, 'find() by the other slug')
    same(
      (await store.listMembers(first.id, { limit: 9 })).map(({ userId }) => userId),
      ['user-1'],
      'the members',
    )
  },

  [`law 5: exactly one of ${parallelCalls} simultaneous creations of a slug wins`]: async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(parallelCalls, 5, async (callers, round) => {
      const slug = `acme-${round}`
      const all = callers.map(() => newOrganization({ slug }))
      const values = await raced(
        all.map((each, n) => () => turn(n).create(each, [newMembership({ organizationId: each.id })])),
      )
      const winners = all.filter((_, n) => values[n])
      same(winners.length, 1, 'the number of winners')
      for (const each of [store, second])
        same((await each.find({ slug }))?.id, winners[0]?.id, 'who has the slug')
      for (const each of all) {
        const count = each === winners[0] ? 1 : 0
        same((await store.listMembers(each.id, { limit: 9 })).length, count, 'the number of memberships')
      }
    })
  },

  'law 5: exactly one of several that take a slug at the same time gets it': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(20, 5, async (callers, round) => {
      const slug = `taken-${round}`
      const all: Organization[] = []
      for (const _ of callers) all.push(await establish(store))
      const fresh = newOrganization({ slug })
      const outcomes = await raced<unknown>([
        ...all.map((each, n) => () => turn(n).write([writeTo(each, { changes: { slug } })])),
        () => turn(round).create(fresh, []),
      ])
      const isWinner = (outcome: unknown) => outcome === 'written' || outcome === true
      same(outcomes.filter(isWinner).length, 1, 'the number of winners')
      same(
        outcomes.filter((outcome) => outcome !== 'slug_taken' && outcome !== false).length,
        1,
        'the number of those who heard that it is taken, and one',
      )
      const winner = [...all, fresh][outcomes.findIndex(isWinner)]
      for (const each of [store, second])
        same((await each.find({ slug }))?.id, winner?.id, 'who has the slug')
    })
  },

  'law 6: ids, slugs and ids of users are compared byte for byte': async (store) => {
    const texts = [...hostileTexts, ...nearlyEqualTexts]
    for (const field of ['id', 'slug'] as const) {
      const all: Organization[] = []
      for (const text of texts) all.push(await establish(store, { [field]: text }, ['user-1']))
      for (const [n, text] of texts.entries()) {
        const key = field === 'id' ? { id: text } : { slug: text }
        same(await store.find(key), all[n], `find(${show(key)})`)
        const pair = await store.findFor(key, 'user-1')
        same(pair?.organization, all[n], `the organization of findFor(${show(key)})`)
        same(pair?.membership?.organizationId, all[n]?.id, `the membership of findFor(${show(key)})`)
      }
      // At the same time, as those of one turn may share a query.
      const pairs = await raced(
        texts.map((text) => () => store.findFor(field === 'id' ? { id: text } : { slug: text }, 'user-1')),
      )
      for (const [n, pair] of pairs.entries()) same(pair?.organization, all[n], 'one of several findFor()')
      for (const [n, each] of all.entries()) {
        same(
          await store.write([writeTo(each, { isDeletion: true })]),
          'written',
          `a deletion by ${show(each.id)}`,
        )
        const next = all[n + 1]
        if (next)
          same((await store.listMembers(next.id, { limit: 9 })).length, 1, 'the members of the next one')
      }
    }
    const organization = await establish(store, {}, texts)
    for (const [n, userId] of texts.entries()) {
      const pairs = await raced(keysOf(organization).map((key) => () => store.findFor(key, userId)))
      for (const each of pairs) same(each?.membership?.userId, userId, `findFor() of ${show(userId)}`)
      same(await store.countOfUser(userId), 1, `countOfUser(${show(userId)})`)
      const [own, ...more] = await store.listOfUser(userId, { limit: 9 })
      same([own?.membership.userId, more.length], [userId, 0], `listOfUser(${show(userId)})`)
      const now = { ...organization, version: n + 1 }
      same(
        await store.write([writeTo(now, { remove: [userId] })]),
        'written',
        `the removal of ${show(userId)}`,
      )
      const left = await store.listMembers(organization.id, { limit: 100 })
      same(left.length, texts.length - n - 1, `the number of members after the removal of ${show(userId)}`)
    }
  },

  'law 6: an id is no slug, and a slug no id': async (store) => {
    const one = await establish(store, { id: 'acme', slug: 'other' }, ['user-1'])
    const other = await establish(store, { id: 'other', slug: 'acme' }, ['user-2'])
    same(await store.find({ id: 'acme' }), one, 'find() by id')
    same(await store.find({ slug: 'acme' }), other, 'find() by slug')
    const pairs = await raced([
      () => store.findFor({ id: 'acme' }, 'user-1'),
      () => store.findFor({ slug: 'acme' }, 'user-1'),
      () => store.findFor({ id: 'other' }, 'user-2'),
      () => store.findFor({ slug: 'other' }, 'user-2'),
    ])
    same(
      pairs.map((pair) => [pair?.organization.id, pair?.membership?.userId]),
      [
        ['acme', 'user-1'],
        ['other', undefined],
        ['other', 'user-2'],
        ['acme', undefined],
      ],
      'what findFor() returned',
    )
  },

  'law 6: anything but well-formed, non-empty text is rejected as an argument': async (store) => {
    const organization = await establish(store, {}, ['user-1'])
    const { id } = organization
    await refusesKeys('find by the id ', (text) => store.find({ id: text }))
    await refusesKeys('find by the slug ', (text) => store.find({ slug: text }))
    await refusesKeys('findFor by the id ', (text) => store.findFor({ id: text }, 'user-1'))
    await refusesKeys('findFor by the slug ', (text) => store.findFor({ slug: text }, 'user-1'))
    await refusesKeys('findFor of the user ', (text) => store.findFor({ id }, text))
    await refusesKeys('listMembers', (text) => store.listMembers(text, { limit: 9 }))
    await refusesKeys('listOfUser', (text) => store.listOfUser(text, { limit: 9 }))
    await refusesKeys('countOfUser', (text) => store.countOfUser(text))
    await refusesKeys('write to ', (text) => store.write([writeTo({ id: text, version: 1 })]))
    await refusesKeys('removal of ', (text) => store.write([writeTo(organization, { remove: [text] })]))
    await refusesKeys('put of ', (userId) =>
      store.write([writeTo(organization, { put: [newMembership({ organizationId: id, userId })] })]),
    )
    for (const field of ['id', 'slug'] as const)
      await refusesKeys(`create with the ${field} `, (text) =>
        store.create(newOrganization({ [field]: text }), []),
      )
    await refusesKeys('create with the member ', (userId) => {
      const fresh = newOrganization()
      return store.create(fresh, [newMembership({ organizationId: fresh.id, userId })])
    })
    for (const value of notKeys.filter((key) => key !== undefined)) {
      const write = () => store.write([writeTo(organization, { changes: { slug: value as string } })])
      await rejects(InvalidArgumentError, write, `write of the slug ${show(value)}`)
    }
    same(await store.list({ limit: 9 }), [organization], 'the organizations stored')
    same((await store.listMembers(id, { limit: 9 })).length, 1, 'the number of memberships stored')
  },

  'law 6: a membership of another organization is rejected as an argument': async (store) => {
    const [one, other] = [await establish(store), await establish(store)]
    const put = [memberOf(other)]
    await rejects(InvalidArgumentError, () => store.write([writeTo(one, { put })]), 'write()')
    const fresh = newOrganization()
    await rejects(InvalidArgumentError, () => store.create(fresh, put), 'create()')
    same(await store.find({ id: fresh.id }), null, 'the organization of create()')
    for (const each of [one, other]) {
      same(await store.find({ id: each.id }), each, 'the organization')
      same(await store.listMembers(each.id, { limit: 9 }), [], 'its memberships')
    }
  },

  'law 7: long keys come back whole or are rejected, never truncated': async (store) => {
    const longest = scramble(255)
    await establish(store, { id: longest, slug: longest }, [longest])
    for (const key of keysOf({ id: longest, slug: longest }))
      same((await store.findFor(key, longest))?.membership?.userId, longest, 'findFor() by keys of 255 bytes')
    for (const field of ['id', 'slug'] as const) {
      const [one, other] = ['a', 'b'].map((end) => scramble(4999) + end) as [string, string]
      for (const text of [one, other]) {
        const organization = newOrganization({ [field]: text })
        const { values } = await race([() => store.create(organization, [])])
        const kept = values[0] ? { ...organization, version: 1 } : null
        same(
          await store.find(field === 'id' ? { id: text } : { slug: text }),
          kept,
          `find() by a long ${field}`,
        )
      }
      const part = one.slice(0, 255)
      same(
        await store.find(field === 'id' ? { id: part } : { slug: part }),
        null,
        `find() by a part of a ${field}`,
      )
    }
    const organization = await establish(store)
    const [one, other] = ['a', 'b'].map((end) => scramble(4999) + end) as [string, string]
    let version = 1
    for (const userId of [one, other]) {
      const put = [newMembership({ organizationId: organization.id, userId })]
      const { values } = await race([() => store.write([writeTo({ ...organization, version }, { put })])])
      if (values[0] === 'written') version += 1
      const kept = values[0] === 'written' ? userId : undefined
      const pair = await store.findFor({ id: organization.id }, userId)
      same(pair?.membership?.userId, kept, 'findFor() of a long id of a user')
    }
    same(
      (await store.findFor({ id: organization.id }, one.slice(0, 255)))?.membership,
      null,
      'findFor() of a part of an id of a user',
    )
  },
}

const memberOf = ({ id }: Pick<Organization, 'id'>) => newMembership({ organizationId: id })
