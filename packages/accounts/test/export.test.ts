import { EventEmitter, once } from 'node:events'
import {
  as,
  goodPassword,
  linkPath,
  linkTarget,
  logIn,
  signUp,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { registerSession } from '@fastify-accounts/test-support/host-session'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { tokenClient } from '@fastify-accounts/test-support/tokens'
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import type { Feature } from '../src/features/index.js'
import { type AuditEvent, apiKeys, invitations, secondFactor, tokens } from '../src/index.js'

const email = 'alice@example.org'
const fields = { type: 'object', properties: { city: { type: 'string' } } } as const
const roles = { editor: ['posts:write'], greeter: ['users:invite'] }
const everything = () => [secondFactor(), apiKeys({ scopes: ['orders:read'] }), invitations()]

const exported = (service: TestApp, cookie: string) =>
  service.send('GET', '/me/export/', undefined, as(cookie))

/** A person, as the app's own code creates them. */
const create = ({ app }: TestApp, username: string, extra: object = {}) =>
  app.accounts.createUser({
    ...{ username, email: `${username}@example.org`, password: goodPassword, isVerified: true },
    ...extra,
  })

/** A feature of another package that keeps something. */
const club = (kept: NonNullable<Feature['export']>): Feature => ({ name: 'club', export: kept })

test('an export has the account, in words, and what each feature keeps', async () => {
  const service = await testApp({ roles, users: { fields }, features: everything() })
  const { id } = await create(service, 'alice', { fields: { city: 'Ghent' }, roles: ['editor'] })
  const first = await enroll(service, undefined, 'Phone')
  await service.send('POST', '/change-email/', { email: 'new@example.org' }, as(first.cookie))
  await service.app.accounts.createApiKey(id, { name: 'CI', scopes: ['orders:read'] })
  const response = await exported(service, first.cookie)
  expect(response.statusCode, response.body).toBe(200)
  expect(response.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename="account.json"',
    'content-type': expect.stringContaining('application/json'),
  })
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  const shown = { id: expect.any(String), created_at: time }
  const session = { last_seen_at: time, expires_at: time, name: null, browser: null, system: null }
  expect(response.json()).toEqual({
    exported_at: time,
    account: {
      id,
      username: 'alice',
      email,
      is_verified: true,
      is_staff: false,
      roles: ['editor'],
      is_active: true,
      has_password: true,
      created_at: time,
      last_login_at: time,
      fields: { city: 'Ghent' },
      origin: 'host',
      email_changed_at: null,
      email_confirmed_by_link_at: null,
      email_confirmed_elsewhere: false,
      accepted_invitations: [],
      last_secured: null,
    },
    features: {
      devices: [
        {
          ...{ ...shown, ...session, ip: expect.any(String), current: true, kind: 'cookie' },
          ...{ methods: expect.arrayContaining(['pwd', 'otp']), confirmed_at: time, remember: false },
        },
      ],
      'email-change': { email: 'new@example.org', asked_at: time, expires_at: time },
      'second-factor': {
        ...{ totp: true, passkeys: false, recovery_codes_left: first.codes.length, required: false },
        apps: [{ ...shown, name: 'Phone', last_used_at: null }],
        ...{ remembered_devices: [], removed: null },
      },
      'api-keys': [
        {
          ...{ name: 'CI', scopes: ['orders:read'], resource: null },
          ...{ created_at: time, expires_at: time, last_used_on: null },
        },
      ],
    },
  })
})

test('an export says what the account was given by invitation, and lost when it was secured', async () => {
  const service = await testApp({ roles, features: everything(), requireEmailConfirmation: true })
  await service.app.accounts.invite({ email, roles: ['editor'] })
  const path = linkPath(await service.mail('invitation', email))
  const choice = { username: 'alice', new_password: goodPassword, confirm_password: goodPassword }
  expect((await service.send('POST', path, choice)).statusCode).toBe(200)
  const { id } = (await service.users.findByUsername('alice')) ?? expect.fail()
  await enroll(service)
  await service.app.accounts.secureUser(id)
  const { account } = (await service.app.accounts.exportUser(id)) ?? expect.fail()
  expect(account).toMatchObject({
    has_password: false,
    accepted_invitations: [{ roles: ['editor'], fields: [], accepted_at: expect.any(String) }],
    last_secured: { at: expect.any(String), removed: { apps: 1, passkeys: 0, recovery_codes: 10 } },
  })
})

