import { describe, expect, it } from 'vitest'
import { found, invite, type OrganizationsWorld, organizationsWorld } from './organizations-app.js'
import type { Browser } from './pages-app.js'

const roles = {
  owner: ['org:*'],
  admin: ['org:edit', 'members:invite', 'members:edit'],
  editor: ['org:edit'],
  closer: ['org:delete'],
  recruiter: ['members:invite'],
  warden: ['members:edit'],
  member: [],
} as const

/** Acme, whose owner is ada, with a member for each of these roles, who has its name. */
async function acmeWith<Role extends string>(...names: readonly Role[]) {
  const world = await organizationsWorld({ roles })
  const ada = await world.visitor('ada')
  const acme = await found(ada, 'Acme', 'acme')
  const people = {} as Record<Role, Browser>
  for (const name of names) {
    people[name] = await world.visitor(name)
    await world.app.accounts.organizations.addMember('acme', await idOf(world, name), [name])
  }
  return { ...world, ada, acme, people }
}

async function idOf({ users }: Pick<OrganizationsWorld, 'users'>, name: string): Promise<string> {
  const user = await users.findByUsername(name)
  if (user === null) throw new Error(`no user ${name}`)
  return user.id
}

async function rolesOf({ app }: OrganizationsWorld, userId: string): Promise<readonly string[] | undefined> {
  const list = await app.accounts.organizations.listMembers('acme')
  return list?.members.find((member) => member.userId === userId)?.roles
}

