import { logInAs, type Mailbox, mountAccounts } from '@fastify-accounts/testing'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import {
  type Accounts,
  type AccountsOptions,
  type AuditEvent,
  createMemoryUserStore,
  type ListingUserStore,
} from 'fastify-accounts'
import type { Feature, FeatureCore } from 'fastify-accounts/features'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { closeAccount } from '../src/index.js'
import { de, en, fr } from '../src/texts.js'

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts
    clubs: Accounts
  }
}

const day = 24 * 60 * 60 * 1000
const apps: FastifyInstance[] = []

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

interface Realm {
  users: ListingUserStore
  mailbox: Mailbox
  audits: AuditEvent[]
  /** A request by Ada, who is logged in. */
  send(
    method: 'GET' | 'POST',
    path: string,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
}

/** Two realms in one app, each with its own users, the feature, and Ada, who is logged in. */
async function twoRealms(
  own: { members?: Partial<AccountsOptions>; clubs?: Partial<AccountsOptions> } = {},
): Promise<{ app: FastifyInstance; members: Realm; clubs: Realm }> {
  const app = Fastify()
  apps.push(app)
  const members = await realmOn(app, 'accounts', { prefix: '/members', ...own.members })
  const clubs = await realmOn(app, 'clubs', {
    prefix: '/clubs',
    session: { cookieName: 'club' },
    decorateAs: { instance: 'clubs', request: 'clubUser' },
    ...own.clubs,
  })
  await app.ready()
  return { app, members: await members(), clubs: await clubs() }
}

async function realmOn(
  app: FastifyInstance,
  name: 'accounts' | 'clubs',
  options: Partial<AccountsOptions>,
): Promise<() => Promise<Realm>> {
  const audits: AuditEvent[] = []
  const users = createMemoryUserStore()
  const { mailbox } = await mountAccounts(app, {
    baseUrl: 'http://localhost:3000',
    userStore: users,
    requireEmailConfirmation: true,
    features: [closeAccount()],
    ...options,
  })
  return async () => {
    const login = await logInAs(app[name], { username: 'ada', email: `ada@${name}.example` })
    app[name].events.on('audit', (event) => audits.push(event))
    return {
      users,
      mailbox,
      audits,
      send: (method, path, more = {}) =>
        app.inject({ method, url: `${options.prefix}${path}`, headers: { ...login, ...more } }),
    }
  }
}

const browser = { accept: 'text/html' }

// The example in docs/guides/own-feature.md.
describe('a feature from another package, in two realms', () => {
  test('adds routes, an email with a link, texts and an audit action', async () => {
    const { members, clubs } = await twoRealms()
    const asked = await members.send('POST', '/close-account/')
    expect([asked.statusCode, asked.json()]).toEqual([202, { detail: en.responses.close_account }])
    const mail = await members.mailbox.next('close-account')
    expect(mail).toMatchObject({
      kind: 'close-account',
      to: { name: 'ada', address: 'ada@accounts.example' },
      subject: 'Close your account at localhost:3000',
    })
    expect(mail.text).toContain('1 hour')
    const path = new URL(mail.link).pathname.replace('/members', '')
    const exported = async ({ send }: Realm) => (await send('GET', '/me/export/')).json().features
    expect((await exported(members))['close-account']).toEqual({ asked_at: expect.any(String) })
    expect(await exported(clubs)).not.toHaveProperty('close-account')

    const looked = await members.send('GET', path, browser)
    expect(looked.body).toContain(en.pages.close_account.heading)
    expect((await members.send('GET', path)).json()).toEqual({ valid: true })
    // A link works only in its own realm.
    expect((await clubs.send('POST', path)).json()).toMatchObject({ code: 'ACCOUNTS_INVALID_LINK' })

    const closed = await members.send('POST', path)
    expect([closed.statusCode, closed.json()]).toEqual([200, { detail: en.responses.account_closed }])
    expect((await members.send('GET', '/me/')).statusCode).toBe(401)
    expect(await members.users.findByUsername('ada')).toBeNull()
    expect((await clubs.send('GET', '/me/')).statusCode).toBe(200)
    expect((await members.send('POST', path)).json()).toMatchObject({ code: 'ACCOUNTS_INVALID_LINK' })

    await vi.waitFor(() => expect(members.audits.length).toBeGreaterThan(5), 60_000)
    expect(members.audits.filter(({ action }) => action === 'close-account')).toMatchObject([
      { method: 'POST', outcome: 'success' },
      { method: 'GET', outcome: 'success' },
      { method: 'GET', outcome: 'success' },
      { method: 'POST', outcome: 'success' },
      { method: 'POST', outcome: 'refused', reason: 'ACCOUNTS_INVALID_LINK' },
    ])
  })

  test('adds a method for the app’s own code, which is checked and audited as the others', async () => {
    const { app, members, clubs } = await twoRealms()
    const { id } = (await members.users.findByUsername('ada')) ?? { id: '' }
    const call = { actor: 'support: grace', reason: 'called back' }
    expect(await app.accounts.sendCloseAccountLink(id, call)).toBe(true)
    expect((await members.mailbox.next('close-account')).link).toContain('/members/close-account/')
    expect(await app.clubs.sendCloseAccountLink(id)).toBe(false)
    await expect(app.accounts.sendCloseAccountLink(7 as never)).rejects.toMatchObject({
      fields: [{ field: 'userId' }],
      cause: { message: expect.stringContaining('sendCloseAccountLink expects userId to be a string') },
    })
    await expect(app.accounts.sendCloseAccountLink(id, { why: '?' } as object)).rejects.toMatchObject({
      fields: [{ field: 'why', code: 'unknown' }],
    })
    await vi.waitFor(() => expect(clubs.audits).toHaveLength(1), 60_000)
    expect(members.audits).toMatchObject([
      { action: 'close-account', method: null, outcome: 'success', userId: id, host: call },
    ])
    expect(clubs.audits).toMatchObject([{ outcome: 'refused', reason: 'ACCOUNTS_NOT_FOUND', userId: null }])
  })

  test('is listed in /api-root/, and its paths and pages can be moved', async () => {
    const { members, clubs } = await twoRealms({
      clubs: {
        paths: { 'close-account': '/leave/' },
        links: { pages: { 'close-account-link': '/app/leave/{uid64}/{token}' } },
      },
    })
    const href = async (realm: Realm): Promise<unknown> =>
      (await realm.send('GET', '/api-root/')).json()['close-account'].href
    expect(await href(members)).toBe('http://localhost:3000/members/close-account/')
    expect(await href(clubs)).toBe('http://localhost:3000/clubs/leave/')
    expect((await clubs.send('POST', '/leave/')).statusCode).toBe(202)
    const { link } = await clubs.mailbox.next('close-account')
    expect(link).toMatch(/^http:\/\/localhost:3000\/app\/leave\//)
  })

  test("has its own error, in the request's language", async () => {
    const { members } = await twoRealms()
    const [ada] = (await members.users.list({ limit: 1 })).filter(Boolean)
    if (ada === undefined) throw new Error('ada is missing')
    await members.users.update(ada.id, { isStaff: true }, ada.version)
    for (const [language, texts] of Object.entries({ en, de, fr })) {
      const response = await members.send('POST', '/close-account/', { 'accept-language': language })
      expect(response.json()).toEqual({
        statusCode: 409,
        error: 'Conflict',
        code: 'CLOSE_ACCOUNT_STAFF',
        message: texts.errors.CLOSE_ACCOUNT_STAFF,
      })
    }
  })

  test('has its own rate limit, which one realm changes and another turns off', async () => {
    const { members, clubs } = await twoRealms({
      members: { throttle: { limits: { closeAccount: { max: 1, window: day } } } },
      clubs: { throttle: false },
    })
    const ask = async (realm: Realm): Promise<number> =>
      (await realm.send('POST', '/close-account/')).statusCode
    expect([await ask(members), await ask(members)]).toEqual([202, 429])
    for (let count = 0; count < 5; count += 1) expect(await ask(clubs)).toBe(202)
  })

  test('lets options replace its texts and its email, and has its own options', async () => {
    const { members, clubs } = await twoRealms({
      members: {
        languages: { texts: { en: { responses: { close_account: 'Look into your mailbox.' } } } },
        emails: {
          'close-account': (facts, shipped) => ({ ...shipped(facts), subject: `Bye, ${facts.username}` }),
        },
      },
      clubs: { features: [closeAccount({ lifetime: 2 * day })] },
    })
    expect((await members.send('POST', '/close-account/')).json()).toEqual({
      detail: 'Look into your mailbox.',
    })
    expect((await clubs.send('POST', '/close-account/')).json()).toEqual({
      detail: en.responses.close_account,
    })
    expect((await members.mailbox.next('close-account')).subject).toBe('Bye, ada')
    expect((await clubs.mailbox.next('close-account')).text).toContain('2 days')
  })
})

describe('a mistake stops the start with one line', () => {
  const feature = (more: object): Feature => ({ name: 'odd', ...more }) as Feature
  const route = {
    ...{
      name: 'odd',
      action: 'odd',
      method: 'GET',
      path: '/odd/',
      access: 'anyone',
      budget: null,
      schema: {},
    },
    operation: { id: 'odd', summary: 'Odd', errors: [] },
    handle: async () => ({}),
  }
  /** A feature with a route. */
  const routed = (more: object, make: (core: FeatureCore) => unknown = () => {}): Feature =>
    feature({
      routes(core: FeatureCore) {
        make(core)
        return { auth: [{ ...route, ...more }] }
      },
    })
  /** The same with two. */
  const twice = (more: object): Feature =>
    feature({ routes: () => ({ auth: [route, { ...route, ...more }] }) })
  const message = async (options: Partial<AccountsOptions>): Promise<string> => {
    const app = Fastify()
    apps.push(app)
    await realmOn(app, 'accounts', { prefix: '/members', ...options })
    return app.ready().then(
      () => 'started',
      (error: Error) => error.message,
    )
  }
  const messageOf = (...features: unknown[]): Promise<string> =>
    message({ features: features as Feature[] }).catch((error: Error) => error.message)

  test.each([
    ['a function instead of its result', [closeAccount], /features must contain features.* forget to call/],
    ['no name', [feature({ name: undefined })], /features must contain features/],
    ['a name with a space', [feature({ name: 'two words' })], /lowercase letters.*got two words/],
    ['the same feature twice', [closeAccount(), closeAccount()], /has close-account twice/],
    ['the name of a built-in feature', [feature({ name: 'reset' })], /has reset twice/],
    [
      'a limit that already exists',
      [feature({ limits: { login: { max: 1, window: 1000 } } })],
      /odd, which brings the limit login/,
    ],
    [
      'a kind of email that already exists',
      [feature({ mails: { 'new-device': {} } })],
      /brings the kind of mail new-device/,
    ],
    ['a link that already exists', [feature({ links: { 'not-me': {} } })], /brings the kind of link not-me/],
    [
      'a text that already exists',
      [feature({ texts: { en: { responses: { forgot: '…' } } } })],
      /brings the text responses\.forgot/,
    ],
    ['an email without a text', [feature({ mails: { hello: {} } })], /odd, which lacks .* emails\.hello/],
    [
      'an email with an unknown kind of link',
      [feature({ mails: { hello: { link: 'nowhere' } }, texts: { en: { emails: { hello: {} } } } })],
      /odd, which lacks the kind of link nowhere/,
    ],
    ['an error without a text', [feature({ errors: { ODD: 409 } })], /odd, which lacks .* errors\.ODD/],
    [
      'an error with a status below 400',
      [feature({ errors: { ODD: 200 }, texts: { en: { errors: { ODD: 'Odd.' } } } })],
      /whose error ODD must have a status from 400 to 599/,
    ],
    [
      'an error code that already exists',
      [feature({ errors: { ACCOUNTS_NOT_FOUND: 410 } })],
      /odd: the error code ACCOUNTS_NOT_FOUND belongs to another feature/,
    ],
    [
      'a reason of an unknown error',
      [feature({ texts: { en: { reasons: { ODD: { why: 'Odd.' } } } } })],
      /odd, whose reasons name the unknown error ODD/,
    ],
    [
      'a reason with an odd name',
      [feature({ texts: { en: { reasons: { ACCOUNTS_CONFLICT: { 'Club full': 'Full.' } } } } })],
      /odd, whose reason of ACCOUNTS_CONFLICT must be in snake_case, got Club full/,
    ],
    [
      'a language without texts',
      [feature({ texts: { en: { responses: { odd: 'Odd.' } } } })],
      /features has one without texts in de: responses\.odd is missing/,
    ],
    [
      'an email with an unknown limit',
      [feature({ mails: { hello: { budget: 'hellos' } }, texts: { en: { emails: { hello: {} } } } })],
      /odd, which lacks the limit hellos of its email hello/,
    ],
    [
      'a cookie of the core',
      [feature({ cookies: ['pending'] })],
      /odd, which brings the cookie pending, and so does another/,
    ],
    [
      'a cookie below one of the core',
      [feature({ cookies: ['device-name'] })],
      /odd, which brings the cookie device-name, /,
    ],
    ['a cookie with a space', [feature({ cookies: ['two words'] })], /odd, whose cookie .* got two words/],
    [
      'a cookie that it has not declared',
      [routed({}, (core) => core.cookie('crumb'))],
      /odd, which uses the cookie crumb without listing it/,
    ],
    [
      'a call that already exists',
      [closeAccount(), feature({ host: closeAccount().host })],
      /odd, which brings the call sendCloseAccountLink, and so does another/,
    ],
    [
      'a call of the core',
      [feature({ host: () => ({ calls: { requireUser: {} } }) })],
      /has one that brings the call requireUser, and so does the plugin/,
    ],
    [
      'the route to which reset links lead',
      [routed({ name: 'reset' })],
      /odd, which brings the route reset, and so does another/,
    ],
    [
      'one name for two routes',
      [twice({ operation: { id: 'oddAgain', summary: '', errors: [] }, path: '/odd/again/' })],
      /odd, which brings the route odd, and so does another/,
    ],
    [
      'an operation of the core',
      [routed({ operation: { id: 'logIn', summary: '', errors: [] } })],
      /odd, which brings the operation logIn, and so does another/,
    ],
    [
      'one operation for two routes',
      [twice({ name: 'odd-again', path: '/odd/again/' })],
      /odd, which brings the operation odd, and so does another/,
    ],
    [
      'a route without a budget that exists',
      [routed({ budget: 'nope' })],
      /odd, which lacks the limit nope of its route odd/,
    ],
    [
      'a route that does not say who may call it',
      [routed({ access: undefined })],
      /odd, whose route odd must say who may call it: anyone, /,
    ],
    [
      'a route with misspelled access',
      [routed({ access: 'loggedin' })],
      /odd, whose route odd must say who may call it/,
    ],
    [
      'a route without an action',
      [routed({ action: undefined })],
      /odd, whose route odd must name an action/,
    ],
    [
      'a document of the plugin',
      [feature({ routes: () => ({ wellKnown: { 'change-password': {} } }) })],
      /odd, which brings the document change-password, /,
    ],
    [
      'a confirmation in the field of the password',
      [feature({ confirmations: () => [{ field: 'password', schema: {} }] })],
      /odd, which brings the field password, and so does another/,
    ],
    ['invalid options', [closeAccount({ lifetime: 5 })], /lifetime must be at least 1000/],
  ])('%s', async (_what, features, expected) => {
    const line = await messageOf(...features)
    expect(line).toMatch(expected)
    expect(line).not.toContain('\n')
  })

  test('a store lacks a method that a feature needs', async () => {
    const { findByIdentity: _, ...poor } = createMemoryUserStore()
    const features = [feature({ needs: ['findByIdentity'] })]
    const failed = message({ features, userStore: poor }).catch((error: Error) => error.message)
    expect(await failed).toMatch(/userStore lacks the method findByIdentity, which the feature odd needs/)
    expect(await message({ features })).toBe('started')
  })

  test('features is not a list', async () => {
    const failed = message({ features: closeAccount() as never }).catch((error: Error) => error.message)
    expect(await failed).toMatch(/features must be a list/)
  })
})
