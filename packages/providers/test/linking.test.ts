import { goodPassword, linkPath, logIn, otherPassword, signUp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { type DemoApp, demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import { AccountsError, createMemoryUserStore, secondFactor } from 'fastify-accounts'
import type { Feature } from 'fastify-accounts/features'
import { describe, expect, it } from 'vitest'

const email = 'ada@example.org'
const ada = { sub: 'ada-1', email, email_verified: true, preferred_username: 'ada' }
const authoritative = { authoritativeFor: ['example.org'] } as const

/** Ada's account, with a password; `proven` if its address is verified. */
async function withAccount(service: DemoApp, proven: boolean): Promise<string> {
  const { id } = await signUp(service, 'alice', { email })
  await service.app.accounts.updateUser(id, { isVerified: proven })
  return id
}

const keysOf = async (service: DemoApp, id: string) => (await service.users.findById(id))?.identityKeys

describe('an unknown user', () => {
  it('signs up if the provider is authoritative for the address, which then counts as verified', async () => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const response = await browser.logInWith(ada, { next: '/start?a=1' })
    expect([response.statusCode, response.headers.location]).toEqual([303, 'http://localhost:3000/start?a=1'])
    const me = (await browser.send('GET', '/me/')).json()
    expect(me).toMatchObject({ username: 'ada', email, is_verified: true })
    expect(await keysOf(service, me.id)).toEqual([`oidc:${service.issuer.url}|ada-1`])
    const again = visitor(service)
    expect((await again.logInWith({ ...ada, email: 'new@example.net' })).statusCode).toBe(303)
    expect(await again.who()).toBe('ada')
    expect((await again.send('GET', '/me/')).json().email).toBe(email)
    const [session] = [...service.sessions.rows.values()].filter(({ methods }) => methods?.includes('fed'))
    expect(session).toMatchObject({ methods: ['fed'], confirmedAt: expect.any(Date) })
  })

  it("gets another name if the provider's is taken, reserved or an email address", async () => {
    const service = await demoApp(authoritative)
    await signUp(service, 'ada')
    const names = []
    for (const [at, preferred_username] of ['ada', 'admin', 'x@example.com', undefined].entries()) {
      const browser = visitor(service)
      const claims = { sub: `s${at}`, email: `s${at}@example.org`, email_verified: true }
      await browser.logInWith({ ...claims, ...(preferred_username && { preferred_username }) })
      names.push(await browser.who())
    }
    expect(names).toEqual([
      expect.stringMatching(/^ada-[0-9a-f]{4}$/),
      expect.stringMatching(/^admin-[0-9a-f]{4}$/),
      expect.stringMatching(/^user-[0-9a-f]{20}$/),
      expect.stringMatching(/^user-[0-9a-f]{20}$/),
    ])
  })

  it.each([
    ['too long', 'x'.repeat(151), 'y'.repeat(151)],
    ['with characters no database stores', 'a\0b', '\ud800'],
    ['of another type', 5, {}],
  ])('can sign up despite `profile` names: %s', async (_, username, name) => {
    const profile = () => ({ username, name }) as { username: string; name: string }
    const service = await demoApp({ profile })
    const browser = visitor(service)
    expect((await browser.logInWith({ sub: 'x' })).statusCode).toBe(303)
    expect(await browser.who()).toMatch(/^user-[0-9a-f]{20}$/)
    expect((await browser.send('GET', '/identities/')).json().results).toMatchObject([{ label: null }])
  })

  it('has no name where users have none', async () => {
    const service = await demoApp(authoritative, { users: { variant: 'both', names: 'none' } })
    const browser = visitor(service)
    expect((await browser.logInWith(ada)).statusCode).toBe(303)
    expect((await browser.send('GET', '/me/')).json()).toMatchObject({ email })
  })

  it('can sign up without an address if none is required', async () => {
    const service = await demoApp()
    const browser = visitor(service)
    expect((await browser.logInWith({ sub: 'x', preferred_username: 'grace' })).statusCode).toBe(303)
    expect((await browser.send('GET', '/me/')).json()).toMatchObject({ username: 'grace', email: null })
    const strict = await demoApp({}, { requireEmailConfirmation: true })
    const response = await visitor(strict).logInWith({ sub: 'x', preferred_username: 'grace' })
    expect(response.json()).toMatchObject({
      reason: 'unusable_profile',
      provider: 'Demo',
      fields: [{ field: 'email', code: 'required' }],
    })
  })

  it('cannot sign up with an address that the app refuses, vouched for or not', async () => {
    for (const own of [authoritative, {}]) {
      const service = await demoApp(own, { emailAddresses: 'ascii' })
      const response = await visitor(service).logInWith({ ...ada, email: 'ädä@example.org' })
      expect(response.json().fields).toMatchObject([{ field: 'email', code: 'invalid' }])
    }
  })

  it("can't sign up if sign-up is closed", async () => {
    const closed = { authorize: { createUser: () => false } }
    for (const own of [authoritative, {}]) {
      const service = await demoApp(own, closed)
      expect(refusalOf(await visitor(service).logInWith(ada))).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
      expect(await service.users.findByEmail(email)).toBeNull()
    }
    const service = await demoApp(authoritative, { users: false })
    expect(refusalOf(await visitor(service).logInWith(ada))).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
  })

  it('gets own fields from the provider option `fields`, and is rejected by `allow`', async () => {
    const fields = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const
    const service = await demoApp(
      {
        ...authoritative,
        fields: ({ claims }) => ({ city: String(claims.locale) }),
        allow: ({ email: given }) => given?.endsWith('@example.org') === true,
      },
      { users: { variant: 'both', fields } },
    )
    const browser = visitor(service)
    await browser.logInWith({ ...ada, locale: 'Paris' })
    expect((await browser.send('GET', '/me/')).json()).toMatchObject({ city: 'Paris' })
    const other = await visitor(service).logInWith({ sub: 'b', email: 'b@example.net', email_verified: true })
    expect(refusalOf(other)).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
    expect(other.json()).toMatchObject({
      reason: 'provider_account_refused',
      message: 'This account at Demo can’t be used here. Use another one.',
    })
  })

  it('sees on a page what is missing, and whom to ask', async () => {
    const fields = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const
    const cases = [
      [demoApp({}, { requireEmailConfirmation: true }), 'en', ['what Demo told us', 'email: This field']],
      [
        demoApp({ ...authoritative, fields: () => ({}) }, { users: { fields } }),
        'de',
        ['Angaben von Demo', 'city: Diese Angabe ist'],
      ],
    ] as const
    for (const [starting, language, texts] of cases) {
      const service = await starting
      const browser = visitor(service)
      const back = service.issuer.logIn(await browser.start(), language === 'en' ? { sub: 'x' } : ada)
      const page = await browser.comeBack(back, { accept: 'text/html', 'accept-language': language })
      expect([page.statusCode, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
      for (const text of [...texts, 'localhost:3000']) expect(page.body).toContain(text)
    }
  })
})

describe('an account with a verified address', () => {
  it('gets the identity if the provider is authoritative for the address, and its owner an email', async () => {
    const service = await demoApp(authoritative)
    const id = await withAccount(service, true)
    const browser = visitor(service)
    expect((await browser.logInWith(ada)).statusCode).toBe(303)
    expect(await browser.who()).toBe('alice')
    expect(await keysOf(service, id)).toHaveLength(1)
    const mail = await service.mail('identity-added')
    expect([mail.to.address, mail.text]).toEqual([email, expect.stringContaining('With: Demo')])
    expect((await visitor(service).send('POST', linkPath(mail))).statusCode).toBe(200)
    expect([await browser.who(), await keysOf(service, id)]).toEqual([null, []])
  })

  it.each([
    ["the provider's verified claim is a string", authoritative, { email_verified: 'true' }],
    [
      '`profile` returns it as a string',
      { ...authoritative, profile: () => ({ emailVerified: 'false' as unknown as boolean }) },
      {},
    ],
    ['the provider is authoritative for other domains', { authoritativeFor: ['example.net'] }, {}],
  ])('is not linked if %s', async (_, own, claims) => {
    const service = await demoApp(own)
    const id = await withAccount(service, true)
    const before = await service.users.findById(id)
    const browser = visitor(service)
    const response = await browser.logInWith({ ...ada, ...claims })
    expect([response.statusCode, await browser.who()]).toEqual([202, null])
    await service.settle()
    expect(await service.users.findById(id)).toEqual(before)
  })

  it.each([
    ['in the ID token, with the address at the userinfo endpoint', true, false, 202],
    ['at the userinfo endpoint, with the address there', undefined, true, 303],
  ])(
    'only trusts `email_verified` from the same source as the address: %s',
    async (_, inToken, there, status) => {
      const service = await demoApp(authoritative)
      const { issuer } = service
      issuer.metadata.userinfo_endpoint = `${issuer.url}/userinfo`
      issuer.twist = { userinfo: { sub: 'ada-1', email, email_verified: there } }
      const id = await withAccount(service, true)
      const response = await visitor(service).logInWith({ sub: 'ada-1', email_verified: inToken })
      expect(response.statusCode).toBe(status)
      expect(await keysOf(service, id)).toHaveLength(status === 303 ? 1 : 0)
    },
  )

  it.each([
    ['if `email_verified` is about the address in the claims', {}, 202],
    ['if it returns `emailVerified` as well', { emailVerified: true }, 303],
  ])('treats an address from `profile` as verified only by its own flag: %s', async (_, also, status) => {
    const profile = () => ({ email, ...also })
    const service = await demoApp({ ...authoritative, profile })
    const id = await withAccount(service, true)
    const response = await visitor(service).logInWith({ ...ada, email: 'mallory@example.org' })
    expect(response.statusCode).toBe(status)
    expect(await keysOf(service, id)).toHaveLength(status === 303 ? 1 : 0)
  })

  it("is told how to link an identity that wasn't linked", async () => {
    const service = await demoApp()
    await withAccount(service, true)
    await visitor(service).logInWith(ada)
    const mail = await service.mail('identity-known')
    expect([mail.to.address, mail.text]).toEqual([email, expect.stringContaining('link Demo')])
    expect(mail.text).not.toContain('http')
    await service.settle()
    expect(service.mails.map(({ kind }) => kind)).not.toContain('identity-sign-up')
  })

  it('gets the identity and an email only once in two simultaneous logins', async () => {
    const users = createMemoryUserStore()
    let release = () => {}
    const both = new Promise<void>((resolve) => {
      release = resolve
    })
    let arrived = 0
    const findByIdentity = async (key: string) => {
      const found = await users.findByIdentity?.(key)
      arrived += 1
      if (arrived === 2) release()
      await both
      return found ?? null
    }
    const service = await demoApp(authoritative, { userStore: { ...users, findByIdentity } })
    const id = await withAccount({ ...service, users }, true)
    const browsers = [visitor(service), visitor(service)]
    const responses = await Promise.all(browsers.map((browser) => browser.logInWith(ada)))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([303, 303])
    expect(await users.findById(id)).toMatchObject({
      identityKeys: [`oidc:${service.issuer.url}|ada-1`],
      credentials: [{ kind: 'oidc' }],
    })
    await service.settle()
    expect(service.mails.filter(({ kind }) => kind === 'identity-added')).toHaveLength(1)
  })

  it('gets at most 25 identities by its address', async () => {
    const users = createMemoryUserStore()
    const service = await demoApp(authoritative, { userStore: users })
    const id = await withAccount({ ...service, users }, true)
    const identityKeys = Array.from({ length: 25 }, (_, n) => `oidc:${service.issuer.url}|${n}`)
    await users.update(id, { identityKeys }, (await users.findById(id))?.version ?? 0)
    const browser = visitor(service)
    expect(refusalOf(await browser.logInWith(ada))).toEqual([409, 'ACCOUNTS_CONFLICT'])
    expect([await browser.who(), (await users.findById(id))?.identityKeys]).toEqual([null, identityKeys])
    await browser.logInWith({ ...ada, sub: '24' })
    expect(await browser.who()).toBe('alice')
  })

  it('is ignored if the identity belongs to another account', async () => {
    const service = await demoApp(authoritative)
    const first = visitor(service)
    await first.logInWith({ ...ada, email: 'first@example.org' })
    await withAccount(service, true)
    const browser = visitor(service)
    await browser.logInWith(ada)
    expect(await browser.who()).toBe('ada')
  })
})

describe('an account with an unverified address', () => {
  it('keeps the way back to a previous address, and only loses this one', async () => {
    const service = await demoApp(authoritative)
    const { id } = await signUp(service, 'alice', { email: 'alice@example.net' })
    await service.app.accounts.updateUser(id, { isVerified: true })
    const staff = {
      username: 'boss',
      password: goodPassword,
      email: 'boss@example.net',
      isVerified: true,
      isStaff: true,
    }
    await service.app.accounts.createUser(staff)
    const boss = visitor(service)
    await boss.logIn('boss')
    expect((await boss.send('PATCH', `/user/${id}`, { email })).statusCode).toBe(200)
    const undo = /https?:\/\/\S+/.exec((await service.mail('email-changed')).text)?.[0] ?? expect.fail()
    const owner = visitor(service)
    expect((await owner.logInWith(ada)).statusCode).toBe(303)
    expect([await owner.who(), await logIn(service)]).toEqual(['ada', expect.any(String)])
    const { pathname, search } = new URL(undo)
    expect((await service.send('POST', pathname + search)).statusCode).toBe(200)
    expect(await owner.who()).toBe('ada')
    expect(await service.users.findById(id)).toMatchObject({ email: 'alice@example.net', identityKeys: [] })
  })

  it('is replaced once, or stays, if two processes come for it at the same moment', async () => {
    const userStore = createMemoryUserStore()
    const services = [
      await demoApp(authoritative, { userStore }),
      await demoApp(authoritative, { userStore }),
    ]
    const id = await withAccount({ ...(services[0] as DemoApp), users: userStore }, false)
    const before = await userStore.findById(id)
    const come = () => Promise.all(services.map((service) => visitor(service).logInWith(ada)))
    const responses = await come()
    const holder = await userStore.findByEmail(email)
    const hasComeIn = responses.some(({ statusCode }) => statusCode === 303)
    for (const { statusCode } of responses) expect([303, 409]).toContain(statusCode)
    if (hasComeIn) expect(holder).toMatchObject({ isVerified: true, username: expect.stringMatching(/^ada/) })
    else expect(holder).toEqual({ ...before, version: holder?.version })
    const old = await userStore.findById(id)
    if (hasComeIn) expect([old?.email ?? null, old?.isActive ?? false]).toEqual([null, false])
  })

  it('is not replaced if the own fields would be invalid for a new user', async () => {
    const fields = { type: 'object', properties: { city: { type: 'string', maxLength: 5 } } } as const
    const service = await demoApp(
      { ...authoritative, fields: ({ claims }) => ({ city: String(claims.locale) }) },
      { users: { variant: 'both', fields } },
    )
    const id = await withAccount(service, false)
    const before = await service.users.findById(id)
    const wrong = await visitor(service).logInWith({ ...ada, locale: 'too long' })
    expect([wrong.statusCode, wrong.json().fields?.[0]?.field]).toEqual([400, 'city'])
    expect(await service.users.findById(id)).toEqual(before)
    await visitor(service).logInWith({ ...ada, locale: 'Paris' })
    expect(await service.users.findByEmail(email)).toMatchObject({
      fields: { city: 'Paris' },
      isVerified: true,
    })
    expect(await service.users.findById(id)).toBeNull()
  })

  it('gives its name to the new account if the provider has the same', async () => {
    const service = await demoApp(authoritative)
    const { id } = await signUp(service, 'ada', { email })
    const browser = visitor(service)
    await browser.logInWith(ada)
    expect((await browser.send('GET', '/me/')).json()).toMatchObject({ username: 'ada', is_verified: true })
    expect((await service.users.findByEmail(email))?.id).not.toBe(id)
  })

  it('is made the provider’s user’s if nobody can log in to it, and somebody made it for them', async () => {
    const service = await demoApp(authoritative)
    const { id } = await service.app.accounts.createUser({ username: 'alice', email, password: null })
    const browser = visitor(service)
    await browser.logInWith(ada)
    expect((await browser.send('GET', '/me/')).json()).toMatchObject({
      id,
      username: 'alice',
      is_verified: true,
    })
  })

  it('only loses its address if a feature does not let it go, and tells the features if one does', async () => {
    for (const isKept of [true, false]) {
      const gone: string[] = []
      const club: Feature = {
        name: 'club',
        async deletion(user) {
          if (isKept) throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' })
          return { before: async () => gone.push(user.id) > 0 }
        },
      }
      const service = await demoApp(authoritative, {}, {}, [club])
      const { id } = await signUp(service, 'alice', { email })
      const browser = visitor(service)
      await browser.logInWith(ada)
      const me = (await browser.send('GET', '/me/')).json()
      expect(me).toMatchObject({ username: 'ada', email, is_verified: true })
      expect(me.id).not.toBe(id)
      const kept = { username: 'alice', email: null, isActive: true }
      if (isKept) expect(await service.users.findById(id)).toMatchObject(kept)
      else expect(await service.users.findById(id)).toBeNull()
      expect(gone).toEqual(isKept ? [] : [id])
    }
  })

  it('is replaced, with the name that a stranger chose, if they signed up with the address alone', async () => {
    const handedOver: unknown[] = []
    const service = await demoApp(authoritative, { users: { variant: 'both' }, login: { emailCode: true } })
    service.app.accounts.events.on('audit', ({ action, formerUserId }) => {
      if (action === 'handed-over') handedOver.push(formerUserId)
    })
    expect((await service.send('POST', '/signup/', { username: 'a-thief', email })).statusCode).toBe(202)
    const { id = '' } = (await service.users.findByEmail(email)) ?? {}
    const browser = visitor(service)
    await browser.logInWith(ada)
    expect((await browser.send('GET', '/me/')).json()).toMatchObject({ username: 'ada', is_verified: true })
    expect((await service.users.findByEmail(email))?.id).not.toBe(id)
    expect(await service.users.findById(id)).toBeNull()
    await service.settle()
    expect(handedOver).toEqual([id])
  })

  it.each([
    ['of a staff user', { isStaff: true }],
    ['of a disabled user', { isActive: false }],
    ['with a second factor', { factors: ['totp'] }],
  ])('is left alone, also through a link: %s', async (_, changes) => {
    const users = createMemoryUserStore()
    const service = await demoApp(authoritative, { userStore: users })
    const id = await withAccount({ ...service, users }, false)
    const browser = visitor(service)
    // The email is sent while the account is still unprotected.
    await browser.logInWith({ ...ada, email_verified: false })
    const path = linkPath(await service.mail('identity-sign-up'))
    await users.update(id, changes, (await users.findById(id))?.version ?? 0)
    const before = await users.findById(id)
    expect([(await browser.logInWith(ada)).statusCode, await browser.who()]).toEqual([202, null])
    const late = await browser.send('POST', path)
    expect([late.statusCode, late.json().code, await browser.who()]).toEqual([
      400,
      'ACCOUNTS_INVALID_LINK',
      null,
    ])
    await service.settle()
    expect(await users.findById(id)).toEqual(before)
    // Nobody has verified the address, so nobody is notified.
    expect(service.mails.map(({ kind }) => kind)).toEqual(['identity-sign-up'])
  })
})

describe('an address the provider is not authoritative for', () => {
  it('gets a row that reserves no name, and goes to the person who verifies the address through a reset', async () => {
    const service = await demoApp({ allow: ({ email: address }) => address !== 'eve@example.org' })
    expect((await visitor(service).logInWith(ada)).statusCode).toBe(202)
    const row = await service.users.findByEmail(email)
    expect(row).toMatchObject({
      username: expect.stringMatching(/^user-[0-9a-f]{20}$/),
      ...{ passwordHash: '!', identityKeys: [], isVerified: false },
    })
    await signUp(service, 'ada')
    await service.send('POST', '/forgot/', { email })
    const passwords = { new_password: goodPassword, confirm_password: goodPassword }
    const reset = await service.send('POST', linkPath(await service.mail('reset-password')), passwords)
    expect(reset.statusCode).toBe(204)
    const owner = visitor(service)
    await owner.logIn(email)
    expect((await owner.send('GET', '/me/')).json()).toMatchObject({ id: row?.id, is_verified: true })
    // And no row for users rejected by the host.
    const eve = { sub: 'eve-1', email: 'eve@example.org' }
    expect((await visitor(service).logInWith(eve)).statusCode).toBe(403)
    expect(await service.users.findByEmail(eve.email)).toBeNull()
  })

  it('is verified by a link, in the browser that logged in with the identity', async () => {
    const service = await demoApp()
    const browser = visitor(service)
    const response = await browser.logInWith(ada, { next: '/start' })
    expect(response.statusCode).toBe(202)
    const made = await service.users.findByEmail(email)
    expect(made).toMatchObject({ isVerified: false, passwordHash: '!', identityKeys: [] })
    const path = linkPath(await service.mail('identity-sign-up'))
    // The owner of the address, who didn't ask for it.
    const owner = visitor(service)
    expect(refusalOf(await owner.send('POST', path))).toEqual([400, 'ACCOUNTS_OTHER_BROWSER'])
    expect((await service.users.findByEmail(email))?.version).toBe(made?.version)
    const html = { accept: 'text/html' }
    expect((await browser.send('GET', path, undefined, html)).body).toContain('Finish signing up')
    expect(await browser.who()).toBeNull()
    const done = await browser.send('POST', path, undefined, html)
    expect([done.statusCode, done.headers.location]).toEqual([303, 'http://localhost:3000/start'])
    expect((await browser.send('GET', '/me/')).json()).toMatchObject({ email, is_verified: true })
    expect(refusalOf(await browser.send('POST', path))).toEqual([400, 'ACCOUNTS_INVALID_LINK'])
    const again = visitor(service)
    expect((await again.logInWith(ada)).statusCode).toBe(303)
  })

  it('is taken from someone who signed up with it by password, and from nobody else', async () => {
    const service = await demoApp()
    const id = await withAccount(service, false)
    const browser = visitor(service)
    await browser.logInWith(ada)
    const mail = await service.mail('identity-sign-up')
    expect((await browser.send('POST', linkPath(mail))).statusCode).toBe(200)
    expect(await browser.who()).toBe('ada')
    expect(await service.users.findById(id)).toBeNull()
  })

  it('is the account’s in whose maker’s browser the link is opened, which keeps everything', async () => {
    const service = await demoApp({}, { users: { variant: 'both' } })
    const browser = visitor(service)
    const body = { username: 'alice', email, password: goodPassword, confirm_password: goodPassword }
    const { id } = (await browser.send('POST', '/user/', body)).json()
    expect((await browser.logInWith(ada, { next: '/start' })).statusCode).toBe(202)
    const path = linkPath(await service.mail('identity-sign-up'))
    const done = await browser.send('POST', path, undefined, { accept: 'text/html' })
    expect([done.statusCode, done.headers.location]).toEqual([303, 'http://localhost:3000/start'])
    expect((await browser.send('GET', '/me/')).json()).toMatchObject({ id, username: 'alice' })
    expect(await service.users.findById(id)).toMatchObject({ isVerified: true })
    expect(await keysOf(service, id)).toHaveLength(1)
    expect((await service.mail('identity-added')).to.address).toBe(email)
    expect(await logIn(service)).toEqual(expect.any(String))
    expect(refusalOf(await browser.send('POST', path))).toEqual([400, 'ACCOUNTS_INVALID_LINK'])
  })

  it('is the account’s with the name and password that the maker’s browser entered last', async () => {
    const service = await demoApp({}, { users: { variant: 'both' }, requireEmailConfirmation: true })
    const browser = visitor(service)
    for (const [username, password] of [
      ['garce', goodPassword],
      ['grace', otherPassword],
    ]) {
      const body = { username, email, password, confirm_password: password }
      expect((await browser.send('POST', '/user/', body)).statusCode).toBe(202)
    }
    const { id } = (await service.users.findByEmail(email)) ?? {}
    await browser.logInWith(ada)
    const path = linkPath(await service.mail('identity-sign-up'))
    expect((await browser.send('POST', path)).json()).toMatchObject({ id, username: 'grace' })
    expect(await keysOf(service, `${id}`)).toHaveLength(1)
    const login = { username: 'grace', password: otherPassword }
    expect((await service.send('POST', '/login/', login)).statusCode).toBe(200)
  })

  it('is the account’s whose user is logged in where the link is opened', async () => {
    const service = await demoApp()
    const id = await withAccount(service, false)
    const browser = visitor(service)
    await browser.logInWith(ada)
    const path = linkPath(await service.mail('identity-sign-up'))
    await browser.logIn()
    expect((await browser.send('POST', path)).json()).toMatchObject({ id, is_verified: true })
    expect(await keysOf(service, id)).toHaveLength(1)
    expect(await logIn(service)).toEqual(expect.any(String))
  })

  it('asks behind the link whose an account is that was used', async () => {
    const service = await demoApp()
    const id = await withAccount(service, false)
    const squatter = visitor(service)
    await squatter.logIn()
    const browser = visitor(service)
    await browser.logInWith(ada, { next: '/start' })
    expect(await squatter.who()).toBe('alice')
    const mail = await service.mail('identity-sign-up')
    const asked = await browser.send('POST', linkPath(mail))
    expect([asked.statusCode, asked.headers.location, await browser.who()]).toEqual([
      303,
      '/login/claim/',
      null,
    ])
    const html = { accept: 'text/html' }
    const done = await browser.send('POST', '/login/claim/', { start_afresh: true }, html)
    expect([done.statusCode, done.headers.location]).toEqual([303, 'http://localhost:3000/start'])
    expect([await squatter.who(), await browser.who()]).toEqual([null, 'ada'])
    expect(await service.users.findById(id)).toBeNull()
    expect(refusalOf(await browser.send('POST', linkPath(mail)))).toEqual([400, 'ACCOUNTS_INVALID_LINK'])
  })
})

describe('`allow`', () => {
  it("receives the provider's claims once per login, and isn't called again behind the emailed link", async () => {
    const asked: unknown[] = []
    const mayCome = new Set(['staff'])
    const service = await demoApp({
      allow: ({ claims: { group } }) => asked.push(group) > 0 && mayCome.has(String(group)),
    })
    const browser = visitor(service)
    expect((await browser.logInWith({ ...ada, group: 'staff' })).statusCode).toBe(202)
    const path = linkPath(await service.mail('identity-sign-up'))
    mayCome.clear()
    // As an existing session continues.
    expect((await browser.send('POST', path)).statusCode).toBe(200)
    expect(asked).toEqual(['staff'])
    const again = await visitor(service).logInWith({ ...ada, group: 'staff' })
    expect(refusalOf(again)).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
  })
})

describe('a second factor', () => {
  const issued = async (enough?: object) => {
    const service = await demoApp({ ...authoritative, ...(enough && { enough }) }, {}, {}, [secondFactor()])
    const id = await withAccount(service, true)
    const { secret } = await enroll(service)
    return { service, id, secret }
  }

  it('prevents linking if the address is no longer verified by then', async () => {
    const { service, id, secret } = await issued()
    const browser = visitor(service)
    await browser.logInWith(ada)
    await service.users.update(id, { isVerified: false }, (await service.users.findById(id))?.version ?? 0)
    const late = await browser.send('POST', '/login/second-factor/', { code: codeOf(secret) })
    expect([late.statusCode, await browser.who(), await keysOf(service, id)]).toEqual([401, null, []])
  })

  it("is required at each login with a linked identity, unless the provider's authentication is enough", async () => {
    const { service, id, secret } = await issued({ acr: ['high'], amr: ['hwk'] })
    const browser = visitor(service)
    await browser.logInWith(ada)
    await browser.send('POST', '/login/second-factor/', { code: codeOf(secret) })
    expect(await keysOf(service, id)).toHaveLength(1)
    for (const [claims, who] of [
      [{}, null],
      [{ acr: 'low', amr: ['pwd'] }, null],
      [{ amr: 'hwk' }, null],
      [{ acr: 'high' }, 'alice'],
      [{ amr: ['pwd', 'hwk'] }, 'alice'],
    ] as const) {
      const other = visitor(service)
      await other.logInWith({ ...ada, ...claims })
      expect([claims, await other.who()]).toEqual([claims, who])
    }
  })
})
