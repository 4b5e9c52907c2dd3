import { describe, expect, it } from 'vitest'
import { organizationsApp, type Person } from './organizations-app.js'

const roles = {
  owner: ['org:*'],
  lead: ['members:edit', 'members:invite', 'projects:write'],
  inviter: ['members:invite'],
  writer: ['projects:write'],
  admin: ['members:edit', 'org:edit', 'org:delete', 'projects:write'],
  member: [],
} as const

/** An organization with one member of each role, `second` being another lead. */
async function team(options: Parameters<typeof organizationsApp>[1] = {}) {
  const world = await organizationsApp({ roles }, options)
  const { ask, person, found } = world
  const people: Record<string, Person> = {}
  for (const name of ['owner', 'lead', 'second', 'inviter', 'writer', 'admin', 'member'])
    people[name] = await person(`the-${name}`)
  people.manager = await person('manager', { roles: ['manager'] })
  people.reader = await person('reader', { roles: ['reader'] })
  people.stranger = await person('stranger')
  const { owner, lead, second, ...rest } = people as Record<string, Person> &
    Record<'owner' | 'lead' | 'second', Person>
  const { inviter, writer, admin, member } = rest as Record<string, Person>
  const id = await found('acme', owner, {
    ...{ lead: [lead, second], inviter: [inviter as Person], writer: [writer as Person] },
    ...{ admin: [admin as Person], member: [member as Person] },
  })
  const who = (name: string) => people[name] as Person
  return { ...world, id, who, ask }
}

