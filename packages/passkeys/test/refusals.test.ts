import { passkeys } from '@fastify-accounts/passkeys'
import { countedSessions, signUp, testApp, testAppOn } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { brokenUrls } from '@fastify-accounts/test-support/broken-urls'
import { registerSession } from '@fastify-accounts/test-support/host-session'
import { type CborValue, cbor, create } from '@fastify-accounts/test-support/passkeys/authenticator'
import { origin, passkeyApp, visitor, withAlice } from '@fastify-accounts/test-support/passkeys/service'
import { createMemoryUserStore, DuplicateError } from 'fastify-accounts'
import { describe, expect, it } from 'vitest'

const invalid = [400, 'ACCOUNTS_INVALID_PASSKEY']

describe('the start', () => {
  it.each([
    [null, /options must be an object/],
    [{ endpoints: { other: 'https://example.org/' } }, /endpoints.other does not exist/],
    [{ rpId: '[::1]' }, /rpId must be a domain/],
    [{ origins: 'http://localhost:3000' }, /origins must be a list/],
    [{ origins: ['android:apk-key-hash:short'] }, /origins must hold origins/],
    [{ origins: [`android:apk-key-hash:${'a'.repeat(43)}`] }, /rpId must be the host of one of the origins/],
  ])('stops at %j', async (own, message) => {
    await expect(passkeyApp({}, own as object)).rejects.toThrow(message)
  })

  it.each(brokenUrls)('stops at the URL %j, in one line with the option and the value', async (url) => {
    const error = (option: string) =>
      new RegExp(`^@fastify-accounts/passkeys: the option ${option} must .*, got (?!.*lantern).*$`)
    await expect(passkeyApp({}, { origins: [origin, url] })).rejects.toThrow(error('origins'))
    await expect(passkeyApp({}, { endpoints: { enroll: url } })).rejects.toThrow(error('endpoints.enroll'))
    const host = url.replace(/^https?:\/\//, '')
    await expect(passkeyApp({}, { rpId: host })).rejects.toThrow(
      /^@fastify-accounts\/passkeys: the option rpId must /,
    )
  })

  it("stops with a @fastify/session of the host, which can't mark challenges as used", async () => {
    await expect(testApp({ features: [passkeys()] }, { before: registerSession })).rejects.toThrow(
      /challenges need the sessionStore/,
    )
  })

  it("accepts an Android app as an origin, which isn't listed as a related origin", async () => {
    const app = `android:apk-key-hash:${'a'.repeat(43)}`
    const service = await passkeyApp({}, { origins: [origin, app] })
    const { passkey } = await withAlice(service, { origin: app })
    passkey.origin = app
    expect((await visitor(service).use(passkey)).statusCode).toBe(200)
    expect((await service.app.inject('/.well-known/webauthn')).statusCode).toBe(404)
  })
})

describe('a sign-up with a passkey', () => {
  it('is only possible if sign-up is enabled and the host allows it', async () => {
    const closed = await passkeyApp({ authorize: { createUser: () => false } })
    const bob = visitor(closed)
    const { response } = create({ challenge: 'AAAA', rp: { id: 'localhost' }, user: { id: 'AAAA' } }, origin)
    for (const [path, more] of [
      ['/signup/passkey/options/', {}],
      ['/signup/passkey/', { response }],
    ] as const) {
      const response = await bob.send('POST', path, { username: 'bob', ...more })
      expect(refusalOf(response)).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
    }
    const staffOnly = await passkeyApp({ users: { variant: 'user' } })
    const missing = await visitor(staffOnly).send('POST', '/signup/passkey/options/', { username: 'bob' })
    expect(missing.statusCode).toBe(404)
    expect(await closed.users.findByUsername('bob')).toBeNull()
  })

  it('without a username uses the address, and responds the same whether or not it is taken', async () => {
    const service = await passkeyApp({
      users: { variant: 'both', names: 'none' },
      requireEmailConfirmation: true,
    })
    const email = 'bob@example.org'
    const options = await visitor(service).send('POST', '/signup/passkey/options/', { email })
    expect(options.json().user).toMatchObject({ name: email, displayName: email })
    const bob = visitor(service)
    const signUp = async (browser: ReturnType<typeof visitor>) => {
      const { passkey, response } = create(
        (await browser.send('POST', '/signup/passkey/options/', { email })).json(),
        origin,
      )
      return { passkey, response: await browser.send('POST', '/signup/passkey/', { email, response }) }
    }
    const first = await signUp(bob)
    const second = await signUp(visitor(service))
    expect([second.response.statusCode, second.response.body]).toEqual([202, first.response.body])
    const { id = '' } = (await service.users.findByEmail(email)) ?? {}
    await service.app.accounts.updateUser(id, { isVerified: true })
    expect((await bob.use(first.passkey)).statusCode).toBe(200)
    const added = await bob.send('POST', '/passkeys/options/')
    expect(added.json().user).toMatchObject({ name: email })
  })

  it('redirects to /me/ if users have no pages of their own', async () => {
    const service = await passkeyApp({ users: { variant: 'signup' } })
    const { response } = await visitor(service).signUp('bob')
    expect([response.statusCode, response.headers.location]).toEqual([201, 'http://localhost:3000/me/'])
  })
})

describe('a registration', () => {
  it('with inconsistent parts adds nothing', async () => {
    const service = await passkeyApp()
    await signUp(service)
    const alice = visitor(service)
    await alice.logIn()
    const noData = new Map<string, CborValue>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', 'no bytes'],
    ])
    const twists = [
      (made: ReturnType<typeof create>['response']) => ({ ...made, id: 'AAAA', rawId: 'AAAA' }),
      (made: ReturnType<typeof create>['response']) => ({
        ...made,
        response: { ...made.response, attestationObject: cbor(noData).toString('base64url') },
      }),
    ]
    for (const twist of twists) {
      const options = (await alice.send('POST', '/passkeys/options/')).json()
      const response = twist(create(options, origin).response)
      expect(refusalOf(await alice.send('POST', '/passkeys/', { response }))).toEqual(invalid)
    }
    expect((await alice.send('GET', '/passkeys/')).json().results).toEqual([])
  })

  it('of a credential that another user adds simultaneously adds nothing', async () => {
    const service = await passkeyApp()
    const { users } = service
    const { alice, passkey } = await withAlice(service)
    await alice.use(passkey)
    const { update } = users
    const taken = (field: 'identity' | 'email') => async () => {
      users.update = update
      throw new DuplicateError(field)
    }
    users.update = taken('identity')
    expect(refusalOf((await alice.add()).response)).toEqual(invalid)
    users.update = taken('email')
    expect((await alice.add()).response.statusCode).toBe(500)
    expect((await alice.send('GET', '/passkeys/')).json().results).toHaveLength(1)
  })

  it('fails on a store that drops credentials', async () => {
    const store = createMemoryUserStore()
    const users: typeof store = {
      ...store,
      update: (id, { credentials: _, ...changes }, ...rest) => store.update(id, changes, ...rest),
    }
    const service = await testAppOn({ users, sessions: countedSessions() }, { features: [passkeys()] })
    await expect(withAlice(service)).rejects.toThrow('500')
  })
})

