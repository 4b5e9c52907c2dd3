import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword, type TestApp } from '@fastify-accounts/test-support/app'
import { confirm } from '@fastify-accounts/test-support/passkeys/second-step'
import { visitor as passkeyVisitor, type Visitor } from '@fastify-accounts/test-support/passkeys/service'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import { type AccountsOptions, secondFactor } from 'fastify-accounts'
import { expect, it } from 'vitest'
import { type Browser, browser, later, pagesApp } from './pages-app.js'

const account = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }
const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const factorPage = '/account/two-step/passkeys/'

/** Ada, logged in with her password, in a browser without JavaScript and in one that makes passkeys, with one session. */
async function ada(options: Partial<AccountsOptions> = {}) {
  const world = await pagesApp({}, { features: [passkeys(), secondFactor()], ...options })
  const { id } = await world.app.accounts.createUser(account)
  const keys = passkeyVisitor(world)
  await keys.logIn('ada')
  const visitor = browser(world.app, firefox)
  const toPages = () => [...keys.cookies].forEach(([name, value]) => void visitor.cookies.set(name, value))
  toPages()
  return { ...world, id, keys, visitor, toPages }
}

const keyOn = ({ page }: Browser): string =>
  (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.html)?.[1] ?? '').replaceAll(' ', '')

const note = async ({ users }: TestApp, id: string, counts: object) => {
  const at = new Date(Date.now() + 1000).toISOString()
  const none = { passkeys: 0, apps: 0, recovery_codes: 0, identities: 0, api_keys: 0, remembered_devices: 0 }
  const { version = 0 } = (await users.findById(id)) ?? {}
  await users.update(id, { notes: { removed: { at, epoch: 0, ...none, ...counts } } }, version)
}

async function addPasskey(keys: Visitor): Promise<void> {
  const { passkey, response } = await keys.add({ name: 'Laptop' })
  expect(response.statusCode).toBe(201)
  expect((await confirm(keys, passkey)).statusCode).toBe(204)
}

it('turns passkeys on and off as a second factor without a script, and leads back', async () => {
  const { visitor, keys, users, toPages } = await ada()
  const none = await visitor.open(factorPage)
  expect(none.text).toContain('Add a passkey or security key. We’ll ask for it after your password.')
  expect(none.html).toMatch(/<noscript><p>To add a passkey, turn on JavaScript/)
  await addPasskey(keys)
  toPages()
  expect((await visitor.open('/account/two-step/')).text).toContain('Passkeys and security keys Off Turn on')
  await visitor.open(`${factorPage}?next=%2Fsecret%2F`)
  expect(visitor.page.text).toContain('We’ll ask for one of your passkeys or security keys')
  const codes = await visitor.submit('Turn on')
  expect(codes.heading).toBe('Recovery codes')
  expect(codes.text).toContain('Two-step verification is on.')
  expect((await visitor.submit('I’ve saved them')).url).toBe('/secret/')
  expect((await users.findByUsername('ada'))?.factors).toEqual(['passkey'])

  const overview = await visitor.open('/account/')
  expect(overview.text).toContain('On: passkey, 10 recovery codes Manage')
  await visitor.open('/account/two-step/')
  expect(visitor.page.text).toContain('On: we ask for one after your password Turn off')
  await visitor.follow('Turn off')
  expect(visitor.page.text).toContain('Your password alone is then enough to log in.')
  const off = await visitor.submit('Turn off')
  expect(off.url).toBe('/account/two-step/')
  expect(off.text).toContain('We’ll no longer ask for a passkey after your password.')
  expect((await users.findByUsername('ada'))?.factors).toEqual([])
})

it('beside an app, turns passkeys on without new codes, and says nothing of the last factor', async () => {
  const world = await ada()
  const { visitor, keys, users, toPages } = world
  const [session] = [...keys.cookies].map((cookie) => cookie.join('='))
  keys.take((await enroll(world, session, 'Phone')).cookie)
  await addPasskey(keys)
  toPages()
  await visitor.open(`${factorPage}?next=%2Fsecret%2F`)
  expect((await visitor.submit('Turn on')).url).toBe('/secret/')
  expect([...((await users.findByUsername('ada'))?.factors ?? [])].sort()).toEqual(['passkey', 'totp'])
  expect((await visitor.open('/account/')).text).toContain('On: app, passkey, 10 recovery codes Manage')
  await visitor.open(factorPage)
  expect(visitor.page.text).not.toContain('Your password alone')
  await visitor.submit('Turn off')
  expect(visitor.page.text).toContain('We’ll no longer ask for a passkey after your password.')
  // One more app, by the page: there are codes already.
  await visitor.open('/account/two-step/app/?next=%2Fsecret%2F')
  await visitor.submit('Continue')
  const secret = keyOn(visitor)
  await visitor.submit('Continue')
  expect((await visitor.submit('Turn on', { code: codeOf(secret, -1) })).url).toBe('/secret/')
  expect((await visitor.open('/account/two-step/')).html.match(/>Rename</g)).toHaveLength(2)
})

it('refuses to turn on what somebody has removed meanwhile, and leads on', async () => {
  const { visitor, keys, users, id, toPages } = await ada()
  await addPasskey(keys)
  toPages()
  await visitor.open(factorPage)
  const { version = 0 } = (await users.findById(id)) ?? {}
  await users.update(id, { credentials: [] }, version)
  const refused = await visitor.submit('Turn on')
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('Add a passkey or security key.')
  expect((await visitor.follow('Cancel')).url).toBe('/account/two-step/')
})

