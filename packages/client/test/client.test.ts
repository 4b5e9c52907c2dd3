import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  clientOf,
  fetchWithCookies,
  movedPaths,
  password,
  type Service,
  serviceOptions,
  startService,
  usersOf,
} from '@fastify-accounts/test-support/client'
import { newActivityEntry } from '@fastify-accounts/testing'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import accounts, {
  apiKeys,
  createMemoryActivityStore,
  invitations,
  type Mail,
  RuleError,
} from 'fastify-accounts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createActivityClient } from '../src/activity.js'
import { createApiKeysClient } from '../src/api-keys.js'
import { AccountsClientError, createAccountsClient, type Link, unwrap } from '../src/index.js'
import { createInvitationsClient } from '../src/invitations.js'
import { cursorOf } from '../src/users.js'

const newUser = (username: string) => ({
  username,
  password,
  confirm_password: password,
  email: `${username}@example.org`,
})

/** The link in the latest email of a kind, once it has arrived. */
async function linkOf({ mails }: Pick<Service, 'mails'>, kind: Mail['kind']): Promise<Link> {
  const newest = () => mails.findLast((mail) => mail.kind === kind)
  await expect.poll(newest).toBeDefined()
  const [, uid64 = '', token = ''] = /\/([^/\s]+)\/([^/\s]+)\/[\s?]/.exec(`${newest()?.text}\n`) ?? []
  return { uid64, token }
}