describe('changing roles', () => {
  it.each<[string, string, string[], number]>([
    ['owner', 'member', ['owner'], 200],
    ['owner', 'lead', ['member'], 200],
    ['lead', 'member', ['writer'], 200],
    ['lead', 'writer', ['member', 'inviter'], 200],
    ['lead', 'second', ['member'], 200],
    ['lead', 'lead', ['member'], 200],
    // Nobody gives more than they have.
    ['lead', 'member', ['owner'], 403],
    ['lead', 'lead', ['owner'], 403],
    ['lead', 'member', ['admin'], 403],
    ['lead', 'member', ['writer', 'admin'], 403],
    // Nobody takes more than they have.
    ['lead', 'owner', ['member'], 403],
    ['lead', 'admin', ['lead'], 403],
    ['admin', 'lead', ['member'], 403],
    ['admin', 'admin', ['member'], 200],
    // Without the permission.
    ['inviter', 'member', ['member'], 403],
    ['inviter', 'inviter', ['owner'], 403],
    ['member', 'member', ['owner'], 403],
    ['reader', 'member', ['writer'], 403],
    ['manager', 'member', ['owner'], 200],
    ['manager', 'owner', ['member'], 409],
    ['owner', 'owner', ['member'], 409],
    ['owner', 'stranger', ['member'], 404],
    ['stranger', 'member', ['member'], 404],
  ])('by the %s, of the %s, to %j: %i', async (actor, target, given, expected) => {
    const { ask, who, id, membershipOf, store } = await team()
    const before = await membershipOf(id, who(target).id)
    const answer = await ask(who(actor), `PATCH /organizations/acme/members/${who(target).id}`, {
      roles: given,
    })
    expect(answer.status).toBe(expected)
    if (expected === 403)
      expect(answer).toMatchObject({ code: 'ACCOUNTS_FORBIDDEN', reason: 'missing_permission' })
    if (expected === 409) expect(answer).toMatchObject({ code: 'ACCOUNTS_CONFLICT', reason: 'last_owner' })
    const after = await membershipOf(id, who(target).id)
    if (expected === 200) expect(after).toEqual({ ...before, roles: given })
    else expect(after).toEqual(before)
    const members = await store.listMembers(id, { limit: 100 })
    const owners = members.filter((each) => each.roles.includes('owner')).length
    expect(await store.find({ id })).toMatchObject({ members: members.length, owners })
  })

  it('rejects roles that do not exist, none, and one twice', async () => {
    const { ask, who } = await team()
    for (const given of [['chief'], [], ['member', 'member'], 'member', ['toString']]) {
      const path = `PATCH /organizations/acme/members/${who('member').id}`
      expect(await ask(who('owner'), path, { roles: given })).toMatchObject({
        status: 400,
        body: { fields: [{ field: 'roles' }] },
      })
    }
  })

  it('of two owners who demote each other at once, one stays', async () => {
    const { ask, who, id, store } = await team()
    const path = (name: string) => `PATCH /organizations/acme/members/${who(name).id}`
    await ask(who('owner'), path('member'), { roles: ['owner'] })
    const both = await Promise.all([
      ask(who('owner'), path('member'), { roles: ['writer'] }),
      ask(who('member'), path('owner'), { roles: ['writer'] }),
    ])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await store.find({ id })).toMatchObject({ owners: 1 })
  })

  it('is decided by what the actor has at the write, not before', async () => {
    const { ask, who, id, store, membershipOf } = await team()
    const { write } = store
    store.write = async (writes, ...rest) => {
      store.write = write
      // Meanwhile the owner demotes the lead.
      const path = `PATCH /organizations/acme/members/${who('lead').id}`
      expect(await ask(who('owner'), path, { roles: ['member'] })).toMatchObject({ status: 200 })
      return write(writes, ...rest)
    }
    const path = `PATCH /organizations/acme/members/${who('member').id}`
    expect(await ask(who('lead'), path, { roles: ['writer'] })).toMatchObject({ status: 403 })
    expect(await membershipOf(id, who('member').id)).toMatchObject({ roles: ['member'] })
  })

  it('that takes some withdraws what would give them again; one that only adds or is refused leaves it', async () => {
    const { ask, who, id, invitations, store } = await team()
    const { id: userId } = who('writer')
    const now = Date.now()
    const invite = (key: string, email: string, target = `accounts:organization:${id}`) =>
      invitations.create({
        ...{ id: key, target, inviterId: null, email, emailKey: email, gives: { roles: ['writer'] } },
        ...{ createdAt: new Date(now), expiresAt: new Date(now + 600_000), sends: 1, acceptingUntil: null },
      })
    const left = async () => (await invitations.list({ limit: 10 })).map((each) => each.id).sort()
    await invite('again', 'the-writer@example.org')
    await invite('accepted', 'earlier@example.org')
    await invite('other', 'the-writer@example.org', 'accounts:organization:org_other')
    await invite('somebody', 'somebody@example.org')
    const { organization, membership } = (await store.findFor({ id }, userId)) ?? {}
    if (!organization || !membership) throw new Error('not a member')
    const put = [{ ...membership, invitationId: 'accepted' }]
    await store.write([{ organizationId: id, expectedVersion: organization.version, put }])

    const change = (by: string, given: string[]) =>
      ask(who(by), `PATCH /organizations/acme/members/${userId}`, { roles: given })
    expect(await change('lead', ['writer', 'inviter'])).toMatchObject({ status: 200 })
    expect(await change('inviter', ['member'])).toMatchObject({ status: 403 })
    expect(await left()).toEqual(['accepted', 'again', 'other', 'somebody'])
    expect(await change('lead', ['member'])).toMatchObject({ status: 200 })
    expect(await left()).toEqual(['other', 'somebody'])
    expect(await ask(who('writer'), 'POST /me/invitations/again/accept/')).toMatchObject({ status: 404 })
    expect((await ask(who('writer'), 'GET /organizations/acme')).body.permissions).toEqual([])
  })

  it('that adds some spends a limit, and taking them does not', async () => {
    const { ask, who } = await team({
      throttle: { limits: { changeOrganization: { max: 1, window: 60_000 } } },
    })
    const change = (given: string[], by = 'owner') =>
      ask(who(by), `PATCH /organizations/acme/members/${who('member').id}`, { roles: given })
    expect(await change(['owner'], 'lead')).toMatchObject({ status: 403 })
    expect(await change(['member', 'writer', 'inviter'])).toMatchObject({ status: 200 })
    expect(await change(['member', 'writer', 'lead'])).toMatchObject({ status: 429 })
    expect(await change(['member', 'writer'])).toMatchObject({ status: 200 })
    expect(await change(['member'])).toMatchObject({ status: 200 })
    expect(await ask(who('owner'), `DELETE /organizations/acme/members/${who('member').id}`)).toMatchObject({
      status: 204,
    })
  })

  it('is refused to an account that is disabled meanwhile', async () => {
    const { ask, who, id, store, membershipOf, app } = await team()
    const { findFor } = store
    store.findFor = async (...args) => {
      store.findFor = findFor
      await app.accounts.updateUser(who('owner').id, { isActive: false })
      return findFor(...args)
    }
    const { write } = store
    let isFirst = true
    store.write = async (...args) => {
      if (!isFirst) return write(...args)
      isFirst = false
      return 'changed'
    }
    const path = `PATCH /organizations/acme/members/${who('member').id}`
    expect(await ask(who('owner'), path, { roles: ['writer'] })).toMatchObject({ status: 403 })
    expect(await membershipOf(id, who('member').id)).toMatchObject({ roles: ['member'] })
  })
})

