import { type ProvidersFeature, providers } from '@fastify-accounts/providers'
import { testApp } from '@fastify-accounts/test-support/app'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { type Visitor, visitor } from '@fastify-accounts/test-support/providers/service'
import { createMemoryUserStore, type StoredUser } from 'fastify-accounts'
import { afterEach, describe, expect, it, vi } from 'vitest'

const claims = { sub: 'grace', email: 'grace@example.org', email_verified: true }

/** An app that keeps the tokens of its provider, and grace, who has signed up with it. */
async function keeping({ refreshes = true, lifetime = 3600 as number | null } = {}) {
  const issuer = await startIssuer()
  issuer.refreshes = refreshes
  issuer.twist.tokens = { ...(lifetime !== null && { expires_in: lifetime }), scope: 'openid email calendar' }
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
  const { app } = await testApp({ users: { variant: 'both' }, features: [feature], userStore })
  const grace = visitor({ app, issuer })
  expect((await grace.logInWith(claims)).statusCode).toBe(303)
  const stored = async () => (await userStore.findByEmail('grace@example.org')) as StoredUser
  const { id } = await stored()
  return { app, issuer, feature, grace, stored, userStore, tokens: () => feature.tokensOf(id, 'demo') }
}

function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

describe('tokens of a provider that are kept', () => {
  afterEach(() => void vi.useRealTimers())

  it('are given to the host, with what they are good for, and are unreadable in the store', async () => {
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

  it('are refreshed once for any number of calls when they are about to end', async () => {
    const { tokens, issuer } = await keeping()
    const before = issuer.asked.get('/token') ?? 0
    pass(3550)
    const given = await Promise.all(Array.from({ length: 20 }, tokens))
    expect(new Set(given.map((each) => each?.accessToken))).toEqual(new Set(['access-2']))
    expect(issuer.asked.get('/token')).toBe(before + 1)
    // The new refresh token is kept too.
    pass(3550)
    expect((await tokens())?.accessToken).toBe('access-3')
  })

  it('survive a refresh that another process was faster with', async () => {
    const { issuer, userStore, stored, tokens } = await keeping()
    const other = providers([
      {
        ...{ name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' },
        keepTokens: true,
      },
    ])
    await testApp({ users: true, features: [other], userStore })
    pass(3550)
    const { id } = await stored()
    const given = await Promise.all([tokens(), other.tokensOf(id, 'demo')])
    // One of the two may have come too late for its refresh token: it gives what the other got.
    expect(given.map((each) => each?.accessToken)).toEqual(['access-2', 'access-2'])
  })

  it('are gone where the provider takes the refresh token no more, and come back with a login', async () => {
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

  it('are kept while the provider is down, and the call says so', async () => {
    const { tokens, issuer, stored } = await keeping()
    issuer.twist.token = (response) => response.writeHead(503).end()
    pass(3550)
    await expect(tokens()).rejects.toMatchObject({ code: 'ACCOUNTS_PROVIDER_UNAVAILABLE' })
    expect(JSON.stringify(await stored())).toContain('"sealed"')
    delete issuer.twist.token
    expect((await tokens())?.accessToken).toBe('access-2')
  })

  it('without a refresh token are given until they end, and one that came before is kept', async () => {
    const { tokens, issuer, grace } = await keeping()
    // Google gives one at the first consent only.
    issuer.refreshes = false
    await grace.logInWith(claims)
    issuer.refreshes = true
    pass(3550)
    expect((await tokens())?.accessToken).toBe('access-3')
    const { tokens: others } = await keeping({ refreshes: false })
    pass(3550)
    expect(await others()).toBeNull()
  })

  it('that never end are given as they are', async () => {
    const { tokens, issuer } = await keeping({ lifetime: null })
    pass(90 * 86_400)
    expect(await tokens()).toMatchObject({ accessToken: 'access-1', expiresAt: null })
    expect(issuer.asked.get('/token')).toBe(1)
  })

  it('are none after the identity is removed, and none of a disabled account', async () => {
    const { tokens, stored, userStore } = await keeping()
    const user = await stored()
    const disabled = await userStore.update(user.id, { isActive: false }, user.version)
    expect(await tokens()).toBeNull()
    const bare = { credentials: [], identityKeys: [], isActive: true }
    await userStore.update(user.id, bare, disabled?.version ?? 0)
    expect(await tokens()).toBeNull()
  })

  it('are renewed by linking the identity again, without another mail', async () => {
    const { tokens, grace } = await keeping()
    expect((await grace.link(claims)).statusCode).toBe(303)
    expect((await tokens())?.accessToken).toBe('access-2')
  })

  it('are not kept where they are too long', async () => {
    const { tokens, issuer, grace } = await keeping()
    issuer.twist.tokens = { access_token: 'x'.repeat(9000) }
    expect((await grace.logInWith(claims)).statusCode).toBe(303)
    expect((await tokens())?.accessToken).toBe('access-1')
  })

  it('keep nobody out when the secret that they are sealed under is gone', async () => {
    const { issuer, userStore, stored } = await keeping()
    const demo = { name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
    const feature = providers([{ ...demo, keepTokens: true }])
    const secret = 'another secret than the one of before, and long'
    const { app } = await testApp({ users: true, features: [feature], userStore, secret })
    const { id } = await stored()
    await expect(feature.tokensOf(id, 'demo')).rejects.toMatchObject({ code: 'ACCOUNTS_UNAVAILABLE' })
    // This time without a refresh token, so the one of before is looked for.
    issuer.refreshes = false
    expect((await visitor({ app, issuer }).logInWith(claims)).statusCode).toBe(303)
    expect((await feature.tokensOf(id, 'demo'))?.accessToken).toBe('access-2')
  })

  it('are asked for only where they are kept', async () => {
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
})
