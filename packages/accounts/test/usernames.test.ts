import { readFileSync } from 'node:fs'
import { goodPassword, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { describe, expect, test } from 'vitest'
import { usernameKey } from '../src/index.js'

/** How the docs write what nobody sees. A dotted circle shows a mark apart from its letter. */
const invisible = {
  ZWNJ: '\u200c',
  ZWJ: '\u200d',
  ZWSP: '\u200b',
  RLM: '\u200f',
  SHY: '\u00ad',
  IVS: '\u{e0100}',
  MVS: '\u180e',
}

const docs = readFileSync(new URL('../../../docs/guides/usernames.md', import.meta.url), 'utf8')

/** The rows of a table: the names in each of its first two cells. */
function rowsBelow(head: string): string[][][] {
  const [, table = ''] = docs.split(`\n| ${head} |`)
  const [, ...rows] = (table.split('\n\n')[0] ?? '').split('\n').slice(1)
  return rows.map((row) => row.split('|').slice(1, 3).map(namesIn))
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) =>
    name
      .replace(/\[([A-Z]+)\]/g, (_, short: keyof typeof invisible) => invisible[short])
      .replaceAll('\u25cc', ''),
  )
}

/** Names of further scripts and contexts, as in the docs: a name, and what else logs in as it. */
const further = `
\`IŞIL\` | \`ışıl\`, \`işil\`
\`Σίσυφος\` | \`ΣΊΣΥΦΟΣ\`, \`σίσυφοσ\`
\`Владимир\` | \`ВЛАДИМИР\`
\`ნინო\` | \`ᲜᲘᲜᲝ\`
\`ᏣᎳᎩ\` | \`ꮳꮃꭹ\`
\`کار[ZWNJ]خانه\` | \`کارخانه\`
\`अर्[ZWNJ]जुन\` | \`अर्जुन\`
\`র[ZWJ]্যান্ডি\` | \`র্যান্ডি\`
\`രാജന്[ZWJ]\` | \`രാജന്\`
\`นภัสสร\` |
\`ג׳ורג׳\` |
\`阿卜杜拉·买买提\` |
\`葛[IVS]城\` | \`葛城\`
\`ᠰᠠᠷ[MVS]ᠠ\` | \`ᠰᠠᠷᠠ\`
\`བསྟན་འཛིན\` |
\`김민준\` |
\`陳大文\` |
\`አበበ\` |`

const accepted = [
  ...rowsBelow('Name | Also logs in as | Why'),
  ...further
    .trim()
    .split('\n')
    .map((row) => row.split('|').map(namesIn)),
]
const refused = [
  ...rowsBelow('Not a username | Why').flatMap(([names = []]) => names),
  ...namesIn('`ad[ZWJ]min`, `[ZWNJ]علی`, `علی[ZWNJ][ZWNJ]رضا`'),
]

const signUp = ({ send }: TestApp, username: string) =>
  send('POST', '/signup/', { username, password: goodPassword, confirm_password: goodPassword })

describe('the names in the docs', () => {
  test('are read', () => {
    expect([accepted.length, refused.length]).toEqual([27, 17])
  })

  test.each(accepted.map(([[name = ''] = [], others = []]) => [name, others] as const))(
    '%s is kept as typed, and logs in as %j',
    async (username, others) => {
      const service = await testApp()
      const made = await signUp(service, username)
      expect([made.statusCode, made.json().username]).toEqual([201, username])
      for (const typed of [username, ...others, usernameKey(username)]) {
        const done = await service.send('POST', '/login/', { username: typed, password: goodPassword })
        expect([typed, done.statusCode]).toEqual([typed, 200])
        expect((await signUp(service, typed)).statusCode).toBe(409)
      }
    },
  )

  test.each(refused)('%j is refused', async (username) => {
    const { statusCode, body } = await signUp(await testApp(), username)
    expect(statusCode).toBe(400)
    expect(JSON.parse(body).fields).toMatchObject([{ field: 'username', code: 'invalid' }])
  })
})

test('letters that look alike in other scripts, and digits, are others', async () => {
  const service = await testApp()
  for (const username of ['ada', 'аda', 'علی۷', 'علی7', 'علی٧'])
    expect((await signUp(service, username)).statusCode).toBe(201)
})

test('a reserved name is one with any i, and invisible characters in a paste are ignored at login', async () => {
  const service = await testApp()
  expect((await signUp(service, 'İnfo')).json().fields).toMatchObject([{ code: 'invalid' }])
  await signUp(service, 'ada')
  const pasted = { username: '\u2066ad\u00ada\u200b\ufeff', password: goodPassword }
  expect((await service.send('POST', '/login/', pasted)).statusCode).toBe(200)
})

test('a joiner is accepted next to each virama of Unicode, and no other mark', async () => {
  // Canonical_Combining_Class=Virama, from DerivedCombiningClass.txt.
  const viramas = [
    ...[0x94d, 0x9cd, 0xa4d, 0xacd, 0xb4d, 0xbcd, 0xc4d, 0xccd, 0xd3b, 0xd3c, 0xd4d, 0xdca, 0xe3a, 0xeba],
    ...[0xf84, 0x1039, 0x103a, 0x1714, 0x1734, 0x17d2, 0x1a60, 0x1b44, 0x1baa, 0x1bab, 0x1bf2, 0x1bf3],
    ...[0xa806, 0xa82c, 0xa8c4, 0xa953, 0xa9c0, 0xaaf6, 0xabed, 0x10a3f, 0x11046, 0x1107f, 0x110b9],
  ]
  const others = [0x93c, 0x301, 0x327, 0x93e, 0xe48, 0x5b0, 0x3099]
  const service = await testApp()
  const status = async (mark: number) =>
    (await signUp(service, `a${String.fromCodePoint(mark)}\u200d`)).statusCode
  for (const mark of viramas) expect([mark, await status(mark)]).toEqual([mark, 201])
  for (const mark of others) expect([mark, await status(mark)]).toEqual([mark, 400])
})