describe('removing a member', () => {
  it.each<[string, string, number]>([
    ['owner', 'member', 204],
    ['owner', 'lead', 204],
    ['lead', 'member', 204],
    ['lead', 'second', 204],
    ['lead', 'lead', 204],
    ['lead', 'owner', 403],
    ['lead', 'admin', 403],
    ['inviter', 'member', 403],
    ['member', 'member', 403],
    ['reader', 'member', 403],
    ['manager', 'member', 204],
    ['manager', 'owner', 409],
    ['owner', 'owner', 409],
    ['owner', 'stranger', 404],
    ['stranger', 'member', 404],
  ])('by the %s, the %s: %i', async (actor, target, expected) => {
    const { ask, who, id, membershipOf, store } = await team()
    const was = await membershipOf(id, who(target).id)
    const answer = await ask(who(actor), `DELETE /organizations/acme/members/${who(target).id}`)
    expect(answer.status).toBe(expected)
    const isGone = (await membershipOf(id, who(target).id)) === null
    expect(isGone).toBe(expected === 204 || was === null)
    const members = await store.listMembers(id, { limit: 100 })
    expect(await store.find({ id })).toMatchObject({ members: members.length, owners: 1 })
    if (expected === 204 && !['manager'].includes(actor))
      expect((await ask(who(target), 'GET /organizations/acme')).status).toBe(404)
  })

  it('withdraws what would bring them back, and leaves what others may accept', async () => {
    const { ask, who, id, invitations } = await team()
    const { id: userId } = who('member')
    const now = Date.now()
    const invite = (key: string, email: string, target = `accounts:organization:${id}`) =>
      invitations.create({
        ...{ id: key, target, inviterId: key, email, emailKey: email, gives: { roles: ['member'] } },
        ...{ createdAt: new Date(now), expiresAt: new Date(now + 60_000), sends: 1, acceptingUntil: null },
      })
    await invite('theirs', 'the-member@example.org')
    await invite('again', 'the-member@example.org')
    await invite('other', 'the-member@example.org', 'accounts:organization:org_other')
    await invite('somebody', 'somebody@example.org')
    expect((await ask(who('lead'), `DELETE /organizations/acme/members/${who('owner').id}`)).status).toBe(403)
    expect(await invitations.list({ limit: 10 })).toHaveLength(4)
    expect((await ask(who('owner'), `DELETE /organizations/acme/members/${userId}`)).status).toBe(204)
    const left = (await invitations.list({ limit: 10 })).map((each) => each.id)
    expect(left.sort()).toEqual(['other', 'somebody'])
  })

  it('outlasts somebody who changes the organization all the time to stay', async () => {
    const { ask, who, id, store, membershipOf } = await team()
    const { write } = store
    let collisions = 0
    store.write = async (writes, ...rest) => {
      if (collisions < 20) {
        collisions += 1
        const { version = 0, name = '' } = (await store.find({ id })) ?? {}
        await write([{ organizationId: id, expectedVersion: version, changes: { name: `${name}!` } }])
      }
      return write(writes, ...rest)
    }
    expect(await ask(who('owner'), `DELETE /organizations/acme/members/${who('lead').id}`)).toMatchObject({
      status: 204,
    })
    expect(await membershipOf(id, who('lead').id)).toBeNull()
  })

  it('keeps them while the invitations cannot be withdrawn', async () => {
    const { ask, who, id, invitations, membershipOf } = await team()
    invitations.listByEmail = async () => {
      throw new Error('down')
    }
    const path = `DELETE /organizations/acme/members/${who('member').id}`
    expect((await ask(who('owner'), path)).status).toBe(503)
    expect(await membershipOf(id, who('member').id)).not.toBeNull()
  })
})

