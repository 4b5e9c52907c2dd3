import { goodPassword, logIn, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import type { AccountsOptions, UsersOptions } from 'fastify-accounts'
import { describe, expect, test } from 'vitest'

const text = { type: 'string', maxLength: 80 } as const
const fields = {
  type: 'object',
  properties: { company: text, note: { type: ['string', 'null'] }, plan: { enum: ['free', 'paid'] } },
} as const
const searchable: UsersOptions = { variant: 'both', fields, searchFields: ['company', 'note'] }

/** Ada, ben and cora with a company each, and boss, who is staff; and cookies of boss and ben. */
async function crowd(users: UsersOptions, options: Partial<AccountsOptions> = {}) {
  const service = await testApp({ users, ...options })
  for (const [username, company] of [
    ['boss', 'Bank'],
    ['ada', 'Analytical Engines'],
    ['ben', 'engine works'],
    ['cora', 'Coral'],
  ] as const) {
    const isStaff = username === 'boss'
    const user = { username, password: goodPassword, email: `${username}@example.org`, isStaff }
    await service.app.accounts.createUser({
      ...user,
      fields: { company, note: `see ${username}`, plan: 'paid' },
    })
  }
  return { service, boss: await logIn(service, 'boss'), ben: await logIn(service, 'ben') }
}

const get = (service: TestApp, query: string, cookie: string) =>
  service.send('GET', `/user/?${query}`, undefined, { headers: { cookie } })

async function names(service: TestApp, query: string, cookie: string): Promise<string[]> {
  const found: string[] = []
  for (let next: string | null = query; next !== null; ) {
    const response = await get(service, next, cookie)
    expect([next, response.statusCode]).toEqual([next, 200])
    const page: { results: { username: string }[]; next: string | null } = response.json()
    found.push(...page.results.map(({ username }) => username))
    next = page.next && new URL(page.next).search.slice(1)
  }
  return found
}

describe('a search in own fields', () => {
  test.each([
    ['search=ENGINE&search_in=fields', ['ada', 'ben']],
    ['search=%20engine%20&search_in=fields&limit=1', ['ada', 'ben']],
    ['search=engine&search_in=fields&order=-username&limit=1', ['ben', 'ada']],
    ['search=engine&search_in=fields&is_staff=true', []],
    ['search=see%20b&search_in=fields', ['boss', 'ben']],
    ['search=paid&search_in=fields', []],
    ['search=%20&search_in=fields', []],
    ['search=engine', []],
    ['search=engine&search_in=names', []],
    ['search=be&search_in=names', ['ben']],
  ])('%s', async (query, expected) => {
    const { service, boss } = await crowd(searchable)
    expect(await names(service, query, boss)).toEqual(expected)
  })

  test('is for staff, unless authorize.searchFields says otherwise', async () => {
    const { service, ben } = await crowd(searchable)
    const refused = await get(service, 'search=engine&search_in=fields', ben)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
    const rule = { searchFields: ({ username }: { username: string | null }) => username === 'ben' }
    const open = await crowd(searchable, { authorize: rule })
    expect(await names(open.service, 'search=engine&search_in=fields', open.ben)).toEqual(['ada', 'ben'])
    expect((await get(open.service, 'search=engine&search_in=fields', open.boss)).statusCode).toBe(403)
  })

  test('needs a text, and the fields to search', async () => {
    const { service, boss } = await crowd(searchable)
    const missing = await get(service, 'search_in=fields', boss)
    expect(missing.json()).toMatchObject({ statusCode: 400, fields: [{ field: 'search', code: 'required' }] })
    const without = await crowd({ variant: 'both', fields })
    const unknown = await get(without.service, 'search=a&search_in=fields', without.boss)
    expect(unknown.json().fields).toMatchObject([{ field: 'search_in', code: 'unknown' }])
  })

  test('is the only one if the user store finds no names', async () => {
    const { users } = await testApp()
    const userStore = { ...users, listsBy: ['search'] as const }
    const { service, boss } = await crowd(searchable, { userStore })
    expect((await names(service, 'search=engine', boss)).sort()).toEqual(['ada', 'ben'])
    const invalid = await get(service, 'search=a&search_in=names', boss)
    expect(invalid.json().fields).toMatchObject([{ field: 'search_in', code: 'invalid' }])
  })

  test.each([
    [['missing'], 'must name fields of users.fields with the type string'],
    [['plan'], "must name fields of users.fields with the type string, got 'plan'"],
    [['constructor'], 'must name fields of users.fields'],
    ['company', 'must be a list of field names'],
  ])('of %j stops the start', async (searchFields, message) => {
    const users = { fields, searchFields } as UsersOptions
    await expect(testApp({ users })).rejects.toThrow(
      new RegExp(`^fastify-accounts: the option users.searchFields ${message}`),
    )
  })

  test('stops the start if the user store has none', async () => {
    const { users } = await testApp()
    const userStore = { ...users, listsBy: ['prefix'] as const }
    await expect(testApp({ users: searchable, userStore })).rejects.toThrow(
      "fastify-accounts: the option users.searchFields must be empty, since the user store doesn't list by 'search'",
    )
  })
})

describe('users.pageSize', () => {
  test.each([
    [undefined, { usual: 50, most: 100 }],
    [20, { usual: 20, most: 20 }],
    [500, { usual: 50, most: 500 }],
  ])('%s is the largest page', async (pageSize, { usual, most }) => {
    const { service, boss } = await crowd({ ...searchable, pageSize })
    for (let at = 0; at < most; at += 1)
      await service.app.accounts.createUser({ username: `user-${at}`, password: goodPassword })
    const lengthOf = async (query: string) => (await get(service, query, boss)).json().results?.length
    expect([await lengthOf(''), await lengthOf(`limit=${most}`)]).toEqual([usual, most])
    const tooMany = await get(service, `limit=${most + 1}`, boss)
    expect(tooMany.json()).toMatchObject({ statusCode: 400, fields: [{ field: 'limit' }] })
  })

  test.each([0, 501, 1.5, '50'])('%j stops the start', async (pageSize) => {
    await expect(testApp({ users: { pageSize } as UsersOptions })).rejects.toThrow(
      'the option users.pageSize must be a whole number, at least 1 and at most 500',
    )
  })
})