describe('a client', () => {
  it('covers everything from sign-up to deletion', async () => {
    const service = await startService()
    const fetch = fetchWithCookies()
    const [client, users] = [clientOf(service, { fetch }), usersOf(service, { fetch })]
    const created = unwrap(await client.signUp(newUser('ada')))
    expect(created).toMatchObject({ username: 'ada', is_verified: false })

    await client.resendSignupVerification({ email: 'ada@example.org' }).then(unwrap)
    const verification = await linkOf(service, 'verify-email')
    expect(await client.verifySignupByGet(verification).then(unwrap)).toMatchObject({ verified: true })
    expect(await client.verifySignup(verification).then(unwrap)).toMatchObject({ verified: true })

    const user = unwrap(await client.logIn({ username: 'ada', password }))
    expect(unwrap(await client.showMe())).toEqual({ ...user, last_login_at: expect.any(String) })
    expect(unwrap(await users.showUser(user.id))).toMatchObject({ email: 'ada@example.org' })
    await client.changeEmail({ email: 'ada@example.net' }).then(unwrap)
    expect(unwrap(await client.showEmailChange())).toMatchObject({ email: 'ada@example.net' })
    expect(await client.cancelEmailChange()).toMatchObject({ ok: true, status: 204 })
    expect(unwrap(await client.showEmailChange())).toEqual({ email: null, expires_at: null })
    const second = 'nine red balloons'
    const change = { old_password: password, new_password: second, confirm_password: second }
    expect(await client.changePassword(change)).toEqual({ ok: true, status: 204, data: undefined })
    expect(await client.logOut()).toMatchObject({ ok: true, status: 204 })
    expect(await client.showMe()).toMatchObject({ ok: false, error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })

    expect(await client.requestPasswordReset({ email: 'ada@example.org' })).toMatchObject({ status: 202 })
    const reset = await linkOf(service, 'reset-password')
    expect(await client.checkResetLink(reset).then(unwrap)).toEqual({ valid: true })
    await client.resetPassword(reset, { new_password: password, confirm_password: password }).then(unwrap)
    expect(await client.checkResetLink(reset)).toMatchObject({ error: { code: 'ACCOUNTS_INVALID_LINK' } })

    await client.logIn({ username: 'ada', password }).then(unwrap)
    expect(Object.keys(await client.listRoutes().then(unwrap))).toContain('login')
    expect(await users.deleteUser(user.id)).toMatchObject({ status: 204 })
    expect(await client.logIn({ username: 'ada', password })).toMatchObject({
      error: { code: 'ACCOUNTS_INVALID_CREDENTIALS', status: 401 },
    })
  })

  it('signs up with the address alone, and logs in with a code', async () => {
    const service = await startService({ users: { variant: 'both', names: 'optional' } })
    const client = clientOf(service)
    const email = 'ada@example.org'
    expect(await client.signUp({ email })).toMatchObject({ ok: true, status: 202 })
    expect(await client.createUser({ email, password })).toMatchObject({
      ok: false,
      error: { status: 400, fields: [{ field: 'confirm_password' }] },
    })
    const link = await linkOf(service, 'verify-email')
    expect(await client.verifySignup(link).then(unwrap)).toMatchObject({ verified: true })
    await client.requestLoginCode({ email }).then(unwrap)
    const asked = () => service.mails.find(({ kind }) => kind === 'login-code')
    await expect.poll(asked).toBeDefined()
    const [code = ''] = /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(asked()?.text ?? '') ?? []
    expect(await client.logInWithCode({ code }).then(unwrap)).toMatchObject({ email, has_password: false })
  })

  it('does the same in two realms with every path changed', async () => {
    const realms = [
      { prefix: '', paths: await movedPaths('here') },
      { prefix: '/staff', paths: await movedPaths('there') },
    ] as const
    const mails: Mail[] = []
    const app = Fastify()
    for (const [at, { prefix, paths }] of realms.entries()) {
      await app.register(accounts, {
        ...serviceOptions(mails),
        prefix,
        paths,
        auth: { prefix: '/auth' },
        users: { prefix: '/users' },
        requireEmailConfirmation: true,
        session: { cookieName: `session${at}` },
        decorateAs: { instance: `accounts${at}`, request: `user${at}` },
      })
    }
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => app.close())
    for (const { prefix, paths } of realms) {
      const prefixes = { authPrefix: '/auth', usersPrefix: '/users' }
      const service = { url: url + prefix }
      const browser = { ...prefixes, paths, fetch: fetchWithCookies() }
      const [client, users] = [clientOf(service, browser), usersOf(service, browser)]
      mails.length = 0
      /** These paths have their parameters in reverse order. */
      const link = async (kind: Mail['kind']): Promise<Link> => {
        const { uid64, token } = await linkOf({ mails }, kind)
        return { uid64: token, token: uid64 }
      }
      expect(await client.signUp(newUser('ada'))).toMatchObject({ status: 202 })
      expect(await client.verifySignup(await link('verify-email')).then(unwrap)).toMatchObject({
        verified: true,
      })
      const { id } = unwrap(await client.logIn({ username: 'ada', password }))
      expect((await client.listSessions().then(unwrap)).results).toHaveLength(1)
      const names: string[] = []
      for await (const user of users.users({ limit: 1 })) names.push(`${user.username}`)
      expect(names).toEqual(['ada'])
      expect(await users.showUser(id).then(unwrap)).toMatchObject({ email: 'ada@example.org' })

      const email = 'ada@example.net'
      await client.changeEmail({ email }).then(unwrap)
      const change = { ...(await link('change-email')), email }
      expect(await client.checkEmailChange(change).then(unwrap)).toEqual({ valid: true })
      await client.confirmEmailChange(change).then(unwrap)
      const undo = { ...(await link('email-changed')), email: 'ada@example.org' }
      expect(await client.checkEmailKeep(undo).then(unwrap)).toEqual({ valid: true })
      await client.undoEmailChange(undo).then(unwrap)

      const reset = await link('choose-password')
      await client.resetPassword(reset, { new_password: password, confirm_password: password }).then(unwrap)
      await client.logIn({ username: 'ada', password }).then(unwrap)
      expect(await client.deleteMe()).toMatchObject({ status: 204 })
    }
  })

  it('manages sessions', async () => {
    const service = await startService()
    const [here, there] = [clientOf(service), clientOf(service)]
    await here.signUp(newUser('ada')).then(unwrap)
    for (const each of [here, there]) {
      await each.logIn({ username: 'ada', password, remember: true }).then(unwrap)
    }
    const { results } = unwrap(await here.listSessions())
    expect(results.map(({ current }) => current).sort()).toEqual([false, true])
    expect(await here.confirm({ password })).toMatchObject({ status: 204 })
    const other = results.find(({ current }) => !current)?.id ?? ''
    expect(await here.endSession(other)).toMatchObject({ status: 204 })
    expect(await there.showMe()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
    await there.logIn({ username: 'ada', password }).then(unwrap)
    expect(await there.endOtherSessions()).toMatchObject({ status: 204 })
    expect([(await here.showMe()).ok, (await there.showMe()).ok]).toEqual([false, true])
  })

  it("manages the user's own account", async () => {
    const service = await startService()
    const client = clientOf(service)
    const { id = '' } = (await client.signUp(newUser('ada')).then(unwrap)) as { id?: string }
    await service.app.accounts.updateUser(id, { isVerified: true })
    await client.logIn({ username: 'ada', password }).then(unwrap)
    expect(await client.updateMe({ username: 'augusta' }).then(unwrap)).toMatchObject({ username: 'augusta' })

    expect(await client.changeEmail({ email: 'new+1@example.org' })).toMatchObject({ status: 202 })
    const change = { ...(await linkOf(service, 'change-email')), email: 'new+1@example.org' }
    expect(await client.checkEmailChange(change).then(unwrap)).toEqual({ valid: true })
    expect(await client.checkEmailChange({ ...change, email: 'else@example.org' })).toMatchObject({
      error: { code: 'ACCOUNTS_INVALID_LINK' },
    })
    expect(await client.confirmEmailChange(change)).toMatchObject({ ok: true, status: 200 })
    expect(await client.showMe().then(unwrap)).toMatchObject({ email: 'new+1@example.org' })

    const undo = { ...(await linkOf(service, 'email-changed')), email: 'ada@example.org' }
    expect(await client.checkEmailUndo(undo).then(unwrap)).toEqual({ valid: true })
    expect(await client.undoEmailChange(undo)).toMatchObject({ ok: true, status: 200 })
    expect(await client.showMe()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })

    const reset = await linkOf(service, 'choose-password')
    await client.resetPassword(reset, { new_password: password, confirm_password: password }).then(unwrap)
    await client.logIn({ username: 'augusta', password }).then(unwrap)
    expect(await client.deleteMe()).toMatchObject({ ok: true, status: 204 })
    expect(await client.logIn({ username: 'augusta', password })).toMatchObject({ ok: false })
  })

  it('locks everyone out with the link in a new-login email', async () => {
    const service = await startService()
    const [owner, thief] = [clientOf(service), clientOf(service)]
    const user = unwrap(await owner.signUp(newUser('ada')))
    if (!('id' in user)) throw new Error('the user was not created immediately')
    await service.app.accounts.updateUser(user.id, { isVerified: true })
    for (const each of [owner, thief]) await each.logIn({ username: 'ada', password }).then(unwrap)
    const link = await linkOf(service, 'new-device')
    expect(await owner.checkLoginReport(link).then(unwrap)).toEqual({ valid: true })
    expect(await owner.reportLogin(link)).toMatchObject({ ok: true, status: 200 })
    expect(await thief.showMe()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
  })

  it('manages users as staff', async () => {
    const service = await startService()
    const fetch = fetchWithCookies()
    const [staff, other] = [usersOf(service, { fetch }), clientOf(service)]
    await service.app.accounts.createUser({ username: 'grace', password, isStaff: true })
    await clientOf(service, { fetch }).logIn({ username: 'grace', password }).then(unwrap)
    await other.signUp(newUser('ada')).then(unwrap)
    const { id } = unwrap(await other.logIn({ username: 'ada', password }))

    const found = unwrap(await staff.listUsers({ search: 'ADA@exam' }))
    expect(found.results.map(({ username }) => username)).toEqual(['ada'])
    expect(unwrap(await staff.listUsers({ search: 'nobody' })).results).toEqual([])
    expect(await staff.endUserSessions(id)).toMatchObject({ ok: true, status: 204 })
    expect(await other.showMe()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
    expect(await staff.updateUser(id, { is_active: false }).then(unwrap)).toMatchObject({ is_active: false })
    expect(await other.logIn({ username: 'ada', password })).toMatchObject({
      error: { code: 'ACCOUNTS_DISABLED' },
    })
  })

  it('works with variant A, and with prefixes', async () => {
    const service = await startService({
      prefix: '/accounts',
      auth: { prefix: '/auth' },
      users: { prefix: '/people', variant: 'user' },
      requireEmailConfirmation: true,
    })
    const baseUrl = `${service.url}/accounts/`
    const client = clientOf(service, { baseUrl, authPrefix: '/auth', usersPrefix: '/people' })
    const creation = await client.createUser(newUser('ada'))
    if (!creation.ok || creation.status !== 202) throw new Error('expected a confirmation request')
    expect(creation.data.detail).toMatch(/link/)
    await client.resendUserVerification({ email: 'ada@example.org' }).then(unwrap)
    const link = await linkOf(service, 'verify-email')
    expect(await client.verifyUserByGet(link).then(unwrap)).toMatchObject({ username: 'ada' })
    expect(await client.verifyUser(link).then(unwrap)).toMatchObject({ verified: true })
    expect(await client.logIn({ username: 'ada', password })).toMatchObject({ ok: true })
    expect(await client.signUp(newUser('bob'))).toMatchObject({
      error: { code: 'UNEXPECTED_RESPONSE', status: 404 },
    })
  })

  it('gets the reason of a code with several meanings, also one that it does not know', async () => {
    const service = await startService()
    const client = clientOf(service)
    await client.signUp(newUser('ada')).then(unwrap)
    await client.logIn({ username: 'ada', password }).then(unwrap)
    const result = await client.removePassword()
    if (result.ok || result.error.code !== 'ACCOUNTS_CONFLICT') throw new Error('it is the only way in')
    // @ts-expect-error this one belongs to another code
    expect(result.error.reason === 'wrong_passkey').toBe(false)
    expect(result.error.reason).toBe('last_way_in')
    const newer = { statusCode: 409, code: 'ACCOUNTS_CONFLICT', reason: 'full_moon', message: 'Wait.' }
    const later = createAccountsClient({ fetch: async () => Response.json(newer, { status: 409 }) })
    expect(await later.showMe()).toMatchObject({ error: { reason: 'full_moon', message: 'Wait.' } })
    const odd = createAccountsClient({
      fetch: async () => Response.json({ ...newer, reason: 1 }, { status: 409 }),
    })
    expect(await odd.showMe()).toMatchObject({ error: { code: 'ACCOUNTS_CONFLICT', reason: undefined } })
  })

  it('gets the codes of rules of the app, and sends what only a sign-up carries', async () => {
    const service = await startService({
      signUp: { fields: { type: 'object', properties: { invitation: { type: 'string' } } } },
      before: {
        signUp({ transient }) {
          if (transient.invitation === 'x7k2m9') return
          const fields = { invitation: 'Unknown.' }
          throw new RuleError('SHOP_INVITATION', { message: 'You need an invitation.', fields })
        },
      },
    })
    const client = createAccountsClient<object, { invitation: string }>({ baseUrl: service.url })
    const refused = await client.signUp({ ...newUser('ada'), invitation: 'guessed' })
    if (refused.ok) throw new Error('it is no invitation')
    expect(refused.error).toMatchObject({
      ...{ code: 'SHOP_INVITATION', status: 400, message: 'You need an invitation.', reason: undefined },
      fields: [{ field: 'invitation', code: 'invalid', message: 'Unknown.' }],
    })
    // @ts-expect-error invitation is required
    expect(await client.signUp(newUser('ada'))).toMatchObject({ error: { code: 'SHOP_INVITATION' } })
    expect(await client.signUp({ ...newUser('ada'), invitation: 'x7k2m9' })).toMatchObject({ ok: true })
    const fastifys = { statusCode: 413, code: 'FST_ERR_CTP_BODY_TOO_LARGE', message: 'Too large.' }
    const large = createAccountsClient({ fetch: async () => Response.json(fastifys, { status: 413 }) })
    expect(await large.showMe()).toMatchObject({ error: { code: 'UNEXPECTED_RESPONSE' } })
  })

  it('types your own fields', async () => {
    const fields = Type.Object({
      display_name: Type.String(),
      locale: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('de')])),
    })
    const service = await startService({ users: { fields, publicFields: ['display_name'] } })
    const fetch = fetchWithCookies()
    const client = clientOf<{ display_name: string; locale?: 'en' | 'de' }>(service, { fetch })
    const users = usersOf<{ display_name: string }>(service, { fetch })
    await client.signUp({ ...newUser('ada'), display_name: 'Ada', locale: 'de' }).then(unwrap)
    // @ts-expect-error display_name is required
    const without = await client.signUp(newUser('bob'))
    expect(without).toMatchObject({ error: { fields: [{ field: 'display_name', code: 'required' }] } })
    const user = unwrap(await client.logIn({ username: 'ada', password }))
    const name: string | undefined = user.display_name
    const [seen] = unwrap(await users.listUsers()).results
    expect([name, user.locale, seen?.display_name, seen?.email]).toEqual(['Ada', 'de', 'Ada', undefined])
  })

  it('lists users by page and one by one', async () => {
    const service = await startService()
    const fetch = fetchWithCookies()
    const [client, users] = [clientOf(service, { fetch }), usersOf(service, { fetch })]
    const names = ['ada', 'bob', 'cleo', 'dan', 'eve']
    for (const name of names) await client.createUser(newUser(name)).then(unwrap)
    await client.logIn({ username: 'ada', password }).then(unwrap)

    const first = unwrap(await users.listUsers({ limit: 2 }))
    expect(first.results.map(({ username }) => username)).toEqual(['ada', 'bob'])
    const cursor = cursorOf(first) ?? ''
    const last = unwrap(await users.listUsers({ limit: 3, cursor }))
    expect([last.results.map(({ username }) => username), cursorOf(last)]).toEqual([
      ['cleo', 'dan', 'eve'],
      null,
    ])

    for (const query of [{ limit: 2 }, undefined]) {
      const seen: string[] = []
      for await (const { username } of users.users(query)) seen.push(`${username}`)
      expect(seen).toEqual(names)
    }
    await client.logOut()
    await expect(users.users().next()).rejects.toMatchObject({ code: 'ACCOUNTS_LOGIN_REQUIRED' })
  })
})

