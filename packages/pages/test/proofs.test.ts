import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { codeIn } from '@fastify-accounts/test-support/email-code'
import { prove } from '@fastify-accounts/test-support/passkeys/second-step'
import { visitor as withPasskeys } from '@fastify-accounts/test-support/passkeys/service'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import {
  type AccountsOptions,
  createMemorySessionStore,
  createMemoryUserStore,
  secondFactor,
  type UserChanges,
} from 'fastify-accounts'
import { describe, expect, it } from 'vitest'
import { type Browser, browser, later, pagesApp } from './pages-app.js'

const alice = { username: 'alice', password: goodPassword, email: 'alice@example.org', isVerified: true }
const credentials = { username: 'alice', password: goodPassword }

/** The app with alice, and a browser at its guarded route. */
async function atTheDoor(options: Partial<AccountsOptions>, facts: object = {}) {
  const world = await pagesApp({}, options)
  const { id } = await world.app.accounts.createUser({ ...alice, ...facts })
  const visitor = browser(world.app)
  await visitor.open('/secret/')
  const change = async (changes: UserChanges) => {
    const user = await world.users.findById(id)
    await world.users.update(id, changes, user?.version ?? 0)
  }
  return { ...world, visitor, change }
}

/** The app where alice has a passkey, in a browser of hers. */
async function withPasskey(options: Partial<AccountsOptions>, facts: object = {}) {
  const world = await atTheDoor(options, facts)
  const owner = withPasskeys(world)
  await owner.logIn('alice')
  const { passkey } = await owner.add()
  for (const [name, value] of owner.cookies) world.visitor.cookies.set(name, value)
  return { ...world, owner, passkey }
}

