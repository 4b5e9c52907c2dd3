import { organizations } from '@fastify-accounts/organizations'
import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword, linkTarget, logIn as logInBy, otherPassword } from '@fastify-accounts/test-support/app'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import {
  type AccountsOptions,
  type ActivityEntry,
  apiKeys,
  createMemoryActivityStore,
  invitations,
  type StoredUser,
  secondFactor,
  type UserChanges,
} from 'fastify-accounts'
import { noPassword } from 'fastify-accounts/features'
import { expect, it } from 'vitest'
import { type Browser, browser, pagesApp } from './pages-app.js'

const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }

/** The app with ada, and a browser where she has just logged in. */
async function adasBrowser(options: Partial<AccountsOptions> = {}, facts: object = {}) {
  const world = await pagesApp({}, options)
  const address = { email: 'ada@example.org', isVerified: true }
  await world.app.accounts.createUser({ username: 'ada', password: goodPassword, ...address, ...facts })
  const ada = browser(world.app, firefox)
  await logIn(ada)
  return { ...world, ada }
}

async function logIn(visitor: Browser, password = goodPassword): Promise<void> {
  await visitor.open('/account/')
  await visitor.submit('Log in', { username: 'ada', password })
}

/** The rows of the page: label, value and action, as texts. */
function rowsOf({ html }: { html: string }): string[] {
  return html
    .split('<li data-part="row">')
    .slice(1)
    .map((row) =>
      row
        .replace(/<\/section>.*/s, '')
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+(,)?/g, (_, comma = ' ') => comma)
        .trim(),
    )
}

it('shows the rows of what is on, and a card while an account is new, until it is dismissed', async () => {
  const { ada, app } = await adasBrowser()
  expect(ada.page.heading).toBe('Your account')
  expect(rowsOf(ada.page)).toEqual([
    'Username ada Edit',
    'Email ada@example.org Confirmed Change',
    'Language English Change',
    'Password Set Change',
    'This device Firefox on Linux',
    'Other devices None Manage',
    'Export Everything we keep about you Open',
    'Delete account Permanent, can’t be undone Delete…',
  ])
  expect(ada.page.html).not.toContain('data-kind="primary"')
  expect(ada.page.html).not.toContain('data-part="card"')
  await logIn(browser(app))
  expect(rowsOf(await ada.reload())).toContain('Other devices 1, last Unknown device Manage')

  const features = [passkeys(), secondFactor(), apiKeys({ scopes: { read: 'Read' } })]
  const { ada: rich } = await adasBrowser({ features, activity: createMemoryActivityStore() })
  expect(rowsOf(rich.page)).toEqual(
    expect.arrayContaining([
      'Passkeys None Add',
      'Two-step verification Off Turn on',
      'API keys None Manage',
      'Activity What has happened to your account Open',
    ]),
  )
  expect(rich.page.text).toContain('Finish setting up')
  await rich.submit('Not now')
  expect(rich.page.text).not.toContain('Finish setting up')
  expect((await rich.reload()).text).not.toContain('Finish setting up')
})

it('says first what is most urgent, with its button', async () => {
  const { ada, mail } = await adasBrowser({}, { isVerified: false })
  expect(ada.page.text).toContain('Finish setting up Confirm your email address. We’ll email you a link.')
  await ada.submit('Not now')
  expect(ada.page.text).toContain('Confirm your address, ada@example.org. We’ll email you a link.')
  await ada.submit('Email me a link')
  expect(ada.page).toMatchObject({ status: 200, url: '/account/' })
  expect(ada.page.text).toContain('We emailed a link to ada@example.org.')
  await mail('verify-email', 'ada@example.org')
})

it('says how many recovery codes are left, and what was removed when the account was secured', async () => {
  const world = await adasBrowser({ features: [secondFactor()] })
  const { ada, users } = world
  const { secret, codes } = await enroll(world, await logInBy(world, 'ada'))
  await logIn(ada)
  await ada.submit('Continue', { code: codeOf(secret) })
  expect(rowsOf(ada.page)).toContain('Two-step verification On: app, 10 recovery codes Manage')
  const change = async (changes: (user: StoredUser) => UserChanges) => {
    const user = (await users.findByUsername('ada')) as StoredUser
    await users.update(user.id, changes(user), user.version)
  }
  expect(codes).toHaveLength(10)
  await change(({ credentials }) => ({ credentials: credentials.slice(0, 3) }))
  expect((await ada.open('/account/')).text).toContain('You have 2 recovery codes left. Get new codes')
  const counts = { passkeys: 1, apps: 0, recovery_codes: 10, identities: 0, api_keys: 0 }
  const at = new Date(Date.now() + 1000).toISOString()
  await change(() => ({ notes: { removed: { at, epoch: 0, ...counts, remembered_devices: 0 } } }))
  expect((await ada.reload()).text).toContain(
    'because someone else may have added it: 1 passkey and 10 recovery codes.',
  )
})