test('a client with tokens gets the same, after a recent login', async () => {
  const service = await testApp({ features: [tokens()] })
  await signUp(service)
  const client = tokenClient(service, 'Phone')
  await client.send('POST', '/login/', { username: 'alice', password: goodPassword })
  const response = await client.send('GET', '/me/export/')
  expect(response.statusCode, response.body).toBe(200)
  expect(response.json().features.devices).toMatchObject([{ kind: 'token', name: 'Phone', current: true }])
  const { access_token = '', refresh_token = '' } = client.tokens ?? {}
  for (const token of [access_token, refresh_token]) expect(response.body).not.toContain(token)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  await client.refresh()
  expect((await client.send('GET', '/me/export/')).json().code).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
})

describe('invitations in an export', () => {
  const inviting = async () => {
    const service = await testApp({ roles, users: { fields }, features: everything() })
    await create(service, 'alice', { roles: ['greeter'] })
    return { service, cookie: await logIn(service) }
  }
  const sentOf = async (service: TestApp, cookie: string) =>
    (await exported(service, cookie)).json().features.invitations

  test('are those that the person has sent, only with dates once they may no longer see the list', async () => {
    const { service, cookie } = await inviting()
    const body = { email: 'gus@example.org', fields: { city: 'Ulm' } }
    expect((await service.send('POST', '/invitations/', body, as(cookie))).statusCode).toBe(202)
    await service.app.accounts.invite({ email: 'other@example.org' })
    const dates = { invited_at: expect.any(String), expires_at: expect.any(String) }
    const id = expect.any(String)
    expect(await sentOf(service, cookie)).toEqual({
      sent: [{ ...dates, id, ...body, roles: [] }],
      received: [],
    })
    const { id: alice } = (await service.users.findByUsername('alice')) ?? expect.fail()
    await service.app.accounts.updateUser(alice, { roles: [] })
    const again = await logIn(service)
    expect(await sentOf(service, again)).toEqual({ sent: [{ ...dates, id }], received: [] })
  })

  test('are those to the address of the person, with the name of who invites', async () => {
    const { service, cookie } = await inviting()
    await create(service, 'gus')
    await service.send('POST', '/invitations/', { email: 'gus@example.org' }, as(cookie))
    const { sent, received } = await sentOf(service, await logIn(service, 'gus'))
    expect(sent).toEqual([])
    expect(received).toMatchObject([{ email: 'gus@example.org', invited_by: 'alice', roles: [] }])
    expect(received[0]).not.toHaveProperty('id')
  })

  test('to an address that somebody else has confirmed are not theirs', async () => {
    const { service } = await inviting()
    const cookie = await logIn(service)
    await service.app.accounts.invite({ email: 'victim@example.org', roles: ['editor'] })
    await service.send('POST', '/change-email/', { email: 'victim@example.org' }, as(cookie))
    const link = linkTarget(await service.mail('change-email', 'victim@example.org'))
    expect((await service.send('POST', link)).statusCode).toBe(200)
    const { account, features } = (await exported(service, await logIn(service))).json()
    expect(account).toMatchObject({ email: 'victim@example.org', email_confirmed_elsewhere: true })
    expect(features.invitations?.received ?? []).toEqual([])
  })

  test('of many are read page by page', async () => {
    const { service, cookie } = await inviting()
    const { id: inviterId } = (await service.users.findByUsername('alice')) ?? expect.fail()
    const at = new Date()
    for (let n = 0; n < 1100; n += 1) {
      const to = `guest-${n}@example.org`
      await service.invitations.create({
        ...{ id: `invitation-${n}`, target: 'accounts', inviterId, email: to, emailKey: to, sends: 1 },
        ...{ gives: { fields: {}, roles: [] }, createdAt: at, acceptingUntil: null },
        expiresAt: new Date(at.getTime() + 1e6),
      })
    }
    const { sent } = await sentOf(service, cookie)
    expect(new Set(sent.map((each: { email: string }) => each.email)).size).toBe(1100)
  })
})

describe('own fields in an export', () => {
  test('are those that the app declares: others are its own notes', async () => {
    const service = await testApp({ users: { fields } })
    const user = await signUp(service, 'alice', { city: 'Ghent' })
    await service.users.update(user.id, { fields: { city: 'Ghent', risk: 'high' } }, user.version)
    const { account } = (await exported(service, await logIn(service))).json()
    expect(account.fields).toEqual({ city: 'Ghent' })
  })

  test('never replace what the account says itself', async () => {
    const own = { type: 'object', properties: { origin: { type: 'string' } } } as const
    const service = await testApp({ users: { fields: own } })
    await signUp(service, 'alice', { origin: 'Ulm' })
    const { account } = (await exported(service, await logIn(service))).json()
    expect(account).toMatchObject({ origin: 'self', fields: { origin: 'Ulm' } })
  })
})

