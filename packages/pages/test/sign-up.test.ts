import { passkeys } from '@fastify-accounts/passkeys'
import {
  goodPassword,
  linkTarget,
  otherPassword,
  signUp,
  type TestApp,
} from '@fastify-accounts/test-support/app'
import { codeIn } from '@fastify-accounts/test-support/email-code'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { apiKeys, invitations, RuleError, secondFactor } from 'fastify-accounts'
import { describe, expect, it } from 'vitest'
import { type Browser, browser, later, pagesApp } from './pages-app.js'

/** Opens the sign-up page from the guarded route. */
async function stranger(world: Pick<TestApp, 'app'>): Promise<Browser> {
  const visitor = browser(world.app)
  await visitor.open('/secret/?a=1')
  await visitor.follow('Create an account')
  expect(visitor.page).toMatchObject({ status: 200, heading: 'Create your account' })
  return visitor
}

/** The text of the one primary button. */
function primary({ page }: Browser): string {
  const all = [...page.html.matchAll(/<(?:button|a)[^>]*data-kind="primary"[^>]*>([^<]*)</g)]
  expect(all).toHaveLength(1)
  return all[0]?.[1] ?? ''
}

const ada = { username: 'ada', email: 'ada@example.org', password: goodPassword }
const confirming = { requireEmailConfirmation: true }

describe('a stranger at a guarded route', () => {
  it('signs up, confirms the address and is back', async () => {
    const world = await pagesApp({}, confirming)
    const visitor = await stranger(world)
    const sent = await visitor.submit('Create account', ada)
    expect(sent).toMatchObject({ status: 200, heading: 'Check your inbox' })
    expect(sent.text).toMatch(/We emailed a link to ada@example.org ?. Open it to finish\./)
    expect((await visitor.reload()).heading).toBe('Check your inbox')
    const link = linkTarget(await world.mail('verify-email'))
    await visitor.open(link)
    const done = await visitor.submit(primary(visitor))
    expect(done).toMatchObject({ status: 200, url: '/done/', heading: 'Your email address is confirmed' })
    expect(done.text).not.toContain('You can log in now')
    expect(done.text).toMatch(/You’re logged in as ada ?\./)
    expect((await visitor.reload()).status).toBe(200)
    expect(await visitor.follow(primary(visitor))).toMatchObject({ url: '/secret/?a=1', html: 'in' })
    expect(await visitor.open(link)).toMatchObject({ status: 200, heading: 'You’ve already done this' })
    expect(primary(visitor)).toMatch(/^Continue to /)
  })

  it('is back at once where no address has to be confirmed', async () => {
    const world = await pagesApp({}, { requireEmailConfirmation: false })
    const visitor = await stranger(world)
    const back = await visitor.submit('Create account', ada)
    expect(back).toMatchObject({ status: 200, url: '/secret/?a=1', html: 'in' })
  })

  it('signs up without a password, and is back after the link', async () => {
    const world = await pagesApp({}, { ...confirming, login: { emailCode: true } })
    const visitor = await stranger(world)
    const none = await visitor.submit('Create account', { password: '' })
    expect(none.status).toBe(400)
    for (const name of ['username', 'email', 'password']) expect(none.html).toContain(`id="${name}-fault"`)
    await visitor.submit('Email me codes instead', { ...ada, password: '' })
    await visitor.open(linkTarget(await world.mail('verify-email')))
    await visitor.submit('Confirm')
    expect(await visitor.follow(primary(visitor))).toMatchObject({ url: '/secret/?a=1', html: 'in' })
  })
})

