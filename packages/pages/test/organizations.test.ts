import { goodPassword, linkTarget } from '@fastify-accounts/test-support/app'
import { expect, it } from 'vitest'
import { found, invite, organizationsWorld } from './organizations-app.js'
import { browser } from './pages-app.js'

it('takes a stranger from an emailed invitation into an organization', async () => {
  const world = await organizationsWorld()
  const ada = await world.visitor('ada')
  expect(ada.page).toMatchObject({ url: '/account/organizations/', heading: 'Organizations' })
  expect(ada.page.text).toContain('You don’t belong to an organization yet.')
  const acme = await found(ada, 'Acme', 'acme')
  expect(ada.page).toMatchObject({ status: 200, heading: 'Acme' })
  expect(ada.page.text).toContain('Acme was created.')
  expect((await ada.reload()).text).not.toContain('was created')
  await invite(ada, acme, 'grace@example.org')
  expect(ada.page.text).toContain('We emailed an invitation to grace@example.org.')
  expect(ada.page.text).toMatch(/grace@example\.org Member · Valid until/)

  const grace = browser(world.app)
  const { text } = await grace.open(linkTarget(await world.mail('organization-invitation')))
  expect(text).toContain('ada invited you to Acme')
  await grace.submit('Create account', { username: 'grace', new_password: goodPassword })
  expect(grace.page).toMatchObject({ status: 200, heading: 'Your account is ready' })
  await grace.open('/account/organizations/')
  await grace.follow('Open')
  expect(grace.page).toMatchObject({ url: acme, heading: 'Acme' })
  expect(grace.page.text).toContain('2 people')
  expect(grace.page.text).not.toContain('Settings')
  expect(grace.page.text).not.toContain('Invitations')
  await grace.follow('View')
  expect(grace.page.text).toMatch(/ada ada@example\.org Owner grace grace@example\.org Member You/)
  expect((await grace.open(`${acme}settings/`)).status).toBe(403)
  expect(grace.page.text).toContain('It takes one of these roles: Owner and Admin.')
  await grace.follow('Back to Acme')
  expect(grace.page.heading).toBe('Acme')
})

it('lets somebody who is logged in accept and decline', async () => {
  const world = await organizationsWorld()
  const ada = await world.visitor('ada')
  const grace = await world.visitor('grace')
  const acme = await found(ada, 'Acme', 'acme')
  await invite(ada, acme, 'grace@example.org')
  await grace.open('/account/organizations/')
  expect(grace.page.text).toMatch(/Acme Member · invited by ada/)
  await grace.submit('Decline')
  expect(grace.page.text).toContain('Invitation declined.')
  await invite(ada, acme, 'grace@example.org')
  await grace.open('/account/organizations/')
  await ada.open(`${acme}invitations/`)
  await ada.submit('Withdraw')
  expect(ada.page.text).toContain('Invitation withdrawn.')
  await grace.submit('Accept')
  expect(grace.page).toMatchObject({ status: 404, heading: 'Organizations' })
  expect(grace.page.text).toContain('This invitation is no longer open.')
  await invite(ada, acme, 'grace@example.org')
  await ada.submit('Send again')
  expect(ada.page.text).toContain('We emailed a new link.')
  await grace.reload()
  expect((await grace.submit('Accept')).text).toContain('You’re a member of Acme now.')
})

it('leads whom an emailed invitation finds logged out, or as somebody else, to log in and back', async () => {
  const world = await organizationsWorld()
  const ada = await world.visitor('ada')
  await world.visitor('grace')
  const acme = await found(ada, 'Acme', 'acme')
  await invite(ada, acme, 'grace@example.org')
  const link = linkTarget(await world.mail('organization-invitation-known'))

  const grace = browser(world.app)
  await grace.open(link)
  await grace.follow('Log in')
  await grace.submit('Log in', { username: 'grace', password: goodPassword })
  expect(grace.page.url).toBe(link)
  await ada.open(link)
  expect(ada.page.text).toContain('but you’re logged in as ada')
  await ada.follow('Log in')
  await ada.submit('Log out and use another account')
  await ada.submit('Log in', { username: 'grace', password: goodPassword })
  expect(ada.page.url).toBe(link)
  await grace.submit('Accept invitation')
  expect(grace.page).toMatchObject({ status: 200, url: '/done/' })
  expect((await grace.open(acme)).heading).toBe('Acme')
})