describe('an error response', () => {
  it('reports the fields and why', async () => {
    const client = clientOf(await startService())
    const result = await client.signUp({ username: 'ada', password: 'short', confirm_password: 'short' })
    if (result.ok) throw new Error('the password is too short')
    expect(result.error).toBeInstanceOf(AccountsClientError)
    expect(result.error).toMatchObject({
      code: 'ACCOUNTS_INVALID_INPUT',
      status: 400,
      fields: [{ field: 'password', code: 'too_short' }],
      retryAfter: undefined,
    })
    expect(() => unwrap(result)).toThrow(result.error)
  })

  it('reports when to retry', async () => {
    const service = await startService({ throttle: { limits: { forgot: { max: 1, window: 60_000 } } } })
    const client = clientOf(service)
    const forgot = () => client.requestPasswordReset({ email: 'ada@example.org' })
    expect((await forgot()).ok).toBe(true)
    const refused = await forgot()
    if (refused.ok) throw new Error('the limit is one')
    expect(refused.error).toMatchObject({ code: 'ACCOUNTS_THROTTLED', status: 429, fields: [] })
    expect(refused.error.retryAfter).toBeGreaterThan(0)
    expect(refused.error.retryAfter).toBeLessThanOrEqual(60)
  })

  it.each(['', '.', '..', '../me', 'a/b', '?limit=1', '%2e%2e'])('handles an id such as %j', async (id) => {
    const service = await startService()
    const fetch = fetchWithCookies()
    const [client, users] = [clientOf(service, { fetch }), usersOf(service, { fetch })]
    await client.signUp(newUser('ada')).then(unwrap)
    await client.logIn({ username: 'ada', password }).then(unwrap)
    expect(await users.showUser(id)).toMatchObject({ error: { code: 'ACCOUNTS_NOT_FOUND' } })
    expect(await users.deleteUser(id)).toMatchObject({ error: { code: 'ACCOUNTS_NOT_FOUND' } })
    expect(await client.verifyUser({ uid64: id, token: id })).toMatchObject({
      error: { code: 'ACCOUNTS_INVALID_LINK' },
    })
  })
})

