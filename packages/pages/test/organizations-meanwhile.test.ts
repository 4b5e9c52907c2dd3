import { createMemoryOrganizationStore } from '@fastify-accounts/organizations/store'
import { describe, expect, it } from 'vitest'
import { leadsOn } from './forms.js'
import { found, invite, organizationsWorld } from './organizations-app.js'

/** Acme, whose owner is ada, with bob as an admin and grace as a member. */
async function acmeOfThree() {
  const world = await organizationsWorld()
  const { organizations } = world.app.accounts
  const ada = await world.visitor('ada')
  const acme = await found(ada, 'Acme', 'acme')
  const bob = await world.visitor('bob')
  const grace = await world.visitor('grace')
  const idOf = async (name: string) => (await world.users.findByUsername(name))?.id ?? ''
  const [bobId, graceId] = [await idOf('bob'), await idOf('grace')]
  await organizations.addMember('acme', bobId, ['admin'])
  await organizations.addMember('acme', graceId, ['member'])
  return { ...world, ada, bob, grace, acme, organizations, bobId, graceId }
}

/** The forms of an organization: the page, the button, and what is typed. */
const forms = (graceId: string): [below: string, button: string, typed?: Record<string, string>][] => [
  ['settings/', 'Save', { name: 'Acme Ltd' }],
  ['settings/delete/', 'Delete organization', { name: 'Acme' }],
  ['invitations/new/', 'Send invitation', { email: 'eve@example.org' }],
  ['invitations/', 'Send again'],
  ['invitations/', 'Withdraw'],
  [`members/${graceId}/`, 'Save', { 'role.admin': 'on' }],
  [`members/${graceId}/remove/`, 'Remove'],
  ['leave/', 'Leave organization'],
]

describe('between a form and its submission', () => {
  it('the organization was deleted: every form says so and leads on', async () => {
    const { ada, grace, acme, organizations, graceId, bobId } = await acmeOfThree()
    for (const [below, button, typed] of forms(graceId)) {
      const slug = `acme-${below.replaceAll(/\W/g, '').toLowerCase()}-${button.length}`.slice(0, 60)
      const own = await found(ada, 'Acme', slug)
      await organizations.addMember(slug, graceId, ['member'])
      await organizations.addMember(slug, bobId, ['owner'])
      await invite(ada, own, 'dan@example.org')
      await ada.open(own + below)
      await organizations.delete(slug)
      const page = await ada.submit(button, typed)
      expect(page, below).toMatchObject({ status: 404, heading: 'No such organization' })
      expect(page.text, below).toContain('It was deleted, or you aren’t a member.')
      expect((await ada.follow('Your organizations')).text).toContain('Acme')
    }
    // A member whose organization is gone reads the same.
    await grace.open(acme)
    await organizations.delete('acme')
    expect(await grace.reload()).toMatchObject({ status: 404, heading: 'No such organization' })
  })

  it('the visitor lost the role: every form says who may, and nothing changes', async () => {
    const { ada, bob, acme, organizations, graceId, bobId } = await acmeOfThree()
    await invite(ada, acme, 'dan@example.org')
    for (const [below, button, typed] of forms(graceId)) {
      if (['settings/delete/', 'leave/'].includes(below)) continue
      await organizations.changeMemberRoles('acme', bobId, ['admin'])
      await bob.open(acme + below)
      await organizations.changeMemberRoles('acme', bobId, ['member'])
      // Without the role, its invitations are gone as well; those of others are there.
      const page = await bob.submit(button, typed)
      expect(page, below).toMatchObject({ status: 403, heading: 'You don’t have permission to do this' })
      expect(page.text, below).toContain('It takes one of these roles: Owner and Admin.')
      expect(leadsOn(page)).toBe(true)
    }
    expect(await organizations.find('acme')).toMatchObject({ name: 'Acme', members: 3 })
    const open = await organizations.listInvitations('acme')
    expect(open?.invitations.map(({ email }) => email)).toEqual(['dan@example.org'])
  })

  it('the member left: the page says so and leads to the others', async () => {
    const { bob, acme, organizations, graceId } = await acmeOfThree()
    for (const [below, button] of [
      ['', 'Save'],
      ['remove/', 'Remove'],
    ] as const) {
      await bob.open(`${acme}members/${graceId}/${below}`)
      await organizations.removeMember('acme', graceId)
      const page = await bob.submit(button)
      expect(page).toMatchObject({ status: 404, heading: 'This person isn’t a member' })
      expect((await bob.follow('See all members')).text).not.toContain('grace')
      await organizations.addMember('acme', graceId, ['member'])
    }
  })

  it('the invitation was withdrawn: it is neither sent again nor withdrawn twice', async () => {
    const { ada, bob, acme, mails, settle } = await acmeOfThree()
    for (const button of ['Withdraw', 'Send again']) {
      await invite(ada, acme, 'dan@example.org')
      await bob.open(`${acme}invitations/`)
      await ada.submit('Withdraw')
      await settle()
      mails.length = 0
      const page = await bob.submit(button)
      expect(page, button).toMatchObject({ status: 404, heading: 'Invitations' })
      expect(page.text).toContain('This invitation is no longer open.')
      expect(page.text).toContain('No open invitations.')
      await settle()
      expect(mails).toEqual([])
    }
  })

  it('the store of organizations went down: the page says so, and works again later', async () => {
    const memory = createMemoryOrganizationStore()
    let isDown = false
    const world = await organizationsWorld({
      store: {
        ...memory,
        async findFor(...query) {
          if (isDown) throw new Error('the database is down')
          return memory.findFor(...query)
        },
      },
    })
    const ada = await world.visitor('ada')
    const acme = await found(ada, 'Acme', 'acme')
    await ada.open(`${acme}settings/`)
    isDown = true
    const down = await ada.submit('Save', { name: 'Acme Ltd' })
    expect(down.status).toBe(503)
    expect(down.heading).not.toBe('No such organization')
    isDown = false
    await ada.follow('Try again')
    expect(ada.page).toMatchObject({ status: 200, heading: 'Settings' })
  })
})
