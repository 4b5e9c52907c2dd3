import { as, goodPassword, logIn, signUp, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { holdBody } from '@fastify-accounts/test-support/held-body'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import type { FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AccountsHook, type AccountsOptions, apiKeys, secondFactor, type User } from '../../src/index.js'

const roles = {
  support: ['users:read', 'users:disable'],
  editor: ['posts:write'],
  manager: ['users:read', 'users:create', 'users:grant', 'posts:write'],
}

/** An app with these roles, and a route of its own that takes `posts:write`. */
const rolesApp = (options: Partial<AccountsOptions> = {}): Promise<TestApp> =>
  testApp({ roles, ...options }, { before: postsOf })

function postsOf(app: FastifyInstance): void {
  // The decorator comes later.
  const mayWrite: AccountsHook = (request, reply) =>
    app.accounts.requirePermission('posts:write')(request, reply)
  const shown = async (request: Parameters<AccountsHook>[0]) => ({
    by: app.accounts.userOf(request).username,
  })
  app.post('/posts', { onRequest: mayWrite }, shown)
  app.get('/posts', { onRequest: mayWrite }, shown)
}

async function userWith({ app, ...service }: TestApp, username: string, given: string[], isStaff = false) {
  const email = `${username}@example.org`
  const input = { username, email, password: goodPassword, isVerified: true, isStaff }
  const { id } = await app.accounts.createUser({ ...input, roles: given })
  return { id, cookie: await logIn(service, username) }
}

const rolesOf = async ({ users }: TestApp, id: string) => (await users.findById(id))?.roles

describe('requirePermission', () => {
  test('admits who has the permission by a role, and not staff, who only have those of the plugin', async () => {
    const service = await rolesApp()
    const editor = await userWith(service, 'ed', ['support', 'editor'])
    const support = await userWith(service, 'sue', ['support'])
    const chief = await userWith(service, 'chief', [], true)
    const post = (cookie: string) => service.send('POST', '/posts', {}, as(cookie))
    expect((await post(editor.cookie)).json()).toEqual({ by: 'ed' })
    for (const { cookie } of [support, chief]) {
      const refused = (await post(cookie)).json()
      expect(refused).toMatchObject({ statusCode: 403, code: 'ACCOUNTS_FORBIDDEN' })
      expect(refused.message).toBe('You don’t have permission to do this.')
    }
    expect((await post('')).json().code).toBe('ACCOUNTS_LOGIN_REQUIRED')
    const german = { headers: { cookie: support.cookie, 'accept-language': 'de' } }
    const message = 'Dafür haben Sie keine Berechtigung.'
    expect((await service.send('GET', '/posts', undefined, german)).json().message).toBe(message)
  })

  test('takes no permission that no role has', async () => {
    const { app } = await rolesApp()
    expect(() => app.accounts.requirePermission('posts:wrote')).toThrow(
      /requirePermission must name a permission .*users:read.*posts:write; got posts:wrote$/,
    )
    const without = await testApp()
    expect(() => without.app.accounts.requirePermission('posts:write')).toThrow('posts:write')
    expect(() => without.app.accounts.requirePermission('users:read')).not.toThrow()
  })

  test('looks again once a body arrives that was held back', async () => {
    const service = await rolesApp()
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => service.app.close())
    const { id, cookie } = await userWith(service, 'ed', ['editor'])
    const held = { port: Number(new URL(url).port), method: 'POST', url: '/posts', cookie, body: {} }
    expect(await holdBody(held)()).toBe(200)
    let isAdmitted = false
    const { find } = service.sessions
    service.sessions.find = async (...given) => {
      const found = await find(...given)
      isAdmitted = true
      return found
    }
    const finish = holdBody(held)
    await expect.poll(() => isAdmitted).toBe(true)
    await service.app.accounts.updateUser(id, { roles: [] })
    expect(await finish()).toBe(403)
  })

  test('asks first for the second factor that a role requires', async () => {
    const requiredFor = (user: { roles: readonly string[] }) => user.roles.length > 0
    const service = await rolesApp({ features: [secondFactor({ requiredFor })] })
    const { cookie } = await userWith(service, 'ed', ['editor'])
    const refused = await service.send('GET', '/posts', undefined, as(cookie))
    expect(refused.json().code).toBe('ACCOUNTS_ENROLLMENT_REQUIRED')
    const enrolled = await enroll(service, cookie)
    expect((await service.send('GET', '/posts', undefined, as(enrolled.cookie))).statusCode).toBe(200)
  })
})

test('can() tells about any user, and never lets a disabled one or nobody', async () => {
  const { app } = await rolesApp()
  const person = { isActive: true, isStaff: false, roles: ['support', 'gone', 'constructor'] }
  const { can } = app.accounts
  expect(can(person, 'users:read')).toBe(true)
  expect(can(person, 'users:edit')).toBe(false)
  expect(can(person, 'posts:write')).toBe(false)
  expect(can({ ...person, isActive: false }, 'users:read')).toBe(false)
  expect(can({ ...person, roles: [], isStaff: true }, 'users:edit')).toBe(true)
  expect(can({ ...person, isStaff: true }, 'posts:write')).toBe(false)
  expect(can(null, 'users:read')).toBe(false)
})

