import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword, linkTarget, otherPassword, type TestApp } from '@fastify-accounts/test-support/app'
import { codeIn } from '@fastify-accounts/test-support/email-code'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import {
  type AccountsOptions,
  createMemorySessionStore,
  createMemoryUserStore,
  RuleError,
  secondFactor,
} from 'fastify-accounts'
import { describe, expect, it } from 'vitest'
import { type Browser, browser, later, pagesApp } from './pages-app.js'

const alice = { username: 'alice', password: goodPassword, email: 'alice@example.org', isVerified: true }
const credentials = { username: 'alice', password: goodPassword }
const home = { status: 200, url: '/secret/?a=1', html: 'in' }

/** The app with alice, and a browser that has opened a guarded route. */
async function atTheDoor(
  options: Partial<AccountsOptions> = {},
): Promise<TestApp & { id: string; visitor: Browser }> {
  const world = await pagesApp({}, options)
  const { id } = await world.app.accounts.createUser(alice)
  const visitor = browser(world.app)
  await visitor.open('/secret/?a=1')
  return { ...world, id, visitor }
}

describe('a login by an emailed code', () => {
  it('leads back, keeps what was typed, and reloads without an error', async () => {
    const world = await atTheDoor({ login: { emailCode: true } })
    const { visitor } = world
    const sent = await visitor.submit('Email me a code', { username: 'alice@example.org', remember: 'on' })
    expect(sent).toMatchObject({ status: 200, heading: 'Check your inbox' })
    expect(sent.text).toContain('If alice@example.org has an account here, a code is on its way.')
    expect(sent.url).not.toContain('alice')
    expect(sent.html).toMatch(/name="remember"[^>]* checked/)
    expect((await visitor.reload()).heading).toBe('Check your inbox')
    const wrong = await visitor.submit('Log in', { code: 'AAAA-AAAA' })
    expect([wrong.status, wrong.heading]).toEqual([401, 'Check your inbox'])
    world.mails.length = 0
    const again = await visitor.submit('Send it again')
    expect(again.text).toContain('If there is an account with this address, a login code is on its way.')
    const code = codeIn(await world.mail('login-code'))
    expect(await visitor.submit('Log in', { code })).toMatchObject(home)
    expect(await visitor.reload()).toMatchObject(home)
  })

  it('asks for an address where none was typed, and again to change it', async () => {
    const { visitor } = await atTheDoor({ login: { emailCode: true } })
    const ask = await visitor.submit('Email me a code', { username: 'alice' })
    expect(ask).toMatchObject({ status: 200, heading: 'Email me a code' })
    const faulty = await visitor.submit('Email me a code', { email: 'not an address' })
    expect(faulty.status).toBe(400)
    expect(faulty.html).toContain('value="not an address"')
    await visitor.submit('Email me a code', { email: 'alic@example.org' })
    const change = await visitor.follow('Change')
    expect(change.html).toContain('value="alic@example.org"')
    expect((await visitor.submit('Email me a code', { email: 'alice@example.org' })).text).toContain(
      'If alice@example.org has',
    )
  })
})

describe('a login with a second factor', () => {
  it('leads back with a recovery code after a lost phone', async () => {
    const world = await atTheDoor({ features: [secondFactor()] })
    const { codes } = await enroll(world)
    const { visitor } = world
    const second = await visitor.submit('Log in', credentials)
    expect(second).toMatchObject({ status: 200, heading: 'Two-step verification' })
    expect(second.html).toContain('autocomplete="one-time-code"')
    await visitor.follow('Use a recovery code')
    expect((await visitor.submit('Continue', { code: 'WRONG-WRONG' })).status).toBe(401)
    expect(visitor.page.text).toContain('Recovery code')
    expect(await visitor.submit('Continue', { code: codes[0] ?? '' })).toMatchObject(home)
    expect(await visitor.reload()).toMatchObject(home)
  })

  it('skips the factor on a device that asks for it, and begins again once it has expired', async () => {
    const world = await atTheDoor({ features: [secondFactor()] })
    const app = await enroll(world)
    const { visitor } = world
    await visitor.submit('Log in', credentials)
    later(11)
    const expired = await visitor.submit('Continue', { code: codeOf(app.secret) })
    expect(expired).toMatchObject({ status: 200, url: '/login/?next=%2Fsecret%2F%3Fa%3D1' })
    expect(expired.text).toContain('That took too long. Log in again.')
    await visitor.submit('Log in', credentials)
    expect(
      await visitor.submit('Continue', { code: codeOf(app.secret), remember_device: 'on' }),
    ).toMatchObject(home)
    await visitor.open('/logout/')
    await visitor.submit('Log out')
    await visitor.open('/secret/?a=1')
    expect(await visitor.submit('Log in', credentials)).toMatchObject(home)
  })
})