it('changes an address, whose owner undoes it', async () => {
  const { ada, app, mail } = await adasBrowser()
  await ada.follow('Change')
  await ada.open('/account/email/')
  const wrong = await ada.submit('Change email', { email: 'not an address' })
  expect(wrong.status).toBe(400)
  expect(wrong.html).toContain('value="not an address"')
  await ada.submit('Change email', { email: 'new@example.org' })
  expect(ada.page.url).toBe('/account/')
  expect(ada.page.text).toContain('We emailed a link to new@example.org.')
  expect(rowsOf(await ada.reload())).toContain(
    'Email ada@example.org Changing to new@example.org Confirmed Change',
  )
  await ada.submit('Cancel the change')
  expect(ada.page.text).toContain('Your email address stays as it is.')
  expect((await ada.reload()).text).not.toContain('new@example.org')

  await ada.open('/account/email/')
  await ada.submit('Change email', { email: 'other@example.org' })
  await ada.open(linkTarget(await mail('change-email', 'other@example.org')))
  await ada.submit('Use this address')
  expect((await ada.reload()).status).toBe(200)
  const owner = browser(app)
  await owner.open(linkTarget(await mail('email-changed', 'ada@example.org')))
  await owner.submit('Secure my account')
  expect((await owner.reload()).status).toBe(200)
  // Her own browser is logged out as well, and she has to choose another password.
  expect((await ada.open('/account/')).url).toContain('/login/')
  await owner.open(linkTarget(await mail('choose-password', 'ada@example.org')))
  await owner.submit('Set password', { new_password: otherPassword })
  await logIn(owner, otherPassword)
  expect(rowsOf(owner.page)).toContain('Email ada@example.org Confirmed Change')
})

it('shows the address that waits for its confirmation, and emails no link that isn’t needed', async () => {
  const { ada, users, mails, settle } = await adasBrowser({}, { isVerified: false })
  const change = async (changes: UserChanges) => {
    const { id = '', version = 0 } = (await users.findByUsername('ada')) ?? {}
    await users.update(id, changes, version)
  }
  await ada.open('/account/email/')
  expect(rowsOf(ada.page)).toEqual(['Email ada@example.org Not confirmed Email me a link'])
  await settle()
  const before = mails.length
  await change({ isVerified: true })
  expect((await ada.submit('Email me a link')).text).not.toContain('We emailed a link')
  await change({ isVerified: false })
  await ada.open('/account/email/')
  await change({ email: null, emailKey: null })
  expect((await ada.submit('Email me a link')).text).not.toContain('We emailed a link')
  expect(rowsOf(ada.page)).toContain('Email None Add')
  await settle()
  expect(mails.length).toBe(before)

  await ada.open('/account/email/')
  expect(rowsOf(ada.page)).toEqual(['Email None'])
  await ada.submit('Change email', { email: 'new@example.org' })
  expect(ada.page.text).toContain('We emailed a link to new@example.org.')
  await ada.open('/account/email/')
  expect(rowsOf(ada.page)).toEqual([
    'Email None',
    'New address, not confirmed yet new@example.org Cancel the change',
  ])
  await ada.submit('Cancel the change')
  expect(rowsOf(await ada.open('/account/email/'))).toEqual(['Email None'])
})

it('keeps this browser and logs out others when the password changes', async () => {
  const { ada, app } = await adasBrowser()
  const other = browser(app)
  await logIn(other)
  await ada.open('/account/password/')
  const wrong = await ada.submit('Change password', {
    old_password: 'not-this-one',
    new_password: otherPassword,
  })
  expect(wrong.status).toBe(400)
  expect(wrong.html).not.toContain('not-this-one')
  await ada.submit('Change password', { old_password: goodPassword, new_password: otherPassword })
  expect(ada.page.text).toContain('Password changed. We logged out your other devices.')
  expect((await ada.reload()).url).toBe('/account/')
  expect((await other.open('/account/')).url).toContain('/login/')
})

it('removes a password only from who has another way in', async () => {
  const { ada, app } = await adasBrowser({ login: { emailCode: true } })
  await ada.open('/account/password/')
  await ada.follow('Remove password')
  await ada.submit('Remove password')
  expect(ada.page.text).toContain('Password removed.')
  expect(rowsOf(ada.page)).toContain('Password Not set Set')
  await ada.open('/account/password/remove/')
  expect(ada.page.text).toContain('Your account has no password.')
  await app.accounts.createUser({ username: 'ben', password: goodPassword, email: 'ben@example.org' })
  const ben = browser(app)
  await ben.open('/account/')
  await ben.submit('Log in', { username: 'ben', password: goodPassword })
  await ben.open('/account/password/remove/')
  expect(ben.page.url).toBe('/account/password/')
  expect(ben.page.text).toContain('This is the only way to log in')
})

