import { expect, it } from 'vitest'
import { found, organizationsWorld } from './organizations-app.js'
import type { Shown } from './pages-app.js'

const properties = {
  is_public: { type: 'boolean' as const, title: 'Public' },
  plan: { type: 'string' as const, enum: ['small', 'large'], title: 'Plan' },
  seats: { type: 'integer' as const, minimum: 1, title: 'Seats' },
  city: { type: 'string' as const, maxLength: 5, title: 'City' },
  motto: { type: 'string' as const, maxLength: 5, title: 'Motto' },
  // No form asks for it.
  address: {
    type: 'object' as const,
    properties: { street: { type: 'string' as const, title: 'Street' } },
    required: ['street'],
  },
}

const faultsOn = ({ html }: Shown): string[] =>
  [...html.matchAll(/id="(\w+)-fault"/g)].map(([, name = '']) => name)

it('asks for fields of your own, and marks those that are at fault, all others kept', async () => {
  const fields = { type: 'object' as const, properties, required: ['plan'] }
  const world = await organizationsWorld({ fields })
  const ada = await world.visitor('ada')
  await ada.follow('Create organization')
  const typed = { name: 'Acme', slug: 'acme', seats: '0', city: 'Winterthur', motto: 'Up', is_public: 'on' }
  const refused = await ada.submit('Create organization', typed)
  expect(refused.status).toBe(400)
  expect(faultsOn(refused)).toEqual(['plan', 'seats', 'city'])
  expect(refused.text).toContain('There is a problem Plan: This field is required.')
  expect(refused.html).toContain('value="Winterthur"')
  expect(refused.html).toMatch(/name="is_public" value="on"[^>]* checked/)
  await ada.submit('Create organization', { plan: 'small', seats: '3', city: 'Bern' })
  expect(ada.page).toMatchObject({ status: 200, heading: 'Acme' })
  expect(ada.page.text).toMatch(/Public Yes Plan small Seats 3 City Bern Motto Up/)
  expect(await world.app.accounts.organizations.find('acme')).toMatchObject({
    fields: { is_public: true, plan: 'small', seats: 3, city: 'Bern', motto: 'Up' },
  })
})

it('empties fields of your own in the settings, which is no fault of theirs if another one is at fault', async () => {
  const fields = { type: 'object' as const, properties, required: ['plan', 'address'] }
  const world = await organizationsWorld({ fields })
  const { organizations } = world.app.accounts
  const ada = await world.visitor('ada')
  const { id: ownerId = '' } = (await world.users.findByUsername('ada')) ?? {}
  const own = {
    plan: 'large',
    is_public: true,
    city: 'Bern',
    motto: 'Up',
    address: { street: 'Main Street' },
  }
  const { id } = await organizations.create({ name: 'Acme', slug: 'acme', ownerId, fields: own })
  await ada.open(`/account/organizations/${id}/`)
  // What has parts isn't shown.
  expect(ada.page.text).not.toMatch(/Address|object/)
  await ada.follow('Change')
  expect(ada.page.html).not.toContain('name="address"')
  const emptied = { city: '', motto: '', seats: 'many', name: '' }
  const refused = await ada.submit('Save', emptied)
  expect(refused.status).toBe(400)
  expect(faultsOn(refused)).toEqual(['name', 'seats'])
  // In the summary and beside the field of the name. The required address was stored at the beginning.
  expect(refused.text.match(/This field is required/g)).toHaveLength(2)
  expect(refused.html).toContain('value="many"')
  const without = await ada.submit('Save', { name: 'Acme Ltd', seats: '', plan: '' })
  expect(faultsOn(without)).toEqual(['plan'])
  expect(without.text).toContain('Plan: This field is required.')
  await ada.submit('Save', { plan: 'large' })
  expect(ada.page.text).toMatch(/Acme Ltd Settings saved\..* Public Yes Plan large Settings/)
  await ada.follow('Change')
  await ada.submit('Save', { is_public: '' })
  expect(await organizations.find('acme')).toMatchObject({
    name: 'Acme Ltd',
    fields: { plan: 'large', is_public: false, address: own.address },
  })
  expect(ada.page.text).toContain('Public No')
})

it('tells a fault of what no form asks for, and blames no field for it', async () => {
  // The form has a name already, so nobody can type this one.
  const named = { name: { type: 'string' as const, title: 'Own name' } }
  const fields = { type: 'object' as const, properties: named, required: ['name'] }
  const world = await organizationsWorld({ fields })
  const ada = await world.visitor('ada')
  await ada.open('/account/organizations/new/')
  const refused = await ada.submit('Create organization', { name: 'Acme', slug: 'acme' })
  expect(refused.status).toBe(400)
  expect(faultsOn(refused)).toEqual([])
  expect(refused.text).toContain('There is a problem')
  expect(refused.html).toContain('value="Acme"')
})

it('keeps what was typed if the organization is refused for another reason', async () => {
  const world = await organizationsWorld({ limits: { organizations: 1 } })
  const ada = await world.visitor('ada')
  await found(ada, 'Acme', 'acme')
  await ada.open('/account/organizations/new/')
  const refused = await ada.submit('Create organization', { name: 'Globex', slug: 'globex' })
  expect(refused).toMatchObject({ status: 409, heading: 'New organization' })
  expect(refused.text).toContain('You’ve reached the maximum number of organizations.')
  expect(refused.html).toContain('value="Globex"')
})

it('leads who has no confirmed address from creating to confirming it', async () => {
  const world = await organizationsWorld()
  const eve = await world.visitor('eve', false)
  expect(eve.page.text).not.toContain('Create organization')
  await eve.open('/account/organizations/new/')
  expect(eve.page.text).toContain('Confirm your email address first.')
  expect(eve.page.html).not.toContain('name="slug"')
  await eve.follow('Confirm email address')
  expect(eve.page.url.split('?')[0]).toBe('/account/email/')

  // The address was lost between the form and its submission.
  const ada = await world.visitor('ada')
  await ada.open('/account/organizations/new/')
  const { id = '' } = (await world.users.findByUsername('ada')) ?? {}
  await world.app.accounts.updateUser(id, { isVerified: false })
  const refused = await ada.submit('Create organization', { name: 'Acme', slug: 'acme' })
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('Confirm your email address first.')
  await ada.follow('Confirm email address')
  expect(await world.app.accounts.organizations.find('acme')).toBeNull()
})
