import { goodPassword, linkPath, logIn, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { describe, expect, test } from 'vitest'
import type { AccountsError, AccountsOptions } from '../src/index.js'

const passwords = { password: goodPassword, confirm_password: goodPassword }
const utf8 = 'пётр@example.org'
const refusal = [
  {
    field: 'email',
    code: 'invalid',
    message:
      'We can’t send email to addresses with accents or non-Latin letters before the @. Use another one.',
  },
]

/** An app with the staff member alice. */
async function start(options: Partial<AccountsOptions> = {}): Promise<TestApp & { cookie: string }> {
  const service = await testApp({ login: { emailCode: true }, ...options })
  await service.app.accounts.createUser({
    ...{ username: 'alice', password: goodPassword, email: 'alice@example.org' },
    ...{ isVerified: true, isStaff: true },
  })
  return { ...service, cookie: await logIn(service) }
}

describe("with emailAddresses: 'ascii', an address that needs SMTPUTF8", () => {
  test.each([true, false])(
    'is refused by every route and function that gives an account one, confirmation: %s',
    async (requireEmailConfirmation) => {
      const service = await start({ emailAddresses: 'ascii', requireEmailConfirmation })
      const { app, users, cookie } = service
      const { id } = await app.accounts.createUser({ username: 'ben', password: goodPassword })
      // From before the option was set.
      const kept = 'älteste@example.org'
      const { version = 0 } = (await users.findById(id)) ?? {}
      await users.update(id, { email: kept, emailKey: kept, isVerified: true }, version)
      service.mails.length = 0

      const signed = { headers: { cookie } }
      // Taken or free, the response is the same.
      for (const email of [utf8, kept, 'e\u0301@bücher.example']) {
        const responses = [
          await service.send('POST', '/signup/', { username: 'petr', email, ...passwords }),
          await service.send('POST', '/user/', { username: 'petr', email, ...passwords }),
          await service.send('POST', '/change-email/', { email }, signed),
        ]
        for (const response of responses)
          expect([response.statusCode, response.json().fields]).toEqual([400, refusal])
        const made = app.accounts.createUser({ username: 'petr', password: goodPassword, email })
        expect(await made.catch(({ fields }: AccountsError) => fields)).toEqual(refusal)
      }
      const move = await service.send('PATCH', `/user/${id}`, { email: utf8 }, signed)
      expect([move.statusCode, move.json().fields]).toEqual([400, refusal])
      await service.settle()
      expect(service.mails).toEqual([])

      // Its account keeps it, also in a form that sends it again.
      const same = await service.send('PATCH', `/user/${id}`, { email: kept, username: 'benno' }, signed)
      expect(same.statusCode).toBe(200)
      expect(
        (await service.send('POST', '/login/', { username: kept, password: goodPassword })).statusCode,
      ).toBe(200)
      expect((await service.send('POST', '/forgot/', { email: kept })).statusCode).toBe(202)
      await service.mail('reset-password', kept)
    },
  )

  test('is not one whose domain is of another script', async () => {
    const service = await start({ emailAddresses: 'ascii', requireEmailConfirmation: true })
    const body = { username: 'petr', email: 'petr@пример.example', ...passwords }
    expect((await service.send('POST', '/signup/', body)).statusCode).toBe(202)
    expect((await service.mail('verify-email')).to.address).toBe('petr@пример.example')
  })
})

test('by default an account may have any address', async () => {
  const service = await start()
  expect(
    (await service.send('POST', '/signup/', { username: 'petr', email: utf8, ...passwords })).json().email,
  ).toBe(utf8)
})

test.each(['ASCII', true, null])('emailAddresses: %j stops the start', async (emailAddresses) => {
  await expect(testApp({ emailAddresses } as object)).rejects.toThrow(
    /emailAddresses must be one of any, ascii, got/,
  )
})

test.each([
  ['a mark of direction', '\u200e', ''],
  ['an embedding, as Windows adds it', '\u202a', '\u202c'],
  ['isolates', ' \u2068', '\u2069 '],
  ['a character of no width', '\u200b', '\u200b'],
  ['a byte order mark', '\ufeff', '\u2060'],
])('%s around a pasted address is ignored wherever one is typed', async (_, before, after) => {
  const service = await start({ requireEmailConfirmation: true })
  const paste = (email: string) => `${before}${email}${after}`
  const body = { username: 'ada', email: paste('ada@example.org'), ...passwords }
  expect((await service.send('POST', '/signup/', body)).statusCode).toBe(202)
  const mail = await service.mail('verify-email', 'ada@example.org')
  await service.send('POST', `${linkPath(mail)}password/`, { password: goodPassword })
  const login = { username: paste('ada@example.org'), password: goodPassword }
  expect((await service.send('POST', '/login/', login)).statusCode).toBe(200)
  for (const [path, kind] of [
    ['/forgot/', 'reset-password'],
    ['/login/code/', 'login-code'],
  ] as const) {
    expect((await service.send('POST', path, { email: paste('ada@example.org') })).statusCode).toBe(202)
    await service.mail(kind, 'ada@example.org')
  }
  const change = { email: paste('alice@example.net') }
  const signed = { headers: { cookie: service.cookie } }
  expect((await service.send('POST', '/change-email/', change, signed)).statusCode).toBe(202)
  await service.mail('change-email', 'alice@example.net')
  expect((await service.app.accounts.findUser({ email: paste('ada@example.org') }))?.username).toBe('ada')
})