it('sets the first password, which needs no old one', async () => {
  const { ada, users } = await adasBrowser({ login: { emailCode: true } })
  const { id = '', version = 0 } = (await users.findByUsername('ada')) ?? {}
  await users.update(id, { passwordHash: noPassword }, version)
  expect(rowsOf(await ada.open('/account/'))).toContain('Password Not set Set')
  await ada.follow('Set')
  expect(ada.page.html).not.toContain('old_password')
  expect((await ada.submit('Set password', { new_password: 'short' })).html).toContain('new_password-fault')
  await ada.submit('Set password', { new_password: otherPassword })
  expect(ada.page.text).toContain('Password set.')
  expect(rowsOf(ada.page)).toContain('Password Set Change')
})

it('changes the profile, and keeps what was typed beside a fault', async () => {
  const fields = {
    type: 'object',
    properties: { motto: { type: 'string', title: 'Motto', maxLength: 20 } },
  } as const
  const { ada, app } = await adasBrowser({ users: { fields } })
  await app.accounts.createUser({ username: 'ben', password: goodPassword })
  await ada.open('/account/profile/')
  const taken = await ada.submit('Save', { username: 'ben', motto: 'Ever onward' })
  expect(taken.status).toBe(409)
  expect(taken.html).toContain('value="ben"')
  expect(taken.html).toContain('value="Ever onward"')
  await ada.submit('Save', { username: 'lovelace' })
  expect(rowsOf(ada.page)).toContain('Name and details lovelace, Ever onward Edit')
  await ada.open('/account/profile/')
  await ada.submit('Save', { motto: '' })
  expect(rowsOf(ada.page)).toContain('Name and details lovelace Edit')
})

it('lets an account without a username take one, and give it up while it has an address', async () => {
  const { app, users } = await pagesApp({}, { users: { names: 'optional' } })
  const email = 'ada@example.org'
  const { id } = await app.accounts.createUser({ email, password: goodPassword, isVerified: true })
  const ada = browser(app)
  await ada.open('/account/')
  await ada.submit('Log in', { username: email, password: goodPassword })
  expect(rowsOf(ada.page)[0]).toBe('Username None Edit')
  expect((await ada.open('/account/delete/')).text).toContain(`Type ${email} to confirm.`)
  await ada.open('/account/profile/')
  expect(ada.page.html).not.toMatch(/name="username"[^>]* required/)
  await ada.submit('Save', { username: 'ada' })
  expect(ada.page.text).toContain('Saved.')
  expect(rowsOf(ada.page)[0]).toBe('Username ada Edit')
  await ada.open('/account/profile/')
  await ada.submit('Save', { username: '' })
  expect(rowsOf(ada.page)[0]).toBe('Username None Edit')
  expect((await users.findById(id))?.username).toBeNull()
  await app.accounts.createUser({ username: 'ben', password: goodPassword })
  const ben = browser(app)
  await ben.open('/account/profile/')
  await ben.submit('Log in', { username: 'ben', password: goodPassword })
  const refused = await ben.submit('Save', { username: '' })
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('id="username-fault"')
})

it('speaks the language that is chosen', async () => {
  const { ada } = await adasBrowser()
  await ada.open('/account/language/')
  await ada.submit('Save', { language: 'de' })
  expect(ada.page.heading).toBe('Ihr Konto')
})

it('leads to no choice of languages where there is one', async () => {
  const { ada } = await adasBrowser({ languages: { offered: ['en'] } })
  expect(rowsOf(ada.page).join()).not.toContain('Language')
  expect(ada.page.html).not.toContain('data-part="language"')
  expect((await ada.open('/account/language/')).status).toBe(404)
})

it('lists what has happened, page by page', async () => {
  const activity = createMemoryActivityStore()
  const { ada, app, settle } = await adasBrowser({ activity })
  const { id = '' } = (await app.accounts.findUser({ username: 'ada' })) ?? {}
  const entry = { userId: id, actor: 'staff', device: 'Firefox, Linux', network: null, data: {} } as const
  const entries = Array.from({ length: 60 }, (_, minute) => ({
    ...{ ...entry, id: `entry-${minute}`, type: 'passkey.added', at: new Date(minute * 60_000) },
  }))
  await activity.add(entries, 100)
  await settle()
  await ada.open('/account/activity/')
  expect(rowsOf(ada.page)).toContain(
    'January 1, 1970 at 12:59 AM UTC Passkey added by staff of localhost:3000 · Firefox, Linux',
  )
  await ada.follow('Show older activity')
  expect(rowsOf(ada.page).at(-1)).toContain('January 1, 1970 at 12:00 AM UTC')
})