/** The ways that a page offers besides the one that it shows. */
const others = ({ page }: Browser): string[] =>
  [...page.html.matchAll(/<li><a href="[^"]*">([^<]*)</g)].map(([, label = '']) => label)

describe('the second step of a login', () => {
  it.each([
    ['and remembers a device', undefined, true],
    ['and remembers no device where that is off', 0, false],
  ] as const)('asks for the passkey first, %s', async (_, rememberFor, offers) => {
    const features = [passkeys(), secondFactor({ rememberFor })]
    const world = await withPasskey({ features })
    await prove(world.owner, world.passkey, true)
    const visitor = browser(world.app)
    await visitor.open('/secret/')
    const second = await visitor.submit('Log in', credentials)
    expect(second.text).toContain('Confirm with your passkey or security key.')
    expect(second.html).toMatch(/data-again="\/login\/\?next=%2Fsecret%2F"/)
    expect(second.html).toMatch(/data-done="\/login\/\?in=password&#38;next=%2Fsecret%2F"/)
    expect(second.html.includes('name="remember_device"')).toBe(offers)
    expect(others(visitor)).toEqual(['Use a recovery code'])
    const code = await visitor.follow('Use a recovery code')
    expect(code.html).toMatch(/<input id="code"/)
    expect(code.html.includes('name="remember_device"')).toBe(offers)
    expect(others(visitor)).toEqual(['Use a passkey'])
  })

  it('asks for what the account has, whatever the URL names', async () => {
    const world = await atTheDoor({ features: [passkeys(), secondFactor()] })
    const { secret } = await enroll(world)
    const { visitor } = world
    await visitor.submit('Log in', credentials)
    for (const by of ['passkey', 'password', '', 'recovery-code&by=totp']) {
      const { text } = await visitor.open(`/login/second-factor/?next=%2Fsecret%2F&by=${by}`)
      expect([by, text.includes('Code from your authenticator app')]).toEqual([by, true])
    }
    const none = await visitor.submit('Continue')
    expect(none).toMatchObject({ status: 400, heading: 'Two-step verification' })
    expect(none.text).toContain('This field is required.')
    const stranger = browser(world.app)
    const login = await stranger.open('/login/second-factor/?next=%2Fsecret%2F')
    expect(login.url).toBe('/login/?next=%2Fsecret%2F')
    const back = await visitor.submit('Continue', { code: codeOf(secret) })
    expect(back).toMatchObject({ status: 200, html: 'in' })
  })

  it('leads on who is in already', async () => {
    const { visitor } = await atTheDoor({ features: [secondFactor()] })
    await visitor.submit('Log in', credentials)
    expect((await visitor.open('/login/second-factor/?next=%2Fsecret%2F')).url).toBe('/secret/')
    expect((await visitor.open('/login/second-factor/')).url).toBe('/account/')
  })

  it('promises no way around it by email after too many attempts', async () => {
    const limits = { secondFactor: { max: 1, window: 600_000 } }
    const options = { throttle: { limits }, login: { emailCode: true }, features: [secondFactor()] }
    const world = await atTheDoor(options)
    await enroll(world)
    const { visitor } = world
    await visitor.submit('Log in', credentials)
    await visitor.submit('Continue', { code: '000000' })
    const throttled = await visitor.submit('Continue', { code: '000000' })
    expect(throttled).toMatchObject({ status: 429, heading: 'Two-step verification' })
    expect(throttled.text).toContain('Too many attempts. Try again in 10 minutes.')
  })

  it('says whom to ask if the app has turned off what it takes', async () => {
    const stores = { userStore: createMemoryUserStore(), sessionStore: createMemorySessionStore() }
    const world = await withPasskey({ ...stores, features: [passkeys(), secondFactor()] })
    await prove(world.owner, world.passkey, true)
    const user = await stores.userStore.findByUsername('alice')
    const withoutCodes = user?.credentials.filter(({ kind }) => kind !== 'recovery-code') ?? []
    await stores.userStore.update(user?.id ?? '', { credentials: withoutCodes }, user?.version ?? 0)
    for (const features of [[], [passkeys()], [secondFactor()]]) {
      const { app } = await pagesApp({}, { ...stores, features, brand: { name: 'Acme' } })
      const visitor = browser(app)
      await visitor.open('/secret/')
      const second = await visitor.submit('Log in', credentials)
      expect(second).toMatchObject({ status: 200, heading: 'Two-step verification' })
      expect(second.text).toContain('needs a second step that isn’t available here now. Contact Acme.')
      expect((await visitor.follow('Back to login')).url).toBe('/login/?next=%2Fsecret%2F')
    }
  })
})

describe('a confirmation', () => {
  it('by a passkey leads back, and offers the other ways', async () => {
    const { visitor } = await withPasskey({ features: [passkeys()], login: { emailCode: true } })
    later(20)
    const confirm = await visitor.open('/account/email/')
    expect(confirm.html).toMatch(/data-done="\/account\/email\/"/)
    expect(confirm.html).toMatch(/data-again="\/login\/\?next=%2Fconfirm%2F/)
    // A password proves nothing about who owns this account.
    expect(others(visitor)).toEqual(['Email a code to alice@example.org'])
    await visitor.open('/confirm/?next=%2Fsecret%2F&by=passkey')
    expect(others(visitor)).toEqual(['Use your password', 'Email a code to alice@example.org'])
    await visitor.open('/confirm/?next=%2Fsecret%2F&by=totp')
    expect(visitor.page.html).toContain('name="password"')
  })

  it('by an emailed code says which account it is for, what is wrong, and sends another', async () => {
    const world = await withPasskey({ features: [passkeys()], login: { emailCode: true } })
    const { visitor } = world
    later(20)
    await visitor.open('/account/email/')
    await visitor.follow('Email a code to alice@example.org')
    await visitor.submit('Email a code to alice@example.org')
    const wrong = await visitor.submit('Confirm', { email_code: 'AAAA-AAAA' })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('id="email_code-fault"')
    world.mails.length = 0
    const again = await visitor.submit('Send it again')
    expect(again.text).toContain('We emailed a code to alice@example.org')
    expect(again.html).toContain('role="status"')
    const email_code = codeIn(await world.mail('confirmation-code'))
    expect(await visitor.submit('Confirm', { email_code })).toMatchObject({ url: '/account/email/' })
    expect((await visitor.open('/confirm/?factors=passkey,email-code&next=%2Fsecret%2F')).html).toBe('in')
  })

  it('asks for what the account takes by now', async () => {
    const { visitor, change } = await atTheDoor({ features: [secondFactor()] })
    await visitor.submit('Log in', credentials)
    later(20)
    await visitor.open('/account/email/')
    await change({ factors: ['totp'] })
    const other = await visitor.submit('Confirm', { password: goodPassword })
    expect(other).toMatchObject({ status: 200, heading: 'Confirm it’s you' })
    expect(other.text).toContain('First confirm with a code from your authenticator app.')
    expect(other.html).toMatch(/<input id="code"/)
  })

  it('leads to log in where nothing is left that confirms, and back', async () => {
    const { visitor, change } = await atTheDoor(
      { login: { emailCode: true } },
      { email: null, isVerified: false },
    )
    await visitor.submit('Log in', credentials)
    later(20)
    expect((await visitor.open('/account/email/')).html).toMatch(/autocomplete="username" value="alice"/)
    await visitor.open('/confirm/?factors=email-code&next=%2Faccount%2Femail%2F')
    expect(visitor.page.text).not.toContain('Email a code')
    await change({ passwordHash: '!' })
    const stuck = await visitor.open('/account/email/')
    expect(stuck.text).toContain('Nothing in this account can confirm that it’s you.')
    await visitor.submit('Log out')
    expect(visitor.page.url).toBe('/login/?next=%2Faccount%2Femail%2F')
  })

  it('leads to log in who was logged out meanwhile, and promises no way in by email to who is in', async () => {
    const limits = { changePassword: { max: 1, window: 600_000 } }
    const world = await atTheDoor({ throttle: { limits }, login: { emailCode: true } })
    const { visitor } = world
    await visitor.submit('Log in', credentials)
    later(20)
    await visitor.open('/account/email/')
    for (const status of [400, 429]) {
      const wrong = await visitor.submit('Confirm', { password: 'not-this-one' })
      expect([wrong.status, wrong.heading]).toEqual([status, 'Confirm it’s you'])
    }
    expect(visitor.page.text).toContain('Too many attempts. Try again in 10 minutes.')
    visitor.cookies.clear()
    const login = await visitor.submit('Confirm', { password: goodPassword })
    expect(login.url).toMatch(/^\/login\/\?next=%2Fconfirm%2F/)
    expect(await visitor.submit('Log in', credentials)).toMatchObject({ status: 200, url: '/account/email/' })
  })

  it('without a page to go to lands where logins do', async () => {
    const { visitor } = await atTheDoor({})
    await visitor.submit('Log in', credentials)
    later(20)
    await visitor.open('/confirm/')
    expect(await visitor.submit('Confirm', { password: goodPassword })).toMatchObject({ url: '/account/' })
  })
})
