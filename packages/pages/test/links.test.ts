import { isDeepStrictEqual } from 'node:util'
import { pages } from '@fastify-accounts/pages'
import { type Provider, providers } from '@fastify-accounts/providers'
import {
  goodPassword,
  linkTarget,
  otherPassword,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { demoApp } from '@fastify-accounts/test-support/providers/service'
import {
  type AccountsOptions,
  createMemoryUserStore,
  invitations,
  linkPurposes,
  type TokenClaims,
  type TokenSigner,
} from 'fastify-accounts'
import type { Feature, FeatureCore } from 'fastify-accounts/features'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Browser, browser, type Shown } from './pages-app.js'

type Purpose = (typeof linkPurposes)[number]

/** An app with every feature that has links, and a way into it. */
interface World extends TestApp {
  core: FeatureCore
}

const demo: Provider = {
  ...{ name: 'demo', label: 'Demo', issuer: 'https://demo.example', clientId: 'app' },
  clientSecret: 'secret',
}

async function worldWith(tokenSigner?: TokenSigner, own: Partial<AccountsOptions> = {}): Promise<World> {
  let core: FeatureCore | undefined
  const peek: Feature = {
    name: 'peek',
    routes(own) {
      core = own
      return {}
    },
  }
  const service = await testApp({
    login: { emailCode: true },
    features: [invitations(), providers([demo]), pages(), peek],
    ...(tokenSigner && { tokenSigner }),
    ...own,
  })
  if (core === undefined) throw new Error('no core')
  return { ...service, users: (own.userStore as World['users'] | undefined) ?? service.users, core }
}

const email = 'ada@example.org'
const newEmail = 'ada@example.net'
const account = { username: 'ada', password: goodPassword, email }

async function freshUser(
  { app, users, mails }: World,
  isVerified = true,
): Promise<NonNullable<Awaited<ReturnType<World['users']['findById']>>>> {
  for (const find of [() => users.findByUsername(account.username), () => users.findByEmail(email)]) {
    const before = await find()
    if (before !== null) await app.accounts.deleteUser(before.id)
  }
  mails.length = 0
  const { id } = await app.accounts.createUser({ ...account, isVerified })
  const user = await users.findById(id)
  if (user === null) throw new Error('no user')
  return user
}

async function login(visitor: Browser): Promise<void> {
  await visitor.open('/login/')
  await visitor.submit('Log in', { username: 'ada', password: goodPassword })
}

/** A link of each purpose that has been used: what made it, and what used it up. */
const used: Record<Purpose, (world: World, visitor: Browser) => Promise<string>> = {
  async 'reset-password'(world, visitor) {
    await freshUser(world)
    await world.send('POST', '/forgot/', { email })
    return use(visitor, linkTarget(await world.mail('reset-password')), 'Set password', {
      new_password: otherPassword,
    })
  },
  async 'password-link'(world, visitor) {
    const { id } = await freshUser(world)
    const link = await world.app.accounts.createPasswordLink(id)
    return use(visitor, new URL(link?.url ?? '').pathname, 'Set password', { new_password: otherPassword })
  },
  async 'verify-email'(world, visitor) {
    const eve = { username: 'eve', email: 'eve@example.org' }
    const response = await world.send('POST', '/user/', {
      ...account,
      ...eve,
      confirm_password: goodPassword,
    })
    for (const { name, value } of response.cookies) visitor.cookies.set(name, value)
    await world.send('POST', '/user/v/', { email: eve.email })
    return use(visitor, linkTarget(await world.mail('verify-email', eve.email)), 'Confirm')
  },
  async 'change-email'(world, visitor) {
    return use(visitor, await changeLink(world), 'Use this address')
  },
  async 'undo-email'(world, visitor) {
    await use(visitor, await changeLink(world), 'Use this address')
    return use(visitor, linkTarget(await world.mail('email-changed', email)), 'Secure my account')
  },
  async 'release-email'(world) {
    const user = await freshUser(world)
    const path = await issue(world, 'release-email', user)
    await world.app.accounts.deleteUser(user.id)
    return path
  },
  async 'not-me'(world, visitor) {
    return use(visitor, await issue(world, 'not-me', await freshUser(world)), 'Secure my account')
  },
  async invitation(world, visitor) {
    await world.app.accounts.invite({ email: 'bob@example.org' })
    const path = linkTarget(await world.mail('invitation'))
    return use(visitor, path, 'Create account', { username: 'bob', new_password: goodPassword })
  },
  async 'login-code'(world, visitor) {
    await freshUser(world)
    const headers = { accept: 'application/json' }
    const response = await world.send('POST', '/login/code/', { email }, { headers })
    for (const { name, value } of response.cookies) visitor.cookies.set(name, value)
    return use(visitor, linkTarget(await world.mail('login-code')), 'Log in')
  },
  async 'confirm-identity'(world) {
    const user = await freshUser(world, false)
    const path = await issue(world, 'confirm-identity', user)
    await world.app.accounts.updateUser(user.id, { isVerified: true })
    return path
  },
}