describe('an unexpected response', () => {
  /** A server that responds to every request with the same response. */
  async function respondWith(status: number, type: string, body: string): Promise<string> {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': type }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it.each([
    [200, 'text/html', '<!doctype html><title>Sign in to the hotel</title>', undefined],
    [502, 'text/html', '<h1>Bad Gateway</h1>', undefined],
    [500, 'application/json', '{"oops":true}', { oops: true }],
    [500, 'application/json', 'null', null],
    [400, 'application/json', '{"code":7,"message":{},"fields":"x"}', expect.anything()],
    [418, 'application/json', '"tea"', 'tea'],
  ])('is reported as such: %i %s %s', async (status, type, text, body) => {
    const client = createAccountsClient({ baseUrl: await respondWith(status, type, text) })
    const result = await client.showMe()
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'UNEXPECTED_RESPONSE', status, fields: [], body },
    })
  })

  it('from a host with its own error format keeps its body', async () => {
    const app = Fastify()
    app.post('/login/', async (_request, reply) => reply.code(401).send({ problem: 'nope' }))
    const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => app.close())
    expect(await createAccountsClient({ baseUrl }).logIn({ username: 'a', password })).toMatchObject({
      error: { code: 'UNEXPECTED_RESPONSE', status: 401, body: { problem: 'nope' } },
    })
  })

  it('is a network error if nothing is listening', async () => {
    const service = await startService()
    await service.app.close()
    const result = await clientOf(service).showMe()
    if (result.ok) throw new Error('nothing is listening')
    expect(result.error).toMatchObject({ code: 'NETWORK_ERROR', status: 0 })
    expect(result.error.cause).toBeInstanceOf(TypeError)
  })
})