describe('leaving', () => {
  it('is open to every member but the last owner', async () => {
    const { ask, who, id, membershipOf } = await team()
    const leave = (name: string) => ask(who(name), 'POST /organizations/acme/leave/')
    expect(await leave('owner')).toMatchObject({ status: 409, reason: 'last_owner' })
    for (const name of ['member', 'lead', 'inviter']) {
      expect(await leave(name)).toMatchObject({ status: 204 })
      expect(await membershipOf(id, who(name).id)).toBeNull()
    }
    // They have no membership to end.
    for (const name of ['member', 'stranger', 'manager', 'reader'])
      expect(await leave(name)).toMatchObject({ status: 404 })
  })

  it('is refused to somebody alone, who deletes it instead', async () => {
    const { ask, person, found } = await organizationsApp()
    const alice = await person('alice')
    await found('alone', alice)
    expect(await ask(alice, 'POST /organizations/alone/leave/')).toMatchObject({ reason: 'last_owner' })
    expect(await ask(alice, 'DELETE /organizations/alone')).toMatchObject({ status: 204 })
  })
})

describe('adding a member', () => {
  it('is for those who manage every organization, not for owners', async () => {
    const { ask, who, id, membershipOf } = await team()
    const add = (name: string) =>
      ask(who(name), 'POST /organizations/acme/members/', { user_id: who('stranger').id, roles: ['owner'] })
    for (const name of ['owner', 'lead', 'reader'])
      expect(await add(name)).toMatchObject({ status: 403, reason: 'missing_permission' })
    expect(await add('manager')).toMatchObject({
      status: 201,
      body: { user_id: who('stranger').id, kind: 'person', username: 'stranger', roles: ['owner'] },
    })
    expect(await membershipOf(id, who('stranger').id)).toMatchObject({ roles: ['owner'] })
    expect(await add('manager')).toMatchObject({ status: 409, reason: 'already_member' })
  })

  it('is refused to somebody who loses orgs:manage meanwhile', async () => {
    const { ask, who, id, store, membershipOf, app } = await team()
    const { write } = store
    store.write = async () => {
      store.write = write
      await app.accounts.updateUser(who('manager').id, { roles: ['reader'] })
      return 'changed'
    }
    const body = { user_id: who('stranger').id, roles: ['owner'] }
    const answer = await ask(who('manager'), 'POST /organizations/acme/members/', body)
    expect(answer).toMatchObject({ status: 403, reason: 'missing_permission' })
    expect(await membershipOf(id, who('stranger').id)).toBeNull()
  })

  it('takes only accounts that are there, and whose address is proven', async () => {
    const { ask, who, person } = await team()
    const add = (userId: string) =>
      ask(who('manager'), 'POST /organizations/acme/members/', { user_id: userId, roles: ['member'] })
    for (const userId of ['nobody', '', 'x'.repeat(300)])
      expect(await add(userId)).toMatchObject({ status: 400, body: { fields: [{ field: 'user_id' }] } })
    const unproven = await person('unproven', { isProven: false })
    expect(await add(unproven.id)).toMatchObject({ status: 403, code: 'ACCOUNTS_NOT_VERIFIED' })
  })

  it('stops at the limits of the organization and of the person', async () => {
    const { ask, person, found } = await organizationsApp({ limits: { members: 2, organizations: 2 } })
    const [alice, bob, carol] = [await person('alice'), await person('bob'), await person('carol')]
    const manager = await person('manager', { roles: ['manager'] })
    await found('full', alice, { member: [bob] })
    await found('second', bob)
    await found('third', carol)
    const add = (slug: string, { id }: Person) =>
      ask(manager, `POST /organizations/${slug}/members/`, { user_id: id, roles: ['member'] })
    expect(await add('full', carol)).toMatchObject({ status: 409, reason: 'organization_full' })
    expect(await add('third', bob)).toMatchObject({ status: 409, reason: 'too_many_organizations' })
    expect((await add('third', alice)).status).toBe(201)
  })
})

