import { passkeys } from '@fastify-accounts/passkeys'
import {
  countedSessions,
  goodPassword,
  linkPath,
  otherPassword,
  type TestApp,
  testAppOn,
} from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { codeIn } from '@fastify-accounts/test-support/email-code'
import {
  create,
  get,
  otherKey,
  type SoftPasskey,
  type Twist,
} from '@fastify-accounts/test-support/passkeys/authenticator'
import {
  bare,
  complete,
  confirm,
  password,
  prove,
  secondStep,
  turn,
  waiting,
} from '@fastify-accounts/test-support/passkeys/second-step'
import { origin, passkeyApp, type Visitor, visitor } from '@fastify-accounts/test-support/passkeys/service'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import {
  type AccountsOptions,
  type AuditEvent,
  createMemoryUserStore,
  secondFactor,
  UnavailableError,
} from 'fastify-accounts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const wrong = [401, 'ACCOUNTS_INVALID_CREDENTIALS']
const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']
const unconfirmed = [403, 'ACCOUNTS_CONFIRMATION_REQUIRED']
const minute = 60_000
// So no time step ends between creating and using a code.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:10Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Alice, with a verified address, logged in. */
async function factorApp(
  options: Partial<AccountsOptions> = {},
  given: Parameters<typeof secondFactor>[0] = {},
): Promise<TestApp & { id: string; alice: Visitor }> {
  const service = await passkeyApp({ features: [passkeys(), secondFactor(given)], ...options })
  const known = { ...password, email: 'alice@example.org', isVerified: true }
  const { id } = await service.app.accounts.createUser(known)
  const alice = visitor(service)
  await alice.logIn()
  return { ...service, id, alice }
}

const shown = async (who: Visitor) => (await who.send('GET', '/second-factor/')).json()

/** Passkeys are on, and alice has one; her last login is no longer recent. */
async function protectedApp(
  twist: Parameters<Visitor['add']>[0] = {},
  ...given: Parameters<typeof factorApp>
) {
  const service = await factorApp(...given)
  const { passkey, response } = await service.alice.add(twist)
  if (response.statusCode !== 201) throw new Error(response.body)
  const on = await prove(service.alice, passkey, true)
  if (on.statusCode !== 200) throw new Error(on.body)
  return { service, alice: service.alice, passkey, codes: on.json().recovery_codes as string[] }
}

/** Adds a security key without a PIN. */
async function withBareKey(alice: Visitor, passkey: SoftPasskey) {
  await confirm(alice, passkey)
  return alice.add(bare)
}