it('changes roles, removes members and lets them leave, but keeps an owner', async () => {
  const world = await organizationsWorld()
  const ada = await world.visitor('ada')
  const acme = await found(ada, 'Acme', 'acme')
  const grace = await world.visitor('grace')
  const bob = await world.visitor('bob')
  for (const [name, person] of Object.entries({ grace, bob })) {
    await invite(ada, acme, `${name}@example.org`)
    await person.open('/account/organizations/')
    await person.submit('Accept')
  }
  await ada.open(`${acme}leave/`)
  const stuck = await ada.submit('Leave organization')
  expect(stuck).toMatchObject({ status: 409, heading: 'Leave Acme?' })
  await ada.follow('Choose another owner')
  const { id: graceId } = (await world.users.findByUsername('grace')) ?? { id: '' }
  await ada.open(`${acme}members/${graceId}/`)
  expect(ada.page.heading).toBe('grace')
  await ada.submit('Save', { 'role.owner': 'on' })
  expect(ada.page).toMatchObject({ url: `${acme}members/`, status: 200 })
  expect(ada.page.text).toMatch(/grace grace@example\.org Member and Owner Change/)
  await ada.open(`${acme}leave/`)
  expect((await ada.submit('Leave organization')).text).toContain('You left the organization.')
  expect((await ada.open(acme)).status).toBe(404)
  await ada.follow('Your organizations')

  const { id: bobId } = (await world.users.findByUsername('bob')) ?? { id: '' }
  await grace.open(`${acme}members/${bobId}/`)
  await grace.follow('Remove from organization…')
  expect(grace.page.heading).toBe('Remove bob?')
  expect((await grace.submit('Remove')).text).toContain('Member removed.')
  expect((await bob.open(acme)).status).toBe(404)
  expect((await grace.open(`${acme}members/${bobId}/`)).status).toBe(404)
  await grace.follow('See all members')
})

it('keeps what was typed into settings, and deletes by the name', async () => {
  const fields = {
    type: 'object' as const,
    properties: {
      postal_code: { type: 'string' as const, title: 'Postal code', maxLength: 5 },
      plan: { type: 'string' as const, enum: ['small', 'large'], title: 'Plan' },
    },
  }
  const world = await organizationsWorld({ fields })
  const ada = await world.visitor('ada')
  const other = await found(ada, 'חברה', 'taken')
  // A name of another writing direction leaves that of the sentence alone.
  expect((await ada.open(`${other}leave/`)).heading).toBe('Leave \u2068חברה\u2069?')
  const acme = await found(ada, '<b>Acme</b>', 'acme')
  expect(ada.page.html).not.toContain('<b>Acme')
  await ada.open(`${acme}settings/`)
  const refused = await ada.submit('Save', { slug: 'taken', postal_code: '12345', plan: 'large' })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('Another organization has this short name.')
  expect(refused.html).toContain('value="12345"')
  const wrong = await ada.submit('Save', { slug: 'acme', postal_code: '1234567' })
  expect(wrong.html).toContain('id="postal_code-fault"')
  await ada.submit('Save', { name: 'Acme Ltd', postal_code: '54321' })
  expect(ada.page).toMatchObject({ url: acme, heading: 'Acme Ltd' })
  expect(ada.page.text).toMatch(/Settings saved.*Postal code 54321 Plan large/)
  await ada.open(`${acme}settings/`)
  await ada.follow('Delete organization…')
  const wrongName = await ada.submit('Delete organization', { name: 'Acme' })
  expect(wrongName.text).toContain('This isn’t the name of the organization.')
  await ada.submit('Delete organization', { name: ' Acme  Ltd ' })
  expect(ada.page).toMatchObject({ url: '/account/organizations/', status: 200 })
  expect(ada.page.text).toContain('Acme Ltd was deleted.')
})

it('tells those who can’t create an organization why', async () => {
  const world = await organizationsWorld({
    authorize: { createOrganization: ({ username }) => username !== 'bob' },
  })
  const ada = await world.visitor('ada', false)
  expect(ada.page.text).toContain('Confirm your email address first.')
  const bob = await world.visitor('bob')
  expect(bob.page.text).not.toContain('Create organization')
  expect((await bob.open('/account/organizations/new/')).text).toContain('can’t create')
})

it('leads through more members than a page has, to one and back', async () => {
  const world = await organizationsWorld()
  const ada = await world.visitor('ada')
  const acme = await found(ada, 'Acme', 'acme')
  const { accounts } = world.app
  for (let count = 1; count <= 100; count += 1) {
    const username = `member-${count}`
    const { id } = await accounts.createUser({
      ...{ username, email: `${username}@example.org`, isVerified: true, password: goodPassword },
    })
    await accounts.organizations.addMember('acme', id, ['member'])
  }
  await ada.open(`${acme}members/`)
  expect(ada.page.text).not.toContain('member-100')
  const last = await ada.follow('Next page')
  expect(last.text).toContain('member-100')
  expect(last.text).not.toContain('Next page')
  await ada.follow('Change')
  expect(ada.page.heading).toBe('member-100')
  const none = await ada.submit('Save', { 'role.member': '' })
  expect(none.status).toBe(400)
  expect(none.html).toContain('id="roles-fault"')
  await ada.submit('Save', { 'role.admin': 'on' })
  expect(ada.page).toMatchObject({ status: 200, url: last.url })
  expect(ada.page.text).toContain('member-100@example.org Admin')
})
