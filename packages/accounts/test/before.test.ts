import {
  as,
  browser,
  goodPassword,
  linkPath,
  linkTarget,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { giveCode, newCode } from '@fastify-accounts/test-support/email-code'

import Fastify from 'fastify'
import { describe, expect, it, vi } from 'vitest'
import accounts, {
  type AccountsOptions,
  type EmailChange,
  type LoginAttempt,
  RuleError,
  type SignUpAttempt,
  type SignUpGrant,
  secondFactor,
} from '../src/index.js'

const email = 'boss@example.org'
const fields = {
  type: 'object',
  properties: { city: { type: 'string', maxLength: 20 }, plan: { enum: ['free', 'pro'], readOnly: true } },
} as const
const signUpFields = {
  type: 'object',
  properties: {
    invitation: { type: 'string', minLength: 1, maxLength: 100 },
    terms: { type: 'boolean', const: true },
  },
  required: ['invitation'],
} as const
const choice = { new_password: otherPassword, confirm_password: otherPassword }
const filledIn = { username: 'boss', password: goodPassword, confirm_password: goodPassword, email }
const closed = new RuleError('SHOP_CLOSED', {
  message: { en: 'We open on Monday.', de: 'Wir öffnen am Montag.' },
})

/** An app with a rule that records what it is asked, and does what the test says. */
async function ruled(
  rule: (attempt: SignUpAttempt) => SignUpGrant | undefined | Promise<SignUpGrant | undefined> = () =>
    undefined,
  options: Partial<AccountsOptions> = {},
): Promise<TestApp & { asked: SignUpAttempt[] }> {
  const asked: SignUpAttempt[] = []
  const signUp = async (attempt: SignUpAttempt) => {
    asked.push(attempt)
    return rule(attempt)
  }
  const service = await testApp({
    users: { fields },
    before: { signUp },
    features: [secondFactor()],
    login: { emailCode: true },
    ...options,
  })
  return { ...service, asked }
}

const rolesOf = async ({ users }: TestApp, name = 'boss') => (await users.findByUsername(name))?.roles

/** Verifies in the browser that signed up. */
async function verify(service: TestApp, cookie?: string): Promise<void> {
  const link = linkPath(await service.mail('verify-email', email))
  const response = await service.send('POST', link, {}, cookie === undefined ? {} : { headers: { cookie } })
  expect(response.statusCode, response.body).toBe(200)
}

describe('before.signUp', () => {
  it('sees what is known, before anything is looked up', async () => {
    const service = await ruled(() => ({}), { signUp: { fields: signUpFields } })
    const looked = vi.spyOn(service.users, 'findByEmail')
    const more = { email: ' Boss@EXAMPLE.org', city: 'Ulm', invitation: 'abc-123', terms: true }
    const headers = { 'accept-language': 'de', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
    const response = await service.send('POST', '/signup/', { ...filledIn, ...more }, { headers })
    expect(response.statusCode, response.body).toBe(201)
    expect(service.asked).toEqual([
      {
        method: 'password',
        provider: null,
        email: 'Boss@EXAMPLE.org',
        domain: 'example.org',
        username: 'boss',
        fields: { city: 'Ulm' },
        roles: [],
        transient: { invitation: 'abc-123', terms: true },
        actor: null,
        handsOver: false,
        client: { ip: '127.0.0.0/24', browser: 'Firefox', system: 'Linux', language: 'de' },
      },
    ])
    expect(looked).not.toHaveBeenCalled()
    const stored = JSON.stringify(await service.users.findByUsername('boss'))
    expect([stored.includes('abc-123'), stored.includes('terms')]).toEqual([false, false])
  })

  it('sees the staff member who creates the account, and no invalid input', async () => {
    const service = await ruled()
    await service.app.accounts.createUser({ username: 'captain', password: goodPassword, isStaff: true })
    const headers = { cookie: await logIn(service, 'captain') }
    await service.send('POST', '/user/', filledIn, { headers })
    expect(service.asked).toMatchObject([{ actor: { username: 'captain', isStaff: true } }])
    await service.send('POST', '/user/', { ...filledIn, username: 'a b' })
    await service.send('POST', '/user/', { ...filledIn, confirm_password: otherPassword })
    expect(service.asked).toHaveLength(1)
  })

  it("isn't asked where authorize says no, and by the app's own code only on request", async () => {
    const service = await ruled(() => ({ roles: ['editor'] }), { authorize: { createUser: () => false } })
    expect(refusalOf(await service.send('POST', '/user/', filledIn))).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
    const { accounts: host } = service.app
    await host.createUser({ username: 'ada', password: goodPassword })
    expect(service.asked).toEqual([])
    await host.createUser({ username: 'boss', password: goodPassword }, { before: true })
    expect(service.asked).toMatchObject([{ method: 'host', username: 'boss', client: null, actor: null }])
    expect([await rolesOf(service, 'ada'), await rolesOf(service)]).toEqual([[], ['editor']])
  })

  it.each(['/user/', '/signup/'])('refuses with an error of the app: POST %s', async (path) => {
    const service = await ruled(() => Promise.reject(closed))
    const { hashes } = service.hasher
    const response = await service.send('POST', path, filledIn)
    const message = 'We open on Monday.'
    expect(response.json()).toEqual({ statusCode: 403, code: 'SHOP_CLOSED', error: 'Forbidden', message })
    const german = await service.send('POST', path, filledIn, { headers: { 'accept-language': 'de-AT' } })
    expect(german.json().message).toBe('Wir öffnen am Montag.')
    expect(german.headers['content-language']).toBe('de')
    expect([await service.users.findByUsername('boss'), service.hasher.hashes]).toEqual([null, hashes])
  })

  it('can say what is wrong with single fields', async () => {
    const service = await ruled(
      () => {
        throw new RuleError('SHOP_INVITATION', {
          message: 'You need an invitation.',
          fields: { invitation: { en: 'This code has been used.' } },
        })
      },
      { signUp: { fields: signUpFields } },
    )
    const response = await service.send('POST', '/user/', { ...filledIn, invitation: 'abc' })
    expect([response.statusCode, response.json().fields]).toEqual([
      400,
      [{ field: 'invitation', code: 'invalid', message: 'This code has been used.' }],
    ])
  })

  it('appears in the audit trail with its code', async () => {
    const service = await ruled(() => Promise.reject(closed))
    const events: object[] = []
    service.app.accounts.events.on('audit', (event) => events.push(event))
    await service.send('POST', '/user/', filledIn)
    await service.settle()
    expect(events).toMatchObject([{ action: 'create-user', outcome: 'refused', reason: 'SHOP_CLOSED' }])
  })

  it("goes through the app's error handler if that formats errors", async () => {
    const app = Fastify()
    app.setErrorHandler<Error & { code?: string }>((error, _, reply) =>
      reply.code(418).send({ own: error.code, text: error.message }),
    )
    await app.register(accounts, {
      secret: 'a test needs no better secret than this one',
      baseUrl: 'http://localhost:3000',
      users: true,
      errorResponses: 'host',
      before: { signUp: () => Promise.reject(closed) },
    })
    const headers = { 'accept-language': 'de' }
    const response = await app.inject({ method: 'POST', url: '/user/', payload: filledIn, headers })
    await app.close()
    expect(response.json()).toEqual({ own: 'SHOP_CLOSED', text: 'Wir öffnen am Montag.' })
  })

  it.each<[string, unknown]>([
    ['a text', 'yes'],
    ['other names', { role: 'boss' }],
    ['no object as fields', { fields: ['pro'] }],
    ['an unknown field', { fields: { level: 3 } }],
    ['a field that its schema refuses', { fields: { plan: 'gold' } }],
    ['no list of roles', { roles: 'boss' }],
    ['an empty role', { roles: [''] }],
  ])('that returns %s is a 503', async (_, returned) => {
    const service = await ruled(() => returned as SignUpGrant)
    expect(refusalOf(await service.send('POST', '/user/', filledIn))).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
    expect(await service.users.findByUsername('boss')).toBeNull()
  })

  it('replaces fields that the client sent, and sets those that no client may set', async () => {
    const service = await ruled(() => ({ fields: { city: 'Bonn', plan: 'pro' } }))
    expect((await service.send('POST', '/user/', { ...filledIn, plan: 'pro' })).json().fields).toMatchObject([
      { field: 'plan', code: 'unknown' },
    ])
    const made = await service.send('POST', '/user/', { ...filledIn, city: 'Ulm' })
    expect(made.json()).toMatchObject({ city: 'Bonn', plan: 'pro' })
    const headers = { cookie: await logIn(service, 'boss') }
    const changed = await service.send('PATCH', '/me/', { plan: 'free' }, { headers })
    expect(changed.json().fields).toMatchObject([{ field: 'plan', code: 'read_only' }])
  })
})

describe('roles from before.signUp', () => {
  const asBoss = ({ domain }: SignUpAttempt): SignUpGrant => ({
    roles: domain === 'example.org' ? ['boss', 'boss'] : [],
  })

  it('are granted at once to an account without an address', async () => {
    const service = await ruled(() => ({ roles: ['editor'] }))
    await signUp(service, 'bob')
    expect(await rolesOf(service, 'bob')).toEqual(['editor'])
  })

  it('take effect once the address is proven by the person who signed up', async () => {
    const service = await ruled(asBoss, { requireEmailConfirmation: true })
    const made = await service.send('POST', '/signup/', filledIn)
    const cookie = made.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    expect(await rolesOf(service)).toEqual([])
    await verify(service, cookie)
    expect(await service.users.findByUsername('boss')).toMatchObject({ roles: ['boss'], notes: {} })
  })

  it('end with any change of the address, also back to the same', async () => {
    const service = await ruled(asBoss)
    const { id } = await signUp(service, 'boss', { email })
    await service.app.accounts.createUser({ username: 'captain', password: goodPassword, isStaff: true })
    const headers = { cookie: await logIn(service, 'captain') }
    for (const to of ['other@example.com', email])
      expect((await service.send('PATCH', `/user/${id}`, { email: to }, { headers })).statusCode).toBe(200)
    service.mails.length = 0
    await service.send('POST', '/user/v/', { email })
    const link = linkPath(await service.mail('verify-email', email))
    await service.send('POST', `${link}password/`, { password: goodPassword })
    expect(await service.users.findByUsername('boss')).toMatchObject({
      isVerified: true,
      roles: [],
      notes: {},
    })
  })

  it('end when the person who signed up moves to an address of their own, and proves that one', async () => {
    const service = await ruled(asBoss)
    await signUp(service, 'boss', { email })
    const headers = { cookie: await logIn(service, 'boss') }
    const own = 'mallory@example.com'
    const asked = await service.send('POST', '/change-email/', { email: own }, { headers })
    expect(asked.statusCode, asked.body).toBe(202)
    const link = linkTarget(await service.mail('change-email', own))
    expect((await service.send('POST', link, {}, { headers })).statusCode).toBe(200)
    expect(await service.users.findByUsername('boss')).toMatchObject({
      email: own,
      isVerified: true,
      roles: [],
      notes: {},
    })
  })

  it.each([
    ['the code sets', async ({ app }: TestApp, id: string) => app.accounts.setPassword(id, otherPassword)],
    [
      'somebody at the support desk gets a link for',
      async ({ app, send }: TestApp, id: string) => {
        const link = await app.accounts.createPasswordLink(id)
        return send('POST', new URL(link?.url ?? '').pathname, choice)
      },
    ],
  ])('end with a password that %s, which shows no longer who signed up', async (_, choose) => {
    const service = await ruled(asBoss)
    const { id } = await signUp(service, 'boss', { email })
    await choose(service, id)
    // Nobody has proven the address, so the rule isn't told of a hand-over.
    expect(service.asked).toHaveLength(1)
    await service.send('POST', '/user/v/', { email })
    const link = linkPath(await service.mail('verify-email', email))
    expect((await service.send('POST', `${link}password/`, { password: otherPassword })).statusCode).toBe(200)
    expect(await service.users.findByUsername('boss')).toMatchObject({
      isVerified: true,
      roles: [],
      notes: {},
    })
  })

  it("aren't kept with what a sign-up with a taken address leaves", async () => {
    const service = await ruled(asBoss, { requireEmailConfirmation: true })
    await signUp(service, 'boss', { email })
    await service.send('POST', '/signup/', { ...filledIn, username: 'mallory' })
    expect(await service.users.findByUsername('mallory')).toMatchObject({
      kind: 'unclaimed',
      roles: [],
      notes: {},
    })
  })

  describe.each<[string, SignUpAttempt['method'], (service: TestApp) => Promise<unknown>]>([
    [
      'a reset',
      'password',
      async (service) => {
        await service.send('POST', '/forgot/', { email })
        return service.send('POST', linkPath(await service.mail('reset-password', email)), choice)
      },
    ],
    [
      'a verification with a new password',
      'password',
      async (service) => {
        await service.send('POST', '/user/v/', { email })
        const link = linkPath(await service.mail('verify-email', email))
        return service.send('POST', `${link}new-password/`, choice)
      },
    ],
    ['a login code', 'email-code', async (service) => giveCode(service, await newCode(service, email))],
  ])('if the account is handed over by %s', (_, method, take) => {
    it('go, and the rule is asked again', async () => {
      const service = await ruled(({ handsOver }) =>
        handsOver ? { roles: ['owner'], fields: { plan: 'pro' } } : { roles: ['boss'] },
      )
      await signUp(service, 'boss', { email, city: 'Ulm' })
      await take(service)
      expect(service.asked.slice(1)).toMatchObject([
        { method, handsOver: true, email, domain: 'example.org', fields: {}, username: null, transient: {} },
      ])
      const user = await service.users.findByEmail(email)
      expect(user).toMatchObject({ isVerified: true, roles: ['owner'] })
      expect(user?.fields).toEqual({ plan: 'pro' })
      // Nobody is asked about an account whose address is proven.
      await giveCode(service, await newCode(service, email))
      expect(service.asked).toHaveLength(2)
    })

    it('stay promised if the rule refuses, and the email still works afterwards', async () => {
      let refuses = true
      const service = await ruled(({ handsOver }) => {
        if (handsOver && refuses) throw closed
        return { roles: handsOver ? [] : ['boss'] }
      })
      await signUp(service, 'boss', { email })
      expect(refusalOf((await take(service)) as Awaited<ReturnType<TestApp['send']>>)).toEqual([
        403,
        'SHOP_CLOSED',
      ])
      expect(await service.users.findByUsername('boss')).toMatchObject({ isVerified: false, roles: [] })
      refuses = false
      await take(service)
      expect(await service.users.findByEmail(email)).toMatchObject({ isVerified: true, roles: [] })
    })
  })

  it('a refusal is a page for browsers, and the form again if it names its fields', async () => {
    let named = false
    const service = await ruled(({ handsOver }) => {
      if (!handsOver) return undefined
      throw new RuleError('SHOP_CLOSED', {
        message: 'We open on Monday.',
        ...(named && { fields: { new_password: 'Not on a Sunday.' } }),
      })
    })
    await signUp(service, 'boss', { email })
    await service.send('POST', '/forgot/', { email })
    const link = linkPath(await service.mail('reset-password', email))
    const problem = await service.send('POST', link, choice, { headers: browser })
    expect([problem.statusCode, problem.body]).toEqual([403, expect.stringContaining('We open on Monday.')])
    named = true
    const form = await service.send('POST', link, choice, { headers: browser })
    expect([form.statusCode, form.body]).toEqual([400, expect.stringContaining('Not on a Sunday.')])
    expect(form.body).toContain('<form')
  })
})

describe('signUp.fields', () => {
  it('are required and checked like others, and unknown elsewhere', async () => {
    const service = await ruled(() => ({}), { signUp: { fields: signUpFields } })
    const faultsOf = async (more: object, path = '/signup/') =>
      (await service.send('POST', path, { ...filledIn, ...more })).json().fields
    expect(await faultsOf({})).toMatchObject([{ field: 'invitation', code: 'required' }])
    expect(await faultsOf({ invitation: 'a', terms: false })).toMatchObject([
      { field: 'terms', code: 'invalid' },
    ])
    expect(service.asked).toEqual([])
    await service.send('POST', '/signup/', { ...filledIn, invitation: 'abc' })
    const headers = { cookie: await logIn(service, 'boss') }
    const changed = await service.send('PATCH', '/me/', { invitation: 'abc' }, { headers })
    expect(changed.json().fields).toMatchObject([{ field: 'invitation', code: 'unknown' }])
  })

  it('come from forms as well', async () => {
    const service = await ruled(() => ({}), { signUp: { fields: signUpFields } })
    const payload = String(new URLSearchParams({ ...filledIn, invitation: 'abc' }))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await service.app.inject({ method: 'POST', url: '/signup/', payload, headers })
    expect(service.asked).toMatchObject([{ transient: { invitation: 'abc' }, fields: {} }])
  })

  const start = (options: Partial<AccountsOptions>) => testApp(options).then(({ app }) => app.close())
  const field = (name: string) => ({ type: 'object', properties: { [name]: {} } }) as const

  it.each<[string, Partial<AccountsOptions>, string]>([
    ['a name of ours', { signUp: { fields: field('email') } }, 'signUp.fields must not redefine email'],
    ['a name of a login', { signUp: { fields: field('next') } }, 'signUp.fields must not redefine next'],
    [
      'a name of your own fields',
      { users: { fields }, signUp: { fields: field('city') } },
      'signUp.fields must not redefine city, which users.fields has',
    ],
    [
      'no sign-up',
      { users: false, signUp: { fields: signUpFields } },
      'signUp.fields must be omitted while the option users is false: nobody can sign up',
    ],
    [
      'a required field that no client can send',
      { users: { fields: { ...fields, required: ['plan'] } } },
      'users.fields must not require plan, which is readOnly: no client can send it',
    ],
    [
      'a part of a field that clients could set all the same',
      {
        users: {
          fields: {
            type: 'object',
            properties: {
              shop: { type: 'object', properties: { plan: { type: 'string', readOnly: true } } },
            },
          },
        },
      },
      'users.fields must not have readOnly within shop, whose parts clients set together: put it beside them',
    ],
    [
      'a rule that does not exist',
      { before: { signup: () => undefined } as AccountsOptions['before'] },
      'before.signup does not exist; the options are: signUp, logIn, changeEmail',
    ],
  ])('stop the start with %s', async (_, options, line) => {
    await expect(start(options)).rejects.toThrow(`fastify-accounts: the option ${line}`)
  })
})

describe('RuleError', () => {
  it.each([
    ['closed', 403, 'MYAPP_CLOSED'],
    ['ACCOUNTS_FORBIDDEN', 403, 'ACCOUNTS_'],
    ['FST_ERR', 403, 'FST_'],
    ['SHOP_CLOSED', 503, 'from 400 to 499'],
    ['SHOP_CLOSED', 200, 'from 400 to 499'],
  ])('refuses the code %s with the status %i', (code, statusCode, text) => {
    expect(() => new RuleError(code, { message: 'No.', statusCode })).toThrow(text)
  })

  it.each<[string, unknown, string]>([
    ['no details', undefined, 'the RuleError SHOP_CLOSED must have a message, a text or one by language tag'],
    ['a text for details', 'Closed.', 'the RuleError SHOP_CLOSED must have a message'],
    ['no message', { statusCode: 409 }, 'the RuleError SHOP_CLOSED must have a message'],
    ['an empty message', { message: {} }, 'the RuleError SHOP_CLOSED must have a message'],
    [
      'a field without a text',
      { message: 'No.', fields: { city: 5 } },
      'fields.city of the RuleError SHOP_CLOSED',
    ],
  ])('refuses %s', (_, details, text) => {
    const build = () => new RuleError('SHOP_CLOSED', details as ConstructorParameters<typeof RuleError>[1])
    expect(build).toThrow(TypeError)
    expect(build).toThrow(text)
  })
})

describe('what a rule throws in place of a refusal', () => {
  const text = 'ada@example.org may not'
  const forbidden = () => {
    throw Object.assign(new Error(text), { statusCode: 403 })
  }
  const misspelled = () => {
    throw new RuleError('closed', { message: 'No.' })
  }
  const refusing = () => {
    throw closed
  }
  it.each<[string, Partial<AccountsOptions>, RegExp]>([
    [
      'an error with a status',
      { before: { signUp: forbidden } },
      /before is unavailable: before\.signUp threw Error with statusCode 403, .* throw a RuleError: \[…\] may not/,
    ],
    [
      'an object with a status',
      { before: { signUp: () => Promise.reject({ statusCode: 422 }) } },
      /before\.signUp threw an object with statusCode 422, .* throw a RuleError/,
    ],
    [
      'a RuleError that is built wrongly',
      { before: { signUp: misspelled } },
      /before is unavailable: the code of a RuleError must be like MYAPP_CLOSED/,
    ],
    [
      'a RuleError in authorize',
      { authorize: { createUser: refusing } },
      /authorize\.createUser threw RuleError with statusCode 403, .* return false: We open on Monday\./,
    ],
  ])('%s: a 503 without its text, and a line that says what to do', async (_, options, line) => {
    const log: string[] = []
    const stream = { write: (each: string) => void log.push(each) }
    const service = await testApp(options, { server: { logger: { level: 'error', stream } } })
    const response = await service.send('POST', '/user/', { ...filledIn, email: 'ada@example.org' })
    expect(refusalOf(response)).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
    expect(response.body).not.toContain('may not')
    expect(log.map((each) => JSON.parse(each).msg)).toEqual([expect.stringMatching(line)])
    expect(log.join()).not.toContain('ada@example.org')
  })
})

describe('before.logIn', () => {
  async function watched(rule: (attempt: LoginAttempt) => void = () => {}) {
    const asked: LoginAttempt[] = []
    const service = await testApp({
      features: [secondFactor()],
      login: { emailCode: true },
      before: {
        logIn(attempt) {
          asked.push(attempt)
          return rule(attempt)
        },
      },
    })
    const { id } = await signUp(service, 'alice', { email: 'alice@example.org' })
    await service.app.accounts.updateUser(id, { isVerified: true })
    return { ...service, id, asked }
  }

  it('is asked once for a login that would succeed, and for no other', async () => {
    const service = await watched()
    await service.send('POST', '/login/', { username: 'alice', password: otherPassword })
    await service.send('POST', '/login/', { username: 'nobody', password: goodPassword })
    expect(service.asked).toEqual([])
    await logIn(service)
    await giveCode(service, await newCode(service, 'alice@example.org'))
    expect(service.asked).toMatchObject([
      { user: { username: 'alice' }, methods: ['pwd'], client: { ip: '127.0.0.0/24', language: 'en' } },
      { user: { username: 'alice' }, methods: ['email'] },
    ])
    await service.app.accounts.updateUser(service.id, { isActive: false })
    await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
    expect(service.asked).toHaveLength(2)
  })

  it('refuses: no session, no last login, no email', async () => {
    const service = await watched(({ user }) => {
      if (user.username === 'alice') throw closed
    })
    const events: object[] = []
    service.app.accounts.events.on('audit', (event) => events.push(event))
    const response = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
    expect([refusalOf(response), response.cookies]).toEqual([[403, 'SHOP_CLOSED'], []])
    expect((await service.users.findById(service.id))?.lastLoginAt).toBeNull()
    await service.settle()
    expect([service.sessions.rows.size, service.mails]).toEqual([0, []])
    expect(events).toMatchObject([
      { action: 'login', outcome: 'refused', reason: 'SHOP_CLOSED', userId: service.id },
    ])
  })

  it('lets nobody in by returning false, which types allow', async () => {
    const service = await watched(() => false)
    const response = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
    expect([refusalOf(response), response.cookies]).toEqual([[503, 'ACCOUNTS_UNAVAILABLE'], []])
  })
})

describe('before.changeEmail', () => {
  async function watched(rule: (change: EmailChange) => void = () => {}) {
    const asked: EmailChange[] = []
    const service = await testApp({
      before: {
        changeEmail(change) {
          asked.push(change)
          rule(change)
        },
      },
    })
    const { id } = await signUp(service, 'alice', { email: 'alice@example.org' })
    await service.app.accounts.createUser({ username: 'captain', password: goodPassword, isStaff: true })
    return { ...service, id, asked }
  }
  const onlyOurs = ({ domain }: EmailChange): void => {
    if (domain !== 'example.org') throw new RuleError('SHOP_DOMAIN', { message: 'Only example.org.' })
  }

  it('decides before anybody is emailed', async () => {
    const service = await watched(onlyOurs)
    const extra = as(await logIn(service))
    const change = (to: string) => service.send('POST', '/change-email/', { email: to }, extra)
    const looked = vi.spyOn(service.users, 'findByEmail')
    expect(refusalOf(await change('alice@EXAMPLE.com'))).toEqual([403, 'SHOP_DOMAIN'])
    expect([looked.mock.calls, service.mails]).toEqual([[], []])
    expect((await change('alicia@example.org')).statusCode).toBe(202)
    await service.mail('change-email')
    expect(service.asked).toMatchObject([
      {
        user: { username: 'alice' },
        email: 'alice@EXAMPLE.com',
        domain: 'example.com',
        actor: { username: 'alice' },
      },
      { email: 'alicia@example.org', domain: 'example.org' },
    ])
  })

  it('decides about changes by staff, of the address only', async () => {
    const service = await watched(onlyOurs)
    const extra = as(await logIn(service, 'captain'))
    const change = (body: object) => service.send('PATCH', `/user/${service.id}`, body, extra)
    expect(refusalOf(await change({ email: 'alice@example.com' }))).toEqual([403, 'SHOP_DOMAIN'])
    for (const body of [{ username: 'alicia' }, { email: 'alice@example.org' }, { is_verified: true }])
      expect((await change(body)).statusCode).toBe(200)
    expect(service.asked).toMatchObject([{ user: { username: 'alice' }, actor: { username: 'captain' } }])
    expect((await change({ email: 'alicia@example.org' })).json().email).toBe('alicia@example.org')
  })
})

it('gives a rule a signal that ends with the time it has', async () => {
  let signal: AbortSignal | undefined
  const service = await testApp({
    adapterTimeout: 50,
    before: {
      signUp: (_, context) => {
        signal = context.signal
        return new Promise<undefined>(() => {})
      },
    },
  })
  expect(refusalOf(await service.send('POST', '/user/', filledIn))).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
  expect(signal?.aborted).toBe(true)
})