describe('turning passkeys on', () => {
  it('returns recovery codes once, ends other sessions, and sends an email', async () => {
    const service = await factorApp()
    const { alice } = service
    const other = visitor(service)
    await other.logIn()
    const { passkey } = await alice.add()
    expect(await shown(alice)).toMatchObject({ passkeys: false, recovery_codes_left: 0 })
    const on = await prove(alice, passkey, true)
    expect(new Set(on.json().recovery_codes).size).toBe(10)
    expect([await other.who(), await alice.who()]).toEqual([null, 'alice'])
    expect(await shown(alice)).toMatchObject({ totp: false, passkeys: true, recovery_codes_left: 10 })
    expect((await service.mail('factor-added')).text).toContain('/not-me/')
  })

  it("requires a login with the passkey, as adding an app does: a password isn't enough", async () => {
    const service = await factorApp()
    const { alice } = service
    const { secret, token } = (await alice.send('POST', '/second-factor/totp/')).json()
    const { passkey } = await alice.add()
    const enroll = [
      () => turn(alice, true),
      () => alice.send('POST', '/second-factor/totp/'),
      () => alice.send('POST', '/second-factor/totp/confirm/', { code: codeOf(secret), token }),
    ]
    const refused = async () => {
      for (const attempt of enroll) expect(refusalOf(await attempt())).toEqual(unconfirmed)
    }
    await refused()
    await alice.send('POST', '/confirm/', { password: goodPassword })
    await refused()
    expect((await confirm(alice, passkey)).statusCode).toBe(204)
    expect((await alice.send('POST', '/second-factor/totp/')).statusCode).toBe(200)
    // A later password replaces the passkey as the last confirmation.
    await alice.send('POST', '/confirm/', { password: goodPassword })
    await refused()
    const elsewhere = visitor(service)
    await elsewhere.use(passkey)
    expect((await turn(elsewhere, true)).json().recovery_codes).toHaveLength(10)
  })

  it("doesn't require a security key that is only a factor", async () => {
    const { alice } = await factorApp()
    await alice.add(bare)
    expect((await turn(alice, true)).statusCode).toBe(200)
    expect(refusalOf(await turn(alice, true))).toEqual(unconfirmed)
  })

  it('again changes nothing; with an app, it returns codes only if none are left', async () => {
    const { service, alice, passkey, codes } = await protectedApp()
    await confirm(alice, passkey)
    const again = await turn(alice, true)
    expect([again.statusCode, again.json()]).toEqual([200, { recovery_codes: [] }])
    const { secret, token } = (await alice.send('POST', '/second-factor/totp/')).json()
    const body = { code: codeOf(secret, -1), token }
    expect((await alice.send('POST', '/second-factor/totp/confirm/', body)).json()).toEqual({
      recovery_codes: [],
    })
    expect((await prove(alice, passkey, false)).json()).toEqual({ recovery_codes: [] })
    expect(await shown(alice)).toMatchObject({ totp: true, passkeys: false, recovery_codes_left: 10 })
    for (const code of codes) {
      const browser = visitor(service)
      await browser.send('POST', '/login/', password)
      expect((await browser.send('POST', '/login/second-factor/', { code })).statusCode).toBe(200)
    }
    expect((await turn(alice, true)).json().recovery_codes).toHaveLength(10)
    expect(await shown(alice)).toMatchObject({ totp: true, passkeys: true, recovery_codes_left: 10 })
  })

  it('requires a recent login, a verified address, and a passkey', async () => {
    const service = await factorApp()
    const { alice } = service
    expect(refusalOf(await turn(alice, true))).toEqual([409, 'ACCOUNTS_CONFLICT'])
    vi.setSystemTime(Date.now() + 16 * minute)
    expect(refusalOf(await turn(alice, true))).toEqual(unconfirmed)
    await service.app.accounts.createUser({ ...password, username: 'bob', email: 'bob@example.org' })
    const bob = visitor(service)
    await bob.logIn('bob')
    const { passkey } = await bob.add()
    expect(refusalOf(await prove(bob, passkey, true))).toEqual([403, 'ACCOUNTS_NOT_VERIFIED'])
    expect(refusalOf(await turn(visitor(service), true))).toEqual([401, 'ACCOUNTS_LOGIN_REQUIRED'])
  })

  it("isn't possible without the package, nor are factor-only keys without the feature", async () => {
    const alone = await factorApp({ features: [secondFactor()] })
    expect(refusalOf(await turn(alone.alice, true))).toEqual([409, 'ACCOUNTS_CONFLICT'])
    expect((await turn(alone.alice, false)).json()).toEqual({ recovery_codes: [] })
    const service = await passkeyApp()
    await service.app.accounts.createUser(password)
    const alice = visitor(service)
    await alice.logIn()
    const refused = await alice.send('POST', '/passkeys/options/', { use: 'factor' })
    expect(refused.json()).toMatchObject({ fields: [{ field: 'use' }] })
  })

  it('off removes the recovery codes and devices, and keeps the passkey as a way in', async () => {
    const { service, alice, passkey } = await protectedApp()
    const { browser, options } = await waiting(service)
    await complete(browser, get(passkey, options), { remember_device: true })
    expect((await browser.send('POST', '/login/', password)).statusCode).toBe(200)
    await confirm(alice, passkey)
    expect((await turn(alice, false)).statusCode).toBe(200)
    const { factors, credentials } = (await service.users.findById(service.id)) ?? {}
    expect([factors, credentials?.map(({ kind }) => kind)]).toEqual([[], ['passkey']])
    expect((await service.mail('factor-removed')).text).toContain('/not-me/')
    await visitor(service).logIn()
    expect((await visitor(service).use(passkey)).statusCode).toBe(200)
  })

  it('is undone by removing the last passkey, along with the recovery codes', async () => {
    const { service, alice, passkey } = await protectedApp()
    const { passkey: second } = await withBareKey(alice, passkey)
    const ids = (await alice.send('GET', '/passkeys/')).json().results as { id: string; use: string }[]
    expect(ids.map(({ use }) => use)).toEqual(['login', 'factor'])
    await alice.send('DELETE', `/passkeys/${ids[0]?.id}`)
    expect((await secondStep(service, second, { userHandle: null })).statusCode).toBe(200)
    expect((await alice.send('DELETE', `/passkeys/${ids[1]?.id}`)).statusCode).toBe(204)
    const { factors, credentials, identityKeys } = (await service.users.findById(service.id)) ?? {}
    expect([factors, credentials, identityKeys]).toEqual([[], [], []])
    await visitor(service).logIn()
  })
})

