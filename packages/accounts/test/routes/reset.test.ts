import {
  browser,
  goodPassword,
  linkPath,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { codeOf, enroll, factorApp } from '@fastify-accounts/test-support/second-factor'
import { expect, test } from 'vitest'
import { secondFactor } from '../../src/index.js'

const email = 'alice@example.org'
const choice = { new_password: otherPassword, confirm_password: otherPassword }

async function withLink(options: Parameters<typeof testApp>[0] = {}): Promise<TestApp & { link: string }> {
  const service = await testApp(options)
  await signUp(service, 'alice', { email })
  await service.send('POST', '/forgot/', { email })
  return { ...service, link: linkPath(await service.mail('reset-password')) }
}

test('an invalid address is rejected', async () => {
  const service = await testApp()
  for (const body of [{ email: 'alice' }, { email: 'alice@' }, { email: '' }, {}]) {
    const response = await service.send('POST', '/forgot/', body)
    expect([response.statusCode, response.json().fields]).toMatchObject([400, [{ field: 'email' }]])
  }
})

test('a reset accepts the old password', async () => {
  const service = await withLink()
  const same = { new_password: goodPassword, confirm_password: goodPassword }
  expect((await service.send('POST', service.link, same)).statusCode).toBe(204)
})

test('a browser gets a form that works without JavaScript, with each error at its field', async () => {
  const service = await withLink()
  const page = await service.send('GET', service.link, undefined, { headers: browser })
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.body).toContain('<form method="post">')
  expect(page.body).not.toContain('<script')
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  const headers = {
    ...browser,
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'http://localhost:3000',
  }
  const bad = await service.app.inject({
    method: 'POST',
    url: service.link,
    headers,
    payload: 'new_password=short&confirm_password=other',
  })
  expect(bad.statusCode).toBe(400)
  expect(bad.body).toContain('id="new_password-fault"')
  expect(bad.body).toContain('id="confirm_password-fault"')
  expect(bad.body).not.toContain('value="short"')
  const payload = `new_password=${encodeURIComponent(otherPassword)}&confirm_password=${encodeURIComponent(otherPassword)}`
  const good = await service.app.inject({ method: 'POST', url: service.link, headers, payload })
  expect([good.statusCode, good.headers.location]).toEqual([303, '/reset/d/'])
  const done = await service.send('GET', '/reset/d/', undefined, { headers: browser })
  expect(done.body).toContain('Your password has been changed')
  expect((await service.send('GET', '/reset/d/')).json()).toEqual({
    detail: 'Your password has been changed.',
  })
  const dead = await service.app.inject({ method: 'POST', url: service.link, headers, payload })
  expect([dead.statusCode, dead.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
  const deadAndBad = await service.app.inject({
    method: 'POST',
    url: service.link,
    headers,
    payload: 'new_password=x',
  })
  expect(deadAndBad.statusCode).toBe(400)
  expect(deadAndBad.body).not.toContain('<form')
})

test('markup in a username is escaped on the page and in the email', async () => {
  const templates: string[] = []
  const service = await testApp({
    emails: {
      'reset-password': ({ username, url = '' }) => {
        templates.push(`${username}`)
        return { subject: 'own', text: `own ${url}`, html: '<p>own</p>' }
      },
    },
  })
  await signUp(service, 'alice', { email })
  await service.send('POST', '/forgot/', { email })
  expect(await service.mail('reset-password')).toMatchObject({ subject: 'own', html: '<p>own</p>' })
  expect(templates).toEqual(['alice'])
})

test('the notice of a reset has a link that removes what was added before it', async () => {
  const service = await withLink({ features: [secondFactor()] })
  const alice = await service.users.findByUsername('alice')
  await service.users.update(
    alice?.id ?? '',
    {
      isVerified: true,
      credentials: [{ kind: 'passkey', id: 'a', createdAt: new Date().toISOString() }],
      identityKeys: ['passkey:a'],
    },
    alice?.version ?? 0,
  )
  await service.send('POST', '/forgot/', { email })
  const link = linkPath(service.mails.findLast(({ kind }) => kind === 'reset-password') ?? expect.fail())
  expect((await service.send('POST', link, choice)).statusCode).toBe(204)
  expect((await service.users.findByUsername('alice'))?.credentials).toHaveLength(1)

  const report = linkPath(await service.mail('password-changed'))
  expect((await service.send('POST', report)).statusCode).toBe(200)
  expect(await service.users.findByUsername('alice')).toMatchObject({
    credentials: [],
    notes: { removed: {} },
    identityKeys: [],
  })
  expect(
    (await service.send('POST', '/login/', { username: 'alice', password: otherPassword })).statusCode,
  ).toBe(401)
})

test('after a reset by an owner with a second factor, guessing elsewhere locks out neither their password nor their code', async () => {
  const service = await factorApp({ throttle: {} })
  const { secret } = await enroll(service)
  const guess = (headers = {}, password = 'not the password') =>
    service.send('POST', '/login/', { username: 'alice', password }, { headers })
  const guessAll = async () => {
    for (let attempt = 0; attempt < 6; attempt += 1) await guess()
  }
  await guessAll()
  await service.send('POST', '/forgot/', { email })
  const reset = await service.send('POST', linkPath(await service.mail('reset-password')), choice)
  const [mark] = reset.cookies
  const device = { cookie: `${mark?.name}=${mark?.value}` }
  await guessAll()
  expect((await guess({}, otherPassword)).statusCode).toBe(429)
  const owing = await guess(device, otherPassword)
  expect([owing.statusCode, owing.json().code]).toEqual([401, 'ACCOUNTS_SECOND_FACTOR_REQUIRED'])
  const [pending] = owing.cookies
  const both = { cookie: `${device.cookie}; ${pending?.name}=${pending?.value}` }
  const done = await service.send(
    'POST',
    '/login/second-factor/',
    { code: codeOf(secret) },
    { headers: both },
  )
  // Only now is it a known device.
  expect(done.cookies.map(({ name }) => name)).toContain('session-device')
})
