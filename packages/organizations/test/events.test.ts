import type { AccountEvent } from 'fastify-accounts'
import { describe, expect, it, vi } from 'vitest'
import { organizationsApp } from './organizations-app.js'

/** An app whose events of organizations are noted, with what they say about whom, and who did it. */
async function listening() {
  const events: AccountEvent[] = []
  const note = async (event: AccountEvent) => void events.push(event)
  const types = ['created', 'updated', 'deleted'].map((what) => `organization.${what}`)
  const ofMembers = ['added', 'roles_changed', 'removed'].map((what) => `member.${what}`)
  const crm = Object.fromEntries([...types, ...ofMembers].map((type) => [type, note]))
  const world = await organizationsApp({}, { on: { crm } })
  const heard = async (count: number) => {
    await vi.waitFor(() => expect(events.length).toBeGreaterThanOrEqual(count), 60_000)
    return events
      .splice(0)
      .map(({ type, user, actor, data }) => [
        type,
        user?.id ?? null,
        (actor as { id: string | null }).id,
        data,
      ])
  }
  return { ...world, heard }
}

describe('the events of organizations', () => {
  it('tell of each operation, about whom and by whom', async () => {
    const { ask, app, person, found, heard } = await listening()
    const [alice, bob] = [await person('alice'), await person('bob')]
    const manager = await person('manager', { roles: ['manager'] })
    const id = await found('acme', alice)
    const of = { organization_id: id }
    expect(await heard(2)).toEqual([
      ['organization.created', alice.id, alice.id, of],
      ['member.added', alice.id, alice.id, { ...of, roles: ['owner'] }],
    ])
    await ask(alice, 'PATCH /organizations/acme', { name: 'New', slug: 'acme-2' })
    expect(await heard(1)).toEqual([
      ['organization.updated', alice.id, alice.id, { ...of, fields: ['name', 'slug'] }],
    ])
    const member = `organizations/acme-2/members/${bob.id}`
    await ask(manager, 'POST /organizations/acme-2/members/', { user_id: bob.id, roles: ['member'] })
    expect(await heard(1)).toEqual([['member.added', bob.id, manager.id, { ...of, roles: ['member'] }]])
    await ask(alice, `PATCH /${member}`, { roles: ['admin'] })
    expect(await heard(1)).toEqual([
      ['member.roles_changed', bob.id, alice.id, { ...of, added: ['admin'], removed: ['member'] }],
    ])
    await ask(alice, `DELETE /${member}`)
    expect(await heard(1)).toEqual([['member.removed', bob.id, alice.id, of]])
    await ask(manager, 'POST /organizations/acme-2/members/', { user_id: bob.id, roles: ['member'] })
    await ask(bob, 'POST /organizations/acme-2/leave/')
    expect((await heard(2))[1]).toEqual(['member.removed', bob.id, bob.id, of])
    await ask(alice, 'DELETE /organizations/acme-2')
    expect(await heard(1)).toEqual([['organization.deleted', alice.id, alice.id, of]])
    // What changes nothing tells nothing.
    const second = await found('second', alice, { member: [bob] })
    await ask(alice, 'PATCH /organizations/second', { name: 'SECOND' })
    await ask(alice, `PATCH /organizations/second/members/${bob.id}`, { roles: ['member'] })
    await app.accounts.deleteUser(bob.id, { actor: 'ops', reason: 'ticket 7' })
    expect((await heard(3)).map(([type, user, actor]) => [type, user, actor])).toEqual([
      ['organization.created', alice.id, alice.id],
      ['member.added', alice.id, alice.id],
      ['member.removed', bob.id, 'ops'],
    ])
    await ask(alice, 'DELETE /me/')
    expect(await heard(1)).toEqual([
      ['organization.deleted', alice.id, alice.id, { organization_id: second }],
    ])
  })

  it('are not told of what is refused', async () => {
    const { ask, person, found, heard } = await listening()
    const [alice, bob] = [await person('alice'), await person('bob')]
    await found('acme', alice, { member: [bob] })
    await heard(2)
    await ask(bob, 'DELETE /organizations/acme')
    await ask(alice, 'POST /organizations/acme/leave/')
    await ask(alice, 'DELETE /me/')
    await ask(bob, 'PATCH /organizations/acme', { name: 'Mine' })
    await found('after', bob)
    expect((await heard(2)).map(([type]) => type)).toEqual(['organization.created', 'member.added'])
  })
})
