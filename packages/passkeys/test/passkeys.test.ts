import { passkeys } from '@fastify-accounts/passkeys'
import {
  countedSessions,
  goodPassword,
  linkPath,
  signUp,
  testApp,
  testAppOn,
} from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { create, get, otherKey, type Twist } from '@fastify-accounts/test-support/passkeys/authenticator'
import { origin, passkeyApp, visitor, withAlice } from '@fastify-accounts/test-support/passkeys/service'
import { createMemoryUserStore, UnavailableError } from 'fastify-accounts'
import { afterEach, describe, expect, it, vi } from 'vitest'

const wrong = [401, 'ACCOUNTS_INVALID_CREDENTIALS']
const invalid = [400, 'ACCOUNTS_INVALID_PASSKEY']

afterEach(() => vi.useRealTimers())

describe('a passkey', () => {
  it('is added, listed, and logs its owner in without a username', async () => {
    const service = await passkeyApp()
    const { alice, passkey } = await withAlice(service)
    const { results } = (await alice.send('GET', '/passkeys/')).json()
    expect(results).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        credential_id: passkey.id,
        name: 'Passkey',
        use: 'login',
        created_at: expect.any(String),
        last_used_at: null,
        synced: true,
      },
    ])
    const elsewhere = visitor(service)
    const response = await elsewhere.use(passkey)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().username).toBe('alice')
    expect(await elsewhere.who()).toBe('alice')
    const [session] = [...service.sessions.rows.values()].filter(({ methods }) => methods?.includes('pop'))
    expect(session).toMatchObject({ methods: ['pop', 'user', 'mfa'], confirmedAt: expect.any(Date) })
    const [used] = (await alice.send('GET', '/passkeys/')).json().results
    expect(used.last_used_at).not.toBeNull()
  })

  it('is added without asking after a login with a password, and then verifies its owner when it logs in', async () => {
    const service = await passkeyApp()
    await signUp(service)
    const alice = visitor(service)
    await alice.logIn()
    const add = async (body: object) => {
      const options = (await alice.send('POST', '/passkeys/options/', body)).json()
      const bare = { flags: { present: false, verified: false } }
      const { passkey, response } = create(options, origin, bare)
      return { options, passkey, response: await alice.send('POST', '/passkeys/', { response }) }
    }
    expect(refusalOf((await add({})).response)).toEqual(invalid)
    const { options, passkey, response } = await add({ mediation: 'conditional' })
    expect(options.authenticatorSelection).toMatchObject({
      residentKey: 'required',
      userVerification: 'preferred',
    })
    expect(response.statusCode).toBe(201)
    expect(response.json().use).toBe('login')
    const elsewhere = visitor(service)
    expect((await elsewhere.use(passkey, { flags: { present: true, verified: false } })).statusCode).toBe(401)
    expect((await elsewhere.use(passkey, { flags: { present: true, verified: true } })).statusCode).toBe(200)
  })

  it('is in the export as in the list, and neither its public key nor the user handle', async () => {
    const service = await passkeyApp()
    const { alice, passkey } = await withAlice(service)
    const { results } = (await alice.send('GET', '/passkeys/')).json()
    await alice.use(passkey)
    const user = (await service.users.findByUsername('alice')) ?? expect.fail()
    const [stored] = user.credentials
    const exported = await alice.send('GET', '/me/export/')
    expect(exported.json().features.passkeys).toEqual([{ ...results[0], last_used_at: expect.any(String) }])
    for (const hidden of [stored?.publicKey, stored?.handle]) {
      expect(hidden).toEqual(expect.any(String))
      expect(exported.body).not.toContain(hidden)
    }
  })

  it('is named in emails on one line, without links, and only to a verified address', async () => {
    const service = await passkeyApp()
    const { id } = await signUp(service, 'alice', { email: 'alice@example.org' })
    const alice = visitor(service)
    await alice.logIn()
    const name = 'Mine.\n\nLocked:\n\nhttps://evil.example'
    await alice.add({ name })
    expect((await service.mail('passkey-added')).text).not.toContain('evil')
    await service.app.accounts.updateUser(id, { isVerified: true })
    service.mails.length = 0
    await alice.add({ name })
    const { text } = await service.mail('passkey-added')
    expect(text).toContain('Passkey: Mine. Locked: https：//evil․example\n')
  })

  it('can be renamed, and no longer logs in once removed', async () => {
    const service = await passkeyApp()
    const { alice, passkey } = await withAlice(service)
    await alice.use(passkey)
    const [{ id }] = (await alice.send('GET', '/passkeys/')).json().results
    const renamed = await alice.send('PATCH', `/passkeys/${id}`, { name: 'My phone' })
    expect(renamed.json()).toMatchObject({ id, name: 'My phone' })
    expect((await alice.send('PATCH', '/passkeys/nothing', { name: 'x' })).statusCode).toBe(404)
    expect((await alice.send('DELETE', `/passkeys/${id}`)).statusCode).toBe(204)
    expect((await alice.send('DELETE', `/passkeys/${id}`)).statusCode).toBe(404)
    expect(refusalOf(await visitor(service).use(passkey))).toEqual(wrong)
    const user = await service.users.findByUsername('alice')
    expect([user?.credentials, user?.identityKeys]).toEqual([[], []])
  })

  it('causes an email when added and removed, with a link that locks everyone out', async () => {
    const service = await passkeyApp()
    const { id } = await signUp(service, 'alice', { email: 'alice@example.org' })
    await service.app.accounts.updateUser(id, { isVerified: true })
    const alice = visitor(service)
    await alice.logIn()
    const { passkey } = await alice.add({ name: 'Blue key' })
    const added = await service.mail('passkey-added')
    expect(added.text).toContain('Blue key')
    const [listed] = (await alice.send('GET', '/passkeys/')).json().results
    await alice.use(passkey)
    await alice.send('DELETE', `/passkeys/${listed.id}`)
    expect((await service.mail('passkey-removed')).text).toContain('Blue key')
    expect((await visitor(service).send('POST', linkPath(added))).statusCode).toBe(200)
    expect(await alice.who()).toBeNull()
  })

  it('added by an intruder is removed by that link; an earlier one stays', async () => {
    const service = await passkeyApp()
    const { id } = await signUp(service, 'alice', { email: 'alice@example.org' })
    await service.app.accounts.updateUser(id, { isVerified: true })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 30 * 86_400_000 })
    const alice = visitor(service)
    await alice.logIn()
    const { passkey } = await alice.add()
    vi.useRealTimers()
    const intruder = visitor(service)
    await intruder.use(passkey)
    const theirs = await intruder.add({ name: 'Intruder' })
    await vi.waitFor(
      () => expect(service.mails.some(({ text }) => text.includes('Intruder'))).toBe(true),
      60_000,
    )
    const mail = service.mails.find(({ text }) => text.includes('Intruder'))
    if (!mail) throw new Error('no email arrived')
    expect((await alice.send('POST', linkPath(mail))).statusCode).toBe(200)
    expect(refusalOf(await intruder.use(theirs.passkey))).toEqual(wrong)
    expect((await alice.use(passkey)).statusCode).toBe(200)
  })

  it("of a new account is the only way in, and can't be removed", async () => {
    const service = await passkeyApp()
    const bob = visitor(service)
    const { passkey, response } = await bob.signUp('bob', { email: 'bob@example.org' })
    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({ username: 'bob', email: 'bob@example.org' })
    expect(await bob.who()).toBe('bob')
    expect((await visitor(service).use(passkey)).statusCode).toBe(200)
    const [{ id }] = (await bob.send('GET', '/passkeys/')).json().results
    expect(refusalOf(await bob.send('DELETE', `/passkeys/${id}`))).toEqual([409, 'ACCOUNTS_CONFLICT'])
    await bob.add()
    expect((await bob.send('DELETE', `/passkeys/${id}`)).statusCode).toBe(204)
  })

  it('of a new account waits for email verification if required, even if the address is taken', async () => {
    const service = await passkeyApp({ requireEmailConfirmation: true })
    const bob = visitor(service)
    const first = await bob.signUp('bob', { email: 'bob@example.org' })
    expect([first.response.statusCode, await bob.who()]).toEqual([202, null])
    const mallory = visitor(service)
    const second = await mallory.signUp('mallory', { email: 'bob@example.org' })
    expect(second.response.json()).toEqual(first.response.json())
    for (const [own, { passkey }] of [[bob, first] as const, [mallory, second] as const]) {
      expect(refusalOf(await own.use(passkey))).toEqual([401, 'ACCOUNTS_INVALID_OR_NOT_VERIFIED'])
      expect(refusalOf(await visitor(service).use(passkey))).toEqual(wrong)
    }
    await service.send('POST', linkPath(await service.mail('verify-email')))
    expect((await bob.use(first.passkey)).statusCode).toBe(200)
    expect(refusalOf(await visitor(service).use(second.passkey))).toEqual(wrong)
  })

  it("isn't created for an unavailable username", async () => {
    const service = await passkeyApp()
    await signUp(service)
    const options = await visitor(service).send('POST', '/signup/passkey/options/', { username: 'alice' })
    expect(refusalOf(options)).toEqual([409, 'ACCOUNTS_USERNAME_TAKEN'])
    const bad = await visitor(service).send('POST', '/signup/passkey/options/', { username: 'a b' })
    expect(bad.json().fields).toMatchObject([{ field: 'username', code: 'invalid' }])
  })

  it("isn't added or removed by a request whose session ends meanwhile", async () => {
    const users = createMemoryUserStore()
    const service = await testAppOn({ users, sessions: countedSessions() }, { features: [passkeys()] })
    const { alice, passkey } = await withAlice(service)
    await alice.use(passkey)
    const [{ id }] = (await alice.send('GET', '/passkeys/')).json().results
    const { id: userId } = (await users.findByUsername('alice')) ?? { id: '' }
    const { findByIdentity, update } = users
    const loggedOut = [401, 'ACCOUNTS_LOGIN_REQUIRED']
    users.findByIdentity = async (key) => {
      await service.app.accounts.endUserSessions(userId)
      return findByIdentity?.(key) ?? null
    }
    expect(refusalOf((await alice.add()).response)).toEqual(loggedOut)
    Object.assign(users, { findByIdentity })
    await alice.use(passkey)
    users.update = async (...given) => {
      users.update = update
      await service.app.accounts.endUserSessions(userId)
      return update(...given)
    }
    expect(refusalOf(await alice.send('DELETE', `/passkeys/${id}`))).toEqual(loggedOut)
    expect((await users.findById(userId))?.credentials.map((each) => each.id)).toEqual([passkey.id])
  })

  it('can be added up to 25 times', async () => {
    const service = await passkeyApp()
    const { alice } = await withAlice(service)
    for (let n = 1; n < 25; n += 1) expect((await alice.add()).response.statusCode).toBe(201)
    expect(refusalOf((await alice.add()).response)).toEqual([409, 'ACCOUNTS_CONFLICT'])
  })

  it('has the same random user handle each time, and known passkeys are excluded', async () => {
    const service = await passkeyApp()
    const { alice, passkey } = await withAlice(service)
    await alice.use(passkey)
    const options = (await alice.send('POST', '/passkeys/options/')).json()
    expect(options.user.id).toBe(passkey.handle)
    expect(Buffer.from(passkey.handle, 'base64url')).toHaveLength(32)
    expect(options.excludeCredentials).toMatchObject([{ id: passkey.id }])
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const request = (await visitor(service).send('POST', '/login/passkey/options/')).json()
    expect(request).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
  })

  it('needs a recent login to be added or removed', async () => {
    const service = await passkeyApp({ session: { newDeviceMail: false, confirmLifetime: 60_000 } })
    const { alice } = await withAlice(service)
    const [{ id }] = (await alice.send('GET', '/passkeys/')).json().results
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    const refused = [403, 'ACCOUNTS_CONFIRMATION_REQUIRED']
    expect(refusalOf(await alice.send('POST', '/passkeys/options/'))).toEqual(refused)
    expect(refusalOf(await alice.send('POST', '/passkeys/', {}))).toEqual(refused)
    expect(refusalOf(await alice.send('DELETE', `/passkeys/${id}`))).toEqual(refused)
    expect((await alice.send('GET', '/passkeys/')).statusCode).toBe(200)
  })
})

