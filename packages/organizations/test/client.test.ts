import { createAccountsClient, unwrap } from '@fastify-accounts/client'
import { createOrganizationsClient } from '@fastify-accounts/client/organizations'
import { organizations } from '@fastify-accounts/organizations'
import { fetchWithCookies, password, startService } from '@fastify-accounts/test-support/client'
import { invitations } from 'fastify-accounts'
import { describe, expect, it } from 'vitest'

/** A service with these people, whose addresses are verified, and a client of each, logged in. */
async function serviceOf<Name extends string>(...names: Name[]) {
  const { app, url } = await startService({
    features: [invitations(), organizations()],
    roles: { support: ['orgs:read', 'orgs:manage'] },
  })
  const entries = names.map(async (username) => {
    const email = `${username}@example.org`
    const roles = username === 'sam' ? ['support'] : []
    const { id } = await app.accounts.createUser({ username, email, password, isVerified: true, roles })
    const options = { baseUrl: url, fetch: fetchWithCookies() }
    await createAccountsClient(options).logIn({ username, password }).then(unwrap)
    return [username, { id, client: createOrganizationsClient(options) }] as const
  })
  type Person = { id: string; client: ReturnType<typeof createOrganizationsClient> }
  return { app, url, ...(Object.fromEntries(await Promise.all(entries)) as Record<Name, Person>) }
}

const idOfFirst = ({ results: [first] }: { results: { id: string }[] }): string => first?.id ?? 'none'

describe('a client of organizations', () => {
  it('creates, shows, changes and deletes one, and lists those of a user', async () => {
    const { url, ada } = await serviceOf('ada')
    const stranger = createOrganizationsClient({ baseUrl: url, fetch: fetchWithCookies() })
    expect(await stranger.listOwnOrganizations()).toMatchObject({
      error: { code: 'ACCOUNTS_LOGIN_REQUIRED' },
    })

    const acme = unwrap(await ada.client.createOrganization({ name: 'Acme', slug: 'acme' }))
    expect(acme).toMatchObject({ members: 1, roles: ['owner'], permissions: ['org:*'], fields: {} })
    expect(await ada.client.createOrganization({ name: 'Acme', slug: 'acme' })).toMatchObject({
      error: { code: 'ACCOUNTS_CONFLICT', reason: 'slug_taken' },
    })
    expect(unwrap(await ada.client.updateOrganization('acme', { name: 'Acme Ltd' }))).toMatchObject({
      name: 'Acme Ltd',
    })
    expect(unwrap(await ada.client.showOrganization(acme.id))).toMatchObject({ name: 'Acme Ltd' })
    expect(unwrap(await ada.client.listOwnOrganizations())).toMatchObject({
      results: [{ id: acme.id, slug: 'acme', name: 'Acme Ltd', roles: ['owner'], permissions: ['org:*'] }],
      next: null,
    })
    expect(await ada.client.leaveOrganization('acme')).toMatchObject({
      error: { code: 'ACCOUNTS_CONFLICT', reason: 'last_owner' },
    })
    expect(await ada.client.deleteOrganization('acme')).toMatchObject({ ok: true, status: 204 })
    expect(await ada.client.showOrganization('acme')).toMatchObject({ error: { code: 'ACCOUNTS_NOT_FOUND' } })
  })

  it('invites people, who accept or decline, and changes, removes and lists members', async () => {
    const { ada, grace, lin } = await serviceOf('ada', 'grace', 'lin')
    await ada.client.createOrganization({ name: 'Acme', slug: 'acme' }).then(unwrap)
    for (const name of ['grace', 'lin', 'eve'])
      await ada.client.inviteMember('acme', { email: `${name}@example.org`, roles: ['member'] }).then(unwrap)
    const sent = unwrap(await ada.client.listMemberInvitations('acme')).results
    expect(sent).toHaveLength(3)
    const ofEve = sent.find(({ email }) => email === 'eve@example.org')?.id ?? 'none'
    expect(await ada.client.resendMemberInvitation('acme', ofEve)).toMatchObject({ status: 204 })
    expect(await ada.client.withdrawMemberInvitation('acme', ofEve)).toMatchObject({ status: 204 })

    const waiting = unwrap(await grace.client.listOwnInvitations())
    expect(waiting).toMatchObject({
      results: [{ organization: { name: 'Acme' }, roles: ['member'], invited_by: 'ada' }],
      next: null,
    })
    expect(unwrap(await grace.client.acceptOwnInvitation(idOfFirst(waiting)))).toMatchObject({
      slug: 'acme',
      roles: ['member'],
    })
    const ofLin = idOfFirst(unwrap(await lin.client.listOwnInvitations()))
    expect(await lin.client.declineInvitation(ofLin)).toMatchObject({ ok: true, status: 204 })
    expect(unwrap(await ada.client.listMemberInvitations('acme')).results).toEqual([])

    expect(unwrap(await grace.client.listMembers('acme')).results).toMatchObject([
      { user_id: ada.id, kind: 'person', username: 'ada', email: 'ada@example.org', roles: ['owner'] },
      { user_id: grace.id, kind: 'person', username: 'grace', roles: ['member'] },
    ])
    expect(
      await grace.client.inviteMember('acme', { email: 'x@example.org', roles: ['member'] }),
    ).toMatchObject({
      error: { code: 'ACCOUNTS_FORBIDDEN', reason: 'missing_permission' },
    })
    expect(unwrap(await ada.client.changeMemberRoles('acme', grace.id, { roles: ['admin'] }))).toMatchObject({
      user_id: grace.id,
      roles: ['admin'],
    })
    expect(await ada.client.removeMember('acme', grace.id)).toMatchObject({ ok: true, status: 204 })
    expect(await grace.client.showOrganization('acme')).toMatchObject({
      error: { code: 'ACCOUNTS_NOT_FOUND' },
    })
  })

  it('lists all organizations and adds members, for those whose role in the app says so', async () => {
    const { ada, grace, sam } = await serviceOf('ada', 'grace', 'sam')
    await ada.client.createOrganization({ name: 'Acme', slug: 'acme' }).then(unwrap)
    expect(await ada.client.listOrganizations()).toMatchObject({ error: { code: 'ACCOUNTS_FORBIDDEN' } })
    expect(unwrap(await sam.client.listOrganizations())).toMatchObject({
      results: [{ slug: 'acme', members: 1 }],
      next: null,
    })
    expect(
      unwrap(await sam.client.addMember('acme', { user_id: grace.id, roles: ['member'] })),
    ).toMatchObject({ user_id: grace.id, roles: ['member'] })
    expect(await grace.client.leaveOrganization('acme')).toMatchObject({ ok: true, status: 204 })
  })
})
