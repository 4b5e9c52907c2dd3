import type { ServerResponse } from 'node:http'
import { type ProvidersFeature, providers } from '@fastify-accounts/providers'
import { testApp } from '@fastify-accounts/test-support/app'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { type Visitor, visitor } from '@fastify-accounts/test-support/providers/service'
import { createMemoryUserStore, type StoredUser, type UserStore } from 'fastify-accounts'
import { afterEach, describe, expect, it, vi } from 'vitest'

const claims = { sub: 'grace', email: 'grace@example.org', email_verified: true }

/** An app that keeps its provider's tokens, and grace, who signed up with it. */
async function keeping({
  refreshes = true,
  lifetime = 3600 as number | null,
  adapterTimeout = 5000,
  scope = 'openid email calendar' as string | string[],
} = {}) {
  const issuer = await startIssuer()
  issuer.refreshes = refreshes
  issuer.twist.tokens = { ...(lifetime !== null && { expires_in: lifetime }), scope }
  const demo = {
    name: 'demo',
    issuer: issuer.url,
    clientId: 'app',
    clientSecret: 'secret',
    authoritativeFor: true,
    keepTokens: true,
  } as const
  const feature = providers([demo])
  const userStore = createMemoryUserStore()
  const { app } = await testApp({
    users: { variant: 'both' },
    features: [feature],
    userStore,
    adapterTimeout,
  })
  const grace = visitor({ app, issuer })
  expect((await grace.logInWith(claims)).statusCode).toBe(303)
  const stored = async () => (await userStore.findByEmail('grace@example.org')) as StoredUser
  const { id } = await stored()
  return { app, issuer, feature, grace, stored, userStore, tokens: () => feature.tokensOf(id, 'demo') }
}

