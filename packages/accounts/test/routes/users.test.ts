import {
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { Type } from '@sinclair/typebox'
import { expect, test } from 'vitest'

const email = 'alice@example.org'
const alice = { username: 'alice', password: goodPassword, confirm_password: goodPassword }

test.each(['/user/', '/signup/'])('POST %s creates a user', async (url) => {
  const service = await testApp()
  const response = await service.send('POST', url, { ...alice, email: ` ${email} ` })
  const user = await service.users.findByUsername('alice')
  expect(response.statusCode).toBe(201)
  expect(response.headers.location).toBe(`http://localhost:3000/user/${user?.id}`)
  expect(response.json()).toEqual({
    id: user?.id,
    username: 'alice',
    email,
    is_verified: false,
    is_staff: false,
    is_active: true,
    has_password: true,
    created_at: user?.createdAt.toISOString(),
    last_login_at: null,
  })
  // Nobody is logged in.
  expect(response.cookies.map(({ name }) => name)).toEqual(['session-signup'])
  expect(user?.passwordHash).not.toContain(goodPassword)
})

test('the email address is optional, and an empty one counts as none', async () => {
  const service = await testApp()
  expect((await service.send('POST', '/user/', alice)).json().email).toBeNull()
  const second = { ...alice, username: 'bob', email: '' }
  expect((await service.send('POST', '/user/', second)).json().email).toBeNull()
})

const long = (length: number): string => 'x'.repeat(length)

test.each([
  ['no username', { username: undefined }, { username: 'required' }],
  ['an empty username', { username: '' }, { username: 'required' }],
  ['a long username', { username: long(151) }, { username: 'too_long' }],
  ['a username that folds into a long one', { username: '\ufdfa'.repeat(140) }, { username: 'too_long' }],
  ['white space', { username: 'alice smith' }, { username: 'invalid' }],
  ['white space around', { username: ' alice' }, { username: 'invalid' }],
  ['a no-break space', { username: 'alice\u00a0' }, { username: 'invalid' }],
  ['an invisible letter', { username: 'alice\u3164' }, { username: 'invalid' }],
  ['a zero-width joiner', { username: 'ali\u200dce' }, { username: 'invalid' }],
  ['a bidi control', { username: 'ali\u202ece' }, { username: 'invalid' }],
  ['NUL', { username: 'ali\0ce' }, { username: 'invalid' }],
  ['a control', { username: 'ali\u0007ce' }, { username: 'invalid' }],
  ['a lone surrogate', { username: 'ali\ud800ce' }, { username: 'invalid' }],
  ['a reserved name', { username: 'Admin' }, { username: 'invalid' }],
  ['a reserved name of ours', { username: 'v' }, { username: 'invalid' }],
  ['a number', { username: 7 }, { username: 'invalid' }],
  ['a list', { username: ['alice'] }, { username: 'invalid' }],
  ['null', { username: null }, { username: 'invalid' }],
  ['a query', { username: { $ne: 1 } }, { username: 'invalid' }],
  ['a short password', { password: 'seven77', confirm_password: 'seven77' }, { password: 'too_short' }],
  ['a long password', { password: long(257), confirm_password: long(257) }, { password: 'too_long' }],
  [
    'a common password in wide letters',
    { password: 'ｐａｓｓｗｏｒｄ', confirm_password: 'ｐａｓｓｗｏｒｄ' },
    { password: 'too_common' },
  ],
  ['a common password', { password: 'Password1', confirm_password: 'Password1' }, { password: 'too_common' }],
  [
    'the name',
    { username: 'alice-smith', password: 'Alice-Smith', confirm_password: 'Alice-Smith' },
    { password: 'too_common' },
  ],
  [
    'a broken password',
    { password: 'a\ud800bcdefghijk', confirm_password: 'a\ud800bcdefghijk' },
    { password: 'invalid', confirm_password: 'invalid' },
  ],
  ['two passwords', { confirm_password: otherPassword }, { confirm_password: 'mismatch' }],
  ['one password', { confirm_password: undefined }, { confirm_password: 'required' }],
  ['no address', { email: 'alice' }, { email: 'invalid' }],
  ['two at signs', { email: 'a@b@example.org' }, { email: 'invalid' }],
  ['a long address', { email: `${long(64)}@${`${long(60)}.`.repeat(4)}org` }, { email: 'invalid' }],
  ['no dot', { email: 'a@b' }, { email: 'invalid' }],
  ['a dotted local part', { email: 'a..b@example.org' }, { email: 'invalid' }],
  ['a bad label', { email: 'a@-b.org' }, { email: 'invalid' }],
  ['a lookalike', { email: 'a@exam\u2100ple.org' }, { email: 'invalid' }],
  ['an unknown field', { is_staff: true }, { is_staff: 'unknown' }],
  ['a field of the store', { passwordHash: 'x', id: '1' }, { passwordHash: 'unknown', id: 'unknown' }],
  ['a key of objects', { constructor: { prototype: { x: 1 } } }, { '': 'invalid' }],
])('invalid input at creation: %s', async (_name, change, faults) => {
  const service = await testApp()
  const { hashes } = service.hasher
  const body = { ...alice, ...change }
  const response = await service.send('POST', '/user/', body)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({
    statusCode: 400,
    code: 'ACCOUNTS_INVALID_INPUT',
    error: 'Bad Request',
  })
  const codes = response.json().fields.map((each: { field: string; code: string }) => [each.field, each.code])
  expect(Object.fromEntries(codes)).toEqual(faults)
  expect(await service.users.list({ limit: 1 })).toEqual([])
  expect(service.hasher.hashes).toBe(hashes)
})

test('lengths are counted in code points, at their limits', async () => {
  const service = await testApp()
  for (const [username, password] of [
    ['a', 'exactly8'],
    ['b', '🐢🦊🐙🦄🐝🐳🦉🐌'],
    ['c', long(256)],
    ['d'.repeat(150), goodPassword],
    ['éàü', 'no rules of composition here'],
    ['Ωμέγα', '        spaces        '],
  ] as const) {
    const body = { username, password, confirm_password: password }
    expect([username, (await service.send('POST', '/user/', body)).statusCode]).toEqual([username, 201])
    expect((await service.send('POST', '/login/', { username, password })).statusCode).toBe(200)
  }
})

test('the minimum length is configurable', async () => {
  const service = await testApp({ password: { minLength: 15 } })
  const short = { ...alice, password: 'fourteen chars', confirm_password: 'fourteen chars' }
  expect((await service.send('POST', '/user/', short)).json().fields).toEqual([
    { field: 'password', code: 'too_short', message: 'At least 15 characters.' },
  ])
})

test('with confirmation on, an address is required, and a taken username is still 409', async () => {
  const service = await testApp({ requireEmailConfirmation: true })
  await signUp(service, 'alice', { email })
  const taken = await service.send('POST', '/signup/', { ...alice, email: 'other@example.org' })
  expect(taken.json().code).toBe('ACCOUNTS_USERNAME_TAKEN')
  for (const missing of [{}, { email: '' }]) {
    const response = await service.send('POST', '/user/', { ...alice, username: 'carol', ...missing })
    expect(response.json().fields).toMatchObject([{ field: 'email', code: 'required' }])
  }
})

test.each([
  ['user', '/user/v/'],
  ['signup', '/signup/v/'],
] as const)('the verification link of variant %s verifies, repeatedly', async (variant, path) => {
  const service = await testApp({ users: { variant }, requireEmailConfirmation: true })
  await service.send('POST', variant === 'user' ? '/user/' : '/signup/', { ...alice, email })
  const mail = await service.mail('verify-email')
  const link = linkPath(mail)
  expect(link.startsWith(path)).toBe(true)
  expect(mail.text).toContain('The account alice')
  for (let round = 0; round < 3; round += 1) {
    const response = await service.send('GET', link, undefined, { headers: { accept: 'application/json' } })
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { valid: true, verified: true, username: 'alice' },
    ])
  }
  expect((await service.send('POST', link)).json()).toEqual({
    valid: true,
    verified: true,
    username: 'alice',
  })
  expect((await service.users.findByUsername('alice'))?.isVerified).toBe(true)
})

