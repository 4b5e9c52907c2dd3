import {
  baseUrl,
  browser,
  goodPassword,
  linkPath,
  secret,
  signUp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { causes, mailApp, mailKinds } from '@fastify-accounts/test-support/mails'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { composeFeatures } from '../src/features/compose.js'
import { shippedFor } from '../src/features/shipped.js'
import accounts, {
  type AccountsOptions,
  errorTable,
  secondFactor,
  type Texts as WholeTexts,
} from '../src/index.js'
import { faultsOf, isPlural, placeholdersOf } from '../src/languages/catalogue.js'
import type { Text, Texts } from '../src/languages/texts.js'

const textsWith = (emailCode: boolean) =>
  composeFeatures(shippedFor({ login: { emailCode } })).names.catalogue as Readonly<
    Record<'en' | 'de' | 'fr', Texts> & Record<string, Texts>
  >
const shippedTexts = textsWith(false)
const { en, de, fr } = shippedTexts

/** Every text of a catalogue by its path; a list counts as one. */
function leaves(texts: unknown, path = ''): [path: string, text: Text | readonly string[]][] {
  if (typeof texts === 'string' || Array.isArray(texts) || isPlural(texts)) return [[path, texts as Text]]
  return Object.entries(texts as object).flatMap(([key, value]) =>
    leaves(value, path === '' ? key : `${path}.${key}`),
  )
}

describe('the catalogue', () => {
  const texts = textsWith(true)
  const { en } = texts
  const others = Object.entries(texts).filter(([tag]) => tag !== 'en')

  test('ships in English, German and French', () => {
    expect(Object.keys(texts)).toEqual(['en', 'de', 'fr'])
  })

  test.each(others)('%s has every English text, and no other', (_tag, texts) => {
    expect(leaves(texts).map(([path]) => path)).toEqual(leaves(en).map(([path]) => path))
    expect(faultsOf(en, texts, { complete: true })).toEqual([])
  })

  test.each(others)('%s has the same placeholders in each text', (_tag, texts) => {
    const facts = (language: unknown) =>
      leaves(language).map(([path, text]) => [
        path,
        [text].flat().map((each) => placeholdersOf(each).sort().join()),
      ])
    expect(facts(texts)).toEqual(facts(en))
  })

  test('detects a missing, empty or unknown text, and an unknown placeholder', () => {
    const found = (texts: unknown, complete = false) => faultsOf(en, texts, { complete })
    const { forgot: _, ...responses } = en.responses
    expect(found({ ...en, responses }, true)).toEqual(['responses.forgot is missing'])
    expect(found({ responses: { forgot: '' } })).toEqual(['responses.forgot must be a text'])
    expect(found({ responses: { forgotten: 'x' } })).toEqual(['responses.forgotten is not a known text'])
    expect(found({ responses: 'x' })).toEqual(['responses must be an object'])
    expect(found({ pages: { verified: { body: '{email}' } } })).toEqual([
      'pages.verified.body has the unknown placeholder {email}: allowed are {username}',
    ])
    expect(found({ emails: { 'verify-email': { before: 'x' } } })).toEqual([
      'emails.verify-email.before must be a list of texts',
    ])
    expect(found({ emails: { 'verify-email': { before: ['{duration}'] } } })).toEqual([
      'emails.verify-email.before has the unknown placeholder {duration}: allowed are {username}, {created}, {address}, {about}',
    ])
    expect(found({ details: { min_length: { other: '{number}' } } })).toHaveLength(1)
  })

  test('has a text for every error', () => {
    expect(Object.keys(en.errors)).toEqual(Object.keys(errorTable))
  })
})

const said: Record<
  string,
  { login: string; short: string; forgot: string; heading: string; hours: string; days: string }
> = {
  en: {
    login: en.errors.ACCOUNTS_LOGIN_REQUIRED,
    short: 'At least 8 characters.',
    forgot: en.responses.forgot,
    heading: 'Choose a new password',
    hours: '1 hour',
    days: '7 days',
  },
  de: {
    login: de.errors.ACCOUNTS_LOGIN_REQUIRED,
    short: 'Mindestens 8 Zeichen.',
    forgot: de.responses.forgot,
    heading: 'Neues Passwort wählen',
    hours: '1 Stunde',
    days: '7 Tage',
  },
  fr: {
    login: fr.errors.ACCOUNTS_LOGIN_REQUIRED,
    short: 'Au moins 8\u00a0caractères.',
    forgot: fr.responses.forgot,
    heading: 'Choisir un nouveau mot de passe',
    hours: '1\u00a0heure',
    days: '7\u00a0jours',
  },
}

describe.each(Object.entries(said))('Accept-Language: %s', (tag, texts) => {
  const headers = { 'accept-language': `xx, ${tag}-XX;q=0.9, en;q=0.1` }

  test('applies to error and field messages', async () => {
    const { send } = await testApp()
    const refused = await send('GET', '/me/', undefined, { headers })
    expect(refused.json()).toMatchObject({ code: 'ACCOUNTS_LOGIN_REQUIRED', message: texts.login })
    expect(refused.headers['content-language']).toBe(tag)
    expect(refused.headers.vary).toContain('Accept-Language')
    const body = { username: 'alice', password: 'short', confirm_password: 'other', extra: 1 }
    const faults = await send('POST', '/user/', { ...body, extra: undefined }, { headers })
    expect(faults.json().fields).toEqual([
      { field: 'password', code: 'too_short', message: texts.short },
      { field: 'confirm_password', code: 'mismatch', message: shippedTexts[tag]?.fields.mismatch },
    ])
    const unknown = await send('POST', '/user/', body, { headers })
    expect(unknown.json().fields).toEqual([
      { field: 'extra', code: 'unknown', message: shippedTexts[tag]?.fields.unknown },
    ])
  })

  test('applies if the host handles errors itself, and on its own routes', async () => {
    const service = await testApp(
      { errorResponses: 'host' },
      {
        before: (app) => {
          app.setErrorHandler((error: Error, _request, reply) =>
            reply.code(418).send({ told: error.message }),
          )
          app.get('/own', async (request) => app.accounts.userOf(request))
          app.get('/hooked', {
            onRequest: (request, reply) => app.accounts.requireUser(request, reply),
            handler: async () => ({}),
          })
        },
      },
    )
    for (const url of ['/me/', '/own', '/hooked']) {
      const response = await service.send('GET', url, undefined, { headers })
      expect([response.statusCode, response.json()]).toEqual([418, { told: texts.login }])
    }
  })

  test('applies to responses, the same with or without an account', async () => {
    const { send, app } = await testApp({ users: { fields: Type.Object({ locale: Type.String() }) } })
    for (const [username, locale] of [
      ['ada', 'de'],
      ['eve', 'fr'],
    ] as const) {
      const email = `${username}@example.org`
      await app.accounts.createUser({ username, email, password: goodPassword, fields: { locale } })
    }
    for (const name of ['ada', 'eve', 'nobody']) {
      const response = await send('POST', '/forgot/', { email: `${name}@example.org` }, { headers })
      expect(response.json()).toEqual({ detail: texts.forgot })
      expect(response.headers['content-language']).toBe(tag)
    }
  })

  test('applies to pages', async () => {
    const service = await testApp()
    await signUp(service, 'alice', { email: 'alice@example.org' })
    await service.send('POST', '/forgot/', { email: 'alice@example.org' })
    const path = linkPath(await service.mail('reset-password'))
    const page = await service.send('GET', path, undefined, { headers: { ...headers, ...browser } })
    expect(page.body).toContain(`<html lang="${tag}" dir="ltr">`)
    expect(page.body).toContain(`<h1>${texts.heading}</h1>`)
    expect(page.headers['content-language']).toBe(tag)
    expect(page.headers.vary?.split(', ').sort()).toEqual(['Accept', 'Accept-Language'])
    const form = { new_password: 'short', confirm_password: 'short' }
    const again = await service.send('POST', path, form, { headers: { ...headers, ...browser } })
    expect(again.statusCode).toBe(400)
    expect(again.body).toContain(`id="new_password-fault">${texts.short}</p>`)
    const broken = await service.send('GET', '/reset/x/y/', undefined, {
      headers: { ...headers, ...browser },
    })
    expect(broken.body).toContain(`<h1>${shippedTexts[tag]?.pages.problem.link}</h1>`)
  })

  test.each(mailKinds)('applies to the email %s', async (kind) => {
    const mail = await causes[kind](await mailApp(), headers)
    const { [kind]: own, common } = shippedTexts[tag]?.emails ?? {}
    const { subject = '?', reason = common?.reason ?? '?' }: { subject?: string; reason?: string } = own ?? {}
    const filled = (text: string) => text.replaceAll('{site}', 'localhost:3000')
    expect(mail.subject).toBe(filled(subject))
    expect(mail.text).toContain(filled(reason))
    expect(mail.html).toContain(`<html lang="${tag}" dir="ltr">`)
    expect(mail.text + mail.html).not.toMatch(/[{}]\w+\}|undefined/)
    if (kind === 'reset-password') expect(mail.text).toContain(texts.hours)
    if (kind === 'new-device') expect(mail.text).toContain(texts.days)
  })
})