const routes: Record<Purpose, string> = {
  'reset-password': 'reset',
  'password-link': 'reset',
  'verify-email': 'user-verify',
  'change-email': 'email-confirm',
  'undo-email': 'email-undo',
  'release-email': 'email-release',
  'not-me': 'not-me',
  invitation: 'invitation',
  'login-code': 'login-code-link',
  'confirm-identity': 'confirm-identity',
}

async function issue(
  { core }: World,
  purpose: Purpose,
  user: Awaited<ReturnType<typeof freshUser>>,
  expiresAt = new Date(Date.now() + 60_000),
): Promise<string> {
  const parts = await core.links.issue(purpose, user, expiresAt, email)
  const query = /^(change|undo|release)/.test(purpose) ? `?${new URLSearchParams({ email })}` : ''
  return core.where.path(routes[purpose], { ...parts }) + query
}

/** Of an invitation, which stands in for its user. */
async function expiredInvitation({ app, core }: World): Promise<string> {
  await app.accounts.invite({ email: 'carol@example.org' })
  const [invitation] = await core.invitations.listByEmail('carol@example.org')
  const { id = '' } = invitation ?? {}
  const user = await core.links.find('invitation', id)
  if (user === null) throw new Error('no invitation')
  const parts = await core.links.issue('invitation', user, new Date(Date.now() - 1000), user.email ?? '')
  return core.where.path('invitation', { ...parts })
}

async function changeLink(world: World): Promise<string> {
  await freshUser(world)
  const visitor = browser(world.app)
  await login(visitor)
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  await world.send('POST', '/change-email/', { email: newEmail }, { headers: { cookie } })
  return linkTarget(await world.mail('change-email', newEmail))
}

/** Does what a link is for, and reloads the page after that, which must not be an error. */
async function use(
  visitor: Browser,
  path: string,
  button: string,
  typed: Record<string, string> = {},
): Promise<string> {
  await visitor.open(path)
  const done = await visitor.submit(button, typed)
  expect(done.status, done.text).toBe(200)
  expect(done.url).toMatch(/^\/(done|reset\/d)\/$/)
  expectOnePrimary(done)
  expect((await visitor.reload()).status).toBe(200)
  return path
}

function expectOnePrimary({ html, text }: Shown): void {
  expect(html.match(/data-kind="primary"/g), text).toHaveLength(1)
}

/** Presses the one primary button, whatever it is. */
async function goOn(visitor: Browser): Promise<Shown> {
  const { html } = visitor.page
  const [, tag = '', label = ''] = /<(a|button) [^>]*data-kind="primary"[^>]*>([^<]*)</.exec(html) ?? []
  return tag === 'a' ? visitor.follow(label) : visitor.submit(label)
}