it('lists passkeys by what they are for, and says that one was added only if it was', async () => {
  const { visitor, keys, toPages } = await ada()
  await keys.add({
    name: 'Key',
    use: 'factor',
    flags: { verified: false, backupEligible: false, backedUp: false },
  })
  await addPasskey(keys)
  await keys.add({ name: 'Stick', counter: 1 })
  toPages()
  const list = await visitor.open('/account/passkeys/?next=%2Fsecret%2F')
  expect(list.text).toMatch(/Stick Added \S+ \d+, \d+ · Not used yet Rename Remove/)
  expect(list.text).toMatch(/Key Added \S+ \d+, \d+ · Not used yet Only for two-step verification/)
  expect(list.text).toMatch(/Laptop Added .*?Last used .*? Synced/)
  // What the script does, which isn't here.
  const results = (await keys.send('GET', '/passkeys/')).json().results as { id: string }[]
  const other = await visitor.submit('Add a passkey', { added: 'another' })
  expect(other).toMatchObject({ url: '/secret/', html: 'in' })
  expect((await visitor.open('/account/passkeys/')).text).not.toContain('Passkey added.')
  const added = await visitor.submit('Add a passkey', { added: results[0]?.id ?? '' })
  expect(added.text).toContain('Passkey added.')
  await visitor.follow('Rename')
  expect((await visitor.submit('Save', { name: '' })).text).toContain('Name: This field is required.')
  expect((await visitor.submit('Save', { name: 'My key' })).text).toContain('Renamed.')
  expect(visitor.page.text).toContain('My key Added')
})

it('says that an account must have it, and which was removed', async () => {
  const must = secondFactor({ requiredFor: () => true })
  const world = await ada({ features: [passkeys(), must] })
  const { visitor, id } = world
  const sentence = 'Two-step verification is required for this account.'
  expect((await visitor.open('/account/two-step/')).text).toContain(sentence)
  await note(world, id, { passkeys: 2, recovery_codes: 10 })
  const removed = 'someone else may have added it: 2 passkeys and 10 recovery codes.'
  for (const path of ['/account/two-step/', '/account/passkeys/'])
    expect((await visitor.open(path)).text).toContain(removed)

  const other = await ada({ features: [passkeys()] })
  await note(other, other.id, { passkeys: 1 })
  for (const path of ['/account/', '/account/passkeys/'])
    expect((await other.visitor.open(path)).text).toContain('someone else may have added it: 1 passkey.')
  expect((await other.visitor.open('/account/two-step/')).status).toBe(404)
})

it('lists the devices that aren’t asked, and asks on one again', async () => {
  const world = await ada()
  const { secret } = await enroll(world, [...world.keys.cookies].map((cookie) => cookie.join('='))[0])
  const visitor = browser(world.app, firefox)
  await visitor.open('/account/two-step/')
  await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  await visitor.submit('Continue', { code: codeOf(secret), remember_device: 'on' })
  expect(visitor.page.text).toMatch(/Remembered devices Firefox on Linux Until \S+ \d+, \d{4} Remove/)
  const stale = browser(world.app, firefox)
  for (const [name, value] of visitor.cookies) stale.cookies.set(name, value)
  await stale.open('/account/two-step/')
  for (const each of [visitor, stale]) {
    expect((await each.submit('Remove: Firefox on Linux')).text).toContain('We’ll ask on that device again.')
    expect(each.page.text).not.toContain('Remembered devices')
  }
  await visitor.submit('Set up another app')
  const another = keyOn(visitor)
  await visitor.submit('Continue')
  expect((await visitor.submit('Turn on', { code: codeOf(another, -1) })).text).toContain('App set up.')
  expect(visitor.page.html.match(/>Rename</g)).toHaveLength(2)
})

it('writes the account on recovery codes by its address where there are no usernames', async () => {
  const { app, users } = await pagesApp({}, { users: { names: 'none' }, features: [secondFactor()] })
  const email = 'ada@example.org'
  await app.accounts.createUser({ email, password: goodPassword, isVerified: true })
  const visitor = browser(app)
  await visitor.open('/account/two-step/app/')
  await visitor.submit('Log in', { username: email, password: goodPassword })
  await visitor.submit('Continue')
  const secret = keyOn(visitor)
  await visitor.submit('Continue')
  await visitor.submit('Turn on', { code: codeOf(secret, -1) })
  const [, file = ''] = /href="data:text\/plain;charset=utf-8,([^"]*)"/.exec(visitor.page.html) ?? []
  expect(decodeURIComponent(file).split('\n').slice(0, 3)).toEqual([
    ...['Recovery codes', 'localhost:3000 (http://localhost:3000)', email],
  ])
  await visitor.submit('I’ve saved them')

  // An account may have no address either.
  const { id = '', version = 0 } = (await users.findByEmail(email)) ?? {}
  await users.update(id, { email: null, emailKey: null }, version)
  await visitor.open('/account/recovery-codes/')
  await visitor.submit('Get new codes')
  const [, nameless = ''] = /href="data:text\/plain;charset=utf-8,([^"]*)"/.exec(visitor.page.html) ?? []
  expect(decodeURIComponent(nameless)).toMatch(
    /^Recovery codes\nlocalhost:3000 \(http:\/\/localhost:3000\)\n\w+ \d+, \d{4}\n\n/,
  )
  await visitor.submit('I’ve saved them')
  later(20)
  await visitor.open('/account/recovery-codes/')
  await visitor.submit('Get new codes')
  expect(visitor.page.url).toContain('/confirm/')
})
