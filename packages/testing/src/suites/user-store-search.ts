import type { ListingUserStore, UserStore } from 'fastify-accounts'
import type { Laws } from './cases.js'
import { range, same, show } from './checks.js'
import { ids, ordersOf, time, told } from './user-store-orders.js'
import { createUsers, listAll, listing, newUser } from './users.js'

/** Laws about `search`, which a list may not declare. */
export const userStoreSearchLaws: Laws<UserStore> = {
  'law 39: search finds texts in which a field contains the given one, without wildcards': listing(
    'search',
    async (store) => findsContaining(store, oddTexts),
  ),

  'law 39: search ignores the case of ASCII letters, and nothing else': listing('search', async (store) =>
    findsContaining(store, lookAlikes),
  ),

  'law 39: search only reads texts, of the given fields': listing('search', async (store) => {
    const notes = ['tea 1 true null', 1, true, null, ['tea'], { tea: 'tea' }, { note: 'tea' }, [], 0.5]
    for (const note of notes) await store.create(newUser({ fields: { note, other: 'coffee' } }))
    await store.create(newUser({ fields: { tea: 'x', other: 'tea' } }))
    await store.create(newUser({ fields: {} }))
    const names = { username: 'tea', usernameKey: 'tea', email: 'tea@tea.org', emailKey: 'tea@tea.org' }
    await store.create(newUser({ ...names, fields: { note: 'x' } }))
    const all = await store.list({ limit: 100 })
    const [text, other] = [
      all.find(({ fields }) => fields.note === notes[0]),
      all.find(({ fields }) => fields.tea),
    ]
    for (const [sought, fields, expected] of [
      ['tea', ['note'], [text]],
      ['1', ['note'], [text]],
      ['true', ['note'], [text]],
      ['null', ['note'], [text]],
      ['.5', ['note'], []],
      ['[', ['note'], []],
      ['note', ['note'], []],
      ['tea', ['other'], [other]],
      ['tea', ['note', 'other'], [text, other]],
      ['tea', ['missing', 'other'], [other]],
      ['tea', ['missing'], []],
      ['tea', ['username'], []],
      ['tea', ['usernameKey', 'email', 'username_key', 'id'], []],
      ['x', ['tea', 'other'], [other]],
      ['object', ['constructor', '__proto__', 'toString'], []],
    ] as const) {
      const users = await store.list({ limit: 100, search: { text: sought, fields } })
      same(
        ids(users).sort(),
        ids([...expected]).sort(),
        `the ids found by ${show(sought)} in ${show(fields)}`,
      )
    }
  }),

  'law 39: each of several fields counts, and a user is found once': listing('search', async (store) => {
    const people = [
      { first: 'Ada', last: 'King' },
      { first: 'King', last: 'Kong' },
      { first: 'Ben', last: 'Ada' },
      { last: 'Lovelace' },
    ]
    for (const fields of people) await store.create(newUser({ fields }))
    for (const [text, fields, expected] of [
      ['king', ['first', 'last'], [0, 1]],
      ['king', ['last', 'first'], [0, 1]],
      ['king', ['last'], [0]],
      ['k', ['first', 'last'], [0, 1]],
      ['ada', ['first', 'last'], [0, 2]],
      ['ada king', ['first', 'last'], []],
      ['lace', ['first', 'last'], [3]],
    ] as const) {
      const users = await store.list({ limit: 100, search: { text, fields } })
      const lasts = users.map((user) => user.fields.last).sort()
      const what = `the users found by ${show(text)} in ${show(fields)}`
      same(lasts, expected.map((index) => people[index]?.last).sort(), what)
    }
  }),

  'law 39: pages of found users are full, however many others are between them': listing(
    'search',
    async (store) => {
      // More than a hundred others are between the first one and the rest.
      await createUsers(store, 120, (index) => ({
        createdAt: time(index),
        usernameKey: `user-${String(index).padStart(3, '0')}`,
        fields: { note: index === 2 || index > 110 ? 'tea' : 'coffee' },
      }))
      const search = { text: 'tea', fields: ['note'] }
      for (const order of ordersOf(store)) {
        const all = await store.list({ limit: 200, order })
        const expected = ids(all.filter(({ fields }) => fields.note === 'tea'))
        same(expected.length, 10, 'the number of users with tea')
        const page = await store.list({ limit: 4, search, order })
        same(ids(page), expected.slice(0, 4), `the first page ${told(order)}`)
        const next = await store.list({ limit: 4, search, order, after: page.at(-1) })
        same(ids(next), expected.slice(4, 8), `the second page ${told(order)}`)
        same(ids(await listAll(store, 3, { search, order })), expected, `all pages ${told(order)}`)
      }
    },
  ),

  'law 39: search sees every acknowledged write': listing('search', async (store, second) => {
    const search = { text: 'tea', fields: ['note'] }
    for (const round of range(5)) {
      const user = await store.create(newUser({ fields: { note: `tea ${round}` } }))
      same(await second.list({ limit: 10, search }), [user], 'list() after create()')
      await store.update(user.id, { fields: { note: 'coffee' } }, 1)
      same(await second.list({ limit: 10, search }), [], 'list() after the text was changed')
      const again = await second.update(user.id, { fields: { note: 'TEA' } }, 2)
      same(await store.list({ limit: 10, search }), [again], 'list() after it was changed back')
      await second.delete(user.id)
      same(await store.list({ limit: 10, search }), [], 'list() after delete()')
    }
  }),
}