describe('sign-up', () => {
  it('keeps what was typed after each fault, but the password', async () => {
    const world = await pagesApp({}, { requireEmailConfirmation: false })
    await signUp(world, 'ada', { email: 'ada@example.org' })
    const visitor = await stranger(world)
    const taken = await visitor.submit('Create account', { ...ada, email: 'eve@example.org' })
    expect(taken).toMatchObject({ status: 409, heading: 'Create your account' })
    expect(taken.html).toContain('<title>Error: Create your account')
    expect(taken.text).toContain('This username is taken.')
    expect(taken.html).toContain('value="eve@example.org"')
    expect(taken.html).not.toContain(goodPassword)
    const weak = await visitor.submit('Create account', { username: 'eve', password: 'short' })
    expect(weak.html).toContain('id="password-fault"')
    const none = await visitor.submit('Create account', { username: '', password: '' })
    expect(none.status).toBe(400)
    for (const name of ['username', 'password']) expect(none.html).toContain(`id="${name}-fault"`)
    expect(none.html).toMatch(/id="password-fault"[^>]*>This field is required\./)
    await visitor.submit('Create account', { username: 'eve', password: 'short' })
    const double = await visitor.submit('Create account', {
      email: 'ada@example.org',
      password: goodPassword,
    })
    expect(double).toMatchObject({ status: 409 })
    expect(double.html).toContain('value="eve"')
    const back = await visitor.submit('Create account', { email: 'eve@example.org', password: goodPassword })
    expect(back).toMatchObject({ url: '/secret/?a=1', html: 'in' })
  })

  it('shows the same page for an address that has an account', async () => {
    const world = await pagesApp({}, confirming)
    await signUp(world, 'ada', { email: 'ada@example.org' })
    const [first, second] = [await stranger(world), await stranger(world)]
    await first.submit('Create account', { ...ada, username: 'ben' })
    await second.submit('Create account', { ...ada, username: 'eve', email: 'eve@example.org' })
    const plain = ({ page }: Browser) =>
      page.html.replace(/(to|from|sent)=[\w-]*|(?<=countdown=")\d+/g, '').replaceAll('eve@', 'ada@')
    expect(plain(first)).toBe(plain(second))
    expect([...first.cookies.keys()]).toEqual([...second.cookies.keys()])
    await first.submit('Send it again')
    await second.submit('Send it again')
    expect(first.page).toMatchObject({ status: 200, heading: 'Check your inbox' })
    expect(plain(first)).toBe(plain(second))
    await first.reload()
    expect(first.page.status).toBe(200)
  })

  it('leads back from the inbox to what was typed', async () => {
    const world = await pagesApp({}, confirming)
    const visitor = await stranger(world)
    await visitor.submit('Create account', { ...ada, email: 'adda@example.org' })
    const again = await visitor.follow('Change')
    expect(again.heading).toBe('Create your account')
    expect(again.html).toContain('value="adda@example.org"')
    expect(again.html).toContain('value="ada"')
    const same = await visitor.submit('Create account', { email: 'ada@example.org', password: goodPassword })
    expect(same.text).toContain('You’ve already used this username, with adda@example.org.')
    await visitor.submit('Create account', { username: 'adda', password: goodPassword })
    expect(visitor.page.text).toContain('ada@example.org')
    expect((await world.mail('verify-email', 'ada@example.org')).subject).toContain('Confirm')
    expect((await visitor.open('/signup/sent/?to=forged')).heading).toBe('Create your account')
  })

  it('asks for own fields, and sends them typed', async () => {
    const { app, users } = await pagesApp(
      {},
      {
        requireEmailConfirmation: false,
        users: {
          names: 'none',
          fields: {
            type: 'object',
            properties: {
              nickname: { type: 'string', title: 'Nickname', description: 'Shown to others.', maxLength: 10 },
              plan: { title: 'Plan', anyOf: [{ const: 'a', title: 'Small' }, { const: 'b' }] },
              height: { type: 'number', title: 'Height', maximum: 3 },
              about: { type: ['string', 'null'], title: 'About you', maxLength: 2000 },
              news: { type: 'boolean', title: 'Send me news' },
              source: { type: 'string', 'x-page': false },
              tags: { type: 'array', items: { type: 'string' } },
              level: { type: 'integer', readOnly: true, title: 'Level' },
            },
            required: ['nickname'],
          },
        },
        signUp: {
          fields: {
            type: 'object',
            properties: { terms: { type: 'boolean', const: true, title: 'I accept the terms' } },
            required: ['terms'],
          },
        },
        languages: { texts: { en: { own_fields: { plan: { title: 'Tariff', enum: { b: 'Large' } } } } } },
      },
    )
    const visitor = browser(app)
    const { html } = await visitor.open('/signup/')
    expect(html).not.toMatch(/name="(source|tags|level|username)"/)
    expect(html).toMatch(/Tariff \(optional\)[\s\S]*Small[\s\S]*Large/)
    expect(html).toMatch(/<textarea id="about"/)
    const filled = {
      email: 'ada@example.org',
      password: goodPassword,
      ...{ nickname: 'Addy', plan: 'b', height: '1,7', about: 'a < b' },
    }
    const wrong = await visitor.submit('Create account', { ...filled, height: 'tall' })
    expect(wrong.html).toContain('id="height-fault"')
    expect(wrong.html).toContain('id="terms-fault"')
    expect(wrong.html).toMatch(/value="b" selected/)
    expect(wrong.html).toContain('a &#60; b</textarea>')
    const landed = await visitor.submit('Create account', {
      ...{ password: goodPassword, height: '1,7', terms: 'on', news: 'on' },
    })
    expect(landed).toMatchObject({ status: 200, url: '/account/' })
    const user = await users.findByEmail('ada@example.org')
    expect(user?.fields).toEqual({ nickname: 'Addy', plan: 'b', height: 1.7, about: 'a < b', news: true })
  })

  it('asks for the address that people log in with, even if it needs no confirmation', async () => {
    const { app, users } = await pagesApp({}, { requireEmailConfirmation: false, login: { by: ['email'] } })
    const visitor = browser(app)
    expect((await visitor.open('/signup/')).html).toMatch(/<label for="email">Email address</)
    const none = await visitor.submit('Create account', { username: 'ada', password: goodPassword })
    expect(none.status).toBe(400)
    expect(none.text).toContain('Email address: This field is required.')
    expect(await users.findByUsername('ada')).toBeNull()
    await visitor.submit('Create account', { email: ada.email, password: goodPassword })
    expect(visitor.page).toMatchObject({ status: 200, url: '/account/' })
  })

  it('needs a username or an address where both are optional', async () => {
    const options = { requireEmailConfirmation: false, users: { names: 'optional' } } as const
    const { app } = await pagesApp({}, options)
    const visitor = browser(app)
    await visitor.open('/signup/')
    expect(visitor.page.html).toMatch(/<label for="username">Username \(optional\)</)
    for (const password of ['', goodPassword]) {
      const none = await visitor.submit('Create account', { password })
      expect(none.status).toBe(400)
      expect(none.text).toContain('Email address: This field is required.')
      expect(none.text).not.toContain('Username (optional): This field')
    }
    await visitor.submit('Create account', { username: 'ada', password: goodPassword })
    expect(visitor.page).toMatchObject({ status: 200, url: '/account/' })
    const other = browser(app)
    await other.open('/signup/')
    await other.submit('Create account', { email: 'ben@example.org', password: goodPassword })
    expect((await other.open('/login/')).text).toContain('You’re logged in as ben@example.org .')
  })

  it('needs the address to which codes are emailed', async () => {
    const options = { requireEmailConfirmation: false, login: { emailCode: true } }
    const { app } = await pagesApp({}, options)
    const visitor = browser(app)
    await visitor.open('/signup/')
    expect(visitor.page.html).toContain('Email address (optional)')
    await visitor.submit('Email me codes instead', { username: 'ada' })
    expect(visitor.page.text).toContain('Email address: This field is required.')
    await visitor.submit('Email me codes instead', { email: ada.email })
    expect(visitor.page.heading).toBe('Check your inbox')
  })

  it('says why a rule of the app refuses, and has the account ready if that keeps only the login out', async () => {
    const message = 'Closed for today.'
    let fields: Record<string, string> | undefined
    const refuse = () => {
      throw new RuleError('ACME_CLOSED', { message, fields })
    }
    const world = await pagesApp({}, { requireEmailConfirmation: false, before: { signUp: refuse } })
    const visitor = await stranger(world)
    const refused = await visitor.submit('Create account', ada)
    expect(refused).toMatchObject({ status: 403, heading: 'Create your account' })
    expect(refused.html).toMatch(/role="alert">Closed for today\.<[\s\S]*value="ada@example.org"/)
    fields = { email: 'No free address, please.' }
    const faulty = await visitor.submit('Create account', { password: goodPassword })
    expect(faulty.html).toMatch(/id="email-fault">No free address, please\./)

    fields = undefined
    const other = await pagesApp({}, { requireEmailConfirmation: false, before: { logIn: refuse } })
    const kept = await stranger(other)
    const ready = await kept.submit('Create account', ada)
    expect(ready.url).toBe('/login/?next=%2Fsecret%2F%3Fa%3D1')
    expect(ready.text).toContain('Your account is ready.')
    const login = await kept.submit('Log in', { username: 'ada', password: goodPassword })
    expect(login.text).toContain(message)
  })

  it('uses the routes that the app has, and keeps the address at least of what is too long', async () => {
    const properties = {
      motto: { type: 'string', title: 'Motto', maxLength: 5000 },
      level: { const: 1, readOnly: true },
    } as const
    const fields = { type: 'object', properties, required: ['motto'] } as const
    const world = await pagesApp({}, { ...confirming, users: { variant: 'user', fields } })
    const visitor = await stranger(world)
    const none = await visitor.submit('Create account')
    expect(none.status).toBe(400)
    const faulty = [...none.html.matchAll(/id="(\w+)-fault"/g)].map(([, name]) => name)
    expect(faulty).toEqual(['email', 'username', 'motto', 'password'])
    await visitor.submit('Create account', { ...ada, motto: 'x'.repeat(3000) })
    expect(visitor.page.heading).toBe('Check your inbox')
    await world.mail('verify-email')
    world.mails.length = 0
    await visitor.submit('Send it again')
    expect(linkTarget(await world.mail('verify-email'))).toMatch(/^\/user\/v\//)
    const again = await visitor.follow('Change')
    expect(again.html).toContain('value="ada@example.org"')
    expect(again.html).not.toContain('xxx')
    await visitor.open(linkTarget(world.mails[0] ?? { text: '' }))
    await visitor.submit(primary(visitor))
    expect(await visitor.follow(primary(visitor))).toMatchObject({ url: '/secret/?a=1', html: 'in' })
  })

  it('creates no second account for somebody who is logged in by now', async () => {
    const world = await pagesApp({}, { requireEmailConfirmation: false })
    const visitor = await stranger(world)
    const tab = await stranger(world)
    await tab.submit('Create account', ada)
    for (const [name, value] of tab.cookies) visitor.cookies.set(name, value)
    const already = await visitor.submit('Create account', {
      ...ada,
      username: 'ben',
      email: 'b@example.org',
    })
    expect(already.text).toContain('You’re logged in as ada .')
    expect(await world.users.findByUsername('ben')).toBeNull()
    expect(await visitor.follow('Continue')).toMatchObject({ url: '/secret/?a=1', html: 'in' })
    // The page that waits for the email, of a tab that was open before.
    expect((await visitor.open('/signup/sent/?to=x&next=%2Fsecret%2F')).html).toBe('in')
    expect((await visitor.open('/signup/sent/?to=x')).url).toBe('/account/')
  })

  it('says that it is closed, and who is logged in already', async () => {
    const world = await pagesApp({}, { authorize: { createUser: (actor) => actor !== null } })
    const visitor = browser(world.app)
    expect(await visitor.open('/signup/')).toMatchObject({ status: 403, heading: 'Signup is closed' })
    expect((await visitor.follow(primary(visitor))).url).toBe('/login/')
  })

  it('names both ways to who is logged in', async () => {
    const world = await pagesApp()
    const visitor = browser(world.app)
    await visitor.open('/signup/?next=%2Fsecret%2F')
    await visitor.submit('Create account', ada)
    const already = await visitor.open('/signup/?next=%2Fsecret%2F')
    expect(already.text).toMatch(/You’re logged in as ada ?\./)
    expect(await visitor.follow(primary(visitor))).toMatchObject({ html: 'in' })
    await visitor.open('/signup/?next=%2Fsecret%2F')
    const form = await visitor.submit('Log out and create another account')
    expect(form).toMatchObject({ url: '/signup/?next=%2Fsecret%2F' })
    expect(form.html).toContain('name="email"')
  })

  it('is nowhere if it is off', async () => {
    const { app } = await pagesApp({}, { users: false })
    expect((await browser(app).open('/signup/')).status).toBe(404)
  })
})

describe('a forgotten password', () => {
  it('is replaced by the emailed code, on one page', async () => {
    const world = await pagesApp({}, { login: { emailCode: true } })
    await signUp(world, 'ada', { email: 'ada@example.org' })
    const visitor = browser(world.app)
    await visitor.open('/secret/')
    await visitor.follow('Forgot password?')
    const code = await visitor.submit('Send email', { email: 'ada@example.org' })
    expect(code).toMatchObject({ status: 200, heading: 'Reset your password' })
    expect(code.html).toMatch(/autocomplete="username" value="ada@example.org"/)
    const wrong = await visitor.submit('Set password', { code: 'AAAA-AAAA', new_password: otherPassword })
    expect(wrong).toMatchObject({ status: 401 })
    const right = { code: codeIn(await world.mail('reset-password')), new_password: otherPassword }
    await visitor.submit('Set password', right)
    expect(visitor.page).toMatchObject({ status: 200, heading: expect.stringContaining('Log in') })
    expect(visitor.page.text).toContain('Your password has been changed.')
    // Somebody else may have chosen its name, which is no longer that of an account.
    const back = await visitor.submit('Log in', { username: ada.email, password: otherPassword })
    expect(back).toMatchObject({ url: '/secret/', html: 'in' })
  })

  it('is replaced behind the link where there are no codes', async () => {
    const world = await pagesApp()
    await signUp(world, 'ada', { email: 'ada@example.org' })
    const visitor = browser(world.app)
    await visitor.open('/forgot/')
    const known = await visitor.submit('Send email', { email: 'ada@example.org' })
    expect(known).toMatchObject({ status: 200, heading: 'Check your inbox' })
    await visitor.submit('Send it again')
    expect(visitor.page.text).toContain('If an account with this address exists')
    await visitor.follow('Change')
    expect(visitor.page.html).toContain('value="ada@example.org"')
    await visitor.open(linkTarget(await world.mail('reset-password')))
    expect(visitor.page.html).not.toContain('confirm_password')
    const weak = await visitor.submit(primary(visitor), { username: 'ada', new_password: 'short' })
    expect(weak.html).toMatch(/<title>Error: (?!Error)/)
    await visitor.submit(primary(visitor), { username: 'ada', new_password: otherPassword })
    expect(visitor.page).toMatchObject({ status: 200, heading: 'Your password has been changed' })
    await visitor.follow(primary(visitor))
    const back = await visitor.submit('Log in', { username: 'ada', password: otherPassword })
    expect(back).toMatchObject({ status: 200, url: '/account/' })
  })

  it('starts again from an address that was not sealed here, or too long ago', async () => {
    for (const emailCode of [true, false]) {
      const world = await pagesApp({}, { login: { emailCode } })
      const page = emailCode ? '/forgot/code/' : '/forgot/sent/'
      const visitor = browser(world.app)
      for (const to of ['forged', 'a&to=b', '']) {
        const again = await visitor.open(`${page}?to=${to}&next=%2Fsecret%2F`)
        expect([to, again.url]).toEqual([to, '/forgot/?next=%2Fsecret%2F'])
        await visitor.open(`/forgot/?to=${to}`)
        expect(visitor.page.html).toMatch(/name="email" type="email" autocomplete/)
        expect((await visitor.submit('Send email')).text).toContain('Email address: This field is required.')
      }
    }
  })

  it('says why it starts again where the code is of yesterday', async () => {
    const world = await pagesApp({}, { login: { emailCode: true } })
    await signUp(world, 'ada', { email: ada.email })
    const visitor = browser(world.app)
    await visitor.open('/forgot/?next=%2Fsecret%2F')
    await visitor.submit('Send email', { email: ada.email })
    later(25 * 60)
    const again = await visitor.submit('Set password', { code: 'AAAA-AAAA', new_password: otherPassword })
    expect(again.url).toBe('/forgot/?next=%2Fsecret%2F')
    expect(again.text).toContain('the code has expired. Request a new one.')
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
    const payload = 'to=forged&code=AAAA-AAAA&new_password='
    const none = await world.app.inject({ method: 'POST', url: '/forgot/code/?to=forged', payload, headers })
    expect(none).toMatchObject({ statusCode: 303, headers: { location: '/forgot/' } })
    const nobody = await world.app.inject({ method: 'POST', url: '/forgot/', payload, headers })
    expect(nobody.statusCode).toBe(400)
    expect(nobody.body).toContain('id="email-fault"')
  })

  it('ends API keys only for who asks for that', async () => {
    for (const end of [true, false]) {
      const features = [apiKeys({ scopes: { read: 'Read' } })]
      const world = await pagesApp({}, { login: { emailCode: true }, features })
      const { id } = await world.app.accounts.createUser({ ...ada, isVerified: true })
      await world.app.accounts.createApiKey(id, { name: 'Reports', scopes: ['read'] })
      const visitor = browser(world.app)
      await visitor.open('/forgot/')
      await visitor.submit('Send email', { email: ada.email })
      const box = end ? { end_api_keys: 'on' } : {}
      await visitor.submit('Set password', { code: 'AAAA-AAAA', new_password: otherPassword, ...box })
      expect(/name="end_api_keys"[^>]* checked/.test(visitor.page.html)).toBe(end)
      const code = codeIn(await world.mail('reset-password'))
      await visitor.submit('Set password', { code, new_password: otherPassword })
      const keys = (await world.users.findById(id))?.credentials.filter(({ kind }) => kind === 'api-key')
      expect(keys).toHaveLength(end ? 0 : 1)
    }
  })

  it('says on its page who is logged in to another account', async () => {
    const world = await pagesApp({}, { requireEmailConfirmation: false })
    await world.app.accounts.createUser({ ...ada, isVerified: true })
    const visitor = await stranger(world)
    await visitor.submit('Create account', { ...ada, username: 'ben', email: 'ben@example.org' })
    await visitor.open('/forgot/')
    expect(visitor.page.html).toContain('value="ben@example.org"')
    await visitor.submit('Send email', { email: ada.email })
    const link = linkTarget(await world.mail('reset-password', ada.email))
    expect((await visitor.open(link)).text).toMatch(/You’re logged in as ben ?\. This page is about another/)
    expect(await visitor.follow('Continue as ben')).toMatchObject({ status: 200, url: '/account/' })
    await visitor.open(link)
    await visitor.submit(primary(visitor), { new_password: otherPassword })
    expect(visitor.page.heading).toBe('Your password has been changed')
  })
})

describe('an invitation', () => {
  const invites = { features: [invitations()], ...confirming }

  async function invited(world: TestApp): Promise<string> {
    await world.app.accounts.invite({ email: 'ada@example.org' })
    const { text } = await Promise.race([
      world.mail('invitation', 'ada@example.org'),
      world.mail('invitation-known', 'ada@example.org'),
    ])
    return linkTarget({ text })
  }

  /** Leaves a browser logged in to a confirmed account. */
  async function member(world: TestApp, username: string): Promise<Browser> {
    const visitor = browser(world.app)
    await visitor.open('/signup/')
    const email = `${username}@example.org`
    await visitor.submit('Create account', { ...ada, username, email })
    await visitor.open(linkTarget(await world.mail('verify-email', email)))
    await visitor.submit('Confirm')
    return visitor
  }

  it('brings somebody in who has no account', async () => {
    const world = await pagesApp({}, invites)
    const visitor = browser(world.app)
    const join = await visitor.open(await invited(world))
    expect(join.heading).toBe('Join localhost:3000')
    const weak = await visitor.submit(primary(visitor), { username: 'ada', new_password: 'short' })
    expect(weak.html).toContain('value="ada"')
    await visitor.submit('Create account', { new_password: goodPassword })
    expect(visitor.page).toMatchObject({ status: 200, url: '/done/', heading: 'Your account is ready' })
    expect(await visitor.follow(primary(visitor))).toMatchObject({ status: 200, url: '/account/' })
  })

  it('has an owner log in and comes back to be accepted', async () => {
    const world = await pagesApp({}, invites)
    await member(world, 'ada')
    const link = await invited(world)
    const visitor = browser(world.app)
    await visitor.open(link)
    await visitor.follow(primary(visitor))
    const back = await visitor.submit('Log in', { username: 'ada', password: goodPassword })
    expect(back).toMatchObject({ url: link, heading: 'Join localhost:3000' })
    expect(await visitor.submit(primary(visitor))).toMatchObject({ status: 200, url: '/done/' })
    expect(await visitor.follow(primary(visitor))).toMatchObject({ status: 200, url: '/account/' })
  })

  it('names both ways to who is logged in to another account', async () => {
    const world = await pagesApp({}, invites)
    const visitor = await member(world, 'ben')
    const link = await invited(world)
    expect((await visitor.open(link)).text).toMatch(/You’re logged in as ben ?\./)
    expect(await visitor.follow('Continue as ben')).toMatchObject({ status: 200, url: '/account/' })
    await visitor.open(link)
    await visitor.submit(primary(visitor), { username: 'ada', new_password: goodPassword })
    expect(visitor.page).toMatchObject({ status: 200, url: '/done/' })
    expect(visitor.page.text).toMatch(/You’re logged in as ben ?\. This page is about another account\./)
    expect(primary(visitor)).toBe('Log out and use another account')
    expect((await visitor.submit(primary(visitor))).heading).toBe('Log in to localhost:3000')
  })
})

it('leads somebody to a second step who must have one', async () => {
  const world = await pagesApp({}, { features: [secondFactor({ requiredFor: () => true })] })
  await signUp(world, 'ada')
  const visitor = browser(world.app)
  await visitor.open('/secret/')
  await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  expect(visitor.page).toMatchObject({ status: 200, heading: 'Turn on two-step verification' })
  expect(visitor.page.url).toBe('/enroll/?next=%2Fsecret%2F')
  expect(await visitor.submit(primary(visitor))).toMatchObject({
    ...{ status: 200, url: '/account/two-step/app/?next=%2Fsecret%2F' },
  })
})

it('offers a second step where none is required, leads to the one that is chosen, and asks nobody twice', async () => {
  const world = await pagesApp({}, { features: [passkeys(), secondFactor()] })
  await signUp(world, 'ada')
  const visitor = browser(world.app)
  await visitor.open('/enroll/?next=%2Fsecret%2F')
  await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  expect(visitor.page.text).toContain('Protect your account with a second step when you log in.')
  await visitor.submit(primary(visitor), { way: 'passkey' })
  expect(visitor.page.url).toBe('/account/two-step/passkeys/?next=%2Fsecret%2F')
  await visitor.open('/enroll/')
  await visitor.submit(primary(visitor), { way: 'nothing' })
  expect(visitor.page.url).toBe('/account/two-step/app/')

  await visitor.open('/enroll/?next=%2Fsecret%2F')
  const { cookies } = visitor
  const kept = [...cookies]
  cookies.clear()
  const login = await visitor.submit(primary(visitor), { way: 'app' })
  expect(login.heading).toBe('Log in to localhost:3000')
  expect(login.url).toBe('/login/?next=%2Fenroll%2F%3Fnext%3D%252Fsecret%252F')

  for (const [name, value] of kept) cookies.set(name, value)
  const { cookie } = await enroll(world, kept.map((each) => each.join('=')).join('; '))
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(cookie) ?? []
  cookies.set(name, value)
  expect((await visitor.open('/enroll/?next=%2Fsecret%2F')).html).toBe('in')
  expect((await visitor.open('/enroll/')).url).toBe('/account/')
})