it('names each event in words, one of the app’s own by its type, and says if there are none', async () => {
  const activity = createMemoryActivityStore()
  const { ada, app, settle } = await adasBrowser({ activity })
  const { id = '' } = (await app.accounts.findUser({ username: 'ada' })) ?? {}
  const happened = async (type: string, data: object, from: object = {}) => {
    const facts = { device: null, network: null, ...from }
    const entry = { id: `entry-${type}`, userId: id, actor: 'request', at: new Date(0), ...facts } as const
    await settle()
    await activity.deleteExpired(new Date(Date.now() + 1000))
    await activity.add([{ ...entry, type, data } as ActivityEntry], 100)
    return rowsOf(await ada.open('/account/activity/'))
  }
  const at = 'January 1, 1970 at 12:00 AM UTC'
  const network = '192.0.2.0/24'
  expect(await happened('user.password_changed', { has_password: true })).toEqual([`${at} Password changed`])
  expect(await happened('user.password_changed', { has_password: false }, { network })).toEqual([
    `${at} Password removed ${network}`,
  ])
  expect(await happened('order.placed', {})).toEqual([`${at} order.placed`])
  await activity.removeAll(id)
  expect((await ada.reload()).text).toContain('Nothing has happened yet.')
  expect(rowsOf(ada.page)).toEqual([])
})

it('exports all that is kept, as a file', async () => {
  const { ada } = await adasBrowser()
  await ada.open('/account/export/')
  const { response } = await ada.follow('Download')
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment; filename="localhost-3000-account.json"',
  })
  expect(response.json().account).toMatchObject({ username: 'ada', email: 'ada@example.org' })
})

it('deletes an account whose owner types its name', async () => {
  const { ada, users } = await adasBrowser()
  await ada.open('/account/delete/')
  const other = await ada.submit('Delete account', { name: 'ben' })
  expect(other.status).toBe(400)
  expect(other.html).toContain('value="ben"')
  await ada.submit('Delete account', { name: ' Ada' })
  expect(ada.page.url).toBe('/logged-out/')
  expect(ada.page.text).toContain('Your account has been deleted.')
  expect(await users.findByUsername('ada')).toBeNull()
  expect((await ada.reload()).status).toBe(200)
  expect((await ada.open('/account/')).url).toContain('/login/')
})

it('goes by the address where there are no usernames', async () => {
  const { app, users } = await pagesApp({}, { users: { names: 'none' } })
  const email = 'ada@example.org'
  await app.accounts.createUser({ email, password: goodPassword, isVerified: true })
  const ada = browser(app)
  await ada.open('/account/')
  await ada.submit('Log in', { username: email, password: goodPassword })
  expect(rowsOf(ada.page)[0]).toBe(`Email ${email} Confirmed Change`)
  expect((await ada.open('/account/profile/')).status).toBe(404)
  await ada.open('/account/delete/')
  expect(ada.page.text).toContain(`Type ${email} to confirm.`)
  await ada.submit('Delete account', { name: email })
  expect(await users.findByEmail(email)).toBeNull()
})

it('has a name for nobody who has neither a username nor an address, and deletes the account without it', async () => {
  const { app, users } = await pagesApp({}, { users: { names: 'none' } })
  const email = 'ada@example.org'
  const { id } = await app.accounts.createUser({ email, password: goodPassword, isVerified: true })
  const ada = browser(app)
  await ada.open('/account/')
  await ada.submit('Log in', { username: email, password: goodPassword })
  const { version = 0 } = (await users.findById(id)) ?? {}
  await users.update(id, { email: null, emailKey: null }, version)
  expect((await ada.reload()).html).toContain('<summary><bdi>Your account</bdi></summary>')
  expect((await ada.open('/account/password/')).html).not.toContain('autocomplete="username"')
  const asked = await ada.open('/account/delete/')
  expect(asked.html).not.toContain('name="name"')
  expect(asked.text).not.toContain('Type')
  expect((await ada.submit('Delete account')).text).toContain('Your account has been deleted.')
  expect(await users.findById(id)).toBeNull()
})

it('counts invitations to organizations beside them', async () => {
  const { ada, app } = await adasBrowser({ features: [invitations(), organizations()] })
  expect(rowsOf(ada.page)).toContain('Organizations None Open')
  const ben = { username: 'ben', password: goodPassword, email: 'ben@example.org', isVerified: true }
  const { id: ownerId } = await app.accounts.createUser(ben)
  for (const slug of ['acme', 'globex']) {
    await app.accounts.organizations.create({ name: slug, slug, ownerId })
    await app.accounts.organizations.invite(slug, { email: 'ada@example.org', roles: ['member'] })
  }
  expect(rowsOf(await ada.reload())).toContain('Organizations None 2 invitations Open')
})