describe('over HTTP', () => {
  test('users see their roles, and others only if publicFields says so', async () => {
    const service = await rolesApp({ users: { publicFields: ['roles'] } })
    const { id, cookie } = await userWith(service, 'ed', ['editor', 'support'])
    const shown = ['editor', 'support']
    expect((await service.send('GET', '/me/', undefined, as(cookie))).json().roles).toEqual(shown)
    const login = await service.send('POST', '/login/', { username: 'ed', password: goodPassword })
    expect(login.json().roles).toEqual(shown)
    const other = await userWith(service, 'bob', [])
    const seen = await service.send('GET', `/user/${id}`, undefined, as(other.cookie))
    expect(seen.json()).toEqual({ id, username: 'ed', roles: shown })
    const hidden = await rolesApp({ userStore: service.users, sessionStore: service.sessions })
    const unseen = await hidden.send('GET', `/user/${id}`, undefined, as(other.cookie))
    expect(unseen.json()).toEqual({ id, username: 'ed' })
  })

  test('without the option nothing has roles, and none can be given', async () => {
    const service = await testApp()
    const { id, cookie } = await userWith(service, 'chief', [], true)
    const { id: bob } = await signUp(service, 'bob')
    await service.users.update(bob, { roles: ['support'] }, 1)
    expect((await service.send('GET', '/me/', undefined, as(cookie))).json()).not.toHaveProperty('roles')
    const shown = (await service.send('GET', `/user/${bob}`, undefined, as(cookie))).json()
    expect(shown).not.toHaveProperty('roles')
    const patched = await service.send('PATCH', `/user/${bob}`, { roles: [] }, as(cookie))
    expect(patched.json().fields).toMatchObject([{ field: 'roles', code: 'unknown' }])
    await expect(service.app.accounts.updateUser(id, { roles: ['support'] })).rejects.toMatchObject({
      fields: [{ field: 'roles', code: 'invalid' }],
    })
    expect(
      service.app.accounts.can({ isActive: true, isStaff: false, roles: ['support'] }, 'users:read'),
    ).toBe(false)
  })

  test.each([
    [{ roles: 'editor' }],
    [{ roles: ['nobody'] }],
    [{ roles: ['editor', 'editor'] }],
    [{ roles: [7] }],
  ])('rejects %j', async (body) => {
    const service = await rolesApp()
    const { cookie } = await userWith(service, 'chief', [], true)
    const { id } = await userWith(service, 'bob', ['support'])
    const response = await service.send('PATCH', `/user/${id}`, body, as(cookie))
    expect(response.json()).toMatchObject({ statusCode: 400, fields: [{ field: 'roles' }] })
    expect(await rolesOf(service, id)).toEqual(['support'])
    const update = service.app.accounts.updateUser(id, body as { roles: string[] })
    await expect(update).rejects.toMatchObject({ fields: [{ field: 'roles', code: 'invalid' }] })
  })

  test('whoever may grant creates users with roles, after a recent login; nobody else can', async () => {
    const service = await rolesApp()
    const manager = await userWith(service, 'mona', ['manager'])
    const support = await userWith(service, 'sue', ['support'])
    const make = (username: string, given: string[], headers = {}) => {
      const body = { username, password: goodPassword, confirm_password: goodPassword, roles: given }
      return service.send('POST', '/user/', body, { headers })
    }
    const created = await make('eve', ['editor'], { cookie: manager.cookie })
    expect([created.statusCode, created.json().roles]).toEqual([201, ['editor']])
    // No cookie of a sign-up: the account is for somebody else.
    expect(created.cookies).toEqual([])
    for (const [given, headers] of [
      [['support'], { cookie: manager.cookie }],
      [['editor'], { cookie: support.cookie }],
      [[], { cookie: support.cookie }],
      [['editor'], {}],
    ] as const) {
      const refused = await make('mallory', [...given], headers)
      expect(refused.json()).toMatchObject({ statusCode: 403, code: 'ACCOUNTS_FORBIDDEN' })
    }
    expect(await service.users.findByUsername('mallory')).toBeNull()
    const later = await rolesApp({
      userStore: service.users,
      sessionStore: service.sessions,
      session: { confirmLifetime: 1 },
    })
    const stale = await later.send(
      'POST',
      '/user/',
      { username: 'x1', password: goodPassword, confirm_password: goodPassword, roles: ['editor'] },
      as(manager.cookie),
    )
    expect(stale.json().code).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
  })

  test('roles of a new user wait like the account, and leave with a taken address', async () => {
    const service = await rolesApp({ requireEmailConfirmation: true })
    const manager = await userWith(service, 'mona', ['manager'])
    const make = (username: string, email: string) => {
      const body = {
        username,
        email,
        password: goodPassword,
        confirm_password: goodPassword,
        roles: ['editor'],
      }
      return service.send('POST', '/user/', body, as(manager.cookie))
    }
    expect((await make('eve', 'eve@example.org')).statusCode).toBe(202)
    expect((await make('ann', 'eve@example.org')).statusCode).toBe(202)
    expect(await service.users.findByUsername('eve')).toMatchObject({ kind: 'person', roles: ['editor'] })
    expect(await service.users.findByUsername('ann')).toMatchObject({ kind: 'unclaimed', roles: [] })
  })

  test('somebody who is promoted meanwhile is changed by nobody with fewer rights', async () => {
    let promote = async (): Promise<unknown> => undefined
    const afterPromotion = async () => (await promote()) !== null
    const service = await rolesApp({
      roles: { ...roles, warden: ['users:disable', 'users:edit', 'users:grant', 'posts:write'] },
      features: [secondFactor()],
      // Asked after the user was read.
      authorize: { showDetails: afterPromotion, resetFactors: afterPromotion },
    })
    const warden = await userWith(service, 'warden', ['warden'])
    const ada = await userWith(service, 'ada', [])
    await enroll(service, ada.cookie)
    const before = { isStaff: true, isActive: true, roles: ['manager'], factors: ['totp'] }
    const attempts = [
      ['PATCH', `/user/${ada.id}`, { roles: ['editor'] }],
      ['PATCH', `/user/${ada.id}`, { is_active: false }],
      ['POST', `/user/${ada.id}/second-factor/reset/`, {}],
    ] as const
    for (const [method, path, body] of attempts) {
      await service.app.accounts.updateUser(ada.id, { isStaff: false, roles: [] })
      promote = () => service.app.accounts.updateUser(ada.id, { isStaff: true, roles: ['manager'] })
      const response = await service.send(method, path, body, as(warden.cookie))
      expect(response.json(), path).toMatchObject({ code: 'ACCOUNTS_CONFLICT', reason: 'changed_meanwhile' })
      expect(await service.users.findById(ada.id)).toMatchObject(before)
    }
  })

  test('a rule of the app replaces a default, and can build on it', async () => {
    const { defaultAuthorize } = await import('../../src/index.js')
    const usual = defaultAuthorize(roles)
    const service = await rolesApp({
      authorize: {
        grantRights: (actor, target, changes) =>
          changes.roles?.includes('editor') === true && usual.grantRights(actor, target, changes),
      },
    })
    const { cookie } = await userWith(service, 'chief', [], true)
    const { id } = await userWith(service, 'bob', [])
    const give = async (given: string[]) =>
      (await service.send('PATCH', `/user/${id}`, { roles: given }, as(cookie))).statusCode
    expect([await give(['support']), await give(['editor']), await give([])]).toEqual([403, 200, 403])
  })
})

