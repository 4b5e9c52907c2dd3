import { organizations } from '@fastify-accounts/organizations'
import { as, goodPassword, logIn, testApp } from '@fastify-accounts/test-support/app'
import type { AccountEvent, AuditEvent } from 'fastify-accounts'
import { type AccountsError, apiKeys, invitations } from 'fastify-accounts'
import { describe, expect, it } from 'vitest'
import { roles } from './member-app.js'

const fields = { type: 'object', properties: { plan: { type: 'string' } } } as const

const types = [
  ...(['organization.created', 'organization.updated', 'organization.deleted'] as const),
  ...(['member.added', 'member.roles_changed', 'member.removed'] as const),
]

async function world() {
  const events: AccountEvent[] = []
  const service = await testApp({
    features: [invitations(), organizations({ roles, fields }), apiKeys({ scopes: ['projects'] })],
    on: {
      crm: Object.fromEntries(types.map((type) => [type, (event: AccountEvent) => void events.push(event)])),
    },
  })
  const { accounts } = service.app
  const audited: AuditEvent[] = []
  accounts.events.on('audit', (event) => audited.push(event))
  const person = (username: string) =>
    accounts.createUser({
      username,
      email: `${username}@example.org`,
      password: goodPassword,
      isVerified: true,
    })
  return { ...accounts, ...service, person, events, audited }
}

