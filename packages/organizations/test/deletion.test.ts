import { createMemoryOrganizationStore, type OrganizationStore } from '@fastify-accounts/organizations'
import { createMemoryUserStore } from 'fastify-accounts'
import { describe, expect, it } from 'vitest'
import { organizationsApp } from './organizations-app.js'

describe('deleting an account', () => {
  it('deletes the organizations that it is alone in, and its membership elsewhere', async () => {
    const { users, ask, person, found, store, membershipOf } = await organizationsApp()
    const [alice, bob] = [await person('alice'), await person('bob')]
    const alone = await found('alone', alice)
    const shared = await found('shared', bob, { member: [alice] })
    expect(await ask(alice, 'DELETE /me/')).toMatchObject({ status: 204 })
    expect(await users.findById(alice.id)).toBeNull()
    expect(await store.find({ id: alone })).toBeNull()
    expect(await membershipOf(shared, alice.id)).toBeNull()
    expect(await store.find({ id: shared })).toMatchObject({ members: 1, owners: 1 })
  })

  it('is refused while it is the last owner of an organization with others, also for staff and code', async () => {
    const { app, ask, person, found, users, membershipOf } = await organizationsApp()
    const [alice, bob] = [await person('alice'), await person('bob')]
    const staff = await person('carol')
    const { version } = (await users.findById(staff.id)) as { version: number }
    await users.update(staff.id, { isStaff: true }, version)
    const id = await found('acme', alice, { member: [bob] })
    const conflict = { status: 409, code: 'ACCOUNTS_CONFLICT', reason: 'last_owner' }
    expect(await ask(alice, 'DELETE /me/')).toMatchObject(conflict)
    expect(await ask(staff, `DELETE /user/${alice.id}`)).toMatchObject(conflict)
    await expect(app.accounts.deleteUser(alice.id)).rejects.toMatchObject({ reason: 'last_owner' })
    expect(await users.findById(alice.id)).not.toBeNull()
    expect(await membershipOf(id, alice.id)).toMatchObject({ roles: ['owner'] })
    // Another owner lets them go.
    expect(
      await ask(alice, `PATCH /organizations/acme/members/${bob.id}`, { roles: ['owner'] }),
    ).toMatchObject({ status: 200 })
    expect(await ask(alice, 'DELETE /me/')).toMatchObject({ status: 204 })
    expect(await membershipOf(id, alice.id)).toBeNull()
  })

  it('takes no rights of a member of staff whose deletion is refused', async () => {
    const { ask, person, found, users } = await organizationsApp()
    const [alice, bob, carol] = [await person('alice'), await person('bob'), await person('carol')]
    for (const { id } of [alice, carol]) {
      const { version } = (await users.findById(id)) as { version: number }
      await users.update(id, { isStaff: true }, version)
    }
    await found('acme', alice, { member: [bob] })
    expect(await ask(carol, `DELETE /user/${alice.id}`)).toMatchObject({ status: 409, reason: 'last_owner' })
    expect(await users.findById(alice.id)).toMatchObject({ isStaff: true })
  })

  it('leaves everything as it was if one of several organizations refuses it', async () => {
    const { ask, person, found, store, membershipOf } = await organizationsApp()
    const [alice, bob] = [await person('alice'), await person('bob')]
    const alone = await found('alone', alice)
    const shared = await found('shared', bob, { member: [alice] })
    await found('led', alice, { member: [bob] })
    expect(await ask(alice, 'DELETE /me/')).toMatchObject({ reason: 'last_owner' })
    expect(await store.find({ id: alone })).not.toBeNull()
    expect(await membershipOf(shared, alice.id)).not.toBeNull()
  })

  it('is refused with an organization of one, if organizations are to stay', async () => {
    const { ask, person, found, users } = await organizationsApp({ deleteWithLastMember: false })
    const alice = await person('alice')
    await found('alone', alice)
    expect(await ask(alice, 'DELETE /me/')).toMatchObject({ status: 409, reason: 'last_owner' })
    expect(await users.findById(alice.id)).not.toBeNull()
  })

  it('ends the memberships of a service account', async () => {
    const { ask, person, found, membershipOf } = await organizationsApp()
    const [alice, keeper] = [await person('alice'), await person('keeper', { roles: ['manager', 'keeper'] })]
    const id = await found('acme', alice)
    const service = (await ask(keeper, 'POST /service/', { username: 'reports' })).body.id
    const added = await ask(keeper, 'POST /organizations/acme/members/', {
      user_id: service,
      roles: ['member'],
    })
    expect(added).toMatchObject({ status: 201, body: { kind: 'service', username: 'reports' } })
    expect(await ask(keeper, `DELETE /service/${service}`)).toMatchObject({ status: 204 })
    expect(await membershipOf(id, service)).toBeNull()
  })

  it('does not disturb staff who disable a last owner', async () => {
    const { app, person, found, membershipOf } = await organizationsApp()
    const [alice, bob] = [await person('alice'), await person('bob')]
    const id = await found('acme', alice, { member: [bob] })
    await app.accounts.updateUser(alice.id, { isActive: false })
    expect(await membershipOf(id, alice.id)).toMatchObject({ roles: ['owner'] })
  })

  it('is attempted again if an organization changes meanwhile', async () => {
    const { ask, person, found, store, membershipOf, users } = await organizationsApp()
    const [alice, bob] = [await person('alice'), await person('bob')]
    const id = await found('acme', bob, { member: [alice] })
    const { write } = store
    let collisions = 0
    store.write = async (writes, ...rest) => {
      if (collisions === 3) return write(writes, ...rest)
      collisions += 1
      return 'changed'
    }
    expect(await ask(alice, 'DELETE /me/')).toMatchObject({ status: 204 })
    expect(collisions).toBe(3)
    expect(await membershipOf(id, alice.id)).toBeNull()
    expect(await users.findById(alice.id)).toBeNull()
  })

  it('gives up with 409 while others keep changing it, and keeps the account', async () => {
    const { ask, person, found, store, users } = await organizationsApp()
    const [alice, bob] = [await person('alice'), await person('bob')]
    await found('acme', bob, { member: [alice] })
    store.write = async () => 'changed'
    expect(await ask(alice, 'DELETE /me/')).toMatchObject({ status: 409, reason: 'changed_meanwhile' })
    expect(await users.findById(alice.id)).not.toBeNull()
  })

  it('removes a membership that is added while the account goes', async () => {
    const { ask, person, found, store, users, membershipOf } = await organizationsApp()
    const [alice, bob, manager] = [
      await person('alice'),
      await person('bob'),
      await person('manager', { roles: ['manager'] }),
    ]
    const id = await found('acme', bob)
    const remove = users.delete.bind(users)
    users.delete = async (...deletion) => {
      const added = { user_id: alice.id, roles: ['member'] }
      expect(await ask(manager, 'POST /organizations/acme/members/', added)).toMatchObject({ status: 201 })
      return remove(...deletion)
    }
    expect(await ask(alice, 'DELETE /me/')).toMatchObject({ status: 204 })
    expect(await membershipOf(id, alice.id)).toBeNull()
    expect(await store.find({ id })).toMatchObject({ members: 1 })
  })

  it('removes one by an invitation that its owner accepts while the account goes, and leaves no other', async () => {
    const { ask, person, found, store, users, invitations, membershipOf } = await organizationsApp()
    const [alice, bob] = [await person('alice'), await person('bob')]
    const id = await found('acme', bob)
    const { email, emailKey } = (await users.findById(alice.id)) as { email: string; emailKey: string }
    const body = { email, roles: ['member'] }
    expect(await ask(bob, 'POST /organizations/acme/invitations/', body)).toMatchObject({ status: 202 })
    const remove = users.delete.bind(users)
    users.delete = async (...deletion) => {
      const [invitation] = (await ask(alice, 'GET /me/invitations/')).body.results
      const accepted = await ask(alice, `POST /me/invitations/${invitation.id}/accept/`)
      expect(accepted).toMatchObject({ status: 200 })
      return remove(...deletion)
    }
    expect(await ask(alice, 'DELETE /me/')).toMatchObject({ status: 204 })
    expect(await membershipOf(id, alice.id)).toBeNull()
    expect(await store.find({ id })).toMatchObject({ members: 1 })
    expect(await invitations.listByEmail(emailKey)).toEqual([])
  })

  it('is a 503 that deletes nobody while the store is unavailable', async () => {
    const { ask, person, store, users } = await organizationsApp()
    const alice = await person('alice')
    store.listOfUser = async () => {
      throw new Error('down')
    }
    expect(await ask(alice, 'DELETE /me/')).toMatchObject({ status: 503 })
    expect(await users.findById(alice.id)).not.toBeNull()
  })
})

describe('a store in the database of the users', () => {
  it('deletes the user and the memberships at once, and plans it again if something has changed', async () => {
    const users = createMemoryUserStore()
    const memory = createMemoryOrganizationStore()
    const outcomes: string[] = []
    const store: OrganizationStore = {
      ...memory,
      withUsers: {
        users,
        async delete(writes, ...deletion) {
          const outcome = outcomes.length === 0 ? 'changed' : await memory.write(writes)
          outcomes.push(`${writes.length} ${outcome}`)
          if (outcome !== 'written') return 'changed'
          return (await users.delete(...deletion)) ? 'written' : 'none'
        },
      },
    }
    const { ask, person, found, membershipOf } = await organizationsApp({ store }, {}, users)
    const [alice, bob] = [await person('alice'), await person('bob')]
    const id = await found('acme', bob, { member: [alice] })
    const alone = await found('alone', alice)
    expect(await ask(alice, 'DELETE /me/')).toMatchObject({ status: 204 })
    expect(outcomes).toEqual(['2 changed', '2 written'])
    expect(await users.findById(alice.id)).toBeNull()
    expect(await membershipOf(id, alice.id)).toBeNull()
    expect(await store.find({ id: alone })).toBeNull()
  })
})
