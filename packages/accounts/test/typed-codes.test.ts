import { as, cookieOf, goodPassword, logIn, testApp } from '@fastify-accounts/test-support/app'
import { codeIn, email, giveCode, newCode } from '@fastify-accounts/test-support/email-code'
import {
  codeOf,
  enroll,
  factorApp,
  firstStep,
  secondStep,
} from '@fastify-accounts/test-support/second-factor'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

// So no time step ends between creating and using a code.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:10Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Each character of a code, with something in between. */
const spaced = (between: string) => (code: string) => [...code].join(between)

/** What people type, and what a paste brings along, with any code. */
const spellings: [string, (code: string) => string][] = [
  ['in lower case', (code) => code.toLowerCase()],
  ['with a dash in the middle', (code) => `${code.slice(0, 3)}-${code.slice(3)}`],
  [
    'with dashes of every kind',
    (code) => [...code].map((each, at) => each + '‐‑‒–—―−－﹣⁃'[at % 10]).join(''),
  ],
  ['with a no-break space', (code) => `${code.slice(0, 3)}\u00a0${code.slice(3)}`],
  ['with spaces of every kind', spaced(' \u2002\u2009\u202f\u3000\u1680\u205f')],
  ['with line breaks', (code) => `\r\n${code.slice(0, 3)}\r\n${code.slice(3)}\u2028\t`],
  ['with a byte order mark and marks of direction', (code) => `\ufeff\u200e\u2066${code}\u2069\u200f`],
  ['with characters of no width', spaced('\u200b\u200d\u00ad\u2060')],
  [
    'in wide characters',
    (code) => code.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
  ],
  ['in quotes', (code) => `„${code}“`],
  ['in brackets, at the end of a sentence', (code) => `[${code}].`],
  ['with the sentence of its email', (code) => `Votre code de connexion\u00a0: ${code}`],
  ['after a wide colon', (code) => `验证码：${code}`],
]

const digitsFrom = (zero: number) => (code: string) =>
  code.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

/** Keyboards with digits of their own. */
const scripts: [string, (code: string) => string][] = [
  ['in Arabic digits', digitsFrom(0x660)],
  ['in Persian digits', digitsFrom(0x6f0)],
  ['in Devanagari digits', digitsFrom(0x966)],
  ['in Bengali digits', digitsFrom(0x9e6)],
  ['in Thai digits', digitsFrom(0xe50)],
  ['in Burmese digits', digitsFrom(0x1040)],
  ['in Adlam digits', digitsFrom(0x1e950)],
  ['in bold mathematical digits', digitsFrom(0x1d7ce)],
  ['in keycaps', (code) => code.replace(/\d/g, '$&\ufe0f\u20e3')],
]

describe('the code of an authenticator app, as typed', () => {
  test.each([...spellings, ...scripts])('%s, completes a login', async (_, spell) => {
    const service = await factorApp()
    const { secret } = await enroll(service)
    expect((await secondStep(service, await firstStep(service), spell(codeOf(secret)))).statusCode).toBe(200)
  })

  test.each(scripts)('%s, turns the app on, and confirms a login', async (_, spell) => {
    const service = await factorApp()
    const cookie = await logIn(service)
    const { secret, token } = (
      await service.send('POST', '/second-factor/totp/', undefined, as(cookie))
    ).json()
    const body = { code: spell(codeOf(secret, -1)), token }
    const done = await service.send('POST', '/second-factor/totp/confirm/', body, as(cookie))
    expect(done.statusCode).toBe(200)
    const confirmed = await service.send(
      'POST',
      '/confirm/',
      { code: spell(codeOf(secret)) },
      as(cookieOf(done)),
    )
    expect(confirmed.statusCode).toBe(204)
  })

  test('is wrong with a digit too many, or another', async () => {
    const service = await factorApp()
    const { secret } = await enroll(service)
    const code = codeOf(secret)
    const other = String((Number(code[5]) + 1) % 10)
    for (const typed of [`${code}0`, `0:${code.slice(0, 5)}`, `${code.slice(0, 5)}${other}`, ':', '\u200e'])
      expect((await secondStep(service, await firstStep(service), typed)).statusCode).toBe(401)
    expect((await secondStep(service, await firstStep(service), `${code}:`)).statusCode).toBe(200)
  })
})

describe('a recovery code, as typed', () => {
  test.each([
    ...spellings,
    ['in the digits of a keyboard', digitsFrom(0x6f0)] as const,
    ['in small letters without dots', (code: string) => code.toLowerCase().replaceAll('i', 'ı')] as const,
    ['in capitals with dots', (code: string) => code.replaceAll('I', 'İ')] as const,
    [
      'with digits for letters',
      (code: string) => code.replaceAll('O', '0').replaceAll('I', '1').replaceAll('B', '8'),
    ] as const,
  ])('%s, completes a login', async (_, spell) => {
    const service = await factorApp()
    const { codes } = await enroll(service)
    // One that has the letters that are typed in several ways, if any has.
    const code = codes.find((each) => /I/.test(each) && /O|B/.test(each)) ?? codes[0] ?? ''
    expect((await secondStep(service, await firstStep(service), spell(code))).statusCode).toBe(200)
    expect((await secondStep(service, await firstStep(service), code)).statusCode).toBe(401)
  })
})

describe('a code from an email, as typed', () => {
  const keyboards = [...spellings, ['in the digits of a keyboard', digitsFrom(0x966)] as const]

  test.each(keyboards)('%s, logs in', async (_, spell) => {
    const service = await factorApp({ login: { emailCode: true } })
    const { cookie, code } = await newCode(service)
    expect((await giveCode(service, { cookie, code: spell(code) })).statusCode).toBe(200)
  })

  test('is the whole line of the email, in each language', async () => {
    const service = await testApp({ login: { emailCode: true } })
    await service.app.accounts.createUser({
      username: 'alice',
      password: goodPassword,
      email,
      isVerified: true,
    })
    for (const language of ['en', 'de', 'fr']) {
      service.mails.length = 0
      const asked = await service.send(
        'POST',
        '/login/code/',
        { email },
        { headers: { 'accept-language': language } },
      )
      const { name = '', value = '' } = asked.cookies[0] ?? {}
      const mail = await service.mail('login-code')
      const line = mail.text.split('\n').find((each) => each.includes(codeIn(mail))) ?? ''
      expect(line).not.toBe(codeIn(mail))
      const done = await giveCode(service, { cookie: `${name}=${value}`, code: line })
      expect([language, done.statusCode]).toEqual([language, 200])
    }
  })
})