describe('a link', () => {
  let world: World
  beforeAll(async () => {
    world = await worldWith()
  })

  /** Where the one button leads a stranger, of a used and of an expired one. */
  const leads: Record<Purpose, { used: [heading: string, to: string]; expired: string }> = {
    'reset-password': { used: ['You’ve already done this', '/login/'], expired: '/done/' },
    'password-link': { used: ['You’ve already done this', '/login/'], expired: '/done/' },
    'verify-email': { used: ['Your email address is confirmed', '/login/'], expired: '/done/' },
    'change-email': { used: ['This link no longer works', '/login/'], expired: '/login/' },
    'undo-email': { used: ['You’ve already done this', '/login/'], expired: '/forgot/' },
    'release-email': { used: ['This link no longer works', '/login/'], expired: '/login/' },
    'not-me': { used: ['This link no longer works', '/forgot/'], expired: '/forgot/' },
    invitation: { used: ['This link no longer works', '/login/'], expired: '/login/' },
    'login-code': { used: ['You’ve already done this', '/login/'], expired: '/done/' },
    'confirm-identity': { used: ['You’ve already done this', '/login/'], expired: '/login/' },
  }

  it.each(linkPurposes)('to %s that has been used says so and leads on', async (purpose) => {
    const path = await used[purpose](world, browser(world.app))
    const stranger = browser(world.app)
    const shown = await stranger.open(path)
    const [heading, to] = leads[purpose].used
    expect(shown).toMatchObject({ status: purpose === 'verify-email' ? 200 : 400, heading })
    expectOnePrimary(shown)
    const next = await goOn(stranger)
    expect(next.status, next.text).toBe(200)
    expect(next.url.split('?')[0]).toBe(to)
  })

  it.each(linkPurposes)('to %s that has expired says so and leads on', async (purpose) => {
    const user = await freshUser(world, !['verify-email', 'confirm-identity'].includes(purpose))
    const path =
      purpose === 'invitation'
        ? await expiredInvitation(world)
        : await issue(world, purpose, user, new Date(Date.now() - 1000))
    const visitor = browser(world.app)
    const shown = await visitor.open(path)
    expect(shown).toMatchObject({ status: 400, heading: 'This link has expired' })
    expect(shown.html).not.toContain(email)
    expectOnePrimary(shown)
    const next = await goOn(visitor)
    expect(next.status, next.text).toBe(200)
    expect(next.url.split('?')[0]).toBe(leads[purpose].expired)
    if (next.url !== '/done/') return
    expect(next.heading).toBe('Check your inbox')
    const kind = { 'verify-email': 'verify-email', 'login-code': 'login-code' }[purpose as string]
    const mail = await world.mail((kind ?? 'reset-password') as 'reset-password', email)
    expect((await visitor.open(linkTarget(mail))).status).toBe(200)
  })

  it.each(linkPurposes)('to %s that is forged leads to log in', async (purpose) => {
    const path = await issue(world, purpose === 'invitation' ? 'not-me' : purpose, await freshUser(world))
    const visitor = browser(world.app)
    const target = path.replace(/\/[^/]+\/(\?|$)/, '/forged-token/$1')
    const shown = await visitor.open(purpose === 'invitation' ? '/invitation/YQ/forged-token/' : target)
    expect(shown).toMatchObject({ status: 400, heading: 'This link doesn’t work' })
    expect(shown.html).not.toContain('forged-token')
    expectOnePrimary(shown)
    expect((await visitor.follow('Log in')).url).toBe('/login/')
  })
})

