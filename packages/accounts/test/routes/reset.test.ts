import { expect, test, vi } from 'vitest'
import {
  browser,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  whoIs,
} from '../support/app.js'

const email = 'alice@example.org'
const form = { new_password: otherPassword, confirm_password: otherPassword }

async function withLink(options: Parameters<typeof testApp>[0] = {}): Promise<TestApp & { link: string }> {
  const service = await testApp(options)
  await signUp(service, 'alice', { email })
  await service.send('POST', '/forgot/', { email })
  return { ...service, link: linkPath(await service.mail('reset-password')) }
}

test('RST-01 POST /forgot/ answers alike whether or not the address is known, and hashes nothing', async () => {
  const service = await testApp()
  const user = await signUp(service, 'alice', { email })
  await signUp(service, 'bob', { email: 'bob@example.org' })
  const bob = await service.users.findByUsername('bob')
  await service.users.update(bob?.id ?? '', { isActive: false }, bob?.version ?? 0)
  const hashes = service.hasher.hashes + service.hasher.verifications
  const answers = []
  for (const address of [email, 'nobody@example.org', 'bob@example.org']) {
    answers.push(await service.send('POST', '/forgot/', { email: address }))
  }
  for (const answer of answers) {
    expect(answer.statusCode).toBe(202)
    expect(answer.body).toBe(answers[0]?.body)
    expect(Object.keys(answer.headers)).toEqual(Object.keys(answers[0]?.headers ?? {}))
  }
  expect(service.hasher.hashes + service.hasher.verifications).toBe(hashes)
  await service.settle()
  expect(service.mails.map((mail) => [mail.kind, mail.to])).toEqual([
    ['reset-password', { name: user.username, address: email }],
  ])
})

test('RST-05 the mail goes to the address that is stored, however it was spelled', async () => {
  const service = await testApp()
  await signUp(service, 'mike', { email: 'mike@example.org' })
  for (const spelled of [
    'MIKE@EXAMPLE.ORG',
    '  mike@example.org ',
    'm\u0131ke@example.org',
    'mike@ex\u00e1mple.org',
  ]) {
    expect((await service.send('POST', '/forgot/', { email: spelled })).statusCode).toBe(202)
  }
  await service.settle()
  expect(service.mails.length).toBeGreaterThanOrEqual(2)
  for (const mail of service.mails) expect(mail.to.address).toBe('mike@example.org')
})

test('RST-04 RST-07 what is not one plain address is refused', async () => {
  const service = await testApp()
  await signUp(service, 'alice', { email })
  const bodies = [
    { email: [email, 'evil@example.com'] },
    { email: `${email},evil@example.com` },
    { email: `${email}; evil@example.com` },
    { email: `${email}\r\nBcc: evil@example.com` },
    { email: `${email}\0` },
    { email: 'alice＠example.org' },
    { email: '"alice"@example.org' },
    { email: 'alice@localhost@example.org' },
    { email: 'alice' },
    { email: '' },
    {},
    { email, to: 'evil@example.com' },
  ]
  for (const body of bodies) {
    const response = await service.send('POST', '/forgot/', body)
    expect([response.statusCode, response.json().code], JSON.stringify(body)).toEqual([
      400,
      'ACCOUNTS_INVALID_INPUT',
    ])
    expect(response.json().fields).toHaveLength(1)
  }
  for (const payload of ['email=a%40b.org&email=c%40d.org', 'email[]=a%40b.org']) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await service.app.inject({ method: 'POST', url: '/forgot/', payload, headers })).statusCode).toBe(
      400,
    )
  }
  await service.settle()
  expect(service.mails).toEqual([])
})

test('RST-03 the link is built from baseUrl, never from a header', async () => {
  const service = await testApp({ baseUrl: 'https://example.org/base' })
  await signUp(service, 'alice', { email })
  await service.send(
    'POST',
    '/forgot/',
    { email },
    { headers: { host: 'evil.tld', 'x-forwarded-host': 'evil.tld' } },
  )
  const mail = await service.mail('reset-password')
  expect(mail.text).toContain('https://example.org/base/reset/')
  expect(mail.text + mail.html).not.toContain('evil')
})

test('RST-09 GET and HEAD of the link change nothing', async () => {
  const service = await withLink()
  for (let round = 0; round < 5; round += 1) {
    const get = await service.send('GET', service.link)
    expect([get.statusCode, get.json()]).toEqual([200, { valid: true }])
    expect((await service.send('HEAD', service.link)).statusCode).toBe(200)
  }
  expect((await service.send('POST', service.link, form)).statusCode).toBe(204)
})

