import { readdirSync } from 'node:fs'
import { root } from '@fastify-accounts/test-support/source'
import { expect, test } from 'vitest'
import { de } from '../packages/accounts/src/languages/de.js'
import { en } from '../packages/accounts/src/languages/en.js'
import { fr } from '../packages/accounts/src/languages/fr.js'

type Language = 'en' | 'de' | 'fr'
type Emails = Record<string, { before?: readonly string[] }>

const files = readdirSync(`${root}packages`, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /^[^/]+\/src\/.*texts\.ts$/.test(path) && !path.includes('/languages/'))

/** The shared texts, and those of each feature in each package. */
const catalogues: Record<Language, { emails?: Emails }>[] = [
  { en, de, fr },
  ...(await Promise.all(files.map((path) => import(/* @vite-ignore */ `../packages/${path}`)))),
]

const stringsOf = (texts: unknown): string[] =>
  typeof texts === 'string' ? [texts] : Object.values(texts as object).flatMap(stringsOf)

const textsIn = (language: Language): string[] => catalogues.flatMap((each) => stringsOf(each[language]))

test('are those of every feature', () => {
  expect(catalogues.length).toBeGreaterThan(9)
})

test("follow each language's typography", () => {
  for (const text of textsIn('en')) expect(text).not.toMatch(/["'«»„]| [:;!?]/)
  for (const text of textsIn('de')) expect(text).not.toMatch(/["'«»”]| [:;!?]| - |\b(du|dich|dein\w*)\b/)
  for (const text of textsIn('fr')) {
    // A no-break space before the colon and inside guillemets, a narrow one before ; ! ?
    expect(text).not.toMatch(
      /["'„“”]|[^\u00a0]:|[^\u202f][;!?]|«[^\u00a0]|[^\u00a0]»|(?<!\p{L})(tu|ton|ta|tes)(?!\p{L})/iu,
    )
  }
})

test('German emails go on in lower case after the comma of the greeting', () => {
  const emails = catalogues.flatMap((each) => Object.values(each.de.emails ?? {}))
  const first = emails.flatMap(({ before }) => before?.[0] ?? [])
  expect(first.length).toBeGreaterThan(20)
  expect(first.filter((text) => !/^(?:[a-z]|Ihr|Sie)/.test(text))).toEqual([])
})

test('people read of two-step verification, not of factors', () => {
  const emails = (language: Language) => catalogues.flatMap((each) => stringsOf(each[language].emails ?? {}))
  for (const language of ['en', 'de', 'fr'] as const)
    for (const text of emails(language)) expect(text).not.toMatch(/fa[ck]t(or|eur)/i)
})

/** Texts by their places. */
const placesOf = (texts: unknown, place = ''): [string, string][] =>
  typeof texts === 'string'
    ? [[place.slice(1), texts]]
    : Object.entries(texts as object).flatMap(([name, inner]) => placesOf(inner, `${place}.${name}`))

test('only what is about usernames says the word, and so never in an app without them', () => {
  for (const language of ['en', 'de', 'fr'] as const) {
    const places = catalogues.flatMap((each) => placesOf(each[language]))
    const saying = places.filter(([, text]) =>
      /username|Benutzername|nom d’utilisateur/i.test(text.replaceAll('{username}', '')),
    )
    expect(saying.map(([place]) => place).sort()).toEqual([
      'details.username_address',
      'errors.ACCOUNTS_USERNAME_TAKEN',
      'pages.new_owner.username',
    ])
  }
})