describe('a login with passkeys on', () => {
  it("waits for one of the account's passkeys, and is completed by it", async () => {
    const { service, alice, passkey } = await protectedApp()
    const { passkey: key } = await withBareKey(alice, passkey)
    const { browser, response, options } = await waiting(service)
    expect(response.json()).toMatchObject({
      reason: 'passkey',
      message: 'Use your passkey to finish logging in.',
      factors: ['passkey', 'recovery-code'],
    })
    const other = await complete(browser, get(passkey, { ...options, challenge: 'AAAA' }))
    expect([refusalOf(other), other.json().reason, other.json().message]).toEqual([
      wrong,
      'wrong_passkey',
      'This passkey was not accepted. Try again.',
    ])
    expect(options).toMatchObject({ userVerification: 'preferred', rpId: 'localhost' })
    expect(options.allowCredentials.map(({ id }: SoftPasskey) => id)).toEqual([passkey.id, key.id])
    expect(await browser.who()).toBeNull()
    const done = await complete(browser, get(passkey, options))
    expect([done.statusCode, done.json().username]).toEqual([200, 'alice'])
    expect([...service.sessions.rows.values()].at(-1)?.methods).toEqual(['pwd', 'pop', 'user', 'mfa'])
    expect((await secondStep(service, key, { userHandle: null })).statusCode).toBe(200)
    expect([...service.sessions.rows.values()].at(-1)?.methods).toEqual(['pwd', 'pop', 'mfa'])
  })

  it('with a user-verifying passkey needs no second step; a key without a PIN never logs in alone', async () => {
    const { service, alice, passkey } = await protectedApp()
    const { passkey: key } = await withBareKey(alice, passkey)
    expect((await visitor(service).use(passkey)).statusCode).toBe(200)
    expect(refusalOf(await visitor(service).use(key))).toEqual(wrong)
    expect(refusalOf(await visitor(service).use(key, { flags: { verified: true } }))).toEqual(wrong)
    expect(refusalOf(await visitor(service).use(passkey, { flags: { verified: false } }))).toEqual(wrong)
  })

  it('rejects every invalid assertion with the same response', async () => {
    const { service, passkey } = await protectedApp({ counter: 7 })
    const bob = visitor(service)
    await service.app.accounts.createUser({ ...password, username: 'bob' })
    await bob.logIn('bob')
    const theirs = await bob.add()
    const twists: [string, SoftPasskey, Twist][] = [
      ['foreign origin', passkey, { origin: 'https://evil.example' }],
      ['foreign rp', passkey, { rpId: 'evil.example' }],
      ['wrong type', passkey, { type: 'webauthn.create' }],
      ['another key', passkey, { key: otherKey() }],
      ['nobody there', passkey, { flags: { present: false } }],
      ['another handle', passkey, { userHandle: theirs.passkey.handle }],
      ['in a frame', passkey, { crossOrigin: true }],
      ['a counter that does not grow', passkey, { counter: 7 }],
      ['synced, which it can’t be', passkey, { flags: { backedUp: true } }],
      ['unknown', passkey, { id: 'AAAA' }],
      ['of another user', theirs.passkey, {}],
    ]
    for (const [name, each, twist] of twists) {
      const response = await secondStep(service, each, twist)
      expect(refusalOf(response), name).toEqual(wrong)
      expect(response.json().message).toBe('This passkey was not accepted. Try again.')
    }
    expect((await secondStep(service, passkey)).statusCode).toBe(200)
  })

  it('accepts a challenge once, for this login, this browser and this ceremony', async () => {
    const { service, alice, passkey } = await protectedApp()
    const { browser, options } = await waiting(service)
    const other = await waiting(service)
    // From another login, and from another browser with the same login.
    expect(refusalOf(await complete(browser, get(passkey, other.options)))).toEqual(wrong)
    const copy = visitor(service)
    for (const [name, value] of browser.cookies) if (name === 'session-pending') copy.cookies.set(name, value)
    expect(refusalOf(await complete(copy, get(passkey, options)))).toEqual(wrong)
    // From a login without a username, and from a confirmation.
    const first = await browser.send('POST', '/login/passkey/options/', { use: 'login' })
    expect(first.json().allowCredentials).toEqual([])
    expect(refusalOf(await complete(browser, get(passkey, first.json())))).toEqual(wrong)
    expect(
      refusalOf(await browser.send('POST', '/login/passkey/', { response: get(passkey, options) })),
    ).toEqual(wrong)
    const confirming = (await alice.send('POST', '/confirm/passkey/options/')).json()
    alice.cookies.set('session-pending', browser.cookies.get('session-pending') ?? '')
    expect(refusalOf(await complete(alice, get(passkey, confirming)))).toEqual(wrong)
    // Twenty simultaneous requests.
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => complete(browser, get(passkey, options))),
    )
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(19).fill(401)])
    const late = await waiting(service)
    vi.setSystemTime(Date.now() + 5 * minute)
    expect(refusalOf(await complete(late.browser, get(passkey, late.options)))).toEqual(wrong)
  })

  it('has no options if no login is waiting, and by default those for a passkey alone', async () => {
    const { service } = await protectedApp()
    const browser = visitor(service)
    const asked = await browser.send('POST', '/login/passkey/options/', { use: 'factor' })
    expect(refusalOf(asked)).toEqual(expired)
    browser.cookies.set('session-pending', 'AAAA')
    const plain = await browser.send('POST', '/login/passkey/options/')
    expect(plain.json()).toMatchObject({ allowCredentials: [], userVerification: 'required' })
    const odd = await browser.send('POST', '/login/passkey/options/', { use: 'confirm' })
    expect(odd.json()).toMatchObject({ fields: [{ field: 'use' }] })
  })

  const ends: [string, (service: Awaited<ReturnType<typeof protectedApp>>) => Promise<unknown>][] = [
    ['a new password', ({ service }) => service.app.accounts.setPassword(service.id, otherPassword)],
    ['the end of all sessions', ({ service }) => service.app.accounts.endUserSessions(service.id)],
    ['another login', ({ service, passkey }) => visitor(service).use(passkey)],
    [
      'passkeys turned off',
      async ({ alice, passkey }) => {
        await confirm(alice, passkey)
        await turn(alice, false)
      },
    ],
    [
      'another passkey',
      async ({ alice, passkey }) => {
        await confirm(alice, passkey)
        await alice.add()
      },
    ],
  ]
  it.each(ends)('expires after %s', async (_, end) => {
    const service = await protectedApp()
    const { browser, options } = await waiting(service.service)
    await end(service)
    expect(refusalOf(await complete(browser, get(service.passkey, options)))).toEqual(expired)
  })

  it('shares the rate limit with codes, alerts the owner after three failures, and audits the reason', async () => {
    const { service, passkey } = await protectedApp({ counter: 7 }, { throttle: {} })
    const heard: AuditEvent[] = []
    service.app.accounts.events.on('audit', (event) => heard.push(event))
    for (let n = 0; n < 3; n += 1) {
      expect(refusalOf(await secondStep(service, passkey, { counter: 3 }))).toEqual(wrong)
    }
    expect((await service.mail('factor-guessed')).text).toContain('/not-me/')
    const { browser } = await waiting(service)
    for (let n = 0; n < 2; n += 1) await browser.send('POST', '/login/second-factor/', { code: '000000' })
    expect((await secondStep(service, passkey)).statusCode).toBe(429)
    await vi.waitFor(() => {
      const reasons = heard.flatMap(({ reason }) => reason ?? [])
      expect(reasons.filter((reason) => reason === 'PASSKEY_CLONED')).toHaveLength(3)
    }, 60_000)
  })

  it.each(['the second step', 'a passkey login'])(
    'a hundred wrong codes turn the app off until a passkey is used: %s',
    async (how) => {
      const { service, alice, passkey } = await protectedApp()
      await confirm(alice, passkey)
      const { secret, token } = (await alice.send('POST', '/second-factor/totp/')).json()
      await alice.send('POST', '/second-factor/totp/confirm/', { code: codeOf(secret, -1), token })
      const { browser } = await waiting(service)
      const code = (given: string) => browser.send('POST', '/login/second-factor/', { code: given })
      for (let n = 0; n < 100; n += 1) await code('000000')
      expect((await code(codeOf(secret))).statusCode).toBe(401)
      const given = how === 'the second step' ? secondStep(service, passkey) : visitor(service).use(passkey)
      expect((await given).statusCode).toBe(200)
      await browser.send('POST', '/login/', password)
      expect((await code(codeOf(secret))).statusCode).toBe(200)
    },
  )
})