test('RST-10 RST-18 a reset sets the password, kills link, sessions and other links, logs nobody in, mails a notice', async () => {
  const service = await withLink()
  await service.send('POST', '/forgot/', { email })
  await vi.waitFor(() =>
    expect(service.mails.filter((mail) => mail.kind === 'reset-password')).toHaveLength(2),
  )
  const second = linkPath(await service.mail('reset-password'))
  const cookies = [await logIn(service), await logIn(service)]

  const response = await service.send('POST', service.link, form)
  expect(response.statusCode).toBe(204)
  expect(response.cookies.map((each) => each.name)).toEqual(['accounts-device'])
  for (const cookie of cookies) expect(await whoIs(service, cookie)).toBeNull()
  expect(service.sessions.rows.size).toBe(0)
  for (const link of [service.link, second]) {
    expect((await service.send('GET', link)).json()).toMatchObject({
      statusCode: 400,
      code: 'ACCOUNTS_INVALID_LINK',
    })
    expect((await service.send('POST', link, form)).json().code).toBe('ACCOUNTS_INVALID_LINK')
  }
  expect(
    (await service.send('POST', '/login/', { username: 'alice', password: goodPassword })).statusCode,
  ).toBe(401)
  expect(await whoIs(service, await logIn(service, 'alice', otherPassword))).toBe('alice')
  const notice = await service.mail('password-changed')
  expect(notice.text + notice.html).not.toContain(otherPassword)
  expect(notice.text).not.toMatch(/https?:/)
})

test('VER-06 a reset proves the mailbox', async () => {
  const service = await testApp({ users: true, requireEmailConfirmation: true })
  const squatted = { username: 'squatter', password: goodPassword, confirm_password: goodPassword, email }
  expect((await service.send('POST', '/user/', squatted)).statusCode).toBe(202)
  const verifyLink = linkPath(await service.mail('verify-email'))
  await service.send('POST', '/forgot/', { email })
  await service.send('POST', linkPath(await service.mail('reset-password')), form)
  const login = await service.send('POST', '/login/', { username: 'squatter', password: otherPassword })
  expect(login.json()).toMatchObject({ is_verified: true })
  expect((await service.send('GET', verifyLink)).json().code).toBe('ACCOUNTS_INVALID_LINK')
})

test('RST-17 a refused password leaves the link alive', async () => {
  const service = await withLink()
  const refused: [object, object][] = [
    [{ new_password: 'short', confirm_password: 'short' }, { new_password: 'too_short' }],
    [{ new_password: 'password123', confirm_password: 'password123' }, { new_password: 'too_common' }],
    [{ new_password: otherPassword, confirm_password: 'another' }, { confirm_password: 'mismatch' }],
    [{ new_password: email, confirm_password: email }, { new_password: 'too_common' }],
    [{ new_password: 'x'.repeat(257), confirm_password: 'x'.repeat(257) }, { new_password: 'too_long' }],
    [{}, { new_password: 'required', confirm_password: 'required' }],
  ]
  for (const [body, faults] of refused) {
    const response = await service.send('POST', service.link, body)
    expect(response.json().code).toBe('ACCOUNTS_INVALID_INPUT')
    const codes = response
      .json()
      .fields.map((each: { field: string; code: string }) => [each.field, each.code])
    expect(Object.fromEntries(codes)).toEqual(faults)
  }
  expect((await service.send('POST', service.link, form)).statusCode).toBe(204)
})

test('the old password is accepted on reset', async () => {
  const service = await withLink()
  const same = { new_password: goodPassword, confirm_password: goodPassword }
  expect((await service.send('POST', service.link, same)).statusCode).toBe(204)
})