test('a sign-up gets roles from the app’s rule beside those it was given, and none that the app does not have', async () => {
  const given: Record<string, string[]> = { eve: ['support'], ann: ['editor'], mallory: ['root'] }
  const service = await rolesApp({
    before: { signUp: ({ username }) => ({ roles: given[`${username}`] ?? [] }) },
  })
  const chief = await userWith(service, 'chief', [], true)
  const make = (username: string, more: object, cookie = '') => {
    const body = { username, password: goodPassword, confirm_password: goodPassword, ...more }
    return service.send('POST', '/user/', body, as(cookie))
  }
  expect((await make('eve', {})).json().roles).toEqual(['support'])
  expect((await make('ann', { roles: ['manager'] }, chief.cookie)).json().roles).toEqual([
    'manager',
    'editor',
  ])
  expect((await make('mallory', {})).json().code).toBe('ACCOUNTS_UNAVAILABLE')
  expect(await service.users.findByUsername('mallory')).toBeNull()
})

test('service accounts are managed by a permission of their own', async () => {
  const service = await testApp({
    roles: { robots: ['users:services'], others: ['users:create', 'users:disable', 'users:delete'] },
    features: [apiKeys({ scopes: ['posts:write'] })],
  })
  const robots = await userWith(service, 'rob', ['robots'])
  const others = await userWith(service, 'oz', ['others'])
  const made = await service.send('POST', '/service/', { username: 'ci' }, as(robots.cookie))
  expect(made.statusCode).toBe(201)
  const { id } = made.json<User>()
  const requests = [
    ['GET', '/service/'],
    ['POST', '/service/', { username: 'ci2' }],
    ['GET', `/service/${id}/api-keys/`],
    ['POST', `/service/${id}/api-keys/`, { name: 'CI', scopes: ['posts:write'] }],
    ['DELETE', `/service/${id}`],
  ] as const
  for (const [method, path, body] of requests) {
    expect((await service.send(method, path, body, as(others.cookie))).statusCode).toBe(403)
    expect((await service.send(method, path, body, as(robots.cookie))).statusCode).toBeLessThan(300)
  }
})
