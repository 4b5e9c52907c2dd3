import { createMemoryOrganizationStore } from '@fastify-accounts/organizations/store'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { apiKeys, createMemoryUserStore } from 'fastify-accounts'
import { expect, it } from 'vitest'
import { found, invite, organizationsWorld } from './organizations-app.js'
import { browser, type Shown } from './pages-app.js'

const verified = { password: goodPassword, isVerified: true }

/** What of these a page names. */
const namedOn = ({ text }: Shown, names: readonly string[]): string[] =>
  names.filter((name) => text.includes(`${name} `))

it('leads through more invitations than a page has, and back when a later page is empty', async () => {
  const world = await organizationsWorld()
  const { organizations } = world.app.accounts
  const ada = await world.visitor('ada')
  const acme = await found(ada, 'Acme', 'acme')
  const emails = Array.from({ length: 102 }, (_, at) => `guest-${at}@example.org`)
  for (const email of emails) await organizations.invite('acme', { email, roles: ['member'] })
  const first = namedOn(await ada.open(`${acme}invitations/`), emails)
  const later = await ada.follow('Next page')
  const [one = '', other = '', ...none] = namedOn(later, emails)
  expect(none).toEqual([])
  expect([...first, one, other].sort()).toEqual(emails.toSorted())
  expect(later.text).not.toContain('Next page')
  await ada.submit(`Send again: ${one}`)
  expect(ada.page).toMatchObject({ url: later.url, status: 200 })
  await ada.submit(`Withdraw: ${one}`)
  expect(ada.page).toMatchObject({ url: later.url, status: 200 })
  expect(namedOn(ada.page, emails)).toEqual([other])

  const rival = browser(world.app)
  for (const [name, value] of ada.cookies) rival.cookies.set(name, value)
  await rival.open(later.url)
  await ada.submit('Withdraw')
  expect(ada.page.url).toBe(`${acme}invitations/`)
  expect(ada.page.text).toContain('Invitation withdrawn.')
  expect(namedOn(ada.page, emails)).toEqual(first)
  await rival.submit('Withdraw')
  expect(rival.page.url).toBe(`${acme}invitations/`)
  expect(rival.page.text).toContain('This invitation is no longer open.')
  expect(namedOn(rival.page, emails)).toEqual(first)
})

it('leads through more organizations, and more invitations to them, than a page has', async () => {
  const world = await organizationsWorld({ limits: { organizations: 200 } })
  const { organizations, createUser } = world.app.accounts
  const ada = await world.visitor('ada')
  const { id: adaId = '' } = (await world.users.findByUsername('ada')) ?? {}
  const { id: ownerId } = await createUser({ username: 'bob', email: 'bob@example.org', ...verified })
  const firms = Array.from({ length: 101 }, (_, at) => `Firm ${at}.`)
  for (const [at, name] of firms.entries())
    await organizations.create({ name, slug: `firm-${at}`, ownerId: adaId })
  const clubs = Array.from({ length: 21 }, (_, at) => `Club ${at}.`)
  for (const [at, name] of clubs.entries()) {
    await organizations.create({ name, slug: `club-${at}`, ownerId })
    await organizations.invite(`club-${at}`, { email: 'ada@example.org', roles: ['member'] })
  }
  const first = await ada.open('/account/organizations/')
  // The app itself has invited.
  expect(first.text).toMatch(/Club \d+\. Member Accept/)
  const more = await ada.follow('More invitations')
  expect(more.text).not.toContain('More invitations')
  const [club = '', ...none] = namedOn(more, clubs)
  expect(none).toEqual([])
  expect([...namedOn(first, clubs), club].sort()).toEqual(clubs.toSorted())
  await ada.submit('Accept')
  expect(ada.page).toMatchObject({ status: 200, heading: club })
  await ada.open('/account/organizations/')
  const last = await ada.follow('Next page')
  expect([...namedOn(first, firms), ...namedOn(last, firms)].sort()).toEqual(firms.toSorted())
  expect(last.text).toContain(`${club} Member Open`)
  expect(last.text).not.toContain('Next page')
  for (const name of namedOn(last, [...firms, ...clubs]))
    if (name !== club) await organizations.delete(`firm-${firms.indexOf(name)}`)
  await organizations.removeMember(`club-${clubs.indexOf(club)}`, adaId)
  await ada.reload()
  expect(ada.page.url).toBe('/account/organizations/')
  expect(namedOn(ada.page, firms)).toHaveLength(100)
})