/** Patterns, quotes, line breaks and escapes, and texts that a search for these could take for them. */
const oddTexts = {
  kept: [
    'tea',
    'green tea',
    'teapot',
    'Stealing',
    'TEA time',
    'te a',
    't%a',
    't_a',
    't*a',
    'txa',
    'te',
    "it's tea",
    'say "tea"',
    'c:\\tea',
    'c:\\\\tea',
    'a\ntea',
    'a\r\nb',
    'a\tb',
    'tea\u2028b',
    '100 %',
    'a\\nb',
    '\\u0074ea',
    '😀 tea',
    'a/b',
    '[tea]',
    '{"note":"tea"}',
    'null',
    '^tea$',
    '.*',
    '',
    ' ',
  ],
  sought: [
    'tea',
    'te',
    'e',
    'green',
    'green tea',
    'green tea ',
    'TEA',
    'teA',
    'xtea',
    '%',
    '_',
    '*',
    '.',
    '^',
    "'",
    "it's",
    '"',
    '"tea"',
    '\\',
    '\\\\',
    '\\tea',
    '\\n',
    '\\u',
    '\n',
    '\r\n',
    '\t',
    '\u2028',
    '😀',
    't%a',
    't_a',
    't*a',
    'te%',
    '%ea',
    '100 %',
    'a/b',
    '[tea]',
    '{"note"',
    '":"',
    'null',
    'note',
    ' ',
    "' or '1'='1",
    'a\nb',
    '\\"',
    '$',
    '?',
    ':text',
  ],
}

/** Letters that some languages or comparisons take for the same. */
const lookAlikes = {
  kept: ['Zoë Kim', 'ZOE KIM', 'ZOË KIM', 'zoe\u0308 kim', '\u212aim', 'Straße', 'STRASSE', 'ıI İi', 'ﬁ ｚ'],
  sought: [
    'zoë',
    'zoË',
    'zoe',
    'ZOE\u0308',
    'Ë',
    'ë',
    'kim',
    'KIM',
    '\u212aIM',
    'ß',
    'ss',
    'STRASSE',
    'i',
    'I',
    'ı',
    'İ',
    'fi',
    'z',
    'Z',
    'ｚ',
    'é',
    '\u0308',
  ],
}

/** Checks that each of these texts is found by those that it contains. */
async function findsContaining(
  store: ListingUserStore,
  { kept, sought }: Record<'kept' | 'sought', readonly string[]>,
): Promise<void> {
  for (const note of kept) await store.create(newUser({ fields: { note } }))
  for (const text of sought) {
    const users = await store.list({ limit: 100, search: { text, fields: ['note'] } })
    const expected = kept.filter((each) => lower(each).includes(lower(text)))
    same(users.map(({ fields }) => fields.note).sort(), expected.sort(), `the texts found by ${show(text)}`)
  }
}

/** Only ASCII letters become small. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
