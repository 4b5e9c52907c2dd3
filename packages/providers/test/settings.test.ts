import { type Provider, type ProvidersOptions, providers } from '@fastify-accounts/providers'
import { testApp } from '@fastify-accounts/test-support/app'
import { brokenUrls } from '@fastify-accounts/test-support/broken-urls'
import { registerSession } from '@fastify-accounts/test-support/host-session'
import { afterEach, describe, expect, it, vi } from 'vitest'

const good = { name: 'demo', issuer: 'https://login.example.org', clientId: 'app', clientSecret: 'secret' }

afterEach(() => vi.unstubAllEnvs())

describe('the options of a provider', () => {
  it.each<[string, object]>([
    ['name', { name: 'De mo' }],
    ['demo.scope', { scope: ['openid'] }],
    ['demo.issuer', { issuer: 'login.example.org' }],
    ['demo.issuer', { issuer: 'http://login.example.org' }],
    ['demo.issuer', { issuer: 'https://ada@login.example.org' }],
    ['demo.issuer', { issuer: 'https://login.example.org/a|b' }],
    ['demo.clientId', { clientId: '' }],
    ['demo.clientSecret', { clientSecret: undefined }],
    ['demo.clientAuth', { clientAuth: 'private_key_jwt' }],
    ['demo.scopes', { scopes: ['email'] }],
    ['demo.authoritativeFor', { authoritativeFor: 'example.org' }],
    ['demo.authoritativeFor', { authoritativeFor: ['@example.org'] }],
    ['demo.enough', { enough: { amr: 'mfa' } }],
    ['demo.allow', { allow: true }],
    ['demo.endpoints.token', { endpoints: { authorization: 'https://login.example.org/a' } }],
    ['demo.issuer', { issuer: 'https://login.example.org/.well-known/openid-configuration' }],
    ['demo.clientId', { clientId: 'app\n' }],
    ['demo.clientId', { clientId: 'undefined' }],
    ['demo.clientSecret', { clientSecret: '"s3cret"' }],
    ['demo.clientSecret', { clientSecret: ' s3cret' }],
    ['demo.scopes', { scopes: ['openid email'] }],
    ['demo.lacks', { lacks: ['state'] }],
    ['demo.lacks', { lacks: 'nonce' }],
    ['demo.appAudiences', { appAudiences: [] }],
    ['demo.appAudiences', { appAudiences: 'org.example.app' }],
    ['demo.appAudiences', { appAudiences: ['org.example.app '] }],
    ['demo.appAudiences', { appAudiences: ['org.example.app'], lacks: ['nonce'] }],
    [
      'demo.appAudiences',
      {
        appAudiences: ['org.example.app'],
        endpoints: { authorization: good.issuer, token: good.issuer },
        profile: () => ({}),
      },
    ],
    ['demo.parameters.redirect_uri', { parameters: { redirect_uri: 'https://example.org' } }],
    ['demo.parameters.max_age', { parameters: { max_age: 0 } }],
    [
      'demo.endpoints.userinfo',
      { endpoints: { authorization: good.issuer, token: good.issuer, userinfo: good.issuer } },
    ],
    ['demo.profile', { endpoints: { authorization: 'https://a.example/a', token: 'https://a.example/t' } }],
  ])('stop the start if %s is wrong, in one line that names it', (option, wrong) => {
    const start = () => providers([{ ...good, ...wrong } as Provider])
    expect(start).toThrow(`@fastify-accounts/providers: ${option} `)
    expect(start).not.toThrow(/\n|s3cret/)
  })

  it.each<[unknown, string]>([
    [[], 'must be a list of at least one URI, got []'],
    ['org.example.app:/login', 'must be a list of at least one URI, got "org.example.app:/login"'],
    [['login'], 'must hold URIs of at most 300 characters, got '],
    [[`org.example.app:/${'x'.repeat(300)}`], 'must hold URIs of at most 300 characters, got '],
    [['app:/login'], 'must hold schemes that are a domain in reverse order, '],
    [['javascript:alert(1)'], 'must hold schemes that are a domain in reverse order, '],
    [['org.example.app:'], 'must hold schemes that are a domain in reverse order, '],
    [['Org.Example.App:/login'], 'must be written as org.example.app:/login, got '],
    [['https://app.example.org'], 'must be written as https://app.example.org/, got '],
    [['https://app.example.org/#x'], 'must hold URIs without a fragment, got '],
    [['https://ada@app.example.org/'], 'must hold URIs without credentials, got '],
    [['http://app.example.org/'], 'must hold no http URI, except on 127.0.0.1, [::1] or localhost, got '],

    [['http://127.0.0.1:3000/login'], 'must hold loopback URIs without a port: any port is accepted, got '],
  ])('stop the start with appRedirectUris of %j', (appRedirectUris, fault) => {
    const start = () => providers([good], { appRedirectUris } as ProvidersOptions)
    expect(start).toThrow(`@fastify-accounts/providers: appRedirectUris ${fault}`)
    expect(start).not.toThrow(/\n/)
  })

  it('stop the start with an option of all providers that does not exist', () => {
    const start = () => providers([good], { redirects: [] } as ProvidersOptions)
    expect(start).toThrow('@fastify-accounts/providers: redirects does not exist')
  })

  it('stop the start of a public client without PKCE', () => {
    const { clientSecret: _, ...open } = good
    const startWith = (lacks: Provider['lacks']) => () => providers([{ ...open, lacks }])
    expect(startWith(['nonce', 'pkce'])).toThrow('@fastify-accounts/providers: demo.lacks must not hold pkce')
    expect(startWith(['nonce'])).not.toThrow()
  })

  it.each(brokenUrls)('stop the start at the URL %j, in one line with its name and value', (url) => {
    const endpoints = { authorization: good.issuer, token: good.issuer }
    const startWith = (own: object) => () => providers([{ ...good, profile: () => ({}), ...own } as Provider])
    for (const [option, start] of [
      ['issuer', startWith({ issuer: url })],
      ['endpoints.authorization', startWith({ endpoints: { ...endpoints, authorization: url } })],
      ['endpoints.token', startWith({ endpoints: { ...endpoints, token: url } })],
      ['endpoints.iss', startWith({ endpoints: { ...endpoints, iss: url } })],
    ] as const)
      expect(start).toThrow(
        new RegExp(`^@fastify-accounts/providers: demo\\.${option} must .*, got (?!.*lantern).*$`),
      )
  })

  it('must be unique per provider', () => {
    expect(() => providers([])).toThrow('a list of at least one provider')
    expect(() => providers([good, { ...good, clientId: 'other' }])).toThrow('demo is there twice')
    expect(() => providers([good, { ...good, name: 'other' }])).toThrow(
      'other has the issuer and the clientId of another provider',
    )
  })

  it('may use plain HTTP on loopback, but not in production', () => {
    const local = { ...good, issuer: 'http://127.0.0.1:4000' }
    expect(() => providers([local])).not.toThrow()
    vi.stubEnv('NODE_ENV', 'production')
    expect(() => providers([local])).toThrow('demo.issuer must be https')
  })

  it('may end logins of apps at localhost, but not in production', () => {
    const start = () => providers([good], { appRedirectUris: ['http://localhost/login'] })
    expect(start).not.toThrow()
    vi.stubEnv('NODE_ENV', 'production')
    expect(start).toThrow(
      "appRedirectUris must have 127.0.0.1 or [::1] in place of localhost in production, got 'http://localhost/login'",
    )
  })

  it('stop the start without `fields`, if users.fields requires any of a new user', async () => {
    const fields = { type: 'object', properties: { plan: { type: 'string' } }, required: ['plan'] } as const
    const start = (provider: Provider, users: object | false) =>
      testApp({ users: users as { variant: 'both' }, features: [providers([provider])] })
    await expect(start(good, { variant: 'both', fields })).rejects.toThrow(
      'demo.fields is missing: users.fields requires plan of a new user',
    )
    await start({ ...good, fields: () => ({ plan: 'free' }) }, { variant: 'both', fields })
    await start(good, { variant: 'both', fields: { ...fields, required: [] } })
    await start(good, false)
  })

  it('stop the start where sessions are in the app’s own @fastify/session', async () => {
    const features = [providers([good])]
    await expect(testApp({ features }, { before: registerSession })).rejects.toThrow(
      'used flows need the sessionStore, which the app’s own @fastify/session replaces',
    )
  })

  it('stop the start without findByIdentity', async () => {
    const { createMemoryUserStore } = await import('fastify-accounts')
    const { findByIdentity: _, ...userStore } = createMemoryUserStore()
    await expect(testApp({ userStore, features: [providers([good])] })).rejects.toThrow('findByIdentity')
  })
})