describe('a feature of another package', () => {
  test('adds what it keeps, as JSON has it, and nothing if it keeps nothing', async () => {
    const asked: unknown[] = []
    const kept = club((user, core, client) => {
      asked.push([user.username, core.options.prefix, client?.prefersPage])
      return user.username === 'alice' ? { since: new Date(0) as never, points: 3 } : null
    })
    const service = await testApp({ features: [kept] })
    await signUp(service, 'alice')
    await signUp(service, 'bob')
    const { features } = (await exported(service, await logIn(service))).json()
    expect(features.club).toEqual({ since: '1970-01-01T00:00:00.000Z', points: 3 })
    expect((await exported(service, await logIn(service, 'bob'))).json().features).not.toHaveProperty('club')
    expect(asked).toEqual([
      ['alice', '', false],
      ['bob', '', false],
    ])
  })

  test.each<[string, NonNullable<Feature['export']>]>([
    ['throws', () => expect.fail('no')],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['has no JSON', () => 1n as never],
  ])('that %s makes the export a 503', async (_, kept) => {
    const service = await testApp({ features: [club(kept)] })
    const { id } = await signUp(service)
    expectNothing(await exported(service, await logIn(service)))
    await expect(service.app.accounts.exportUser(id)).rejects.toMatchObject({ code: 'ACCOUNTS_UNAVAILABLE' })
  })

  test('that never responds makes the export a 503 after the deadline of adapters', async () => {
    const calls = new EventEmitter()
    const asked = once(calls, 'export')
    const kept = club(() => {
      calls.emit('export')
      return new Promise(() => {})
    })
    const service = await testApp({ features: [kept], adapterTimeout: 3000 })
    await signUp(service)
    const cookie = await logIn(service)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const response = exported(service, cookie)
    await asked
    vi.advanceTimersByTime(3001)
    expectNothing(await response)
  })

  function expectNothing(response: Awaited<ReturnType<typeof exported>>): void {
    expect([response.statusCode, response.json().code]).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
    expect(response.headers).toMatchObject({ 'retry-after': expect.any(String) })
    expect(response.headers).not.toHaveProperty('content-disposition')
    expect(response.body).not.toContain('alice')
  }
})

describe('app.accounts.exportUser', () => {
  test('is the same document, also of somebody who is disabled, and none of a service or nobody', async () => {
    const service = await testApp({ features: everything() })
    const events: AuditEvent[] = []
    service.app.accounts.events.on('audit', (event) => void events.push(event))
    const { id } = await create(service, 'alice')
    const cookie = await logIn(service)
    const { exported_at: _, ...own } = (await exported(service, cookie)).json()
    const { exported_at, ...byHost } = (await service.app.accounts.exportUser(id)) ?? expect.fail()
    expectTypeOf(exported_at).toBeString()
    expect(byHost.account).toEqual(own.account)
    expect(byHost.features.devices).toMatchObject([{ current: false }])
    await service.app.accounts.updateUser(id, { isActive: false })
    const call = { actor: 'support: grace', reason: 'request for access' }
    expect(await service.app.accounts.exportUser(id, call)).toMatchObject({
      account: { username: 'alice', is_active: false },
      features: { 'second-factor': { totp: false } },
    })
    const robot = await service.app.accounts.createService({ username: 'robot' })
    expect(await service.app.accounts.exportUser(robot.id)).toBeNull()
    expect(await service.app.accounts.exportUser('nobody')).toBeNull()
    await service.settle()
    const about = { action: 'export-user', userId: id }
    expect(events.filter(({ action }) => action === 'export-user')).toMatchObject([
      { ...about, outcome: 'success', method: 'GET', actorId: id },
      { ...about, outcome: 'success', method: null },
      { ...about, outcome: 'success', host: call },
      { outcome: 'refused', reason: 'ACCOUNTS_NOT_FOUND' },
      { outcome: 'refused', reason: 'ACCOUNTS_NOT_FOUND' },
    ])
  })

  test('has no sessions where the app keeps them itself', async () => {
    const service = await testApp({}, { before: registerSession })
    const { id } = await signUp(service)
    expect(await service.app.accounts.exportUser(id)).toMatchObject({ features: {} })
  })
})