describe('an app turned off by wrong codes', () => {
  it.each(['turned off', 'removed'])('is removed along with passkeys that are %s', async (how) => {
    const { service, alice, passkey } = await protectedApp()
    await confirm(alice, passkey)
    const { secret, token } = (await alice.send('POST', '/second-factor/totp/')).json()
    await alice.send('POST', '/second-factor/totp/confirm/', { code: codeOf(secret, -1), token })
    await confirm(alice, passkey)
    const { browser } = await waiting(service)
    for (let n = 0; n < 100; n += 1) await browser.send('POST', '/login/second-factor/', { code: '000000' })
    const [{ id }] = (await alice.send('GET', '/passkeys/')).json().results
    const response = how === 'removed' ? alice.send('DELETE', `/passkeys/${id}`) : turn(alice, false)
    expect((await response).statusCode).toBeLessThan(300)
    const { factors, credentials } = (await service.users.findById(service.id)) ?? {}
    const left = how === 'removed' ? [] : ['passkey']
    expect([factors, credentials?.map(({ kind }) => kind)]).toEqual([[], left])
    await visitor(service).logIn()
  })
})

describe('confirming with a passkey', () => {
  it("is enough on its own if passkeys are on, and a password isn't", async () => {
    const { alice, passkey } = await protectedApp()
    vi.setSystemTime(Date.now() + 16 * minute)
    expect(refusalOf(await turn(alice, false))).toEqual(unconfirmed)
    expect(refusalOf(await alice.send('POST', '/confirm/', { password: goodPassword }))).toEqual(unconfirmed)
    const refused = await confirm(alice, passkey, { key: otherKey() })
    expect(refused.json()).toMatchObject({
      ...{ statusCode: 400, code: 'ACCOUNTS_INVALID_INPUT' },
      fields: [{ field: 'response', code: 'incorrect' }],
    })
    expect((await confirm(alice, passkey, { flags: { verified: false } })).statusCode).toBe(204)
    expect((await turn(alice, false)).statusCode).toBe(200)
  })

  it('accepts a challenge once, for this user and this browser', async () => {
    const { service, alice, passkey } = await protectedApp()
    const options = (await alice.send('POST', '/confirm/passkey/options/')).json()
    const elsewhere = visitor(service)
    await elsewhere.use(passkey)
    const given = { response: get(passkey, options) }
    expect((await elsewhere.send('POST', '/confirm/', given)).statusCode).toBe(400)
    expect((await alice.send('POST', '/confirm/', given)).statusCode).toBe(204)
    expect((await alice.send('POST', '/confirm/', given)).statusCode).toBe(400)
  })

  it('works for a user without a password, with a user-verifying passkey', async () => {
    const service = await passkeyApp()
    const bob = visitor(service)
    const { passkey } = await bob.signUp('bob')
    vi.setSystemTime(Date.now() + 16 * minute)
    expect((await bob.send('POST', '/passkeys/options/')).statusCode).toBe(403)
    expect((await confirm(bob, passkey, { flags: { verified: false } })).statusCode).toBe(400)
    expect((await confirm(bob, passkey)).statusCode).toBe(204)
    expect((await bob.send('POST', '/passkeys/options/')).statusCode).toBe(200)
    await service.app.accounts.createUser(password)
    const alice = visitor(service)
    await alice.logIn()
    expect(refusalOf(await alice.send('POST', '/confirm/passkey/options/'))).toEqual([
      404,
      'ACCOUNTS_NOT_FOUND',
    ])
  })
})