/** Shares only the store. */
async function anotherProcess(issuer: TestIssuer, userStore: UserStore): Promise<ProvidersFeature> {
  const demo = { name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
  const feature = providers([{ ...demo, keepTokens: true }])
  await testApp({ users: true, features: [feature], userStore })
  return feature
}

function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

describe('stored provider tokens', () => {
  afterEach(() => void vi.useRealTimers())

  it('are available to the host, with scopes and expiry, and unreadable in the store', async () => {
    const { tokens, stored } = await keeping()
    const now = Date.now()
    const given = await tokens()
    expect(given).toMatchObject({ accessToken: 'access-1', scopes: ['openid', 'email', 'calendar'] })
    expect(Object.keys(given ?? {}).sort()).toEqual(['accessToken', 'expiresAt', 'scopes'])
    expect(given?.expiresAt).toBeGreaterThan(now + 3500_000)
    const record = JSON.stringify(await stored())
    expect(record).not.toMatch(/access-1|refresh-1/)
    expect(record).toContain('"sealed"')
  })

  it.each([
    ['in a list, as Twitch sends them', ['openid', 'email', 'calendar']],
    ['separated by commas, as GitHub and LinkedIn send them', 'openid,email,calendar'],
  ])('have scopes that are %s', async (_, scope) => {
    const { tokens } = await keeping({ scope })
    expect((await tokens())?.scopes).toEqual(['openid', 'email', 'calendar'])
    pass(3550)
    expect(await tokens()).toMatchObject({ accessToken: 'access-2', scopes: ['openid', 'email', 'calendar'] })
  })

  it('are refreshed once for any number of simultaneous calls when about to expire', async () => {
    const { tokens, issuer } = await keeping()
    const before = issuer.asked.get('/token') ?? 0
    pass(3550)
    const given = await Promise.all(Array.from({ length: 20 }, tokens))
    expect(new Set(given.map((each) => each?.accessToken))).toEqual(new Set(['access-2']))
    expect(issuer.asked.get('/token')).toBe(before + 1)
    // The new refresh token is stored as well.
    pass(3550)
    expect((await tokens())?.accessToken).toBe('access-3')
  })

  it('survive a race to refresh with another process', async () => {
    const { issuer, userStore, stored, tokens } = await keeping()
    const other = await anotherProcess(issuer, userStore)
    pass(3550)
    const { id } = await stored()
    const given = await Promise.all([tokens(), other.tokensOf(id, 'demo')])
    expect(given.map((each) => each?.accessToken)).toEqual(['access-2', 'access-2'])
  })

  it('are refreshed by one process, while another waits for its result', async () => {
    const { issuer, userStore, stored, tokens } = await keeping()
    const other = await anotherProcess(issuer, userStore)
    pass(3550)
    const { id } = await stored()
    let request: ServerResponse | undefined
    issuer.twist.token = (response) => {
      request = response
    }
    const before = issuer.asked.get('/token') ?? 0
    const first = tokens()
    const response = await vi.waitUntil(() => request, 60_000)
    const find = vi.spyOn(userStore, 'findById')
    const second = other.tokensOf(id, 'demo')
    await vi.waitUntil(() => find.mock.calls.length > 3, 60_000)
    const granted = { access_token: 'new', token_type: 'Bearer', refresh_token: 'next', expires_in: 3600 }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(granted))
    expect((await Promise.all([first, second])).map((each) => each?.accessToken)).toEqual(['new', 'new'])
    expect(issuer.asked.get('/token')).toBe(before + 1)
    expect((await stored()).credentials[0]).not.toHaveProperty('refreshingUntil')
  })

  it('are not stuck if the process that refreshes them ends', async () => {
    const { issuer, userStore, stored, tokens } = await keeping({ adapterTimeout: 200 })
    pass(3590)
    const user = await stored()
    const credentials = user.credentials.map((each) => ({ ...each, refreshingUntil: Date.now() + 30_000 }))
    await userStore.update(user.id, { credentials }, user.version)
    const before = issuer.asked.get('/token')
    // Still valid for a moment.
    expect((await tokens())?.accessToken).toBe('access-1')
    pass(20)
    await expect(tokens()).rejects.toMatchObject({ code: 'ACCOUNTS_PROVIDER_UNAVAILABLE' })
    expect(issuer.asked.get('/token')).toBe(before)
    pass(20)
    expect((await tokens())?.accessToken).toBe('access-2')
  })

  it('of a login during the refresh stay', async () => {
    const { issuer, tokens, grace } = await keeping()
    pass(3550)
    let request: ServerResponse | undefined
    issuer.twist.token = (response) => {
      request = response
    }
    const refreshing = tokens()
    const response = await vi.waitUntil(() => request, 60_000)
    delete issuer.twist.token
    await grace.logInWith(claims)
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
    expect((await refreshing)?.accessToken).toBe('access-2')
    expect((await tokens())?.accessToken).toBe('access-2')
  })

  it('are removed if the provider rejects the refresh token, and return with the next login', async () => {
    const { tokens, issuer, grace, stored } = await keeping()
    issuer.twist.token = (response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
    pass(3550)
    expect(await tokens()).toBeNull()
    expect(JSON.stringify(await stored())).not.toContain('"sealed"')
    delete issuer.twist.token
    await grace.logInWith(claims)
    expect((await tokens())?.accessToken).toBe('access-2')
  })

  it('are kept while the provider is down, and the call reports it', async () => {
    const { tokens, issuer, stored } = await keeping()
    issuer.twist.token = (response) => response.writeHead(503).end()
    pass(3550)
    await expect(tokens()).rejects.toMatchObject({ code: 'ACCOUNTS_PROVIDER_UNAVAILABLE' })
    expect(JSON.stringify(await stored())).toContain('"sealed"')
    delete issuer.twist.token
    expect((await tokens())?.accessToken).toBe('access-2')
  })

  it('without a refresh token are returned until they expire, and an earlier refresh token is kept', async () => {
    const { tokens, issuer, grace } = await keeping()
    // Google issues one at the first consent only.
    issuer.refreshes = false
    await grace.logInWith(claims)
    issuer.refreshes = true
    pass(3550)
    expect((await tokens())?.accessToken).toBe('access-3')
    const { tokens: others } = await keeping({ refreshes: false })
    pass(3550)
    expect(await others()).toBeNull()
  })

  it('that never expire are returned as they are', async () => {
    const { tokens, issuer } = await keeping({ lifetime: null })
    pass(90 * 86_400)
    expect(await tokens()).toMatchObject({ accessToken: 'access-1', expiresAt: null })
    expect(issuer.asked.get('/token')).toBe(1)
  })

  it('are gone once the identity is removed, and withheld if the account is disabled', async () => {
    const { tokens, stored, userStore } = await keeping()
    const user = await stored()
    const disabled = await userStore.update(user.id, { isActive: false }, user.version)
    expect(await tokens()).toBeNull()
    const bare = { credentials: [], identityKeys: [], isActive: true }
    await userStore.update(user.id, bare, disabled?.version ?? 0)
    expect(await tokens()).toBeNull()
  })

  it('are renewed by linking the identity again, without another email', async () => {
    const { tokens, grace } = await keeping()
    expect((await grace.link(claims)).statusCode).toBe(303)
    expect((await tokens())?.accessToken).toBe('access-2')
  })

  it('are not stored if they are too long', async () => {
    const { tokens, issuer, grace } = await keeping()
    issuer.twist.tokens = { access_token: 'x'.repeat(9000) }
    expect((await grace.logInWith(claims)).statusCode).toBe(303)
    expect((await tokens())?.accessToken).toBe('access-1')
  })

  it("don't prevent logins when the secret that sealed them is gone", async () => {
    const { issuer, userStore, stored } = await keeping()
    const demo = { name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
    const feature = providers([{ ...demo, keepTokens: true }])
    const secret = 'another secret than the one of before, and long'
    const { app } = await testApp({ users: true, features: [feature], userStore, secret })
    const { id } = await stored()
    await expect(feature.tokensOf(id, 'demo')).rejects.toMatchObject({ code: 'ACCOUNTS_UNAVAILABLE' })
    // Without a refresh token this time, so the plugin looks for the earlier one.
    issuer.refreshes = false
    expect((await visitor({ app, issuer }).logInWith(claims)).statusCode).toBe(303)
    expect((await feature.tokensOf(id, 'demo'))?.accessToken).toBe('access-2')
  })

  it('are requested only if they are stored', async () => {
    const issuer: TestIssuer = await startIssuer()
    const demo = { name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
    const feature: ProvidersFeature = providers([{ ...demo, authoritativeFor: true }])
    expect(() => feature.tokensOf('1', 'demo')).toThrow('not mounted')
    const userStore = createMemoryUserStore()
    const { app } = await testApp({ users: { variant: 'both' }, features: [feature], userStore })
    const grace: Visitor = visitor({ app, issuer })
    await grace.logInWith(claims)
    const user = (await userStore.findByEmail('grace@example.org')) as StoredUser
    expect(JSON.stringify(user)).not.toContain('sealed')
    await expect(feature.tokensOf(user.id, 'demo')).rejects.toThrow('is not a provider with keepTokens')
  })
  it('need the feature to be called once for each mount', async () => {
    const issuer = await startIssuer()
    const demo = { name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
    const feature = providers([{ ...demo, keepTokens: true }])
    await testApp({ users: true, features: [feature] })
    await expect(testApp({ users: true, features: [feature] })).rejects.toThrow(
      'providers() must be called once for each mount where tokens are kept',
    )
  })
})