test('each variant resends its own links', async () => {
  const service = await testApp()
  await signUp(service, 'alice', { email })
  for (const path of ['/user/v/', '/signup/v/']) {
    expect((await service.send('POST', path, { email: 'x' })).json().fields).toMatchObject([
      { code: 'invalid' },
    ])
    await service.send('POST', path, { email })
    await expect.poll(() => service.mails.map(linkPath).at(-1)).toMatch(new RegExp(`^${path}`))
  }
})

test('verification routes exist even if confirmation is off', async () => {
  const service = await testApp()
  await signUp(service, 'alice', { email })
  expect(service.mails).toEqual([])
  await service.send('POST', '/user/v/', { email })
  const link = linkPath(await service.mail('verify-email'))
  expect((await service.send('GET', link)).json()).toEqual({ valid: true })
  expect((await service.send('POST', link)).json().verified).toBe(true)
})

test('the list pages by keyset, with each user once and a link to the next page', async () => {
  const service = await testApp()
  for (const name of ['alice', 'bob', 'carol', 'dave', 'erin']) await signUp(service, name)
  const cookie = await logIn(service)
  const get = (url: string) => service.app.inject({ url, headers: { cookie } })
  const first = await get('/user/?limit=2')
  expect(first.json().results.map((each: { username: string }) => each.username)).toEqual(['alice', 'bob'])
  expect(Object.keys(first.json().results[0])).toEqual(['id', 'username'])
  expect(first.json().next).toMatch(/^http:\/\/localhost:3000\/user\/\?limit=2&cursor=[\w-]+$/)
  expect(first.headers.link).toBe(`<${first.json().next}>; rel="next"`)

  const bob = await service.users.findByUsername('bob')
  await service.users.delete(bob?.id ?? '')
  await signUp(service, 'frank')
  const names: string[] = []
  for (let next: string | null = first.json().next; next !== null; ) {
    const page = (await get(next.slice('http://localhost:3000'.length))).json()
    names.push(...page.results.map((each: { username: string }) => each.username))
    next = page.next
  }
  expect(names).toEqual(['carol', 'dave', 'erin', 'frank'])
  expect((await get('/user')).json().results).toHaveLength(5)
})