test('RST-12 a link lives exactly as long as it says', async () => {
  const service = await withLink()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  try {
    vi.setSystemTime(Math.floor(Date.now() / 1000) * 1000 + 3_595_000)
    expect((await service.send('GET', service.link)).statusCode).toBe(200)
    vi.setSystemTime(Date.now() + 7_000)
    expect((await service.send('GET', service.link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    vi.setSystemTime(Date.now() - 2 * 3_600_000)
    expect((await service.send('GET', service.link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
  } finally {
    vi.useRealTimers()
  }
})

test('RST-16 a link dies with the state it was made for', async () => {
  const changes = [{ email: 'new@example.org', emailKey: 'new@example.org' }, { isActive: false }]
  for (const change of changes) {
    const service = await withLink()
    const user = await service.users.findByUsername('alice')
    await service.users.update(user?.id ?? '', change, user?.version ?? 0)
    expect((await service.send('GET', service.link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
  }
  const service = await withLink()
  const cookie = await logIn(service)
  const body = { old_password: goodPassword, ...form }
  expect((await service.send('POST', '/change-password/', body, { headers: { cookie } })).statusCode).toBe(
    204,
  )
  expect((await service.send('GET', service.link)).json().code).toBe('ACCOUNTS_INVALID_LINK')

  const deleted = await withLink()
  await deleted.users.delete((await deleted.users.findByUsername('alice'))?.id ?? '')
  expect((await deleted.send('GET', deleted.link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
})

test('a login in between leaves the link alive, also where it hashes the password anew', async () => {
  const service = await withLink()
  await logIn(service)
  expect((await service.send('POST', service.link, form)).statusCode).toBe(204)
})

test('RST-13 RST-14 RST-15 every other link gets one answer', async () => {
  const service = await withLink()
  await signUp(service, 'bob', { email: 'bob@example.org' })
  await service.send('POST', '/forgot/', { email: 'bob@example.org' })
  const [, , bobId] = linkPath(await service.mail('reset-password', 'bob@example.org')).split('/')
  const [, , uid64 = '', token = ''] = service.link.split('/')
  const flipped = [...token].map(
    (sign, index) => token.slice(0, index) + (sign === 'A' ? 'B' : 'A') + token.slice(index + 1),
  )
  const links = [
    `/reset/${bobId}/${token}/`,
    ...flipped.map((each) => `/reset/${uid64}/${each}/`),
    ...[token.slice(0, -1), `${token}A`, 'null', 'undefined', 'x', `${token}=`].map(
      (each) => `/reset/${uid64}/${each}/`,
    ),
    ...[`${uid64}=`, uid64.slice(0, -1), 'MR', '%00', 'a%2Fb', 'x'].map((each) => `/reset/${each}/${token}/`),
    `/user/v/${uid64}/${token}/`,
  ]
  const [first] = links
  const answer = (await service.send('GET', first ?? '')).body
  for (const link of links) {
    const response = await service.send('GET', link)
    expect([link, response.statusCode, response.body]).toEqual([link, 400, answer])
    expect(response.body).not.toContain(token.slice(0, 20))
  }
  const other = await testApp({ secret: `${'another-secret-'.repeat(4)}`, userStore: service.users })
  expect((await other.send('GET', service.link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
  const elsewhere = await testApp({ prefix: '/v2', userStore: service.users })
  expect((await elsewhere.send('GET', `/v2${service.link}`)).json().code).toBe('ACCOUNTS_INVALID_LINK')
})

test('ROT-02 a link of an older secret lives as long as that secret is listed', async () => {
  const service = await withLink()
  const newer = 'bmV3LXNlY3JldC1vZi1lbm91Z2gtYnl0ZXMtZm9yLWEtdGVzdA'
  const rotated = await testApp({
    secret: [newer, 'dGhpcy1pcy1hLXRlc3Qtc2VjcmV0LW9mLWVub3VnaC1ieXRlcw'],
    userStore: service.users,
  })
  expect((await rotated.send('GET', service.link)).statusCode).toBe(200)
  const done = await testApp({ secret: newer, userStore: service.users })
  expect((await done.send('GET', service.link)).statusCode).toBe(400)
})

test('RST-11 of 20 parallel uses of one link exactly one wins', async () => {
  const service = await withLink()
  const passwords = Array.from({ length: 20 }, (_, index) => `password number ${index} of twenty`)
  const answers = await Promise.all(
    passwords.map((each) =>
      service.send('POST', service.link, { new_password: each, confirm_password: each }),
    ),
  )
  const winners = passwords.filter((_, index) => answers[index]?.statusCode === 204)
  expect(winners).toHaveLength(1)
  expect(answers.filter((answer) => answer.json === undefined || answer.statusCode === 400)).toHaveLength(19)
  for (const each of passwords) {
    const login = await service.send('POST', '/login/', { username: 'alice', password: each })
    expect(login.statusCode).toBe(each === winners[0] ? 200 : 401)
  }
  await service.settle()
  expect(service.mails.filter((mail) => mail.kind === 'password-changed')).toHaveLength(1)
})

test('a browser gets a form that works without JavaScript, with each fault at its field', async () => {
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
  expect(done.body).toContain('Your password was changed')
  expect((await service.send('GET', '/reset/d/')).json()).toEqual({ detail: 'The password was changed.' })
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

test('markup in a name is text on the page and in the mail', async () => {
  const templates: string[] = []
  const service = await testApp({
    emails: {
      'reset-password': ({ username, url = '' }) => {
        templates.push(username)
        return { subject: 'own', text: `own ${url}`, html: '<p>own</p>' }
      },
    },
  })
  await signUp(service, 'alice', { email })
  await service.send('POST', '/forgot/', { email })
  expect(await service.mail('reset-password')).toMatchObject({ subject: 'own', html: '<p>own</p>' })
  expect(templates).toEqual(['alice'])
})