describe('an invalid assertion', () => {
  const twists: Record<string, Twist> = {
    'signed by another key': { key: otherKey() },
    'of another origin': { origin: 'https://evil.example' },
    'of another RP id': { rpId: 'evil.example' },
    'of another type': { type: 'webauthn.create' },
    'without presence': { flags: { present: false } },
    'without verification': { flags: { verified: false } },
    'of a passkey that cannot be copied any more': { flags: { backupEligible: false, backedUp: false } },
    'in a frame of another site': { crossOrigin: true },
    'with a top origin': { topOrigin: 'https://evil.example' },
    'for another account': { userHandle: Buffer.alloc(32).toString('base64url') },
    'for no account': { userHandle: null },
    'of a challenge that nobody made': { challenge: Buffer.alloc(54, 7).toString('base64url') },
    'of an empty challenge': { challenge: '' },
    'of an unknown credential': { id: Buffer.alloc(20, 9).toString('base64url') },
  }
  it.each(Object.entries(twists))('%s always gets the same response', async (_name, twist) => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service)
    const rows = service.sessions.rows.size
    const stranger = visitor(service)
    expect(refusalOf(await stranger.use(passkey, twist))).toEqual(wrong)
    // Nothing was written for it.
    expect(service.sessions.rows.size).toBe(rows)
    expect((await stranger.use(passkey)).statusCode).toBe(200)
  })

  it.each([
    ['en', 'This passkey was not accepted. Try again.'],
    ['de', 'Dieser Passkey wurde nicht angenommen. Versuchen Sie es noch einmal.'],
    ['fr', 'Cette clé d’accès n’a pas été acceptée. Réessayez.'],
  ])('gets a text about passkeys, not about passwords (%s)', async (language, text) => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service)
    const stranger = visitor(service)
    const options = (await stranger.send('POST', '/login/passkey/options/')).json()
    const use = (twist?: Twist) =>
      stranger.send(
        'POST',
        '/login/passkey/',
        { response: get(passkey, options, twist) },
        { 'accept-language': language },
      )
    const refused = [await use({ id: 'AAAA' }), await use({ key: otherKey() })]
    expect((await use()).statusCode).toBe(200)
    refused.push(await use())
    for (const each of refused)
      expect(each.json()).toMatchObject({ code: 'ACCOUNTS_INVALID_CREDENTIALS', message: text })
  })

  it('with an unknown credential costs the same work', async () => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service)
    const verify = vi.spyOn(globalThis.crypto.subtle, 'verify')
    await visitor(service).use(passkey, { key: otherKey() })
    const known = verify.mock.calls.length
    verify.mockClear()
    await visitor(service).use(passkey, { id: 'AAAA', key: otherKey() })
    expect([known, verify.mock.calls.length]).toEqual([1, 1])
    verify.mockRestore()
  })

  it.each([
    ['decreases', 3],
    ["doesn't change", 7],
    ['is 0', 0],
  ])('whose counter %s is treated as cloned, and recorded so in the audit trail', async (_name, counter) => {
    const service = await passkeyApp()
    const events: (string | null)[] = []
    service.app.accounts.events.on('audit', ({ action, reason, userId }) => {
      if (action === 'login-passkey') events.push(userId && reason)
    })
    const { passkey } = await withAlice(service, { counter: 6 })
    expect((await visitor(service).use(passkey)).statusCode).toBe(200)
    expect(refusalOf(await visitor(service).use(passkey, { counter }))).toEqual(wrong)
    await vi.waitFor(() => expect(events).toEqual([null, 'PASSKEY_CLONED']), 60_000)
    passkey.counter = 7
    expect((await visitor(service).use(passkey)).statusCode).toBe(200)
  })

  it('of a passkey that can be synced may count as it likes: each of its copies does', async () => {
    const service = await passkeyApp()
    const synced = { backupEligible: true, backedUp: true }
    const { passkey } = await withAlice(service, { counter: 6, flags: synced })
    for (const counter of [7, 7, 3, 0, 1])
      expect((await visitor(service).use(passkey, { counter })).statusCode).toBe(200)
  })

  it('of a copied security key is refused, even if it says that it can be synced', async () => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service, { counter: 6 })
    const synced = { backupEligible: true, backedUp: true }
    expect(refusalOf(await visitor(service).use(passkey, { counter: 3, flags: synced }))).toEqual(wrong)
  })

  it('is rejected for a disabled or deleted account', async () => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service)
    const { id } = (await service.users.findByUsername('alice')) ?? { id: '' }
    await service.app.accounts.updateUser(id, { isActive: false })
    expect(refusalOf(await visitor(service).use(passkey))).toEqual([403, 'ACCOUNTS_DISABLED'])
    await service.app.accounts.deleteUser(id)
    expect(refusalOf(await visitor(service).use(passkey))).toEqual(wrong)
  })
})