test('show returns the own view to oneself and to staff, the public one to others', async () => {
  const service = await testApp({ users: { publicFields: ['created_at'] } })
  const user = await signUp(service, 'alice', { email })
  const bob = await signUp(service, 'bob')
  await service.users.update(bob.id, { isStaff: true }, bob.version)
  await signUp(service, 'carol')
  const show = async (username: string, url = `/user/${user.id}`) =>
    (await service.app.inject({ url, headers: { cookie: await logIn(service, username) } })).json()
  const publicUser = { id: user.id, username: 'alice', created_at: user.createdAt.toISOString() }
  expect(await show('alice')).toMatchObject({ ...publicUser, email, is_staff: false })
  expect(await show('bob')).toMatchObject({ ...publicUser, email, is_staff: false })
  expect(await show('carol')).toEqual(publicUser)
  expect(await show('carol', `/user/${user.id}/`)).toEqual(publicUser)
  for (const pk of ['x', user.id.toUpperCase(), `${user.id}%20`, '%00', 'a%2Fb']) {
    expect([pk, await show('carol', `/user/${pk}`)]).toMatchObject([
      pk,
      { statusCode: 404, code: 'ACCOUNTS_NOT_FOUND' },
    ])
  }
})

test('own fields are validated, stored and returned', async () => {
  const fields = Type.Object({
    display_name: Type.String({ maxLength: 20 }),
    newsletter: Type.Optional(Type.Boolean()),
  })
  const service = await testApp({ users: { fields, publicFields: ['display_name'] } })
  const faults = async (extra: object) =>
    (await service.send('POST', '/user/', { ...alice, ...extra }))
      .json()
      .fields?.map((each: { field: string; code: string }) => [each.field, each.code])
  expect(await faults({})).toEqual([['display_name', 'required']])
  expect(await faults({ display_name: 'x'.repeat(21) })).toEqual([['display_name', 'too_long']])
  expect(await faults({ display_name: 'A', newsletter: 'yes' })).toEqual([['newsletter', 'invalid']])
  const created = await service.send('POST', '/user/', {
    ...alice,
    display_name: 'Alice A.',
    newsletter: true,
  })
  expect(created.json()).toMatchObject({ username: 'alice', display_name: 'Alice A.', newsletter: true })
  const cookie = cookieOf(
    await service.send('POST', '/login/', { username: 'alice', password: goodPassword }),
  )
  const me = await service.app.inject({ url: '/me/', headers: { cookie } })
  expect(me.json()).toMatchObject({ display_name: 'Alice A.', newsletter: true })
  const list = await service.app.inject({ url: '/user/', headers: { cookie } })
  expect(list.json().results).toEqual([
    { id: created.json().id, username: 'alice', display_name: 'Alice A.' },
  ])
})

test('own fields support the standard formats and plain JSON Schema, and reject text no store can keep', async () => {
  const properties = {
    website: { type: 'string', format: 'uri' },
    born: { type: 'string', format: 'date' },
    tags: { type: 'array' },
  }
  const service = await testApp({ users: { fields: { type: 'object', properties } as never } })
  const create = async (extra: object) =>
    (await service.send('POST', '/user/', { ...alice, ...extra })).json()
  expect(await create({ website: 'no uri' })).toMatchObject({
    fields: [{ field: 'website', code: 'invalid' }],
  })
  expect(await create({ born: '2026-13-01' })).toMatchObject({ fields: [{ field: 'born', code: 'invalid' }] })
  for (const tags of [['a\0'], [{ deep: 'x\ud800' }], [{ 'k\0': 1 }]]) {
    expect((await create({ tags })).code).toBe('ACCOUNTS_INVALID_INPUT')
  }
  const given = { website: 'https://example.org', born: '1990-01-31', tags: [1, null, { ok: true }] }
  expect(await create(given)).toMatchObject({ username: 'alice', ...given })
})