describe('a call', () => {
  it("rejects with its signal's reason, before and during the request", async () => {
    const client = clientOf(await startService())
    const reason = new Error('the user navigated away')
    await expect(client.showMe({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)

    const silent = createServer(() => controller.abort(reason))
    const controller = new AbortController()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const call = createAccountsClient({ baseUrl }).logIn({ username: 'a', password }, controller)
    await expect(call).rejects.toBe(reason)
  })

  it('hands fetch the credentials, and the headers that it is given', async () => {
    const seen: RequestInit[] = []
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      seen.push(init ?? {})
      return new Response(null, { status: 204 })
    }
    await createAccountsClient({ fetch, headers: { cookie: 'session=x' } }).logOut()
    await createAccountsClient({ fetch, credentials: 'omit' }).logOut()
    expect(seen.map(({ credentials, headers }) => [credentials, headers])).toEqual([
      ['include', { cookie: 'session=x', accept: 'application/json' }],
      ['omit', { accept: 'application/json' }],
    ])
  })
})

describe('a client of API keys', () => {
  it('creates, lists and removes keys of its user and of service accounts', async () => {
    const service = await startService({ features: [apiKeys({ scopes: ['orders:read'] })] })
    await service.app.accounts.createUser({ username: 'ada', password, isStaff: true, isVerified: true })
    const options = { baseUrl: service.url, fetch: fetchWithCookies() }
    const keys = createApiKeysClient(options)
    expect(await keys.listApiKeys()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
    await createAccountsClient(options).logIn({ username: 'ada', password }).then(unwrap)
    const request = { name: 'CI', scopes: ['orders:read'] }

    const own = unwrap(await keys.createApiKey(request))
    expect(unwrap(await keys.listApiKeys()).results).toMatchObject([{ id: own.id, name: 'CI' }])
    expect(await keys.removeApiKey(own.id)).toMatchObject({ ok: true, status: 204 })
    expect(unwrap(await keys.listApiKeys()).results).toEqual([])

    const robot = unwrap(await keys.createService({ username: 'robot' }))
    expect(unwrap(await keys.listServices())).toMatchObject({ results: [{ id: robot.id }] })
    const key = unwrap(await keys.createServiceApiKey(robot.id, request))
    expect(unwrap(await keys.listServiceApiKeys(robot.id)).results).toMatchObject([{ id: key.id }])
    expect(await keys.removeServiceApiKey(robot.id, key.id)).toMatchObject({ status: 204 })
    expect(await keys.deleteService(robot.id)).toMatchObject({ ok: true, status: 204 })
    expect(unwrap(await keys.listServices())).toMatchObject({ results: [] })
  })
})

describe('a client of activity', () => {
  it('reads what has happened to the account, page by page', async () => {
    const activity = createMemoryActivityStore()
    const service = await startService({ activity })
    const { id } = await service.app.accounts.createUser({ username: 'ada', password, isVerified: true })
    const older = Array.from({ length: 60 }, (_, n) => newActivityEntry({ userId: id, at: new Date(n) }))
    await activity.add(older, 100)
    const options = { baseUrl: service.url, fetch: fetchWithCookies() }
    const own = createActivityClient(options)
    expect(await own.listActivity()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
    await createAccountsClient(options).logIn({ username: 'ada', password }).then(unwrap)
    const first = unwrap(await own.listActivity())
    expect(first.results).toHaveLength(50)
    const second = unwrap(await own.listActivity({ cursor: cursorOf(first) ?? '' }))
    expect(second).toMatchObject({ next: null })
    expect(second.results.at(-1)).toMatchObject({
      id: older[0]?.id,
      actor: 'request',
      device: 'Firefox, Linux',
    })
  })
})

describe('a client of invitations', () => {
  it('invites, lists, sends again and withdraws, and accepts with a link', async () => {
    const service = await startService({ features: [invitations()] })
    await service.app.accounts.createUser({ username: 'ada', password, isStaff: true, isVerified: true })
    const options = { baseUrl: service.url, fetch: fetchWithCookies() }
    const inviter = createInvitationsClient(options)
    expect(await inviter.invite({ email: 'grace@example.org' })).toMatchObject({
      error: { code: 'ACCOUNTS_LOGIN_REQUIRED' },
    })
    await createAccountsClient(options).logIn({ username: 'ada', password }).then(unwrap)

    expect(await inviter.invite({ email: 'grace@example.org' })).toMatchObject({ ok: true, status: 202 })
    const first = await linkOf(service, 'invitation')
    const list = unwrap(await inviter.listInvitations())
    expect(list).toMatchObject({
      results: [{ email: 'grace@example.org', fields: {}, inviter_id: expect.any(String) }],
      next: null,
    })
    const id = list.results[0]?.id ?? ''
    expect(await inviter.resendInvitation(id)).toMatchObject({ ok: true, status: 204 })
    await expect.poll(() => service.mails.length).toBe(2)
    const second = await linkOf(service, 'invitation')

    const invited = createInvitationsClient({ baseUrl: service.url, fetch: fetchWithCookies() })
    expect(await invited.checkInvitation(first)).toMatchObject({ error: { code: 'ACCOUNTS_INVALID_LINK' } })
    expect(unwrap(await invited.checkInvitation(second))).toEqual({
      valid: true,
      email: 'grace@example.org',
      username_required: true,
      login_required: false,
      gives: { fields: {} },
      invited_by: 'ada',
    })
    const chosen = { new_password: password, confirm_password: password }
    expect(await invited.acceptInvitation(second, chosen)).toMatchObject({
      error: { code: 'ACCOUNTS_INVALID_INPUT', fields: [{ field: 'username' }] },
    })
    expect(await invited.acceptInvitation(second, { username: 'grace', ...chosen })).toMatchObject({
      ok: true,
      status: 200,
    })
    const ofGrace = { baseUrl: service.url, fetch: fetchWithCookies() }
    await createAccountsClient(ofGrace).logIn({ username: 'grace', password }).then(unwrap)

    await inviter.invite({ email: 'grace@example.org' }).then(unwrap)
    const third = await linkOf(service, 'invitation-known')
    expect(unwrap(await invited.checkInvitation(third))).toMatchObject({ login_required: true })
    expect(await invited.acceptInvitation(third, {})).toMatchObject({
      error: { code: 'ACCOUNTS_LOGIN_REQUIRED' },
    })
    const grace = createInvitationsClient(ofGrace)
    expect(await grace.acceptInvitation(third, {})).toMatchObject({ ok: true, status: 200 })

    await inviter.invite({ email: 'lin@example.org' }).then(unwrap)
    const [lin] = unwrap(await inviter.listInvitations()).results
    expect(await inviter.withdrawInvitation(lin?.id ?? '')).toMatchObject({ ok: true, status: 204 })
    expect(unwrap(await inviter.listInvitations()).results).toEqual([])
    expect(await inviter.withdrawInvitation(lin?.id ?? '')).toMatchObject({
      error: { code: 'ACCOUNTS_NOT_FOUND' },
    })
  })
})