describe('an unavailable store', () => {
  const down = () => Promise.reject(new UnavailableError('down'))
  const unavailable = [503, 'ACCOUNTS_UNAVAILABLE']

  it('returns 503 at each step, whether right or wrong, and counts no attempt', async () => {
    const [users, sessions] = [createMemoryUserStore(), countedSessions()]
    const features = [passkeys(), secondFactor()]
    const service = await testAppOn({ users, sessions }, { features, throttle: {} })
    await service.app.accounts.createUser(password)
    const alice = visitor(service)
    await alice.logIn()
    const { passkey } = await alice.add()
    await confirm(alice, passkey)
    const [update, findById, create] = [users.update, users.findById, sessions.create]
    users.update = down
    expect(refusalOf(await turn(alice, true))).toEqual(unavailable)
    users.update = update
    expect(await shown(alice)).toMatchObject({ passkeys: false, recovery_codes_left: 0 })
    expect((await turn(alice, true)).statusCode).toBe(200)
    const { browser, options } = await waiting(service)
    users.findById = down
    expect(refusalOf(await browser.send('POST', '/login/passkey/options/'))).toEqual(unavailable)
    expect(refusalOf(await complete(browser, get(passkey, options)))).toEqual(unavailable)
    users.findById = findById
    sessions.create = down
    // More than the rate limit allows.
    for (let n = 0; n < 6; n += 1)
      expect(refusalOf(await complete(browser, get(passkey, options)))).toEqual(unavailable)
    sessions.create = create
    expect(await browser.who()).toBeNull()
    expect((await complete(browser, get(passkey, options))).statusCode).toBe(200)
  })

  it('returns 500 if it drops the factor', async () => {
    const store = createMemoryUserStore()
    const userStore = {
      ...store,
      update: ((id, { factors: _, ...changes }, ...rest) =>
        store.update(id, changes, ...rest)) as typeof store.update,
    }
    const { alice } = await factorApp({ userStore })
    const { passkey } = await alice.add()
    expect((await prove(alice, passkey, true)).statusCode).toBe(500)
  })
})

