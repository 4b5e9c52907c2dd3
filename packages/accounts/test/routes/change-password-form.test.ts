import {
  baseUrl,
  browser,
  cookieOf,
  goodPassword,
  type Host,
  logIn,
  otherPassword,
  secret,
  signUp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import accounts, { type AccountsOptions } from '../../src/index.js'

const form = '/change-password/form/'
const change = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }

test('a browser changes the password on a page, and stays logged in', async () => {
  const service = await testApp()
  await signUp(service)
  const cookie = await logIn(service)
  const elsewhere = await logIn(service)
  const headers = { ...browser, cookie }
  const page = await service.send('GET', form, undefined, { headers })
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  const wrong = await service.send('POST', form, { ...change, old_password: 'not the old one' }, { headers })
  expect(wrong.statusCode).toBe(400)
  expect(wrong.body).toContain('<p class="fault" id="old_password-fault">This password is wrong.</p>')
  expect(wrong.body).not.toMatch(/not the old one|staple/)
  const changed = await service.send('POST', form, change, { headers })
  expect([changed.statusCode, changed.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(changed.body).toContain('<h1>Your password has been changed</h1>')
  expect(await whoIs(service, cookieOf(changed))).toBe('alice')
  expect(await whoIs(service, elsewhere)).toBeNull()
})

test('a JSON client gets the minimum password length, then 204', async () => {
  const service = await testApp({ password: { minLength: 12 } })
  await signUp(service)
  const headers = { cookie: await logIn(service) }
  expect((await service.send('GET', form, undefined, { headers })).json()).toEqual({
    min_length: 12,
    max_length: 256,
  })
  expect((await service.send('POST', form, change, { headers })).statusCode).toBe(204)
})

test("visitors who aren't logged in are told so", async () => {
  const { send } = await testApp()
  const page = await send('GET', form, undefined, { headers: browser })
  expect([page.statusCode, page.body.includes('<h1>You’re not logged in</h1>')]).toEqual([401, true])
  expect((await send('GET', form)).json().code).toBe('ACCOUNTS_LOGIN_REQUIRED')
  const cross = { ...browser, 'sec-fetch-site': 'cross-site' }
  expect((await send('POST', form, change, { headers: cross })).statusCode).toBe(403)
})

test('a password manager recognizes each field, and the rules for new passwords', async () => {
  const service = await testApp({ password: { minLength: 15, maxLength: 100 } })
  await signUp(service)
  const headers = { ...browser, cookie: await logIn(service) }
  const { body } = await service.send('GET', form, undefined, { headers })
  const inputs = [...body.matchAll(/<input ([^>]*)>/g)].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value = true]) => [name, value]),
    ),
  )
  const fresh = {
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    minlength: '15',
    passwordrules: 'minlength: 15; maxlength: 100; allowed: ascii-printable;',
  }
  expect(inputs).toMatchObject([
    { autocomplete: 'username', value: 'alice', readonly: true, hidden: true },
    { name: 'old_password', type: 'password', autocomplete: 'current-password', required: true },
    { name: 'new_password', ...fresh },
    { name: 'confirm_password', ...fresh },
  ])
  // Fields without a name aren't sent; those with a limit would be cut.
  expect(inputs.map(({ name, maxlength }) => [name, maxlength])).toEqual([
    [undefined, undefined],
    ['old_password', undefined],
    ['new_password', undefined],
    ['confirm_password', undefined],
  ])
})

describe('/.well-known/change-password', () => {
  const path = '/.well-known/change-password'
  const leadsTo = async (options: Partial<AccountsOptions> = {}, host: Host = {}) => {
    const { send } = await testApp(options, host)
    const { statusCode, headers } = await send('GET', path, undefined, { headers: browser })
    return statusCode === 302 ? headers.location : statusCode
  }

  test('redirects to the built-in page', async () => {
    expect(await leadsTo()).toBe(`${baseUrl}${form}`)
    expect(await leadsTo({ prefix: '/accounts', auth: { prefix: '/auth' } })).toBe(
      `${baseUrl}/accounts/auth${form}`,
    )
  })

  test('redirects to the URL in the option', async () => {
    expect(await leadsTo({ changePasswordUrl: '/account/password' })).toBe(`${baseUrl}/account/password`)
    expect(await leadsTo({ changePasswordUrl: 'https://app.example.org/p', auth: false })).toBe(
      'https://app.example.org/p',
    )
  })

  test('is 404 if turned off, or if there is nothing to redirect to', async () => {
    expect(await leadsTo({ changePasswordUrl: false })).toBe(404)
    expect(await leadsTo({ auth: false })).toBe(404)
    expect(await leadsTo({ baseUrl: 'http://localhost:3000/app' })).toBe(404)
  })

  test("leaves the host's own route alone", async () => {
    const before: Host['before'] = (app) => app.get(path, async (_request, reply) => reply.code(204).send())
    expect(await leadsTo({}, { before })).toBe(204)
  })

  test('exists once for each of two sites of one app', async () => {
    const app = Fastify()
    for (const site of ['a', 'b']) {
      app.register(accounts, {
        secret: `${site}${secret}`,
        baseUrl: `http://${site}.localhost`,
        decorateAs: { instance: `${site}Accounts`, request: `${site}User` },
        session: { cookieName: site },
        constraints: { host: `${site}.localhost`, version: '1.0.0' },
      })
    }
    await app.ready()
    for (const site of ['a', 'b']) {
      const { headers } = await app.inject({ url: path, headers: { host: `${site}.localhost` } })
      expect(headers.location).toBe(`http://${site}.localhost${form}`)
    }
    expect((await app.inject({ url: path, headers: { host: 'c.localhost' } })).statusCode).toBe(404)
    await app.close()
  })

  test('is only at the root of a site, and HEAD changes nothing', async () => {
    const app = Fastify()
    app.register(async (scope) => scope.register(accounts, { secret, baseUrl }), { prefix: '/below' })
    await app.ready()
    for (const url of [path, `/below${path}`]) expect((await app.inject(url)).statusCode).toBe(404)
    await app.close()
    const { send } = await testApp()
    expect((await send('HEAD', path)).statusCode).toBe(302)
  })

  test.each<[string, AccountsOptions['changePasswordUrl'], string, RegExp]>([
    ['no URL', 'https://', '', /changePasswordUrl must be false, a path/],
    ['a script', 'javascript:alert(1)', '', /changePasswordUrl must be false, a path/],
    ['a URL below the root', '/password', '/below', /changePasswordUrl has no effect below the root/],
  ])('%s stops the start with one line', async (_what, changePasswordUrl, prefix, line) => {
    const app = Fastify()
    app.register(
      async (scope) =>
        scope.register(accounts, {
          secret,
          baseUrl,
          ...(changePasswordUrl !== undefined && { changePasswordUrl }),
        }),
      { prefix },
    )
    await expect(async () => app.ready()).rejects.toThrow(line)
    await app.close().catch(() => {})
  })
})