describe('a member sees and does what their roles permit:', () => {
  it('nothing but the members and the way out, without any permission', async () => {
    const { people, acme } = await acmeWith('member')
    const { member } = people
    await member.open(acme)
    expect(member.page.text).toContain('Your roles Member')
    for (const other of ['Invitations', 'Settings', 'Manage']) expect(member.page.text).not.toContain(other)
    await member.follow('View')
    expect(member.page.text).not.toMatch(/Invite someone|Change/)
    for (const below of ['settings/delete/', 'invitations/', 'invitations/new/']) {
      const page = await member.open(acme + below)
      expect(page).toMatchObject({ status: 403, heading: 'You don’t have permission to do this' })
      expect(page.html).not.toContain('method="post" data-part')
    }
    await member.open(`${acme}settings/delete/`)
    expect(member.page.text).toContain('It takes one of these roles: Owner and closer.')
    await member.follow('Back to Acme')
    await member.follow('Leave…')
    await member.submit('Leave organization')
    expect(member.page).toMatchObject({ status: 200, url: '/account/organizations/' })
    expect(member.page.text).toContain('You don’t belong to an organization yet.')
  })

  it('the settings without deleting, or deleting without the settings', async () => {
    const { app, people, acme } = await acmeWith('editor', 'closer')
    const { editor, closer } = people
    await editor.open(acme)
    expect(editor.page.text).toContain('Settings Name and short name Change')
    await editor.open(`${acme}settings/`)
    expect(editor.page.text).not.toContain('Delete')
    expect((await editor.submit('Save', { name: 'Acme Ltd' })).heading).toBe('Acme Ltd')

    await closer.open(acme)
    expect(closer.page.text).toContain('Settings Delete organization Change')
    await closer.follow('Change')
    expect(closer.page).toMatchObject({ status: 200, heading: 'Settings' })
    expect(closer.page.html).not.toContain('name="slug"')
    await closer.follow('Delete organization…')
    expect(closer.page.text).toContain('3 members lose access.')
    await closer.submit('Delete organization', { name: 'Acme Ltd' })
    expect(closer.page.text).toContain('Acme Ltd was deleted.')
    expect(await app.accounts.organizations.find('acme')).toBeNull()
  })

  it('their own invitations, to roles that they may give, with the one that permits least chosen', async () => {
    const { app, ada, people, acme } = await acmeWith('recruiter')
    const { recruiter } = people
    await invite(ada, acme, 'by-ada@example.org')
    await recruiter.open(`${acme}members/`)
    expect(recruiter.page.text).not.toContain('Change')
    await recruiter.follow('Invite someone')
    const boxes = [...recruiter.page.html.matchAll(/name="role\.(\w+)" value="on"( checked)?/g)]
    expect(boxes.map(([, role, isChecked]) => [role, isChecked !== undefined])).toEqual([
      ['recruiter', false],
      ['member', true],
    ])
    await recruiter.submit('Send invitation', { email: 'bob@example.org', 'role.recruiter': 'on' })
    // Roles of the app have no text: their names are shown.
    expect(recruiter.page.text).toMatch(/bob@example\.org Member and recruiter · Valid until/)
    expect(recruiter.page.text).not.toContain('by-ada')
    await recruiter.follow('Invite someone')
    const refused = await recruiter.submit('Send invitation', { email: 'not an address', 'role.member': '' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('id="roles-fault"')
    expect(refused.html).toContain('value="not an address"')
    const sent = await app.accounts.organizations.listInvitations('acme')
    expect(sent?.invitations.map(({ email, roles }) => [email, roles])).toEqual([
      ['by-ada@example.org', ['member']],
      ['bob@example.org', ['member', 'recruiter']],
    ])
  })

  it('all invitations and members, but changes only those who may do no more', async () => {
    const world = await acmeWith('warden', 'member')
    const { ada, acme, people } = world
    const { warden } = people
    await invite(ada, acme, 'chief@example.org', { 'role.admin': 'on', 'role.member': '' })
    await invite(ada, acme, 'other@example.org')
    await warden.open(`${acme}invitations/`)
    expect(warden.page.text).not.toContain('Invite someone')
    expect(warden.page.text).toContain('chief@example.org Admin')
    expect(warden.page.html.match(/value="withdraw"/g)).toHaveLength(1)
    await warden.submit('Withdraw')
    expect(warden.page.text).toContain('Invitation withdrawn.')
    expect(warden.page.text).toContain('chief@example.org')
    expect(warden.page.text).not.toContain('other@example.org')
    await warden.open(`${acme}invitations/new/`)
    expect(warden.page.text).toContain('It takes one of these roles: Owner, Admin, and recruiter.')

    const adaId = await idOf(world, 'ada')
    const memberId = await idOf(world, 'member')
    await warden.open(acme)
    await warden.follow('Manage')
    expect(warden.page.html).not.toContain(`members/${adaId}/`)
    expect(warden.page.html).toContain(`members/${memberId}/`)
    for (const below of ['', 'remove/']) {
      const page = await warden.open(`${acme}members/${adaId}/${below}`)
      expect(page).toMatchObject({ status: 403, heading: 'ada' })
      expect(page.text).toContain('This member has a role that you can’t give or take.')
      expect(page.html).not.toContain('Remove')
    }
    await warden.follow('See all members')
    expect(warden.page.heading).toBe('Members')

    // Who was promoted meanwhile keeps the role, and stays.
    for (const [below, button] of [
      ['', 'Save'],
      ['remove/', 'Remove'],
    ] as const) {
      await world.app.accounts.organizations.changeMemberRoles('acme', memberId, ['member'])
      await warden.open(`${acme}members/${memberId}/${below}`)
      await world.app.accounts.organizations.changeMemberRoles('acme', memberId, ['admin'])
      const refused = await warden.submit(button)
      expect(refused).toMatchObject({ status: 403, heading: 'member' })
      expect(refused.text).toContain('This member has a role that you can’t give or take.')
      expect(await rolesOf(world, memberId)).toEqual(['admin'])
    }
  })
})

it('takes roles from oneself, and then shows what is left', async () => {
  const world = await acmeWith('warden')
  const { warden } = world.people
  const wardenId = await idOf(world, 'warden')
  await warden.open(`${world.acme}members/${wardenId}/`)
  await warden.submit('Save', { 'role.warden': '', 'role.member': 'on' })
  expect(warden.page).toMatchObject({ status: 200, url: world.acme })
  expect(warden.page.text).toContain('Roles changed.')
  expect(warden.page.text).toContain('Your roles Member')
  expect(warden.page.text).not.toContain('Manage')
})

it('keeps the last owner, and says what can be done about it', async () => {
  const world = await acmeWith('member')
  const { ada, acme } = world
  const adaId = await idOf(world, 'ada')
  await ada.open(`${acme}members/${adaId}/`)
  const demoted = await ada.submit('Save', { 'role.owner': '', 'role.admin': 'on' })
  expect(demoted).toMatchObject({ status: 409, heading: 'ada' })
  expect(demoted.text).toContain('An organization needs an owner.')
  // What was chosen is still chosen.
  expect(demoted.html).toMatch(/name="role\.admin" value="on" checked/)
  await ada.follow('See all members')
  await ada.open(`${acme}members/${adaId}/remove/`)
  const removed = await ada.submit('Remove')
  expect(removed).toMatchObject({ status: 409, heading: 'Remove ada?' })
  expect(removed.text).toContain('An organization needs an owner.')
  await ada.follow('See all members')
  expect(await rolesOf(world, adaId)).toEqual(['owner'])

  await world.app.accounts.organizations.changeMemberRoles('acme', await idOf(world, 'member'), ['owner'])
  await ada.open(`${acme}members/${adaId}/remove/`)
  await ada.submit('Remove')
  expect(ada.page).toMatchObject({ status: 200, url: '/account/organizations/' })
  expect(ada.page.text).toContain('You don’t belong to an organization yet.')
})

it('leads who is alone to deleting instead of leaving', async () => {
  const { ada, acme } = await acmeWith()
  await ada.open(acme)
  expect(ada.page.text).toContain('You’re its only member')
  await ada.follow('Leave…')
  expect(ada.page.text).toContain('You’re its only member, so you can’t leave it.')
  expect(ada.page.html).not.toContain('<button type="submit" data-part="button" data-kind="danger"')
  await ada.follow('Delete organization…')
  expect(ada.page.heading).toBe('Delete Acme?')
})

it('shows staff every organization, without roles and without a way out of it', async () => {
  const world = await organizationsWorld(
    {},
    { roles: { support: ['orgs:read'], chief: ['orgs:manage'] } as never },
  )
  const ada = await world.visitor('ada')
  const acme = await found(ada, 'Acme', 'acme')
  for (const [name, role, canManage] of [
    ['grace', 'support', false],
    ['bob', 'chief', true],
  ] as const) {
    const staff = await world.visitor(name)
    await world.app.accounts.updateUser(await idOf(world, name), { roles: [role] as never })
    await staff.open(acme)
    expect(staff.page.status, staff.page.text).toBe(200)
    expect(staff.page.text).toContain('Your roles No role')
    expect(staff.page.text).not.toContain('Leave')
    expect(staff.page.text.includes('Settings')).toBe(canManage)
    await staff.open(`${acme}members/`)
    expect(staff.page.text).toContain('ada@example.org Owner')
    expect(staff.page.text.includes('Change')).toBe(canManage)
  }
})
