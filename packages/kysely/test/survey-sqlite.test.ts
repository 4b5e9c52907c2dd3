import { createKyselyUserStore, fillKeys, surveyUsers } from '@fastify-accounts/kysely'
import { connect } from '@fastify-accounts/test-support/databases'
import { oneOfEach } from '@fastify-accounts/test-support/hashes'
import { createScryptHasher } from 'fastify-accounts'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const [ada, ben] = ['01234567-89ab-4cde-8f01-23456789abcd', '11234567-89ab-4cde-8f01-23456789abcd']
const hash = '$2b$04$N1HBPz1.M9kqGth3cCXtkus43cQa0icUmjsPgH674MGZZ5gLra.iG'

let db: Kysely<unknown>
beforeEach(async () => {
  db = await connect({ driver: 'libsql', url: ':memory:' })
})
afterEach(() => db.destroy())

const run = (statement: string) => sql.raw(statement).execute(db)
const make = (columns: string) => run(`create table members (${columns})`)
const insert = (row: Record<string, string | number | null>) =>
  sql`insert into members (${sql.join(Object.keys(row).map((name) => sql.id(name)))})
    values (${sql.join(Object.values(row))})`.execute(db)

describe('which columns are ours', () => {
  const usersOf = async (columns: string, given?: Record<string, string>) => {
    await make(columns)
    return (await surveyUsers(db, 'members', given)).naming.columns?.users
  }

  test.each<[string, object | undefined]>([
    ['username text', undefined],
    ['Login text', { username: 'Login' }],
    ['login_name varchar(20)', { username: 'login_name' }],
    ['E_Mail text', { email: 'E_Mail' }],
    ['email_address text', { email: 'email_address' }],
    ['encrypted_password text', { password_hash: 'encrypted_password' }],
    ['email_verified boolean', { is_verified: { name: 'email_verified', as: 'boolean' } }],
    ['is_verified boolean', { is_verified: { as: 'boolean' } }],
    ['staff integer', { is_staff: 'staff' }],
    ['enabled bool', { is_active: { name: 'enabled', as: 'boolean' } }],
    ['blocked boolean', { is_active: { name: 'blocked', as: 'not boolean' } }],
    ['banned int', { is_active: { name: 'banned', as: 'not boolean' } }],
    // One that says it outright comes first.
    ['blocked boolean, active int', { is_active: 'active' }],
    ['date_joined datetime', { created_at: { name: 'date_joined', as: 'timestamptz' } }],
    ['last_sign_in_at bigint', { last_login_at: 'last_sign_in_at' }],
    // These mean something else, or can't be read.
    ['is_staff text', { is_staff: 'account_is_staff' }],
    ['created_at real', { created_at: 'account_created_at' }],
    ['version text', { version: 'account_version' }],
    ['email integer', { email: 'account_email' }],
    ['blocked text', undefined],
    ['verified varchar(3)', undefined],
  ])('%s: %j', async (column, users) => {
    expect(await usersOf(`id text primary key, ${column}`)).toEqual(users)
  })

  test('a column of UUIDs is one in all our tables', async () => {
    await make('id uuid primary key')
    expect((await surveyUsers(db, 'members')).naming.columns).toEqual({
      users: { id: { as: 'uuid' } },
      identities: { user_id: { as: 'uuid' } },
    })
  })

  test('names that are given come first', async () => {
    const columns = 'key text primary key, nick text, login text, banned int, active int'
    expect(await usersOf(columns, { id: 'key', username: 'nick', is_active: 'banned' })).toEqual({
      id: 'key',
      username: 'nick',
      is_active: { name: 'banned', as: 'not boolean' },
    })
  })

  test.each<[Record<string, string>, string]>([
    [{ usernam: 'login' }, 'users have no column usernam that login could be'],
    [{ username: 'nick' }, 'the table has no column nick for username'],
  ])('%j is refused', async (given, line) => {
    await make('id text primary key, login text')
    await expect(surveyUsers(db, 'members', given)).rejects.toThrow(new TypeError(line))
  })

  test('a table that isn’t there, or has no such name, is refused', async () => {
    await expect(surveyUsers(db, 'members')).rejects.toThrow(
      new TypeError('the database has no table members'),
    )
    await expect(surveyUsers(db, '')).rejects.toThrow(/^tables\.users must be the name of a table/)
  })

  test('columns that may lock users out, and that nothing reads', async () => {
    await make(
      'id text primary key, active int, Blocked_At text, status text, enabled text, state_of_mind text',
    )
    const { locks, naming } = await surveyUsers(db, 'members')
    expect(naming.columns?.users).toEqual({ is_active: 'active' })
    expect(locks).toEqual([
      { name: 'Blocked_At', choice: 'is_active=not:Blocked_At' },
      { name: 'status', choice: null },
      { name: 'enabled', choice: null },
    ])
  })
})