describe('a link whose account has changed since', () => {
  let world: World
  beforeAll(async () => {
    world = await worldWith()
  })

  const changes: {
    purpose: Purpose
    what: string
    change: (id: string) => Promise<unknown>
    says: string
    leads: string
  }[] = [
    {
      ...{ purpose: 'undo-email', what: 'has another address again' },
      change: (id) => changeAddress(id, new Date()),
      ...{ says: 'The email address has been changed again since we sent it.', leads: '/forgot/' },
    },
    {
      ...{ purpose: 'verify-email', what: 'has another address' },
      change: (id) => changeAddress(id, null),
      ...{ says: 'Your account has changed since we sent it. We can email you a new one.', leads: '/done/' },
    },
    {
      ...{ purpose: 'verify-email', what: 'has no address anymore' },
      change: (id) => changeAddress(id, null, null),
      ...{ says: 'This link has been used, or your account has changed since we sent it.', leads: '/login/' },
    },
    {
      ...{ purpose: 'change-email', what: 'has another address' },
      change: (id) => changeAddress(id, null, 'ada@example.com'),
      ...{ says: 'This link has been used, or your account has changed since we sent it.', leads: '/login/' },
    },
    {
      ...{ purpose: 'confirm-identity', what: 'has another address' },
      change: (id) => changeAddress(id, null),
      ...{ says: 'This link has been used, or your account has changed since we sent it.', leads: '/login/' },
    },
    ...(['undo-email', 'not-me', 'verify-email', 'change-email', 'reset-password'] as const).map(
      (purpose) => ({
        ...{ purpose, what: 'is deleted' },
        change: (id: string) => world.app.accounts.deleteUser(id),
        ...{ says: 'The account has been disabled or deleted since we sent it.', leads: '/login/' },
      }),
    ),
    {
      ...{ purpose: 'not-me', what: 'is disabled' },
      change: (id) => world.app.accounts.updateUser(id, { isActive: false }),
      ...{ says: 'The account has been disabled or deleted since we sent it.', leads: '/login/' },
    },
  ]

  /** As if it had been changed by another request, or another process. */
  async function changeAddress(id: string, emailChangedAt: Date | null, to: string | null = newEmail) {
    const { version = 0 } = (await world.users.findById(id)) ?? {}
    const address = { email: to, emailKey: to, emailChangedAt }
    expect(await world.users.update(id, address, version)).not.toBeNull()
  }

  it.each(changes)(
    'to $purpose that $what says so and leads on',
    async ({ purpose, change, says, leads }) => {
      const user = await freshUser(world, !['verify-email', 'confirm-identity'].includes(purpose))
      const path = await issue(world, purpose, user)
      await change(user.id)
      const visitor = browser(world.app)
      const shown = await visitor.open(path)
      expect(shown).toMatchObject({ status: 400, heading: expect.stringMatching(/no longer works/) })
      expect(shown.text).toContain(says)
      expectOnePrimary(shown)
      const next = await goOn(visitor)
      expect(next.status, next.text).toBe(200)
      expect(next.url.split('?')[0]).toBe(leads)
      if (leads !== '/done/') return
      expect((await visitor.open(linkTarget(await world.mail('verify-email', newEmail)))).status).toBe(200)
      await world.app.accounts.deleteUser(user.id)
    },
  )
})

it('offers no new email to an account without an address', async () => {
  const world = await worldWith()
  const { id } = await world.app.accounts.createUser({ username: 'bob', password: goodPassword })
  const user = await world.users.findById(id)
  if (user === null) throw new Error('no user')
  const visitor = browser(world.app)
  const shown = await visitor.open(await issue(world, 'password-link', user, new Date(Date.now() - 1000)))
  expect(shown).toMatchObject({ status: 400, heading: 'This link has expired' })
  expect(shown.text).toContain('Contact localhost:3000 to get a new one.')
  expect(shown.text).not.toContain('We can email you')
  expect((await goOn(visitor)).url).toBe('/login/')
})

it('emails nobody for a form that no page of ours has shown', async () => {
  const world = await worldWith()
  const visitor = browser(world.app)
  expect((await visitor.open('/links/new/')).url).toBe('/login/')
  const expired = await issue(world, 'reset-password', await freshUser(world), new Date(Date.now() - 1000))
  const { html } = await visitor.open(expired)
  const [, sealed = ''] = /name="address" value="([^"]*)"/.exec(html) ?? []
  expect(sealed).not.toBe('')
  world.mails.length = 0
  for (const body of [
    { renew: 'reset', address: email },
    { renew: 'constructor', address: sealed },
    { address: sealed },
    {},
  ]) {
    const { statusCode, headers } = await world.app.inject({
      ...{ method: 'POST', url: '/links/new/' },
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(body as Record<string, string>).toString(),
    })
    expect([statusCode, headers.location]).toEqual([303, '/login/'])
  }
  await world.settle()
  expect(world.mails).toEqual([])
})