describe('app.accounts.organizations', () => {
  it('creates, finds, changes, lists and deletes organizations, by id and slug', async () => {
    const { organizations: own, person } = await world()
    const ada = await person('ada')
    const made = await own.create({ name: 'Acme', slug: 'acme', fields: { plan: 'free' }, ownerId: ada.id })
    expect(made).toEqual({
      ...{
        id: expect.stringMatching(/^org_[\w-]{22}$/),
        slug: 'acme',
        name: 'Acme',
        fields: { plan: 'free' },
      },
      ...{ createdAt: expect.any(Date), members: 1 },
    })
    expect(await own.find(made.id)).toEqual(made)
    expect(await own.find('acme')).toEqual(made)
    expect(await own.update('acme', { slug: 'acme-2', fields: { plan: 'pro' } })).toEqual({
      ...made,
      ...{ slug: 'acme-2', fields: { plan: 'pro' } },
    })
    expect((await own.list()).organizations.map(({ slug }) => slug)).toEqual(['acme-2'])
    expect(await own.listOfUser(ada.id)).toEqual({
      memberships: [
        {
          organization: { ...made, slug: 'acme-2', fields: { plan: 'pro' } },
          ...{ roles: ['owner'], since: made.createdAt },
        },
      ],
      next: null,
    })
    expect([await own.delete(made.id), await own.delete(made.id)]).toEqual([true, false])
    expect((await own.list()).organizations).toEqual([])
  })

  it('adds, changes, lists and removes members, people and programs, and keeps an owner', async () => {
    const { organizations: own, person, createService } = await world()
    const [ada, rex, ci] = [await person('ada'), await person('rex'), await createService({ username: 'ci' })]
    const { id } = await own.create({ name: 'Acme', slug: 'acme', ownerId: ada.id })
    const added = await own.addMember('acme', rex.id, ['reader'])
    expect(added).toEqual({
      ...{ userId: rex.id, kind: 'person', username: 'rex', email: 'rex@example.org' },
      ...{ roles: ['reader'], since: expect.any(Date) },
    })
    await own.addMember(id, ci.id, ['editor'])
    expect(await own.changeMemberRoles('acme', rex.id, ['editor'])).toEqual({ ...added, roles: ['editor'] })
    expect(await own.listMembers('acme')).toMatchObject({
      members: [
        { username: 'ada', roles: ['owner'] },
        { username: 'rex', roles: ['editor'] },
        { username: 'ci', kind: 'service', email: null },
      ],
      next: null,
    })
    await expect(own.removeMember('acme', ada.id)).rejects.toMatchObject({ reason: 'last_owner' })
    expect([await own.removeMember('acme', rex.id), await own.removeMember('acme', rex.id)]).toEqual([
      true,
      false,
    ])
    expect((await own.find('acme'))?.members).toBe(2)
  })

  it('says nothing of what isn’t there with null and false, and what is wrong with errors', async () => {
    const { organizations: own, person, users } = await world()
    const ada = await person('ada')
    for (const name of ['none', 'org_none', '', 'a\0', 'x'.repeat(1000)]) {
      expect([name, await own.find(name), await own.delete(name), await own.listMembers(name)]).toEqual([
        ...[name, null, false, null],
      ])
      expect(await own.update(name, { name: 'New' })).toBeNull()
      expect(await own.changeMemberRoles(name, ada.id, ['reader'])).toBeNull()
      expect(await own.removeMember(name, ada.id)).toBe(false)
      await expect(own.addMember(name, ada.id, ['reader'])).rejects.toMatchObject({
        code: 'ACCOUNTS_NOT_FOUND',
      })
    }
    const input = { name: 'Acme', slug: 'acme', ownerId: ada.id }
    await own.create(input)
    expect(await own.listOfUser('nobody')).toBeNull()
    expect(await own.changeMemberRoles('acme', 'nobody', ['reader'])).toBeNull()
    const refusals = [
      [own.create({ ...input, ownerId: 'nobody' }), 'ACCOUNTS_NOT_FOUND'],
      [own.create({ ...input, ownerId: 7 as never }), 'ACCOUNTS_NOT_FOUND'],
      [own.create({ ...input, slug: 'A!' }), 'ACCOUNTS_INVALID_INPUT'],
      [own.create({ ...input, slug: 'other', fields: { plan: 7 } }), 'ACCOUNTS_INVALID_INPUT'],
      [own.create(input), 'ACCOUNTS_CONFLICT'],
      [own.addMember('acme', ada.id, ['reader']), 'ACCOUNTS_CONFLICT'],
      [own.addMember('acme', 'nobody', ['reader']), 'ACCOUNTS_INVALID_INPUT'],
      [own.changeMemberRoles('acme', ada.id, ['admin']), 'ACCOUNTS_INVALID_INPUT'],
      [own.list({ cursor: 'x' }), 'ACCOUNTS_INVALID_INPUT'],
    ] as const
    for (const [refused, code] of refusals) await expect(refused).rejects.toMatchObject({ code })
    const unproven = await users.findById((await person('eve')).id)
    await users.update(
      unproven?.id ?? '',
      { isVerified: false, origin: 'self' } as object,
      unproven?.version ?? 0,
    )
    await expect(own.addMember('acme', unproven?.id ?? '', ['reader'])).rejects.toMatchObject({
      code: 'ACCOUNTS_NOT_VERIFIED',
    })
    const wrong = await own.find(7 as never).catch((error: AccountsError) => error)
    expect(wrong).toMatchObject({ code: 'ACCOUNTS_INVALID_INPUT', fields: [{ field: 'organization' }] })
    expect(String((wrong as AccountsError).cause)).toContain('organizations.find expects organization')
  })

  it('invites, lists and withdraws, and the address gets an email', async () => {
    const { organizations: own, person, mail, settle, audited } = await world()
    const ada = await person('ada')
    await own.create({ name: 'Acme', slug: 'acme', ownerId: ada.id })
    await own.create({ name: 'Other', slug: 'other', ownerId: ada.id })
    await settle()
    audited.length = 0
    const call = { actor: 'desk-7', reason: 'ticket 4711' }
    const input = { email: 'Gus@example.org', roles: ['reader'] }
    const invited = await own.invite('acme', input, call)
    expect(invited).toEqual({
      ...input,
      ...{
        id: expect.any(String),
        inviterId: null,
        invitedAt: expect.any(Date),
        expiresAt: expect.any(Date),
      },
    })
    expect((await mail('organization-invitation')).text).not.toMatch(/desk-7|4711/)
    expect(await own.listInvitations('acme', {}, call)).toEqual({ invitations: [invited], next: null })
    expect(await own.listInvitations('other')).toEqual({ invitations: [], next: null })
    expect(await own.listInvitations('none')).toBeNull()
    expect(await own.withdrawInvitation('other', invited.id)).toBe(false)
    expect(await own.withdrawInvitation('acme', invited.id, call)).toBe(true)
    expect(await own.withdrawInvitation('acme', invited.id)).toBe(false)
    await expect(own.invite('none', input)).rejects.toMatchObject({ code: 'ACCOUNTS_NOT_FOUND' })
    for (const wrong of [
      { ...input, email: 'x' },
      { ...input, roles: ['admin'] },
      { ...input, roles: [] },
    ])
      await expect(own.invite('acme', wrong)).rejects.toMatchObject({ code: 'ACCOUNTS_INVALID_INPUT' })
    await settle()
    const told = audited.filter(({ host }) => host?.actor === 'desk-7')
    expect(told.map(({ action, outcome, userId }) => [action, outcome, userId])).toEqual([
      ['invite-member', 'success', null],
      ['list-member-invitations', 'success', null],
      ['withdraw-member-invitation', 'success', null],
    ])
  })

  it('lists page by page', async () => {
    const { organizations: own, person, createService } = await world()
    const ada = await person('ada')
    await own.create({ name: 'Acme', slug: 'acme', ownerId: ada.id })
    for (let at = 0; at < 100; at += 1)
      await own.addMember('acme', (await createService({ username: `s${at}` })).id, ['reader'])
    const first = await own.listMembers('acme')
    expect(first?.members).toHaveLength(100)
    const cursor = first?.next ?? undefined
    const second = await own.listMembers('acme', { cursor })
    expect([second?.members.map(({ username }) => username), second?.next]).toEqual([['s99'], null])
    await expect(own.list({ cursor })).rejects.toMatchObject({ code: 'ACCOUNTS_INVALID_INPUT' })
  })

  it('tells the audit trail and the events who calls, and why', async () => {
    const { organizations: own, person, events, audited, settle } = await world()
    const [ada, rex] = [await person('ada'), await person('rex')]
    await settle()
    audited.length = 0
    const call = { actor: 'desk-7', reason: 'ticket 4711' }
    const { id } = await own.create({ name: 'Acme', slug: 'acme', ownerId: ada.id }, call)
    await own.find('acme', call)
    await own.list({}, call)
    await own.update('acme', { name: 'Acme 2' }, call)
    await own.addMember('acme', rex.id, ['reader'], call)
    await own.changeMemberRoles('acme', rex.id, ['editor'], call)
    await own.listMembers('acme', {}, call)
    await own.listOfUser(rex.id, {}, call)
    await own.removeMember('acme', rex.id, call)
    await own.removeMember('acme', rex.id, call)
    await own.find('none', call)
    await own.delete('acme', call)
    await settle()
    expect(audited.map(({ action, outcome, userId }) => [action, outcome, userId])).toEqual([
      ['create-organization', 'success', ada.id],
      ['show-organization', 'success', null],
      ['list-organizations', 'success', null],
      ['update-organization', 'success', null],
      ['add-member', 'success', rex.id],
      ['change-member-roles', 'success', rex.id],
      ['list-members', 'success', null],
      ['list-own-organizations', 'success', rex.id],
      ['remove-member', 'success', rex.id],
      ['remove-member', 'refused', null],
      ['show-organization', 'refused', null],
      ['delete-organization', 'success', null],
    ])
    for (const event of audited) expect(event).toMatchObject({ actorId: null, method: null, host: call })
    await expect.poll(() => events.length).toBe(7)
    const told = events.map(({ type, user, data }) => [type, user?.id ?? null, data])
    expect(told.sort(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
      ['member.added', ada.id, { organization_id: id, roles: ['owner'] }],
      ['member.added', rex.id, { organization_id: id, roles: ['reader'] }],
      ['member.removed', rex.id, { organization_id: id }],
      ['member.roles_changed', rex.id, { organization_id: id, added: ['editor'], removed: ['reader'] }],
      ['organization.created', ada.id, { organization_id: id }],
      ['organization.deleted', null, { organization_id: id }],
      ['organization.updated', null, { organization_id: id, fields: ['name'] }],
    ])
    for (const { actor } of events)
      expect(actor).toEqual({ kind: 'host', id: call.actor, reason: call.reason })
  })
})

it('what a call does takes effect with the next request', async () => {
  const service = await world()
  const { organizations: own, person, send } = service
  const [ada, rex] = [await person('ada'), await person('rex')]
  await own.create({ name: 'Acme', slug: 'acme', ownerId: ada.id })
  const cookie = await logIn(service, 'rex')
  const status = async () => (await send('GET', '/organizations/acme', undefined, as(cookie))).statusCode
  expect(await status()).toBe(404)
  await own.addMember('acme', rex.id, ['reader'])
  expect(await status()).toBe(200)
  await own.removeMember('acme', rex.id)
  expect(await status()).toBe(404)
})
