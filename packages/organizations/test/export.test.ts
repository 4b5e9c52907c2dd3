import { describe, expect, it } from 'vitest'
import { organizationsApp } from './organizations-app.js'

describe('the export of an account', () => {
  it('has its memberships and its invitations, and nothing of others', async () => {
    const { ask, person, found, invitations } = await organizationsApp()
    const [alice, bob] = [await person('alice'), await person('bob')]
    const acme = await found('acme', alice, { member: [bob] })
    const other = await found('other', bob)
    const now = Date.now()
    const invite = (id: string, organization: string, inviterId: string, email: string) =>
      invitations.create({
        ...{ id, target: `accounts:organization:${organization}`, inviterId, email, emailKey: email },
        ...{ gives: { roles: ['member'] }, createdAt: new Date(now), expiresAt: new Date(now + 60_000) },
        ...{ sends: 1, acceptingUntil: null },
      })
    await invite('sent', acme, alice.id, 'carol@example.org')
    await invite('received', other, bob.id, 'alice@example.org')
    const { status, body } = await ask(alice, 'GET /me/export/')
    expect(status).toBe(200)
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    const dates = { invited_at: time, expires_at: time }
    expect(body.features.organizations).toEqual({
      memberships: [
        { organization: { id: acme, slug: 'acme', name: 'ACME' }, roles: ['owner'], since: time },
      ],
      sent_invitations: [{ id: 'sent', organization_id: acme, ...dates }],
      received_invitations: [{ organization: { id: other, name: 'OTHER' }, roles: ['member'], ...dates }],
    })
    expect(JSON.stringify(body)).not.toMatch(/carol|bob/)
  })

  it('has nothing of the owner of an address that the account has not proven', async () => {
    const { ask, person, found, invitations } = await organizationsApp()
    const stranger = await person('stranger', { isProven: false })
    const id = await found('acme', await person('alice'))
    const now = Date.now()
    await invitations.create({
      ...{ id: 'theirs', target: `accounts:organization:${id}`, inviterId: null },
      ...{ email: 'stranger@example.org', emailKey: 'stranger@example.org', gives: { roles: ['member'] } },
      ...{ createdAt: new Date(now), expiresAt: new Date(now + 60_000), sends: 1, acceptingUntil: null },
    })
    const { body } = await ask(stranger, 'GET /me/export/')
    expect(body.features.organizations).toBeUndefined()
  })

  it('has every membership, also of more than a page', async () => {
    const { ask, person, store } = await organizationsApp()
    const alice = await person('alice')
    for (let each = 0; each < 150; each += 1) {
      const id = `org_${String(each).padStart(22, '0')}`
      const createdAt = new Date(1_700_000_000_000 + each)
      await store.create({ id, slug: `o-${each}`, name: 'O', fields: {}, createdAt, members: 1, owners: 1 }, [
        { organizationId: id, userId: alice.id, roles: ['owner'], since: createdAt, invitationId: null },
      ])
    }
    const { body } = await ask(alice, 'GET /me/export/')
    expect(body.features.organizations.memberships).toHaveLength(150)
  })
})