it("knows why a link of an app's own signer is invalid, in any language, and at the POST", async () => {
  const kept = new Map<string, TokenClaims>()
  const signer: TokenSigner = {
    async sign(claims) {
      const token = `t${kept.size}`
      kept.set(token, claims)
      return token
    },
    async verify(token, context) {
      const claims = kept.get(token)
      return claims && isDeepStrictEqual({ ...claims, ...context }, claims) ? claims : null
    },
  }
  const world = await worldWith(signer)
  const path = await issue(world, 'not-me', await freshUser(world), new Date(Date.now() - 1000))
  const german = browser(world.app, { 'accept-language': 'de' })
  expect((await german.open(path)).heading).toBe('Dieser Link ist abgelaufen')
  const other = await issue(world, 'not-me', await freshUser(world))
  await german.open(other)
  await browser(world.app).open(other)
  const rival = browser(world.app)
  await rival.open(other)
  await rival.submit('Secure my account')
  const late = await german.submit('Mein Konto schützen')
  expect(late).toMatchObject({ status: 400, heading: 'Dieser Link gilt nicht mehr' })
  expectOnePrimary(late)
})

it('leads on from each error, and shows nothing of the request', async () => {
  const outage = { isOn: false }
  const users = createMemoryUserStore()
  const { findById } = users
  users.findById = async (id) => {
    if (outage.isOn) throw new Error('the database is down')
    return findById(id)
  }
  const world = await worldWith(undefined, { userStore: users })
  const path = await issue(world, 'not-me', await freshUser(world))
  const visitor = browser(world.app)
  outage.isOn = true
  const down = await visitor.open(path)
  expect(down.status).toBe(503)
  expectOnePrimary(down)
  outage.isOn = false
  expect(await visitor.follow('Try again')).toMatchObject({ status: 200, heading: 'Secure your account' })

  const foreign = browser(world.app, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })
  await foreign.open(path)
  const refused = await foreign.submit('Secure my account')
  expect(refused.status).toBe(403)
  expectOnePrimary(refused)

  const echo = await visitor.open('/not-me/YQ/%3Cscript%3Ealert(1)/?q=%22%3E%3Cb%3Eecho')
  expect(echo.status).toBe(400)
  expect(echo.html).not.toMatch(/alert\(1\)|echo/)
})

it('says how long to wait, and another way in', async () => {
  const world = await worldWith(undefined, { throttle: { limits: { verify: { max: 1, window: 180_000 } } } })
  const path = await issue(world, 'not-me', await freshUser(world))
  const visitor = browser(world.app)
  await visitor.open(path)
  const throttled = await visitor.open(path)
  expect(throttled).toMatchObject({ status: 429, heading: 'Too many attempts' })
  expect(throttled.text).toMatch(/Try again in \d minutes?\./)
  expectOnePrimary(throttled)
  expect((await visitor.follow('Get in by email')).url).toBe('/login/code/')
})

it('leads back from a provider where somebody has canceled', async () => {
  const service = await demoApp({}, {}, {}, [pages()])
  const visitor = browser(service.app)
  await visitor.open('/login/?next=%2Flogin%2Fcode%2F')
  const start = await service.send('POST', '/login/with/demo/', { next: visitor.page.url })
  for (const { name, value } of start.cookies) visitor.cookies.set(name, value)
  const state = new URL(start.json().location).searchParams.get('state') ?? ''
  const back = new URLSearchParams({ error: 'access_denied', state, iss: service.issuer.url })
  const shown = await visitor.open(`/login/with/demo/callback/?${back}`)
  expect(shown).toMatchObject({ status: 200, heading: 'Log in to localhost:3000' })
  expect(shown.url).toContain('next=%2Flogin%2Fcode%2F')
  expect(shown.text).toContain('You canceled.')
})

it('leads a password manager to the page of the password', async () => {
  const world = await worldWith()
  await freshUser(world)
  const visitor = browser(world.app)
  const { headers } = await world.app.inject('/.well-known/change-password')
  const led = await visitor.open(String(headers.location))
  expect(led.url).toBe('/login/?next=%2Faccount%2Fpassword%2F')
  const back = await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  expect(back.url).toBe('/account/password/')
})
