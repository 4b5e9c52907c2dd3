import { type Provider, providers } from '@fastify-accounts/providers'
import { testApp } from '@fastify-accounts/test-support/app'
import { brokenUrls } from '@fastify-accounts/test-support/broken-urls'
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
    ['demo.profile', { endpoints: { authorization: 'https://a.example/a', token: 'https://a.example/t' } }],
  ])('stop the start if %s is wrong, in one line that names it', (option, wrong) => {
    const start = () => providers([{ ...good, ...wrong } as Provider])
    expect(start).toThrow(`@fastify-accounts/providers: ${option} `)
    expect(start).not.toThrow('\n')
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

  it('stop the start without findByIdentity', async () => {
    const { createMemoryUserStore } = await import('fastify-accounts')
    const { findByIdentity: _, ...userStore } = createMemoryUserStore()
    await expect(testApp({ userStore, features: [providers([good])] })).rejects.toThrow('findByIdentity')
  })
})
