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
  expect(first.filter((text) => !/^(?:[a-z]|Ihr)/.test(text))).toEqual([])
})

test('people read of two-step verification, not of factors', () => {
  const emails = (language: Language) => catalogues.flatMap((each) => stringsOf(each[language].emails ?? {}))
  for (const language of ['en', 'de', 'fr'] as const)
    for (const text of emails(language)) expect(text).not.toMatch(/fa[ck]t(or|eur)/i)
})