describe('a challenge', () => {
  it('is used once, by one of twenty simultaneous requests', async () => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service)
    const bob = visitor(service)
    const options = (await bob.send('POST', '/login/passkey/options/')).json()
    const response = get(passkey, options)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => bob.send('POST', '/login/passkey/', { response })),
    )
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(refusalOf(await bob.send('POST', '/login/passkey/', { response: get(passkey, options) }))).toEqual(
      wrong,
    )
  })

  it('stays used after its user is logged out everywhere', async () => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service)
    const bob = visitor(service)
    const response = get(passkey, (await bob.send('POST', '/login/passkey/options/')).json())
    expect((await bob.send('POST', '/login/passkey/', { response })).statusCode).toBe(200)
    const { id = '' } = (await service.users.findByUsername('alice')) ?? {}
    await service.app.accounts.endUserSessions(id)
    expect(refusalOf(await bob.send('POST', '/login/passkey/', { response }))).toEqual(wrong)
  })

  it('causes no write for visitors', async () => {
    const service = await passkeyApp()
    await visitor(service).send('POST', '/login/passkey/options/')
    await visitor(service).send('POST', '/signup/passkey/options/', { username: 'bob' })
    expect(service.sessions.rows.size).toBe(0)
  })

  it('expires after five minutes', async () => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service)
    const bob = visitor(service)
    const options = (await bob.send('POST', '/login/passkey/options/')).json()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 })
    expect(refusalOf(await bob.send('POST', '/login/passkey/', { response: get(passkey, options) }))).toEqual(
      wrong,
    )
  })

  it('is valid in one browser, in all its tabs', async () => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service)
    const bob = visitor(service)
    const tabs = [
      (await bob.send('POST', '/login/passkey/options/')).json(),
      (await bob.send('POST', '/login/passkey/options/')).json(),
    ] as const
    const send = async (who: typeof bob, tab: (typeof tabs)[number]) =>
      (await who.send('POST', '/login/passkey/', { response: get(passkey, tab) })).statusCode
    expect(await send(visitor(service), tabs[0])).toBe(401)
    const other = visitor(service)
    await other.send('POST', '/login/passkey/options/')
    expect(await send(other, tabs[0])).toBe(401)
    expect([await send(bob, tabs[0]), await send(bob, tabs[1])]).toEqual([200, 200])
  })

  it('is valid for one ceremony and one account', async () => {
    const service = await passkeyApp()
    const { alice, passkey } = await withAlice(service)
    await alice.use(passkey)
    const toAdd = (await alice.send('POST', '/passkeys/options/')).json()
    const toLogIn = (await alice.send('POST', '/login/passkey/options/')).json()
    const toSignUp = (await alice.send('POST', '/signup/passkey/options/', { username: 'bob' })).json()
    const logIn = async (options: { challenge: string }) =>
      refusalOf(await alice.send('POST', '/login/passkey/', { response: get(passkey, options) }))
    expect([await logIn(toAdd), await logIn(toSignUp)]).toEqual([wrong, wrong])
    const add = async (options: { challenge: string }) => {
      const { response } = create({ ...toAdd, ...options }, origin)
      return refusalOf(await alice.send('POST', '/passkeys/', { response }))
    }
    expect([await add(toLogIn), await add(toSignUp)]).toEqual([invalid, invalid])
    await signUp(service, 'carol')
    await alice.logIn('carol')
    expect(await add(toAdd)).toEqual(invalid)
  })

  it('survives a secret rotation as long as the old secret is listed', async () => {
    const users = createMemoryUserStore()
    const old = 'an old secret that is long enough for everybody'
    const on = (secret: string | string[]) =>
      testAppOn({ users, sessions: countedSessions() }, { secret, features: [passkeys()] })
    const service = await on(old)
    const { passkey } = await withAlice(service)
    const bob = visitor(service)
    const options = (await bob.send('POST', '/login/passkey/options/')).json()
    const after = await on(['a new secret that is long enough for all', old])
    const moved = visitor(after)
    for (const [name, value] of bob.cookies) moved.cookies.set(name, value)
    const response = await moved.send('POST', '/login/passkey/', { response: get(passkey, options) })
    expect(response.statusCode, response.body).toBe(200)
  })
})

