import { expect, test } from 'vitest'
import { cookieOf, goodPassword, logIn, otherPassword, signUp, testApp, whoIs } from '../support/app.js'

test('POST /login/ answers with the own user and sets a session cookie', async () => {
  const service = await testApp()
  const user = await signUp(service, 'alice', { email: 'alice@example.org' })
  const response = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({
    id: user.id,
    username: 'alice',
    email: 'alice@example.org',
    is_verified: false,
    is_staff: false,
    is_active: true,
    created_at: user.createdAt.toISOString(),
    last_login_at: (await service.users.findById(user.id))?.lastLoginAt?.toISOString(),
  })
  expect(response.json().last_login_at).not.toBeNull()
  expect(response.cookies.map((each) => each.name)).toEqual(['session', 'accounts-device'])
  expect(response.cookies[0]).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Lax', path: '/' })
  expect(response.cookies[0]).not.toHaveProperty('secure')
  expect(response.cookies[0]).not.toHaveProperty('domain')
  expect(response.cookies[0]).not.toHaveProperty('expires')
})

test('SES-01 over https the cookie is Secure and carries the __Host- prefix', async () => {
  const service = await testApp({ baseUrl: 'https://example.org' })
  await signUp(service)
  const response = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  const [session, device] = [response.headers['set-cookie']].flat()
  expect(session).toMatch(/^__Host-session=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  expect(device).toMatch(
    /^__Host-accounts-device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  expect(await whoIs(service, cookieOf(response))).toBe('alice')
})

test('the session is kept under a hash: the id in the cookie is nowhere in the store', async () => {
  const service = await testApp()
  await signUp(service)
  const cookie = decodeURIComponent(await logIn(service))
  const sessionId = cookie.slice('session='.length, cookie.lastIndexOf('.'))
  expect(sessionId).toMatch(/^[\w-]{32}$/)
  expect(JSON.stringify([...service.sessions.rows])).not.toContain(sessionId)
})

test('LOG-01 wrong password and unknown user get one answer, after one verification each', async () => {
  const service = await testApp()
  await signUp(service)
  const before = service.hasher.verifications
  const wrong = await service.send('POST', '/login/', { username: 'alice', password: otherPassword })
  const unknown = await service.send('POST', '/login/', { username: 'nobody-here', password: otherPassword })
  expect(wrong.statusCode).toBe(401)
  expect(wrong.json()).toMatchObject({
    statusCode: 401,
    code: 'ACCOUNTS_INVALID_CREDENTIALS',
    error: 'Unauthorized',
  })
  expect(unknown.body).toBe(wrong.body)
  expect(Object.keys(unknown.headers)).toEqual(Object.keys(wrong.headers))
  expect(service.hasher.verifications - before).toBe(2)
  expect(wrong.cookies).toEqual([])
})

test('LOG-02 a stored hash that is none costs one decoy and lets nobody in', async () => {
  const service = await testApp()
  const user = await signUp(service)
  let { version } = user
  for (const passwordHash of ['', '!', 'AAAA', 'pbkdf2_sha256$1$a$b', 'x'.repeat(128)]) {
    version = (await service.users.update(user.id, { passwordHash }, version))?.version ?? 0
    const before = service.hasher.verifications
    const response = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
    expect(response.statusCode).toBe(401)
    expect(service.hasher.verifications - before).toBe(1)
  }
})

test('CRE-03 every spelling of a name is one account', async () => {
  const service = await testApp()
  await signUp(service, 'alice')
  for (const username of ['ALICE', 'Alice', 'ａｌｉｃｅ']) {
    expect((await service.send('POST', '/login/', { username, password: goodPassword })).statusCode).toBe(200)
  }
})

test('LOG-08 a password set in one Unicode form is right in another', async () => {
  const service = await testApp()
  const composed = 'caf\u00e9 latte'
  await signUp(service, 'alice', { password: composed, confirm_password: composed })
  const response = await service.send('POST', '/login/', { username: 'alice', password: 'cafe\u0301 latte' })
  expect(response.statusCode).toBe(200)
})

test('LOG-10 a login begins a new session and ends the one that was brought', async () => {
  const service = await testApp()
  await signUp(service)
  const first = await logIn(service)
  const again = await service.send(
    'POST',
    '/login/',
    { username: 'alice', password: goodPassword },
    { headers: { cookie: first } },
  )
  const second = cookieOf(again)
  expect(again.cookies.filter((each) => each.name === 'session')).toHaveLength(1)
  expect(second).not.toBe(first)
  expect(await whoIs(service, first)).toBeNull()
  expect(await whoIs(service, second)).toBe('alice')
  expect(service.sessions.rows.size).toBe(1)
})

test('LOG-10 an id that somebody else chose is not taken over', async () => {
  const service = await testApp()
  await signUp(service)
  const response = await service.send(
    'POST',
    '/login/',
    { username: 'alice', password: goodPassword },
    { headers: { cookie: 'session=chosen-by-an-attacker.AAAA' } },
  )
  expect(cookieOf(response)).not.toContain('chosen')
})

test('LOG-14 what state an account is in is told only after the right password', async () => {
  const service = await testApp({ users: true, requireEmailConfirmation: true })
  await signUp(service, 'alice', { email: 'alice@example.org' }).catch(() => {})
  const wrong = await service.send('POST', '/login/', { username: 'alice', password: otherPassword })
  expect(wrong.json().code).toBe('ACCOUNTS_INVALID_CREDENTIALS')
  const right = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(right.json()).toMatchObject({ statusCode: 403, code: 'ACCOUNTS_NOT_VERIFIED' })

  const user = await service.users.findByUsername('alice')
  await service.users.update(user?.id ?? '', { isActive: false, isVerified: true }, user?.version ?? 0)
  const disabledWrong = await service.send('POST', '/login/', { username: 'alice', password: otherPassword })
  expect(disabledWrong.json().code).toBe('ACCOUNTS_INVALID_CREDENTIALS')
  const disabled = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(disabled.json()).toMatchObject({ statusCode: 403, code: 'ACCOUNTS_DISABLED' })
  expect(service.sessions.rows.size).toBe(0)
})

test('SES-10 anonymous visitors get no cookie and cost no row', async () => {
  const service = await testApp()
  for (const url of ['/me/', '/api-root/', '/user/', '/reset/d/', '/login/']) {
    const response = await service.send('GET', url)
    expect(response.headers['set-cookie']).toBeUndefined()
  }
  expect(service.sessions.rows.size).toBe(0)
})

test('SES-04 a cookie that is broken in any way is nobody, and the store is not asked', async () => {
  const service = await testApp()
  await signUp(service)
  const good = await logIn(service)
  let asked = 0
  const find = service.sessions.find
  service.sessions.find = async (id) => {
    asked += 1
    return find(id)
  }
  const value = good.slice('session='.length)
  const broken = ['', '%', '%E0%A4%A', 'a.b', value.slice(0, -2), `x${value}`, 'a'.repeat(6000)]
  for (const each of broken) expect(await whoIs(service, `session=${each}`)).toBeNull()
  expect(await whoIs(service, `SESSION=${value}`)).toBeNull()
  expect(asked).toBe(0)
})