describe('a confirmation code by email', () => {
  it('is for accounts with a login passkey, unless the address is new', async () => {
    const service = await factorApp({ login: { emailCode: true } })
    const { alice } = service
    const user = await service.users.findById(service.id)
    await service.users.update(service.id, { passwordHash: '!' }, user?.version ?? 0)
    // One without a PIN can't confirm while passkeys are off as a factor.
    await alice.add(bare)
    expect((await alice.send('POST', '/confirm/code/')).statusCode).toBe(202)
    const code = codeIn(await service.mail('confirmation-code'))
    await alice.add()
    const changed = async (emailChangedAt: Date | null) => {
      const { version = 0 } = (await service.users.findById(service.id)) ?? {}
      await service.users.update(service.id, { emailChangedAt }, version)
    }
    await changed(new Date())
    expect(refusalOf(await alice.send('POST', '/confirm/code/'))).toEqual(unconfirmed)
    expect(refusalOf(await alice.send('POST', '/confirm/', { email_code: code }))).toEqual(unconfirmed)
    await changed(null)
    expect((await alice.send('POST', '/confirm/code/')).statusCode).toBe(202)
    expect((await alice.send('POST', '/passkeys/options/')).statusCode).toBe(403)
  })
})

describe('a user who must have a factor', () => {
  const required = { requiredFor: ({ username }: { username: string | null }) => username === 'alice' }

  it('adds a passkey, turns it on, and must then use it', async () => {
    const { alice } = await factorApp({}, required)
    expect(refusalOf(await alice.send('PATCH', '/me/', {}))).toEqual([403, 'ACCOUNTS_ENROLLMENT_REQUIRED'])
    const { passkey, response } = await alice.add(bare)
    expect(response.statusCode).toBe(201)
    expect((await alice.send('GET', '/passkeys/')).json().results).toHaveLength(1)
    expect((await turn(alice, true)).json().recovery_codes).toHaveLength(10)
    expect(refusalOf(await alice.send('PATCH', '/me/', {}))).toEqual(unconfirmed)
    expect((await confirm(alice, passkey, { userHandle: null })).statusCode).toBe(204)
    expect((await alice.send('PATCH', '/me/', {})).statusCode).toBe(200)
  })

  it("can't add a second passkey before that, neither sequentially nor simultaneously", async () => {
    const service = await factorApp({}, required)
    const { alice } = service
    const options = []
    for (let n = 0; n < 3; n += 1) options.push((await alice.send('POST', '/passkeys/options/')).json())
    const responses = options.map((each) => create(each, origin).response)
    const add = (response: object | undefined) => alice.send('POST', '/passkeys/', { response })
    const added = await Promise.all(responses.slice(0, 2).map(add))
    expect(added.map(({ statusCode }) => statusCode).sort()).toEqual([201, 403])
    expect(refusalOf(await add(responses[2]))).toEqual(unconfirmed)
    expect(refusalOf(await alice.send('POST', '/passkeys/options/'))).toEqual(unconfirmed)
    expect((await service.users.findById(service.id))?.identityKeys).toHaveLength(1)
  })

  it('can add more after using it', async () => {
    const { alice } = await factorApp({}, required)
    const { passkey } = await alice.add(bare)
    await turn(alice, true)
    expect((await alice.send('POST', '/passkeys/options/')).statusCode).toBe(403)
    await confirm(alice, passkey, { userHandle: null })
    expect((await alice.add()).response.statusCode).toBe(201)
  })

  it('satisfies the rule with a user-verifying passkey, but not with a password', async () => {
    const service = await factorApp({}, required)
    const { passkey } = await service.alice.add()
    const elsewhere = visitor(service)
    await elsewhere.use(passkey)
    expect((await elsewhere.send('PATCH', '/me/', {})).statusCode).toBe(200)
    await elsewhere.logIn()
    expect(refusalOf(await elsewhere.send('PATCH', '/me/', {}))).toEqual([
      403,
      'ACCOUNTS_ENROLLMENT_REQUIRED',
    ])
  })

  it('tells a login that waits for an app only that it has no passkey to ask for', async () => {
    const { alice, ...service } = await factorApp()
    expect((await alice.send('POST', '/confirm/passkey/options/')).json()).toMatchObject({
      code: 'ACCOUNTS_NOT_FOUND',
      reason: 'no_passkey',
    })
    const { secret, token } = (await alice.send('POST', '/second-factor/totp/')).json()
    await alice.send('POST', '/second-factor/totp/confirm/', { code: codeOf(secret), token })
    const { browser } = await waiting(service)
    const asked = await browser.send('POST', '/login/passkey/options/', { use: 'factor' })
    expect([refusalOf(asked), asked.json().reason, asked.json().factors]).toEqual([
      [401, 'ACCOUNTS_SECOND_FACTOR_REQUIRED'],
      'totp',
      ['totp', 'recovery-code'],
    ])
  })

  it('is reset by staff, which removes the passkeys as well', async () => {
    const { service, passkey } = await protectedApp()
    await service.app.accounts.createUser({ ...password, username: 'manager', isStaff: true })
    const manager = visitor(service)
    await manager.logIn('manager')
    const reset = await manager.send('POST', `/user/${service.id}/second-factor/reset/`)
    expect(reset.statusCode).toBe(204)
    const { factors, credentials, identityKeys } = (await service.users.findById(service.id)) ?? {}
    expect([factors, credentials, identityKeys]).toEqual([[], [], []])
    await visitor(service).logIn()
    expect(refusalOf(await visitor(service).use(passkey))).toEqual(wrong)
    // Also without any factor on; the owner is notified.
    await service.mail('factor-removed')
    service.mails.length = 0
    await service.alice.add()
    expect((await manager.send('POST', `/user/${service.id}/second-factor/reset/`)).statusCode).toBe(204)
    await service.mail('factor-removed')
    expect((await service.users.findById(service.id))?.identityKeys).toEqual([])
  })

  it('is reset by staff, which keeps the passkeys that are the last way in', async () => {
    const { service, alice, passkey } = await protectedApp()
    await alice.add(bare)
    expect((await alice.send('DELETE', '/password/')).statusCode).toBe(204)
    await service.app.accounts.createUser({ ...password, username: 'manager', isStaff: true })
    const manager = visitor(service)
    await manager.logIn('manager')
    expect((await manager.send('POST', `/user/${service.id}/second-factor/reset/`)).statusCode).toBe(204)
    const { factors, credentials, identityKeys } = (await service.users.findById(service.id)) ?? {}
    expect([factors, credentials?.map(({ use }) => use), identityKeys?.length]).toEqual([[], ['login'], 1])
    expect((await visitor(service).use(passkey)).statusCode).toBe(200)
  })

  it('keeps one from before a lockdown, and loses those added since', async () => {
    const now = Date.now()
    vi.setSystemTime(now - 30 * 24 * 60 * minute)
    const { service, passkey } = await protectedApp()
    await service.mail('passkey-added')
    vi.setSystemTime(now)
    const intruder = visitor(service)
    await intruder.use(passkey)
    const { passkey: theirs } = await intruder.add({ name: 'Intruder' })
    await vi.waitFor(
      () => expect(service.mails.some(({ text }) => text.includes('Intruder'))).toBe(true),
      60_000,
    )
    const mail = service.mails.find(({ text }) => text.includes('Intruder'))
    if (!mail) throw new Error('no email arrived')
    expect((await visitor(service).send('POST', linkPath(mail))).statusCode).toBe(200)
    const { factors, credentials = [] } = (await service.users.findById(service.id)) ?? {}
    expect([factors, credentials.length]).toEqual([['passkey'], 11])
    expect(refusalOf(await visitor(service).use(theirs))).toEqual(wrong)
    expect((await visitor(service).use(passkey)).statusCode).toBe(200)
  })
})