describe('what is in the way', () => {
  const obstacles = async () => (await surveyUsers(db, 'members')).obstacles

  test.each<[string, string[]]>([
    ['id text primary key, email text', []],
    ['id varchar(36) not null unique', []],
    ['email text', ['it has no column id: name the one of the ids with --column id=…']],
    [
      'id integer primary key',
      [
        'id is integer: ids must be texts or UUIDs that the app makes; keep such a table with a store of your own',
      ],
    ],
    ['id text', ['no unique index on id alone: two users could have the same id']],
    [
      'id text, club text, primary key (id, club)',
      [
        'no unique index on id alone: two users could have the same id',
        'club must be nullable or have a default, or be the column of a field (columns.fields): new users have no value for it',
      ],
    ],
    [
      'id text primary key, login text unique',
      ['the unique index on login allows only one account without a username: drop it, the keys are unique'],
    ],
    [
      'id text primary key, email text not null',
      ['email is NOT NULL: accounts without it, such as service accounts, are refused'],
    ],
  ])('%s: %j', async (columns, lines) => {
    await make(columns)
    expect(await obstacles()).toEqual(lines)
  })

  test('triggers of the app', async () => {
    await make('id text primary key, email text')
    await run("create trigger shouts after update on MEMBERS begin select raise(abort, 'no'); end")
    expect(await obstacles()).toEqual([
      'the trigger shouts also runs on our statements: none may change a column of ours',
    ])
  })

  test('hashes that nothing verifies, by the ids of five users', async () => {
    await make('id text primary key, password text')
    for (const [id, password] of Object.entries({ a: hash, b: '!', c: null })) await insert({ id, password })
    await insert({ id: 'ours', password: await createScryptHasher({ logN: 1 }).hash('any') })
    for (const [at, fixture] of oneOfEach.entries()) await insert({ id: `o${at}`, password: fixture.hash })
    expect(await obstacles()).toEqual([])
    for (const id of ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']) await insert({ id, password: 'md5-of-something' })
    expect(await obstacles()).toEqual([
      "6 password hashes have a format that @fastify-accounts/hashes doesn't know: ids m1, m2, m3, m4, m5; these users reset their password, or write a hasher",
    ])
  })

  test('names and addresses that several have, or that are none, by the ids of ten users', async () => {
    await make('id text primary key, login text, email text, email_key text')
    await insert({ id: 'a', login: 'Ada', email: 'ada@example.org', email_key: 'ada@example.org' })
    await insert({ id: 'b', login: '', email: '' })
    await insert({ id: 'c', login: null, email: null })
    expect(await obstacles()).toEqual([])
    await insert({ id: 'd', login: 'ADA', email: 'Ada@Example.org' })
    await insert({ id: 'e', login: 'eve', email: 'eve@example.org', email_key: 'old@example.org' })
    for (let n = 10; n < 21; n += 1) await insert({ id: `n${n}`, email: 'nowhere' })
    await insert({ id: 's', email: 'sam@example.org ' })
    expect(await obstacles()).toEqual([
      '2 users have the same username as another but for case and Unicode form (a, d): change all but one of each',
      '2 users have the same email address as another but for case and Unicode form (a, d): change all but one of each',
      'invalid addresses of 11 users (n10, n11, n12, n13, n14, n15, n16, n17, n18, n19, …): correct or clear them',
      'the addresses of 1 user (s) have white space around them or another Unicode form, and no email can be sent to them: correct them',
      'email_key of 1 user (e) is of another address than theirs: set it to NULL, and fill again',
    ])
  })
})

describe('what has to change', () => {
  test('times in another form than ours, and NULL that would be taken for something', async () => {
    await make(
      'id text primary key, password text, verified boolean, blocked boolean, is_staff int not null default 0, created_at text, last_login text',
    )
    await insert({ id: 'a', created_at: '2026-03-29T01:30:00.123Z', last_login: '2026-03-29 01:30:00' })
    await insert({ id: 'b', password: hash, verified: 1, blocked: 0, created_at: '2026-03-29T01:30:00.123Z' })
    const { times, nulls } = await surveyUsers(db, 'members')
    expect(times).toEqual([{ name: 'last_login', type: 'text', isNullable: true, isOptional: true }])
    expect(nulls.sort((one, other) => one.name.localeCompare(other.name))).toEqual([
      { column: 'is_active', name: 'blocked', as: 'not boolean', count: 1 },
      { column: 'password_hash', name: 'password', as: undefined, count: 1 },
      { column: 'is_verified', name: 'verified', as: 'boolean', count: 1 },
    ])
  })

  test('tables that refer to it are named', async () => {
    await make('id text primary key')
    await run('create table orders (id integer primary key, member text references Members (id))')
    expect((await surveyUsers(db, 'members')).references).toEqual(['orders.member'])
  })

  test.each([
    ['', 3],
    ['email text', 3],
    ['username_key text', 2],
    ['username_key text, email text', 2],
    ['username_key text, email text, email_key text', 2],
  ])('users without their keys are counted: %s', async (columns, count) => {
    await make(`id text primary key${columns && `, ${columns}`}`)
    const all = { username_key: 'a', email: 'a@example.org', email_key: 'a@example.org' }
    const has = ([name]: [string, unknown]) => columns.split(/, | /).includes(name)
    await insert({ id: 'a', ...Object.fromEntries(Object.entries(all).filter(has)) })
    await insert({ id: 'b' })
    await insert({ id: 'c' })
    const { unfilled } = await surveyUsers(db, 'members')
    // One has an address, but no key of it.
    expect(unfilled).toBe(columns === 'username_key text, email text' ? count + 1 : count)
  })
})

describe('keys for the rows', () => {
  /** Makes the table ours with what the survey says is missing. */
  async function adopt(columns: string) {
    await make(columns)
    const { missing, naming } = await surveyUsers(db, 'members')
    for (const { name, default: value } of missing.columns) {
      const type = typeof value === 'number' ? 'integer' : 'text'
      const end =
        value === undefined ? '' : ` not null default ${typeof value === 'number' ? value : `'${value}'`}`
      await run(`alter table members add column ${name} ${type}${end}`)
    }
    for (const { name, columns: of, isUnique } of missing.indexes)
      await run(`create ${isUnique ? 'unique ' : ''}index ${name} on members (${of})`)
    expect((await surveyUsers(db, 'members')).missing).toEqual({ columns: [], indexes: [] })
    return { naming, store: createKyselyUserStore({ db, ...naming }) }
  }
  const shop = 'id text primary key, login text, email text, password text'

  test('users are found by name and address once they are filled, and only once', async () => {
    const { naming, store } = await adopt(shop)
    await insert({ id: ada, login: 'Ada', email: 'Ada@Example.org', password: hash })
    await insert({ id: ben, login: null, email: 'ben@example.org', password: null })
    await insert({ id: 'carl', login: 'carl', email: '', password: '!' })
    expect(await store.findByUsername('ada')).toBeNull()
    expect((await surveyUsers(db, 'members')).unfilled).toBe(3)
    expect(await fillKeys(db, naming)).toEqual({ filled: 3, left: [], locked: [] })
    expect(await store.findByUsername('ada')).toMatchObject({ id: ada, username: 'Ada', passwordHash: hash })
    expect(await store.findByEmail('ben@example.org')).toMatchObject({ id: ben, username: null })
    expect(await store.findByUsername('carl')).toMatchObject({ id: 'carl', emailKey: null })
    expect((await surveyUsers(db, 'members')).unfilled).toBe(0)
    expect(await fillKeys(db, naming)).toEqual({ filled: 0, left: [], locked: [] })
    expect((await store.findById(ada))?.version).toBe(1_000_001)
  })

  test('nobody gets a key that two could have, or that is none', async () => {
    const { naming, store } = await adopt(shop)
    await insert({ id: 'a', login: 'Ada', email: 'one@example.org' })
    await insert({ id: 'b', login: 'ada', email: 'two@example.org' })
    await insert({ id: 'c', login: 'carl', email: 'three@example.org' })
    await insert({ id: 'd', login: 'dora', email: 'Three@example.org' })
    await insert({ id: 'e', login: 'eve', email: 'nowhere' })
    await insert({ id: 'f', login: null, email: null })
    await insert({ id: 'g', login: 'gus', email: null })
    expect(await fillKeys(db, naming)).toEqual({
      filled: 1,
      left: ['a', 'b', 'c', 'd', 'e', 'f'],
      locked: [],
    })
    expect(await store.findByUsername('ada')).toBeNull()
    expect(await store.findByEmail('three@example.org')).toBeNull()
    expect(await store.findByUsername('gus')).toMatchObject({ id: 'g' })
  })

  test('a user of another app on the same table, with a key, keeps it', async () => {
    const { naming } = await adopt(shop)
    await insert({ id: 'a', login: 'ada', email: 'ada@example.org', username_key: 'ada', email_key: null })
    await insert({ id: 'b', login: 'ben', email: null, username_key: 'ben', email_key: null })
    expect(await fillKeys(db, naming)).toEqual({ filled: 1, left: [], locked: [] })
    const { rows } = await sql`select id, username_key, email_key, version from members order by id`.execute(
      db,
    )
    expect(rows).toEqual([
      { id: 'a', username_key: 'ada', email_key: 'ada@example.org', version: 1_000_001 },
      { id: 'b', username_key: 'ben', email_key: null, version: 1 },
    ])
  })

  test('more rows than are read at a time', async () => {
    const { naming } = await adopt(shop)
    await run(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 1001)
      insert into members (id, login) select 'm' || i, 'name' || i from n`)
    expect(await fillKeys(db, naming)).toEqual({ filled: 1001, left: [], locked: [] })
  })

  test('rows whose ids are UUIDs', async () => {
    const { naming, store } = await adopt('id uuid primary key, login text, email text')
    await insert({ id: ada, login: 'ada', email: null })
    expect(await fillKeys(db, naming)).toEqual({ filled: 1, left: [], locked: [] })
    expect(await store.findByUsername('ada')).toMatchObject({ id: ada })
    await insert({ id: ben, login: null, email: 'ben@example.org' })
    expect(await fillKeys(db, naming)).toEqual({ filled: 1, left: [], locked: [] })
    expect(await store.findById(ben)).toMatchObject({ username: null, emailKey: 'ben@example.org' })
  })

  test('an error of the database stops it', async () => {
    const { naming } = await adopt(shop)
    await insert({ id: 'a', login: 'ada' })
    await run("create trigger stops before update on members begin select raise(abort, 'not now'); end")
    await expect(fillKeys(db, naming)).rejects.toThrow('not now')
  })
})