describe("a user's own locale", () => {
  const users = { fields: Type.Object({ locale: Type.Optional(Type.String()) }) }
  const subjectFor = async (locale: string, acceptLanguage: string) => {
    const service = await mailApp({ users }, { fields: { locale } })
    const mail = await causes['reset-password'](service, { 'accept-language': acceptLanguage })
    return mail.subject
  }
  const subjects = { de: 'Neues Passwort für Ihr Konto', fr: 'Réinitialisez votre mot de passe' }

  test("takes precedence over the request's language in emails", async () => {
    expect(await subjectFor('de', 'fr')).toContain(subjects.de)
    expect(await subjectFor('de-AT', 'fr')).toContain(subjects.de)
    expect(await subjectFor('de_AT', 'fr')).toContain(subjects.de)
  })

  test("falls back to the request's if missing or not offered", async () => {
    expect(await subjectFor('ja', 'fr')).toContain(subjects.fr)
    expect(await subjectFor('no language;;', 'fr')).toContain(subjects.fr)
  })
})

describe('the option languages', () => {
  const start = async (options: Partial<AccountsOptions>) => {
    const app = Fastify()
    try {
      await app.register(accounts, { secret, baseUrl, ...options })
      return null
    } catch (error) {
      return (error as Error).message
    } finally {
      await app.close()
    }
  }

  test('the first one offered is the default', async () => {
    const { send } = await testApp({ languages: { offered: ['fr', 'en'] } })
    const message = async (header?: string) => {
      const headers = header === undefined ? {} : { 'accept-language': header }
      return (await send('GET', '/me/', undefined, { headers })).json().message
    }
    expect(await message()).toBe(fr.errors.ACCOUNTS_LOGIN_REQUIRED)
    expect(await message('de')).toBe(fr.errors.ACCOUNTS_LOGIN_REQUIRED)
    expect(await message('en, fr;q=0.5')).toBe(en.errors.ACCOUNTS_LOGIN_REQUIRED)
    expect(await message(',;=*/')).toBe(fr.errors.ACCOUNTS_LOGIN_REQUIRED)
    expect(await message('en;q=0, *')).toBe(fr.errors.ACCOUNTS_LOGIN_REQUIRED)
  })

  test('texts of shipped languages can be replaced individually, and whole languages added', async () => {
    const arabic = JSON.parse(JSON.stringify(en))
    arabic.pages.reset_done.heading = 'تم تغيير كلمة المرور'
    arabic.details.min_length = { few: '{count} few', many: '{count} many', other: '{count} other' }
    const { send } = await testApp({
      languages: { texts: { ar: arabic, de: { errors: { ACCOUNTS_LOGIN_REQUIRED: 'Bitte anmelden.' } } } },
    })
    const german = { headers: { 'accept-language': 'de' } }
    expect((await send('GET', '/me/', undefined, german)).json().message).toBe('Bitte anmelden.')
    const other = await send('POST', '/logout/', { x: 1 }, german)
    expect(other.json().message).toBe(de.errors.ACCOUNTS_INVALID_INPUT)
    const page = await send('GET', '/reset/d/', undefined, {
      headers: { ...browser, 'accept-language': 'ar' },
    })
    expect(page.body).toContain('<html lang="ar" dir="rtl">')
    expect(page.body).toContain('<h1>تم تغيير كلمة المرور</h1>')
    const weak = { username: 'a', password: 'x', confirm_password: 'x' }
    const response = await send('POST', '/user/', weak, { headers: { 'accept-language': 'ar' } })
    expect(response.json().fields[0].message).toMatch(/ few$/)
  })

  // In Polish it is a new language, in German another wording of one.
  test.each([
    ['pl', /responses\.forgot is missing$/],
    ['de', /is not a known text/],
  ])(
    'a whole translation in %s starts whichever features are on, unless it is misspelled',
    async (tag, line) => {
      const all = shippedFor({ login: { emailCode: true }, features: [secondFactor()] })
      const whole: WholeTexts = composeFeatures(all, [secondFactor()]).names.catalogue.en as Texts
      const languages = { offered: [tag, 'en'], texts: { [tag]: whole } }
      for (const login of [{}, { emailCode: true }])
        for (const features of [[], [secondFactor()]])
          expect(await start({ languages, login, features })).toBeNull()
      const misspelled = { ...whole, responses: { ...whole.responses, forgot: undefined, forgott: 'x' } }
      const off = { ...languages, texts: { [tag]: misspelled as object } }
      expect(await start({ languages: off })).toMatch(line)
    },
  )

  test.each<[string, Partial<AccountsOptions>, RegExp]>([
    ['nothing offered', { languages: { offered: [] } }, /languages\.offered must be a list/],
    ['one twice', { languages: { offered: ['en', 'en'] } }, /languages\.offered must be a list/],
    [
      'one without texts',
      { languages: { offered: ['es'] } },
      /languages\.offered names .*: es; there are: en, de, fr$/,
    ],
    ['a strange tag', { languages: { texts: { pt_BR: {} } } }, /languages\.texts\.pt_BR must be named/],
    [
      'half a language',
      { languages: { texts: { es: {} } } },
      /languages\.texts\.es is invalid: errors is missing, and 7 more$/,
    ],
    [
      'a text that there is not',
      { languages: { texts: { de: { errors: { NOPE: 'x' } } } } } as never,
      /languages\.texts\.de is invalid: errors\.NOPE is not a known text/,
    ],
    ['texts that are none', { languages: { texts: [] } } as never, /languages\.texts must be an object/],
    [
      'an option that there is not',
      { languages: { default: 'en' } } as never,
      /languages\.default does not exist/,
    ],
  ])('%s stops the start with one line', async (_what, options, line) => {
    const message = await start(options)
    expect(message).toMatch(line)
    expect(message).not.toContain('\n')
  })
})