describe('passkeys', () => {
  it("aren't shown or changed by a request whose session or user is removed meanwhile", async () => {
    let meanwhile = async () => {}
    const service = await passkeyApp(
      {},
      {},
      {
        before: (app) => app.addHook('preHandler', () => meanwhile()),
      },
    )
    const { alice, passkey } = await withAlice(service)
    const [{ id }] = (await alice.send('GET', '/passkeys/')).json().results
    const { id: userId = '' } = (await service.users.findByUsername('alice')) ?? {}
    const requests = [
      ['GET', '/passkeys/'],
      ['POST', '/passkeys/options/'],
      ['PATCH', `/passkeys/${id}`],
      ['DELETE', `/passkeys/${id}`],
    ] as const
    for (const [method, path] of requests) {
      await alice.use(passkey)
      meanwhile = async () => {
        meanwhile = async () => {}
        await service.app.accounts.endUserSessions(userId)
      }
      const response = await alice.send(method, path, method === 'PATCH' ? { name: 'x' } : undefined)
      expect(refusalOf(response)).toEqual([401, 'ACCOUNTS_LOGIN_REQUIRED'])
    }
    await alice.logIn()
    expect((await alice.send('GET', '/passkeys/')).json().results).toMatchObject([{ id, name: 'Passkey' }])
    const { update } = service.users
    service.users.update = async (...given) => {
      service.users.update = update
      await service.users.delete(userId)
      return update(...given)
    }
    const renamed = await alice.send('PATCH', `/passkeys/${id}`, { name: 'x' })
    expect(refusalOf(renamed)).toEqual([404, 'ACCOUNTS_NOT_FOUND'])
  })

  it('keep separate names', async () => {
    const service = await passkeyApp()
    const { alice } = await withAlice(service)
    await alice.add({ name: 'Key ring' })
    const [{ id }] = (await alice.send('GET', '/passkeys/')).json().results
    await alice.send('PATCH', `/passkeys/${id}`, { name: 'Phone' })
    const { results } = (await alice.send('GET', '/passkeys/')).json()
    expect(results.map(({ name }: { name: string }) => name)).toEqual(['Phone', 'Key ring'])
  })
})
