import { goodPassword, linkPath, logIn, otherPassword, signUp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import {
  type DemoApp,
  demoApp,
  origin,
  type Visitor,
  visitor,
} from '@fastify-accounts/test-support/providers/service'
import {
  type AccountEvent,
  AlongsideError,
  type AuditEvent,
  invitations,
  secondFactor,
} from 'fastify-accounts'
import { describe, expect, it, vi } from 'vitest'

const email = 'ada@example.org'
const ada = { sub: 'ada-1', email, email_verified: true, preferred_username: 'ada' }
const claim = '/login/claim/'
const html = { accept: 'text/html' }
const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']

/** An account that somebody signed up with and has used, and a browser of the person who proved its address. */
async function asked(
  options: Parameters<typeof demoApp>[1] = {},
  body: object = {},
): Promise<{ service: DemoApp; id: string; cookie: string; browser: Visitor; handedOver: object[] }> {
  const service = await demoApp({ authoritativeFor: ['example.org'] }, options, {}, [secondFactor()])
  const handedOver: object[] = []
  service.app.accounts.events.on('audit', ({ action, outcome, reason, userId, formerUserId }: AuditEvent) => {
    if (action === 'handed-over') handedOver.push({ outcome, reason, userId, formerUserId })
  })
  const { id } = await signUp(service, 'alice', { email })
  const cookie = await logIn(service)
  const browser = visitor(service)
  const response = await browser.logInWith(ada, body)
  expect([response.statusCode, response.headers.location, await browser.who()]).toEqual([303, claim, null])
  return { service, id, cookie, browser, handedOver }
}

describe('a used account whose address a provider proves', () => {
  it('is kept by the person who knows its password: same id, linked, proven, and told by email', async () => {
    const { service, id, cookie, browser, handedOver } = await asked(
      {},
      { next: '/start?a=1', remember: true },
    )
    const shown = await browser.send('GET', claim)
    expect([shown.statusCode, shown.json()]).toEqual([
      200,
      { provider: 'demo', email, created_at: expect.any(String), has_password: true },
    ])
    const page = await browser.send('GET', claim, undefined, html)
    for (const text of ['Is this account yours?', 'Demo has confirmed your address', 'alice'])
      expect(page.body).toContain(text)
    const wrong = await browser.send('POST', claim, { password: otherPassword })
    expect([wrong.statusCode, wrong.json().fields]).toMatchObject([
      400,
      [{ field: 'password', code: 'incorrect' }],
    ])
    const form = await browser.send('POST', claim, { password: otherPassword }, html)
    expect([form.statusCode, form.body]).toEqual([400, expect.stringContaining('aria-invalid="true"')])
    expect((await service.users.findById(id))?.isVerified).toBe(false)

    const right = await browser.send('POST', claim, { password: goodPassword }, html)
    expect([right.statusCode, right.headers.location]).toEqual([303, `${origin}/start?a=1`])
    expect(right.cookies.find(({ name }) => name === 'session')).toHaveProperty('expires')
    expect(await service.users.findById(id)).toMatchObject({
      ...{ username: 'alice', isVerified: true },
      identityKeys: [`oidc:${service.issuer.url}|ada-1`],
    })
    // Their earlier session as well.
    const before = await service.send('GET', '/me/', undefined, { headers: { cookie } })
    expect([before.statusCode, await browser.who()]).toEqual([200, 'alice'])
    expect((await service.mail('identity-added')).to.address).toBe(email)
    expect((await visitor(service).logInWith(ada)).headers.location).toBe(`${origin}/`)
    expect(refusalOf(await browser.send('GET', claim))).toEqual(expired)
    await service.settle()
    expect(handedOver).toEqual([])
  })

  it('gives way to a new one: another id, nothing kept, and the app told of both', async () => {
    const fields = { type: 'object', properties: { city: { type: 'string' } } } as const
    const told: AccountEvent[] = []
    const { service, id, cookie, browser, handedOver } = await asked({
      users: { variant: 'both', fields },
      on: { log: { '*': (event) => void told.push(event) } },
    })
    await service.send('POST', '/forgot/', { email })
    const link = linkPath(await service.mail('reset-password'))
    const headers = { cookie }
    await service.send('PATCH', '/me/', { city: 'Rome' }, { headers })
    const done = await browser.send('POST', claim, { start_afresh: true })
    expect([done.statusCode, done.json()]).toMatchObject([200, { username: 'ada', email, is_verified: true }])
    const user = done.json()
    expect([user.id === id, user.city]).toEqual([false, undefined])
    expect(await service.users.findById(id)).toBeNull()
    expect((await service.send('GET', '/me/', undefined, { headers })).statusCode).toBe(401)
    expect((await service.send('GET', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    for (const username of ['alice', email]) {
      const login = await service.send('POST', '/login/', { username, password: goodPassword })
      expect(login.statusCode).toBe(401)
    }
    expect([await browser.who(), (await service.mail('identity-added')).to.address]).toEqual(['ada', email])
    await service.settle()
    expect(handedOver).toEqual([{ outcome: 'success', reason: null, userId: user.id, formerUserId: id }])
    await service.app.close()
    expect(told).toContainEqual(
      expect.objectContaining({
        type: 'user.handed_over',
        user: { id: user.id, version: 1 },
        data: { former_id: id },
      }),
    )
    expect(told).toContainEqual(
      expect.objectContaining({ type: 'user.deleted', user: { id, version: expect.any(Number) } }),
    )
    expect(told.map(({ type }) => type)).not.toContain('user.disabled')
  })

  it.each([
    ['refuses it', () => Promise.reject(new Error('the plan is full')), {}],
    ['never responds', () => new Promise<never>(() => {}), { adapterTimeout: 300 }],
  ])('is as it was if its replacement can’t be stored: the store %s', async (_, create, options) => {
    const { service, id, cookie, browser } = await asked(options)
    const before = await service.users.findById(id)
    const failing = vi.spyOn(service.users, 'create').mockImplementation(create)
    expect((await browser.send('POST', claim, { start_afresh: true })).statusCode).toBe(503)
    expect(failing).toHaveBeenCalled()
    failing.mockRestore()
    const after = await service.users.findById(id)
    expect(after).toEqual({ ...before, version: after?.version })
    expect((await service.send('GET', '/me/', undefined, { headers: { cookie } })).statusCode).toBe(200)
    expect((await browser.send('POST', claim, { password: goodPassword })).statusCode).toBe(200)
    expect(await browser.who()).toBe('alice')
  })

  it('stays without what others took while its replacement couldn’t be stored', async () => {
    const { service, id, browser } = await asked()
    const take = async (changes: object) => {
      vi.spyOn(service.users, 'create').mockImplementationOnce(async () => {
        await service.app.accounts.createUser({ username: 'bob', password: goodPassword, ...changes })
        throw new Error('down')
      })
      expect((await browser.send('POST', claim, { start_afresh: true })).statusCode).toBe(503)
    }
    await take({ username: 'alice' })
    const kept = await service.users.findById(id)
    expect(kept).toMatchObject({
      email,
      isActive: true,
      username: expect.stringMatching(/^user-/),
      notes: {},
    })
    await take({ email })
    const rest = await service.users.findById(id)
    expect(rest).toMatchObject({ email: null, isActive: false, notes: { replaced: true } })
    expect((await service.users.findByEmail(email))?.username).toBe('bob')
  })

  it('is asked about in one browser, for ten minutes, and once', async () => {
    const { service, id, browser } = await asked()
    const copy = visitor(service)
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
    for (const method of ['GET', 'POST'] as const) {
      const body = method === 'POST' ? { start_afresh: true } : undefined
      expect(refusalOf(await visitor(service).send(method, claim, body))).toEqual(expired)
    }
    expect((await browser.send('POST', claim, { password: goodPassword })).statusCode).toBe(200)
    for (const body of [{ start_afresh: true }, { password: goodPassword }])
      expect(refusalOf(await copy.send('POST', claim, body))).toEqual(expired)
    expect((await service.users.findById(id))?.isVerified).toBe(true)

    const late = await asked()
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 10 * 60_000 + 1)
    expect(refusalOf(await late.browser.send('POST', claim, { start_afresh: true }))).toEqual(expired)
    vi.useRealTimers()
  })

  it.each([
    [{}, 'password', 'required'],
    [{ start_afresh: false }, 'password', 'required'],
    [{ password: goodPassword, start_afresh: true }, 'password', 'unknown'],
    [{ start_afresh: 'yes' }, 'start_afresh', 'invalid'],
    [{ password: goodPassword, next: '/' }, 'next', 'unknown'],
  ])('refuses the fields %j', async (body, field, code) => {
    const { service, id, browser } = await asked()
    const before = await service.users.findById(id)
    const response = await browser.send('POST', claim, body)
    expect([response.statusCode, response.json().fields]).toMatchObject([400, [{ field, code }]])
    expect(await service.users.findById(id)).toEqual(before)
  })

  it('can’t be kept by guessing, nor from another site', async () => {
    const { service, id, browser } = await asked({ throttle: {} })
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const sent = await browser.send('POST', claim, { start_afresh: true }, foreign)
    expect(refusalOf(sent)).toEqual([403, 'ACCOUNTS_CROSS_SITE'])
    for (let n = 0; n < 5; n += 1) await browser.send('POST', claim, { password: `${otherPassword}${n}` })
    const response = await browser.send('POST', claim, { password: goodPassword })
    expect(refusalOf(response)).toEqual([429, 'ACCOUNTS_THROTTLED'])
    expect((await service.users.findById(id))?.isVerified).toBe(false)
  })

  it('says how to keep it if it has no password', async () => {
    const { service, id, browser } = await asked()
    const { version = 0 } = (await service.users.findById(id)) ?? {}
    await service.users.update(id, { passwordHash: '!' }, version)
    const page = await browser.send('GET', claim, undefined, html)
    expect(page.body).toContain('log in to it as you usually do')
    expect(page.body).not.toContain('type="password"')
    expect((await browser.send('GET', claim)).json().has_password).toBe(false)
    const empty = await browser.send('POST', claim, { password: '!' })
    expect(empty.json().fields[0].code).toBe('incorrect')
  })

  it.each([
    ['kept', { password: goodPassword }],
    ['replaced', { start_afresh: true }],
  ])('is not %s with an identity that another account has by now', async (_, answer) => {
    const { service, id, browser } = await asked()
    await service.app.accounts.createUser({ username: 'bob', password: goodPassword })
    const bob = visitor(service)
    await bob.send('POST', '/login/', { username: 'bob', password: goodPassword })
    expect((await bob.link(ada)).statusCode).toBe(303)
    expect(refusalOf(await browser.send('POST', claim, answer))).toEqual([409, 'ACCOUNTS_IDENTITY_TAKEN'])
    expect(await service.users.findById(id)).toMatchObject({ isVerified: false, identityKeys: [] })
  })

  it.each([
    [{ password: goodPassword }, 'alice'],
    [{ start_afresh: true }, 'ada'],
  ])(
    'is asked about as well if its address was confirmed by somebody who didn’t show that they made it: %j',
    async (answer, name) => {
      const service = await demoApp({ authoritativeFor: ['example.org'] })
      const { id } = await signUp(service, 'alice', { email })
      await service.send('POST', '/user/v/', { email })
      await service.send('POST', linkPath(await service.mail('verify-email')))
      expect(await service.users.findById(id)).toMatchObject({ isVerified: true, notes: { plainProof: {} } })
      const browser = visitor(service)
      expect((await browser.logInWith(ada)).headers.location).toBe(claim)
      expect((await browser.send('POST', claim, answer)).statusCode).toBe(200)
      const user = await service.users.findByEmail(email)
      expect([await browser.who(), user?.id === id]).toEqual([name, name === 'alice'])
      // Everything in it is theirs from now on.
      expect(user).toMatchObject({ isVerified: true, identityKeys: [expect.any(String)] })
      expect(user?.notes).toEqual({})
    },
  )

  it('only gets the identity if its password was chosen after that', async () => {
    const service = await demoApp({ authoritativeFor: ['example.org'] })
    const { id } = await signUp(service, 'alice', { email })
    await service.send('POST', '/user/v/', { email })
    await service.send('POST', linkPath(await service.mail('verify-email')))
    const maker = visitor(service)
    await maker.logIn()
    const change = {
      old_password: goodPassword,
      new_password: otherPassword,
      confirm_password: otherPassword,
    }
    expect((await maker.send('POST', '/change-password/', change)).statusCode).toBe(204)
    const browser = visitor(service)
    await browser.logInWith(ada)
    expect((await browser.send('POST', claim, { password: otherPassword })).statusCode).toBe(200)
    expect(await service.users.findById(id)).toMatchObject({
      notes: { plainProof: {} },
      identityKeys: [expect.any(String)],
    })
  })

  it('is confirmed otherwise meanwhile: nothing is deleted', async () => {
    const { service, id, browser } = await asked()
    await service.app.accounts.updateUser(id, { isVerified: true })
    for (const body of [{ start_afresh: true }, { password: goodPassword }])
      expect(refusalOf(await browser.send('POST', claim, body))).toEqual(expired)
    expect(await service.users.findById(id)).not.toBeNull()
  })
})

it('a reset that proves the address of a used account tells the app, and one of an unused or proven account doesn’t', async () => {
  const service = await demoApp()
  const handedOver: unknown[] = []
  service.app.accounts.events.on('audit', ({ action, userId, ...event }: AuditEvent) => {
    if (action === 'handed-over') handedOver.push([userId, 'formerUserId' in event])
  })
  const ids: string[] = []
  for (const [name, isUsed, isVerified] of [
    ['unused', false, false],
    ['used', true, false],
    ['proven', true, true],
  ] as const) {
    const { id } = await signUp(service, name, { email: `${name}@example.org` })
    ids.push(id)
    if (isVerified) await service.app.accounts.updateUser(id, { isVerified })
    if (isUsed) await logIn(service, name)
    await service.send('POST', '/forgot/', { email: `${name}@example.org` })
    const link = linkPath(await service.mail('reset-password', `${name}@example.org`))
    const passwords = { new_password: otherPassword, confirm_password: otherPassword }
    expect((await service.send('POST', link, passwords)).statusCode).toBe(204)
  }
  await service.settle()
  expect(handedOver).toEqual([[ids[1], false]])
})

describe('an invited address that a provider proves', () => {
  const fields = { type: 'object', properties: { city: { type: 'string' } } } as const
  const options = { roles: { editor: ['posts:write'] }, users: { fields } }
  const given = { email, roles: ['editor'], fields: { city: 'Ulm' } }
  const kept = { username: 'ada', isVerified: true, roles: ['editor'], fields: { city: 'Ulm' } }
  const provider = { authoritativeFor: ['example.org'] }

  /** An account that a stranger has made, perhaps used, and an invitation of its address. */
  async function invited(isUsed: boolean): Promise<{ service: DemoApp; id: string; browser: Visitor }> {
    const service = await demoApp(provider, options, {}, [secondFactor(), invitations()])
    const { id } = await signUp(service, 'alice', { email })
    if (isUsed) await logIn(service)
    await service.app.accounts.invite(given)
    return { service, id, browser: visitor(service) }
  }

  it('gets what the invitation gives with a new account, if somebody else had used the one there', async () => {
    const { service, id, browser } = await invited(true)
    expect((await browser.logInWith(ada)).headers.location).toBe(claim)
    expect(await service.invitations.listByEmail(email)).toHaveLength(1)
    expect((await service.users.findById(id))?.roles).toEqual([])
    expect((await browser.send('POST', claim, { start_afresh: true })).statusCode).toBe(200)
    const user = await service.users.findByEmail(email)
    expect([user, user?.id === id]).toMatchObject([kept, false])
    expect(await service.invitations.listByEmail(email)).toEqual([])
  })

  it.each([false, true])(
    'and its account and invitation are as they were if the app’s alongside refuses the new one (used: %s)',
    async (isUsed) => {
      const { service, id, browser } = await invited(isUsed)
      if (isUsed) await browser.logInWith(ada)
      const replace = () =>
        isUsed ? browser.send('POST', claim, { start_afresh: true }) : browser.logInWith(ada)
      const before = await service.users.findById(id)
      const full = new AlongsideError(
        'created',
        Object.assign(new Error('the plan is full'), { statusCode: 402 }),
      )
      const failing = vi.spyOn(service.users, 'create').mockRejectedValue(full)
      expect((await replace()).statusCode).toBe(402)
      expect(failing).toHaveBeenCalled()
      failing.mockRestore()
      expect(await service.users.findById(id)).toEqual({ ...before, version: expect.any(Number) })
      expect(await service.invitations.listByEmail(email)).toMatchObject([{ acceptingUntil: null }])
      expect((await replace()).statusCode).toBeLessThan(400)
      expect(await service.users.findByEmail(email)).toMatchObject(kept)
    },
  )

  it('leaves nothing of it with the replaced account if that can’t be deleted', async () => {
    const { service, id, browser } = await invited(false)
    const failing = vi.spyOn(service.users, 'delete').mockRejectedValue(new Error('down'))
    expect((await browser.logInWith(ada)).statusCode).toBe(503)
    expect(failing).toHaveBeenCalled()
    failing.mockRestore()
    const rest = await service.users.findById(id)
    expect(rest).toMatchObject({ email: null, isActive: false, roles: [], notes: { replaced: true } })
    expect(await service.users.findByEmail(email)).toMatchObject(kept)
    expect(await service.invitations.listByEmail(email)).toEqual([])
  })
})