describe('an invalid registration', () => {
  const twists: Record<string, Twist> = {
    'of another origin': { origin: 'https://evil.example' },
    'of another RP id': { rpId: 'evil.example' },
    'of another type': { type: 'webauthn.get' },
    'of another challenge': { challenge: Buffer.alloc(54, 7).toString('base64url') },
    'without presence': { flags: { present: false } },
    'without verification': { flags: { verified: false } },
    'backed up, and not to be backed up': { flags: { backupEligible: false } },
    'in a frame of another site': { crossOrigin: true },
    'with an algorithm that was not asked for': { algorithm: -35 },
  }
  it.each(Object.entries(twists))('%s adds nothing', async (_name, twist) => {
    const service = await passkeyApp()
    await signUp(service)
    const alice = visitor(service)
    await alice.logIn()
    expect(refusalOf((await alice.add(twist)).response)).toEqual(invalid)
    expect((await alice.send('GET', '/passkeys/')).json().results).toEqual([])
    expect((await alice.add()).response.statusCode).toBe(201)
  })

  it('with an existing credential adds nothing', async () => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service)
    await signUp(service, 'mallory')
    const mallory = visitor(service)
    await mallory.logIn('mallory')
    expect(refusalOf((await mallory.add({ id: passkey.id })).response)).toEqual(invalid)
    expect(refusalOf((await mallory.signUp('mallory2', {}, { id: passkey.id })).response)).toEqual(invalid)
    expect(await service.users.findByUsername('mallory2')).toBeNull()
    expect((await visitor(service).use(passkey)).json().username).toBe('alice')
  })

  it('fetches nothing: the attestation statement is ignored', async () => {
    const service = await passkeyApp()
    await signUp(service)
    const alice = visitor(service)
    await alice.logIn()
    const statement = {
      fmt: 'packed',
      attStmt: new Map<string, Buffer | number | Buffer[]>([
        ['alg', -7],
        ['sig', Buffer.alloc(70)],
        ['x5c', [Buffer.alloc(100)]],
      ]),
    }
    expect((await alice.add({ statement })).response.statusCode).toBe(201)
  })
})