describe('a confirmation', () => {
  it('comes before a sensitive form, and leads back to it', async () => {
    const { visitor } = await atTheDoor()
    await visitor.submit('Log in', credentials)
    later(20)
    const confirm = await visitor.open('/account/email/')
    expect(confirm).toMatchObject({ status: 200, heading: 'Confirm it’s you' })
    expect(confirm.html).toMatch(/autocomplete="username" value="alice" readonly hidden/)
    const wrong = await visitor.submit('Confirm', { password: 'not-this-one' })
    expect(wrong.status).toBe(400)
    const form = await visitor.submit('Confirm', { password: goodPassword })
    expect(form).toMatchObject({ status: 200, url: '/account/email/' })
    expect(await visitor.reload()).toMatchObject({ status: 200, url: '/account/email/' })
  })

  it('that comes late loses nothing that was typed, and Cancel leads away', async () => {
    const { visitor } = await atTheDoor()
    await visitor.submit('Log in', credentials)
    await visitor.open('/account/email/')
    later(20)
    const confirm = await visitor.submit(buttonOf(visitor), { email: 'new@example.org' })
    expect(confirm.heading).toBe('Confirm it’s you')
    await visitor.submit('Confirm', { password: 'not-this-one' })
    const form = await visitor.submit('Confirm', { password: goodPassword })
    expect(form.url).toBe('/account/email/')
    expect(form.html).toContain('value="new@example.org"')
    later(20)
    await visitor.open('/account/email/')
    expect(await visitor.follow('Cancel')).toMatchObject({ status: 200, url: '/account/' })
  })

  it('takes the factor that the account has, or an emailed code where there is nothing else', async () => {
    const world = await atTheDoor({ features: [secondFactor()] })
    const app = await enroll(world)
    const { visitor } = world
    await visitor.submit('Log in', credentials)
    later(1)
    await visitor.submit('Continue', { code: codeOf(app.secret) })
    later(20)
    await visitor.open('/account/email/')
    expect(visitor.page.text).not.toContain('Password')
    await visitor.follow('Use a recovery code')
    const back = await visitor.submit('Confirm', { code: app.codes[0] ?? '' })
    expect(back.url).toBe('/account/email/')
  })

  it('emails a code to an account that has nothing else', async () => {
    const world = await pagesApp({}, { login: { emailCode: true }, features: [passkeys()] })
    await world.app.accounts.createUser({ ...alice, password: null })
    const visitor = browser(world.app)
    await visitor.open('/secret/?a=1')
    await visitor.submit('Email me a code', { username: 'alice@example.org' })
    const code = codeIn(await world.mail('login-code'))
    expect(await visitor.submit('Log in', { code })).toMatchObject(home)
    later(20)
    await visitor.open('/account/email/')
    const sent = await visitor.submit('Email a code to alice@example.org')
    expect(sent.text).toContain('We emailed a code to alice@example.org')
    const email_code = codeIn(await world.mail('confirmation-code'))
    expect(await visitor.submit('Confirm', { email_code })).toMatchObject({ url: '/account/email/' })
  })
})

it('keeps the form of somebody whose session ends meanwhile, through the login', async () => {
  const { visitor, app, id } = await atTheDoor()
  await visitor.submit('Log in', credentials)
  await visitor.open('/account/profile/')
  await app.accounts.endUserSessions(id)
  const login = await visitor.submit(buttonOf(visitor), { username: 'alicia' })
  expect(login.heading).toMatch(/^Log in to/)
  await visitor.submit('Log in', { ...credentials, password: 'not-this-one' })
  const form = await visitor.submit('Log in', credentials)
  expect(form).toMatchObject({ status: 200, url: '/account/profile/' })
  expect(form.html).toContain('value="alicia"')
})