it('names members without a username, programs, and accounts that are gone', async () => {
  const world = await organizationsWorld(
    {},
    { users: { names: 'optional' }, features: [apiKeys({ scopes: { read: 'Read' } })] },
  )
  const { organizations, createUser, createService } = world.app.accounts
  const ada = await world.visitor('ada')
  const acme = await found(ada, 'Acme', 'acme')
  const { id: nameless } = await createUser({ email: 'grace@example.org', ...verified })
  const { id: program } = await createService({ username: 'robot' })
  const { id: goneId } = await createUser({ username: 'bob', email: 'bob@example.org', ...verified })
  for (const id of [nameless, program, goneId]) await organizations.addMember('acme', id, ['member'])
  // As if its account was being deleted at this moment.
  await world.users.delete(goneId)
  await ada.open(`${acme}members/`)
  expect(ada.page.text).toContain('ada ada@example.org Owner You')
  expect(ada.page.text).toMatch(/ grace@example\.org Member Change/)
  expect(ada.page.text).toMatch(/ robot Member Program Change/)
  expect(ada.page.text).toContain(`${goneId} Member Change`)
  expect(ada.page.text).not.toMatch(/null|undefined/)
  for (const [id, name] of [
    [nameless, 'grace@example.org'],
    [program, 'robot'],
    [goneId, goneId],
  ] as const) {
    await ada.open(`${acme}members/${id}/`)
    expect(ada.page.heading).toBe(name)
    await ada.follow('Remove from organization…')
    expect(ada.page.heading).toContain(name)
    await ada.submit('Remove')
    expect(ada.page.text).toContain('Member removed.')
  }
  expect(await organizations.find('acme')).toMatchObject({ members: 1 })
})

it('invites on behalf of somebody without a username', async () => {
  const world = await organizationsWorld({}, { users: { names: 'none' } })
  const { createUser } = world.app.accounts
  const [owner, guest] = [browser(world.app), browser(world.app)]
  for (const [person, email] of [
    [owner, 'ada@example.org'],
    [guest, 'grace@example.org'],
  ] as const) {
    await createUser({ email, ...verified })
    await person.open('/login/?next=/account/organizations/')
    await person.submit('Log in', { username: email, password: goodPassword })
  }
  const acme = await found(owner, 'Acme', 'acme')
  await invite(owner, acme, 'grace@example.org')
  await guest.reload()
  expect(guest.page.text).toMatch(/Acme Member Accept/)
  await guest.submit('Accept')
  expect(guest.page.heading).toBe('Acme')
  await guest.follow('View')
  expect(guest.page.text).toContain('grace@example.org Member You')
})

it('shows a role that the app no longer has by its name, and takes it with the next change', async () => {
  const store = createMemoryOrganizationStore()
  const userStore = createMemoryUserStore()
  const editor = { owner: ['org:*'], editor: ['org:edit'], member: [] } as const
  const before = await organizationsWorld({ store, roles: editor }, { userStore })
  const { id: ownerId } = await before.app.accounts.createUser({
    ...{ username: 'ada', email: 'ada@example.org' },
    ...verified,
  })
  const { id } = await before.app.accounts.createUser({
    ...{ username: 'bob', email: 'bob@example.org' },
    ...verified,
  })
  const acme = await before.app.accounts.organizations.create({ name: 'Acme', slug: 'acme', ownerId })
  await before.app.accounts.organizations.addMember('acme', id, ['editor'])

  const { app } = await organizationsWorld({ store, roles: { owner: ['org:*'], member: [] } }, { userStore })
  const ada = browser(app)
  const page = `/account/organizations/${acme.id}/members/`
  await ada.open(`/login/?next=${page}`)
  await ada.submit('Log in', { username: 'ada', password: goodPassword })
  expect(ada.page.text).toContain('bob@example.org editor Change')
  await ada.open(`${page}${id}/`)
  expect(ada.page.html).not.toContain('name="role.editor"')
  const none = await ada.submit('Save')
  expect(none.html).toContain('id="roles-fault"')
  await ada.submit('Save', { 'role.member': 'on' })
  expect(ada.page.text).toContain('bob@example.org Member Change')
})