describe('an unavailable store', () => {
  const down = () => Promise.reject(new UnavailableError('down'))
  const unavailable = [503, 'ACCOUNTS_UNAVAILABLE']

  it('returns 503 at login, whether the passkey is right or wrong', async () => {
    const users = createMemoryUserStore()
    const sessions = countedSessions()
    const service = await testAppOn({ users, sessions }, { features: [passkeys()] })
    const { passkey } = await withAlice(service)
    const bob = visitor(service)
    const { findByIdentity, update } = users
    const { create: createSession } = sessions
    users.findByIdentity = down
    expect(refusalOf(await bob.use(passkey))).toEqual(unavailable)
    Object.assign(users, { findByIdentity, update: down })
    expect(refusalOf(await bob.use(passkey))).toEqual(unavailable)
    users.update = update
    sessions.create = down
    expect(refusalOf(await bob.use(passkey))).toEqual(unavailable)
    expect(await bob.who()).toBeNull()
    sessions.create = createSession
    expect((await bob.use(passkey)).statusCode).toBe(200)
  })

  it('returns 503 when adding and removing passkeys, and nothing is half-done', async () => {
    const users = createMemoryUserStore()
    const service = await testAppOn({ users, sessions: countedSessions() }, { features: [passkeys()] })
    const { alice, passkey } = await withAlice(service)
    await alice.use(passkey)
    const [{ id }] = (await alice.send('GET', '/passkeys/')).json().results
    const { update } = users
    users.update = down
    expect(refusalOf((await alice.add()).response)).toEqual(unavailable)
    expect(refusalOf(await alice.send('DELETE', `/passkeys/${id}`))).toEqual(unavailable)
    users.update = update
    expect((await alice.send('GET', '/passkeys/')).json().results).toHaveLength(1)
    expect((await visitor(service).use(passkey)).statusCode).toBe(200)
  })
})