describe('what is wrong with a login has its way on', () => {
  it('a wrong password', async () => {
    const { visitor } = await atTheDoor()
    const wrong = await visitor.submit('Log in', { ...credentials, password: 'not-this-one' })
    expect(wrong.status).toBe(401)
    expect(wrong.html).toContain('value="alice"')
    expect(wrong.text).toContain('Wrong username, email address or password. Reset your password')
    expect((await visitor.follow('Reset your password')).url).toMatch(/^\/forgot\//)
  })

  it('too many attempts', async () => {
    const limits = { loginAccount: { max: 1, window: 600_000 } }
    const { visitor } = await atTheDoor({ throttle: { limits }, login: { emailCode: true } })
    await visitor.submit('Log in', { ...credentials, password: 'not-this-one' })
    const throttled = await visitor.submit('Log in', credentials)
    expect(throttled.status).toBe(429)
    expect(throttled.text).toContain('Too many attempts. Try again in 10 minutes, or get in by email .')
    expect((await visitor.follow('get in by email')).url).toMatch(/^\/login\/code\//)
  })

  it('an address that nobody has confirmed', async () => {
    const world = await pagesApp({}, { requireEmailConfirmation: true })
    await world.send('POST', '/user/', { ...credentials, confirm_password: goodPassword, email: alice.email })
    await world.mail('verify-email')
    world.mails.length = 0
    const visitor = browser(world.app)
    await visitor.open('/login/')
    const refused = await visitor.submit('Log in', credentials)
    expect(refused.status).toBe(403)
    expect((await visitor.submit('Send it again', { email: 'alice' })).status).toBe(400)
    // By the address, in the browser that has signed up: nothing says whether there is an account.
    const own = browser(world.app)
    await own.open('/signup/')
    await own.submit('Create account', { ...credentials, username: 'ada', email: 'ada@example.org' })
    await world.mail('verify-email', 'ada@example.org')
    world.mails.length = 0
    await own.open('/login/')
    const hinted = await own.submit('Log in', { username: 'ada@example.org', password: goodPassword })
    expect(hinted.text).toContain('If you’ve just signed up, confirm your email address first. Send it again')
    expect((await own.submit('Send it again')).text).toContain('We emailed a link to ada@example.org .')
    await world.mail('verify-email', 'ada@example.org')
    world.mails.length = 0
    const sent = await visitor.submit('Send it again', { email: 'alice@example.org' })
    expect(sent).toMatchObject({ status: 200, heading: 'Check your inbox' })
    expect(sent.text).toContain('alice@example.org')
    await world.mail('verify-email')
  })

  it('an address that nobody has confirmed, where nobody signs up', async () => {
    for (const [emailCode, label] of [
      [true, 'Email me a code'],
      [false, 'Reset your password'],
    ] as const) {
      const options = { users: false, requireEmailConfirmation: true, login: { emailCode } } as const
      const world = await pagesApp({}, options)
      await world.app.accounts.createUser({ ...alice, isVerified: false })
      const visitor = browser(world.app)
      const login = await visitor.open('/secret/?a=1')
      expect(login.text).not.toContain('Create an account')
      const refused = await visitor.submit('Log in', credentials)
      expect(refused.text).toMatch(new RegExp(`Confirm your email address first. ${label} Username`))
      // No page has the form that sends the link again.
      const response = await world.app.inject({
        ...{ method: 'POST', url: '/login/', payload: `email=${alice.email}` },
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      })
      expect(response).toMatchObject({ statusCode: 303, headers: { location: '/login/' } })
      await visitor.follow(label)
      if (emailCode) {
        await visitor.submit(label, { email: alice.email })
        const code = codeIn(await world.mail('login-code'))
        expect(await visitor.submit('Log in', { code })).toMatchObject(home)
      } else {
        await visitor.submit('Send email', { email: alice.email })
        await visitor.open(linkTarget(await world.mail('reset-password')))
        await visitor.submit('Set password', { new_password: otherPassword })
        await visitor.follow('Log in')
        const back = await visitor.submit('Log in', { ...credentials, password: otherPassword })
        expect(back).toMatchObject(home)
      }
    }
  })

  it('a disabled account', async () => {
    for (const url of [null, 'https://acme.example/']) {
      const brand = { name: 'Acme', ...(url !== null && { url }) }
      const { users, visitor, id } = await atTheDoor({ brand })
      const user = await users.findById(id)
      await users.update(id, { isActive: false }, user?.version ?? 0)
      const refused = await visitor.submit('Log in', credentials)
      expect(refused.status).toBe(403)
      expect(refused.text).toContain('This account is disabled.')
      expect(/<a href="([^"]*)">Contact Acme</.exec(refused.html)?.[1] ?? null).toBe(url)
    }
  })

  it('too many emails', async () => {
    const limits = { forgot: { max: 1, window: 600_000 } }
    for (const emailCode of [true, false]) {
      const { visitor } = await atTheDoor({ throttle: { limits }, login: { emailCode } })
      await visitor.follow('Forgot password?')
      const { url } = visitor.page
      await visitor.submit('Send email', { email: alice.email })
      await visitor.open(url)
      const throttled = await visitor.submit('Send email', { email: alice.email })
      expect(throttled).toMatchObject({ status: 429, url })
      expect(throttled.html).toContain('value="alice@example.org"')
      const way = emailCode ? ', or get in by email .' : '.'
      expect(throttled.text).toContain(`Too many attempts. Try again in 10 minutes${way} `)
      if (emailCode)
        expect((await visitor.follow('get in by email')).url).toMatch(/^\/login\/code\/\?next=%2Fsecret/)
    }
  })

  it('no address where a code is wanted, or too many codes', async () => {
    const limits = { loginCodeRequest: { max: 2, window: 600_000 } }
    const { visitor } = await atTheDoor({ throttle: { limits }, login: { emailCode: true } })
    const ask = await visitor.submit('Email me a code', { username: 'alice@' })
    expect(ask).toMatchObject({ status: 200, heading: 'Email me a code' })
    expect(ask.html).toContain('value="alice@"')
    for (const status of [200, 429]) {
      await visitor.open('/login/?next=%2Fsecret%2F')
      const sent = await visitor.submit('Email me a code', { username: alice.email })
      expect(sent.status).toBe(status)
    }
    expect(visitor.page.html).toContain('value="alice@example.org"')
    expect(visitor.page.text).toContain('Too many attempts. Try again in 10 minutes, or get in by email .')
    expect((await visitor.follow('get in by email')).url).toBe('/forgot/?next=%2Fsecret%2F')
  })

  it('a rule of the app', async () => {
    const refuse = () => {
      const message = { en: 'Closed for today.', de: 'Heute geschlossen.' }
      throw new RuleError('ACME_CLOSED', { message })
    }
    const { app, visitor } = await atTheDoor({ before: { logIn: refuse } })
    const refused = await visitor.submit('Log in', credentials)
    expect(refused).toMatchObject({ status: 403, heading: 'Log in to localhost:3000' })
    expect(refused.html).toMatch(/role="alert">Closed for today\.<[\s\S]*value="alice"/)
    const german = browser(app, { 'accept-language': 'de' })
    await german.open('/login/')
    expect((await german.submit('Anmelden', credentials)).text).toContain('Heute geschlossen.')
  })

  it('a browser that keeps no cookie', async () => {
    const { visitor, app } = await atTheDoor()
    // Its response comes without the cookie.
    const forgetful = browser(app)
    await forgetful.open('/login/?next=%2Fsecret%2F')
    const set = forgetful.cookies.set.bind(forgetful.cookies)
    forgetful.cookies.set = (name, value) => (name.endsWith('session') ? forgetful.cookies : set(name, value))
    const refused = await forgetful.submit('Log in', credentials)
    expect(refused.text).toContain('Your browser didn’t keep the cookie.')
    forgetful.cookies.set = set
    expect(await forgetful.submit('Log in', credentials)).toMatchObject({ url: '/secret/', html: 'in' })
    expect(visitor.page.status).toBe(200)
  })
})

it('asks for an address where nobody has a username', async () => {
  const world = await pagesApp({}, { users: { names: 'none' } })
  await world.app.accounts.createUser({ password: goodPassword, email: alice.email, isVerified: true })
  const visitor = browser(world.app)
  const login = await visitor.open('/login/')
  expect(login.html).toMatch(/<label for="username">Email address<.label>/)
  const typed = { username: alice.email, password: 'not-this-one' }
  expect((await visitor.submit('Log in', typed)).text).toContain('Wrong email address or password.')
  expect(await visitor.submit('Log in', { ...typed, password: goodPassword })).toMatchObject({
    url: '/account/',
  })
})

it('asks for the username alone where people log in with nothing else', async () => {
  const { visitor } = await atTheDoor({ login: { by: ['username'] } })
  expect(visitor.page.html).toMatch(/<label for="username">Username<.label>/)
  expect(visitor.page.html).toMatch(/<input id="username" name="username" type="text"/)
  const wrong = await visitor.submit('Log in', { username: alice.email, password: goodPassword })
  expect(wrong.text).toContain('Wrong username or password.')
  const none = await visitor.submit('Log in', { username: '', password: '' })
  expect(none.text).toContain('Username: This field is required.')
  expect(await visitor.submit('Log in', credentials)).toMatchObject(home)
})

it('says who is logged in by the address, or as an account that has none', async () => {
  const stores = { userStore: createMemoryUserStore(), sessionStore: createMemorySessionStore() }
  for (const [username, email, name] of [
    ['ada', 'ada@example.org', 'ada@example.org'],
    ['ben', null, 'Your account'],
  ] as const) {
    const world = await pagesApp({}, stores)
    await world.app.accounts.createUser({ username, password: goodPassword, email })
    const visitor = browser(world.app)
    await visitor.open('/login/')
    await visitor.submit('Log in', { username, password: goodPassword })
    // The app has had usernames before.
    const { app } = await pagesApp({}, { ...stores, users: { names: 'none' } })
    const later = browser(app)
    for (const [cookie, value] of visitor.cookies) later.cookies.set(cookie, value)
    for (const url of ['/login/', '/signup/', '/done/']) {
      expect((await later.open(url)).text).toContain(`You’re logged in as ${name} .`)
      expect(later.page.html).toMatch(/<main[\s\S]*<a [^>]*>Continue/)
    }
  }
})

it('leads back from the link in the email of a login code', async () => {
  const world = await atTheDoor({ login: { emailCode: true } })
  const { visitor } = world
  await visitor.submit('Email me a code', { username: 'alice@example.org' })
  await visitor.open(linkTarget(await world.mail('login-code')))
  const done = await visitor.submit('Log in')
  expect(done.status).toBe(200)
  const back = await visitor.follow('Continue to localhost:3000')
  expect(back).toMatchObject(home)
})

it('lets the browser add a passkey by itself after a login with a password, and no other', async () => {
  const world = await atTheDoor({ login: { emailCode: true }, features: [passkeys()] })
  const { visitor } = world
  await visitor.submit('Log in', credentials)
  expect((await visitor.open('/account/')).html).toContain('<div data-passkey-offer')
  const other = browser(world.app)
  await other.open('/account/')
  await other.submit('Email me a code', { username: 'alice@example.org' })
  const code = codeIn(await world.mail('login-code'))
  expect((await other.submit('Log in', { code })).html).not.toContain('data-passkey-offer')
})

it('says who is logged in already, and names both ways', async () => {
  const { visitor } = await atTheDoor()
  await visitor.submit('Log in', credentials)
  const already = await visitor.open('/login/?next=%2Fsecret%2F')
  expect(already.text).toContain('You’re logged in as alice .')
  expect((await visitor.follow('Continue')).url).toBe('/secret/')
  await visitor.open('/login/?next=%2Fsecret%2F')
  const out = await visitor.submit('Log out and use another account')
  expect(out).toMatchObject({ status: 200, url: '/login/?next=%2Fsecret%2F' })
  expect(out.heading).toMatch(/^Log in to/)
})

it('marks the way that was used last in this browser', async () => {
  const { visitor } = await atTheDoor({ login: { emailCode: true } })
  expect(visitor.page.html).not.toContain('data-part="badge"')
  await visitor.submit('Log in', credentials)
  await visitor.open('/logout/')
  await visitor.submit('Log out')
  expect(visitor.page).toMatchObject({ url: '/logged-out/', heading: 'You’re logged out' })
  const login = await visitor.follow('Log in')
  expect(login.text).toMatch(/Log in Last used Email me a code/)
  await visitor.submit('Log in', credentials)
  // No way that there is.
  expect((await visitor.open('/login/?in=telepathy&next=%2Fsecret%2F')).url).toBe('/secret/')
  expect(visitor.cookies.get('session-way')).toBe('password')
})

it('never leaves the site', async () => {
  const { visitor } = await atTheDoor()
  const aims = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/%5Cevil.example',
    '/%2Fevil.example',
    '/%252Fevil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    ' /secret/',
    'secret/',
    `/${'a'.repeat(2000)}`,
  ]
  for (const next of aims) {
    await visitor.open(`/login/?${new URLSearchParams({ next })}`)
    const { url } = await visitor.submit('Log in', credentials)
    expect([next, url]).toEqual([next, '/account/'])
    const confirm = await visitor.open(`/confirm/?${new URLSearchParams({ next })}`)
    expect([next, confirm.url]).toEqual([next, '/account/'])
    await visitor.open('/logout/')
    await visitor.submit('Log out')
  }
  const twice = await visitor.open('/login/?next=%2Fsecret%2F&next=%2F%2Fevil.example')
  expect(twice.html).toContain('<form method="post" action="/login/">')
})

/** The label of the page's primary button. */
function buttonOf({ page }: Browser): string {
  const [, label = ''] = /data-kind="primary"[^>]*>([^<]*)<\/button>/.exec(page.html) ?? []
  return label
}