describe('an account that a stranger made for an address', () => {
  it('belongs to nothing, whatever it or others do', async () => {
    const { ask, person, found, app } = await organizationsApp()
    const alice = await person('alice')
    const manager = await person('manager', { roles: ['manager'] })
    const stranger = await person('stranger', { isProven: false })
    await found('acme', alice)
    const create = await ask(stranger, 'POST /organizations/', { name: 'X', slug: 'mine' })
    const add = await ask(manager, 'POST /organizations/acme/members/', {
      ...{ user_id: stranger.id, roles: ['member'] },
    })
    expect([create.code, add.code]).toEqual(['ACCOUNTS_NOT_VERIFIED', 'ACCOUNTS_NOT_VERIFIED'])
    const input = { name: 'X', slug: 'mine', ownerId: stranger.id }
    await expect(app.accounts.organizations.create(input)).rejects.toMatchObject({
      code: 'ACCOUNTS_NOT_VERIFIED',
    })
    expect((await ask(stranger, 'GET /me/organizations/')).body.results).toEqual([])
  })
})

describe('the list of members', () => {
  it('is for members and staff, with service accounts', async () => {
    const { ask, who, person } = await team()
    const keeper = await person('keeper', { roles: ['keeper', 'manager'] })
    const service = (await ask(keeper, 'POST /service/', { username: 'reports' })).body.id
    await ask(keeper, 'POST /organizations/acme/members/', { user_id: service, roles: ['writer'] })
    const { body } = await ask(who('member'), 'GET /organizations/acme/members/')
    expect(body.next).toBeNull()
    expect(body.results).toHaveLength(8)
    expect(body.results[0]).toEqual({
      ...{ user_id: who('owner').id, kind: 'person', username: 'the-owner', email: 'the-owner@example.org' },
      ...{ roles: ['owner'], since: expect.stringMatching(/^\d{4}-.*Z$/) },
    })
    expect(body.results.find((each: { kind: string }) => each.kind === 'service')).toMatchObject({
      ...{ user_id: service, username: 'reports', email: null, roles: ['writer'] },
    })
    for (const name of ['reader', 'manager'])
      expect((await ask(who(name), 'GET /organizations/acme/members/')).status).toBe(200)
    expect((await ask(who('stranger'), 'GET /organizations/acme/members/')).status).toBe(404)
  })

  it('comes page by page, of ten thousand each once, and reads few accounts at once', async () => {
    const { ask, person, store, users } = await organizationsApp()
    const alice = await person('alice')
    const id = `org_${'0'.repeat(22)}`
    const since = new Date(1_700_000_000_000)
    const member = (userId: string, at: number, own: string[]) => ({
      ...{ organizationId: id, userId, roles: own, invitationId: null },
      since: new Date(since.getTime() + at),
    })
    const others = Array.from({ length: 9999 }, (_, at) =>
      member(`u${at}`, 1 + Math.floor(at / 250), ['member']),
    )
    await store.create(
      { id, slug: 'large', name: 'Large', fields: {}, createdAt: since, members: 10_000, owners: 1 },
      [member(alice.id, 0, ['owner']), ...others],
    )
    let underWay = 0
    let most = 0
    const { findById } = users
    users.findById = async (...args) => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise(setImmediate)
      underWay -= 1
      return findById(...args)
    }
    const seen = new Set<string>()
    let count = 0
    for (let url: string | null = '/organizations/large/members/'; url !== null; ) {
      const { status, body } = await ask(alice, `GET ${url}`)
      expect(status).toBe(200)
      expect(body.results.length).toBeLessThanOrEqual(100)
      for (const each of body.results) seen.add(each.user_id)
      count += body.results.length
      url = body.next?.replace(/^https?:\/\/[^/]+/, '') ?? null
    }
    expect([count, seen.size]).toEqual([10_000, 10_000])
    expect(most).toBeLessThanOrEqual(10)
  })

  it('has cursors for one organization alone', async () => {
    const { ask, person, found, store } = await organizationsApp()
    const alice = await person('alice')
    const id = await found('one', alice)
    await found('two', alice)
    const { version = 0 } = (await store.find({ id })) ?? {}
    const put = Array.from({ length: 150 }, (_, at) => ({
      ...{ organizationId: id, userId: `u${at}`, roles: ['member'], since: new Date(), invitationId: null },
    }))
    await store.write([{ organizationId: id, expectedVersion: version, changes: { members: 151 }, put }])
    const { next } = (await ask(alice, 'GET /organizations/one/members/')).body
    const cursor = new URL(next).search
    expect((await ask(alice, `GET /organizations/one/members/${cursor}`)).status).toBe(200)
    expect((await ask(alice, `GET /organizations/two/members/${cursor}`)).status).toBe(400)
  })
})
