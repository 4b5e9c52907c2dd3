import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { AuditEvent } from '../src/index.js'
import {
  browser,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
} from './support/app.js'

async function audited(
  options: Parameters<typeof testApp>[0] = {},
  extra: Parameters<typeof testApp>[1] = {},
) {
  const service = await testApp(options, extra)
  const events: AuditEvent[] = []
  service.app.accounts.events.on('audit', (event) => events.push(event))
  /** The one event of the one request that `work` makes. */
  async function eventOf(work: () => Promise<unknown>): Promise<AuditEvent> {
    await service.settle()
    events.length = 0
    const told = once(service.app.accounts.events, 'audit')
    await work()
    await told
    await service.settle()
    expect(events).toHaveLength(1)
    return events[0] as AuditEvent
  }
  return { ...service, events, eventOf }
}

const loginBody = { username: 'alice', password: goodPassword }

describe('LGG-05 each outcome of each route is one event', () => {
  it('tells who, what, when, from where and why not', async () => {
    const service = await audited()
    const { eventOf, send } = service
    const alice = await signUp(service)
    const before = Date.now()
    const event = await eventOf(() =>
      send('POST', '/login/', { ...loginBody, password: otherPassword }, { remoteAddress: '192.0.2.7' }),
    )
    expect(event).toEqual({
      action: 'login',
      method: 'POST',
      outcome: 'refused',
      reason: 'ACCOUNTS_INVALID_CREDENTIALS',
      userId: alice.id,
      actorId: null,
      ip: '192.0.2.7',
      requestId: expect.stringMatching(/^req-/),
      at: expect.any(Date),
    })
    expect(event.at.getTime()).toBeGreaterThanOrEqual(before)
  })

  it('of the auth routes', async () => {
    const service = await audited()
    const { eventOf, send, mail } = service
    const alice = await signUp(service, 'alice', { email: 'alice@example.org' })
    const about = { userId: alice.id }

    expect(await eventOf(() => send('POST', '/login/', loginBody))).toMatchObject({
      ...about,
      action: 'login',
      outcome: 'success',
      reason: null,
    })
    expect(await eventOf(() => send('POST', '/login/', { ...loginBody, username: 'nobody' }))).toMatchObject({
      action: 'login',
      outcome: 'refused',
      userId: null,
    })
    expect(await eventOf(() => send('POST', '/login/', { username: 'alice' }))).toMatchObject({
      outcome: 'refused',
      reason: 'ACCOUNTS_INVALID_INPUT',
    })
    const crossSite = { headers: { 'sec-fetch-site': 'cross-site' } }
    expect(await eventOf(() => send('POST', '/login/', loginBody, crossSite))).toMatchObject({
      reason: 'ACCOUNTS_CROSS_SITE',
    })
    const asText = { headers: { 'content-type': 'text/plain' } }
    expect(
      await eventOf(() => service.app.inject({ method: 'POST', url: '/login/', payload: 'a', ...asText })),
    ).toMatchObject({ action: 'login', reason: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' })
    expect(await eventOf(() => send('PUT', '/login/'))).toMatchObject({
      action: 'login',
      method: 'PUT',
      reason: 'ACCOUNTS_METHOD_NOT_ALLOWED',
    })

    expect(await eventOf(() => send('POST', '/forgot/', { email: 'alice@example.org' }))).toMatchObject({
      ...about,
      action: 'forgot',
      outcome: 'success',
    })
    // The answer hides it; the event does not.
    expect(await eventOf(() => send('POST', '/forgot/', { email: 'nobody@example.org' }))).toMatchObject({
      outcome: 'refused',
      reason: 'ACCOUNTS_NOT_FOUND',
      userId: null,
    })
    const link = linkPath(await mail('reset-password'))
    expect(await eventOf(() => send('GET', link))).toMatchObject({ ...about, action: 'reset', method: 'GET' })
    const reset = (confirm: string) => () =>
      send('POST', link, { new_password: otherPassword, confirm_password: confirm }, { headers: browser })
    expect(await eventOf(reset('another'))).toMatchObject({ ...about, reason: 'ACCOUNTS_INVALID_INPUT' })
    expect(await eventOf(reset(otherPassword))).toMatchObject({
      ...about,
      method: 'POST',
      outcome: 'success',
    })
    expect(await eventOf(reset(otherPassword))).toMatchObject({
      reason: 'ACCOUNTS_INVALID_LINK',
      userId: null,
    })
    expect(await eventOf(() => send('GET', '/reset/d/'))).toMatchObject({ action: 'reset-done' })

    const cookie = await logIn(service, 'alice', otherPassword)
    const headers = { cookie }
    expect(await eventOf(() => send('GET', '/me/', undefined, { headers }))).toMatchObject({
      ...about,
      action: 'me',
      actorId: alice.id,
      outcome: 'success',
    })
    expect(await eventOf(() => send('GET', '/me/'))).toMatchObject({ reason: 'ACCOUNTS_LOGIN_REQUIRED' })
    const change = {
      old_password: goodPassword,
      new_password: 'yet another one',
      confirm_password: 'yet another one',
    }
    expect(await eventOf(() => send('POST', '/change-password/', change, { headers }))).toMatchObject({
      action: 'change-password',
      ...about,
      reason: 'ACCOUNTS_INVALID_INPUT',
    })
    expect(
      await eventOf(() =>
        send('POST', '/change-password/', { ...change, old_password: otherPassword }, { headers }),
      ),
    ).toMatchObject({ ...about, outcome: 'success' })
    const again = await logIn(service, 'alice', 'yet another one')
    expect(
      await eventOf(() => send('POST', '/logout/', undefined, { headers: { cookie: again } })),
    ).toMatchObject({
      ...about,
      action: 'logout',
      outcome: 'success',
    })
    expect(await eventOf(() => send('POST', '/logout/'))).toMatchObject({ outcome: 'success', userId: null })
    expect(await eventOf(() => send('GET', '/api-root/'))).toMatchObject({ action: 'api-root' })
  })

  it('of the users routes, with confirmation', async () => {
    const service = await audited({ requireEmailConfirmation: true })
    const { eventOf, send, mail, users } = service
    const body = {
      username: 'alice',
      password: goodPassword,
      confirm_password: goodPassword,
      email: 'alice@example.org',
    }
    const created = await eventOf(() => send('POST', '/signup/', body))
    const alice = await users.findByUsername('alice')
    expect(created).toMatchObject({ action: 'create-user', outcome: 'success', userId: alice?.id })
    expect(await eventOf(() => send('POST', '/user/', body))).toMatchObject({
      reason: 'ACCOUNTS_USERNAME_TAKEN',
    })
    expect(await eventOf(() => send('POST', '/user/', { ...body, username: 'bob' }))).toMatchObject({
      outcome: 'refused',
      reason: 'ACCOUNTS_EMAIL_TAKEN',
      userId: null,
    })
    expect(await eventOf(() => send('POST', '/login/', loginBody))).toMatchObject({
      reason: 'ACCOUNTS_NOT_VERIFIED',
      userId: alice?.id,
    })
    expect(await eventOf(() => send('POST', '/signup/v/', { email: body.email }))).toMatchObject({
      action: 'verify-resend',
      userId: alice?.id,
      outcome: 'success',
    })
    const link = linkPath(await mail('verify-email'))
    expect(await eventOf(() => send('HEAD', link))).toMatchObject({
      action: 'verify',
      method: 'HEAD',
      userId: alice?.id,
    })
    expect(await eventOf(() => send('POST', link))).toMatchObject({
      method: 'POST',
      userId: alice?.id,
      outcome: 'success',
    })
    expect(await eventOf(() => send('POST', `${link.slice(0, -3)}x/`))).toMatchObject({
      reason: 'ACCOUNTS_INVALID_LINK',
    })
    expect(await eventOf(() => send('POST', '/signup/v/', { email: body.email }))).toMatchObject({
      reason: 'ACCOUNTS_NOT_FOUND',
    })
    const bob = await service.app.accounts.createUser({ username: 'bob', password: goodPassword })
    const headers = { cookie: await logIn(service) }
    const as = { actorId: alice?.id }
    expect(await eventOf(() => send('GET', '/user/', undefined, { headers }))).toMatchObject({
      action: 'list-users',
      ...as,
    })
    expect(await eventOf(() => send('GET', `/user/${bob.id}`, undefined, { headers }))).toMatchObject({
      action: 'show-user',
      userId: bob.id,
      ...as,
    })
    expect(await eventOf(() => send('DELETE', `/user/${bob.id}`, undefined, { headers }))).toMatchObject({
      action: 'delete-user',
      reason: 'ACCOUNTS_FORBIDDEN',
      userId: bob.id,
      ...as,
    })
    expect(await eventOf(() => send('DELETE', `/user/${alice?.id}`, undefined, { headers }))).toMatchObject({
      outcome: 'success',
      userId: alice?.id,
      ...as,
    })
  })

  it('is a failure where a store is away', async () => {
    const service = await audited()
    const { eventOf, send, users } = service
    users.findByUsername = () => Promise.reject(new Error('away'))
    expect(await eventOf(() => send('POST', '/login/', loginBody))).toMatchObject({
      outcome: 'failure',
      reason: 'ACCOUNTS_UNAVAILABLE',
    })
  })

  it('is a line of the log with auditLog, and none without', async () => {
    for (const auditLog of [true, false]) {
      const lines: string[] = []
      const logger = { level: 'info', stream: { write: (line: string) => void lines.push(line) } }
      const service: TestApp = await testApp({ auditLog }, { server: { logger } })
      await service.send('GET', '/me/')
      await service.settle()
      const found = lines.map((line) => JSON.parse(line)).filter((line) => line.audit)
      expect(found.map(({ level, audit }) => [level, audit.action, audit.outcome, audit.reason])).toEqual(
        auditLog ? [[30, 'me', 'refused', 'ACCOUNTS_LOGIN_REQUIRED']] : [],
      )
    }
  })

  it('harms nobody where a listener throws', async () => {
    const service = await testApp()
    service.app.accounts.events.on('audit', () => {
      throw new Error('a listener of the host')
    })
    for (let n = 0; n < 2; n += 1) expect((await service.send('GET', '/api-root/')).statusCode).toBe(200)
    await service.settle()
  })
})