describe('the start', () => {
  it.each([
    [{ rpId: 'example.org' }, /rpId must be the host of one of the origins/],
    [{ rpId: 'co.uk', origins: ['https://example.co.uk'] }, /rpId must be a domain of your own/],
    [{ rpId: 'https://example.org' }, /rpId must be a domain such as example.org/],
    [{ rpId: '127.0.0.1' }, /rpId must be a domain/],
    [{ origins: ['example.org'] }, /origins must hold origins/],
    [{ origins: ['http://example.org'] }, /origins must hold origins/],
    [{ origins: [] }, /origins must be a list/],
    [{ rpid: 'localhost' }, /rpid does not exist/],
    [{ endpoints: { enroll: '/passkeys' } }, /endpoints.enroll must be an https URL/],
    [{ endpoints: { manage: 'http://example.org/' } }, /endpoints.manage must be an https URL, or http on/],
  ])('stops at %j', async (own, message) => {
    await expect(passkeyApp({}, own as object)).rejects.toThrow(message)
  })

  it('stops if the user store has no findByIdentity', async () => {
    const { findByIdentity: _, ...userStore } = createMemoryUserStore()
    await expect(testApp({ userStore, features: [passkeys()] })).rejects.toThrow(/findByIdentity/)
  })

  it('tells browsers about related origins, and password managers about passkey support', async () => {
    const own = {
      rpId: 'example.org',
      origins: ['https://example.org', 'https://app.example.org', 'https://example.net'],
      endpoints: { manage: 'https://example.org/account' },
    }
    const { app } = await passkeyApp({ baseUrl: 'https://example.org' }, own)
    const related = await app.inject('/.well-known/webauthn')
    expect(related.headers['content-type']).toMatch(/^application\/json/)
    expect(related.json()).toEqual({ origins: ['https://example.net'] })
    expect((await app.inject('/.well-known/passkey-endpoints')).json()).toEqual(own.endpoints)
    const local = { endpoints: { enroll: 'http://localhost:3000/account' } }
    const here = (await passkeyApp({}, local)).app
    expect((await here.inject('/.well-known/passkey-endpoints')).json()).toEqual(local.endpoints)
    const plain = await passkeyApp()
    expect((await plain.app.inject('/.well-known/webauthn')).statusCode).toBe(404)
    expect((await plain.app.inject('/.well-known/passkey-endpoints')).json()).toEqual({})
  })
})

it('an account keeps its password alongside passkeys', async () => {
  const service = await passkeyApp()
  await withAlice(service)
  const response = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(response.statusCode).toBe(200)
})
