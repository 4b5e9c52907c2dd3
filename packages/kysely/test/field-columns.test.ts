import {
  createKyselySessionStore,
  createKyselyUserStore,
  type Engine,
  migrate,
  type Naming,
} from '@fastify-accounts/kysely'
import {
  connect,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import {
  InvalidArgumentError,
  type JsonValue,
  type ListingUserStore,
  RefusedError,
  type UserFields,
} from 'fastify-accounts'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newSession, newUser } from './support/users.js'

const naming = {
  columns: {
    users: { is_staff: { name: 'team', as: 'boolean' } },
    fields: {
      phone: 'phone_number',
      newsletter: { name: 'newsletter', as: 'boolean', default: false },
      muted: { name: 'hears', as: 'not boolean' },
      birthday: { name: 'born_at', as: 'timestamptz' },
      account: { name: 'account', as: 'uuid' },
      points: { name: 'points', as: 'number' },
    },
  },
} as const satisfies Naming

/** The host's columns, as its own migration adds them. */
const hostColumns: Record<Engine, Record<string, string>> = {
  postgres: {
    phone_number: 'varchar(20)',
    newsletter: 'boolean not null default true',
    hears: 'boolean',
    born_at: 'timestamptz(3)',
    account: 'uuid',
    points: 'numeric(10, 2)',
  },
  mysql: {
    phone_number: 'varchar(20)',
    newsletter: 'boolean not null default true',
    hears: 'boolean',
    born_at: 'datetime(3)',
    account: 'char(36)',
    points: 'decimal(10, 2)',
  },
  sqlite: {
    phone_number: 'text',
    newsletter: 'boolean not null default true',
    hears: 'boolean',
    born_at: 'text',
    account: 'text',
    points: 'real',
  },
}

const full: UserFields = {
  phone: '+49 30 1234',
  newsletter: true,
  muted: true,
  birthday: '1984-02-29T12:30:00.250Z',
  account: '01234567-89ab-4cde-8f01-23456789abcd',
  points: 12.5,
  note: 'ä "quoted"',
}

describe.each(await driversHere())('fields with columns of their own: $title', ({ name, engine }) => {
  let database: TestDatabase
  let db: Kysely<unknown>
  let store: ListingUserStore

  beforeEach(async () => {
    database = await makeDatabase(name)
    db = await connect(database.place)
    await migrate(db, naming)
    for (const [column, type] of Object.entries(hostColumns[engine]))
      await sql`alter table accounts_users add column ${sql.id(column)} ${sql.raw(type)}`.execute(db)
    expect(await migrate(db, naming)).toEqual([])
    store = createKyselyUserStore({ db, ...naming })
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })

  const columnsOf = async (id: string) => {
    const { rows } = await sql<Record<string, unknown>>`select fields, phone_number, newsletter, hears, points
      from accounts_users where id = ${id}`.execute(db)
    return rows[0]
  }

  test('every call reads and writes them, and none is kept twice', async () => {
    const sessions = createKyselySessionStore({ db, ...naming, userStore: store })
    const ada = await store.create(newUser('ada', { fields: full, identityKeys: ['passkey:a'] }))
    expect(ada.fields).toEqual(full)
    expect(JSON.parse(String((await columnsOf(ada.id))?.fields))).toEqual({ note: full.note })
    expect(await columnsOf(ada.id)).toMatchObject({ phone_number: full.phone })
    expect(Number((await columnsOf(ada.id))?.hears)).toBe(0)
    expect(Number((await columnsOf(ada.id))?.points)).toBe(12.5)

    const reads = async () => {
      await sessions.create(newSession('s1', { userId: ada.id }))
      const pair = await sessions.withUsers?.find('s1')
      await sessions.delete('s1')
      const [listed] = await store.list({ limit: 1 })
      const [outcome] = (await store.createMany?.([newUser('ada')])) ?? []
      return [
        await store.findById(ada.id),
        await store.findByUsername('ada'),
        await store.findByEmail('ada@example.com'),
        await store.findByIdentity?.('passkey:a'),
        listed,
        pair?.user,
        outcome && 'holder' in outcome ? outcome.holder : undefined,
      ].map((user) => user?.fields)
    }
    for (const fields of await reads()) expect(fields).toEqual(full)

    const less: UserFields = { muted: false, points: 0, note: 'b' }
    const stored = { ...less, newsletter: false }
    expect((await store.update(ada.id, { fields: less }, 1))?.fields).toEqual(stored)
    for (const fields of await reads()) expect(fields).toEqual(stored)
    expect(await columnsOf(ada.id)).toMatchObject({ phone_number: null })
    expect((await store.update(ada.id, { isStaff: true }, 2))?.fields).toEqual(stored)

    const [bob] = (await store.createMany?.([newUser('bob', { fields: full })])) ?? []
    expect((await store.findByUsername('bob'))?.fields).toEqual(full)
    expect(bob).toHaveProperty('id')
  })

  test('a value from before the field had a column is found until the user changes', async () => {
    const { id } = await createKyselyUserStore({
      db,
      columns: { users: naming.columns.users, fields: { newsletter: naming.columns.fields.newsletter } },
    }).create(newUser('ada', { fields: { phone: '1', note: 'x' } }))
    expect((await store.findById(id))?.fields).toEqual({ phone: '1', note: 'x', newsletter: false })
    const search = { text: '1', fields: ['phone'] }
    expect(await store.list({ limit: 5, search })).toHaveLength(1)
    const fields = { phone: '2' }
    await store.update(id, { fields }, 1)
    expect((await store.findById(id))?.fields).toEqual({ ...fields, newsletter: false })
  })

  test('a search looks into the columns', async () => {
    await store.create(newUser('ada', { fields: full }))
    await store.create(newUser('bob', { fields: { phone: '+1 500', note: '1234' } }))
    const found = async (text: string, ...fields: string[]) =>
      (await store.list({ limit: 5, search: { text, fields } })).map(({ username }) => username).sort()
    expect(await found('30 12', 'phone')).toEqual(['ada'])
    expect(await found('1234', 'phone')).toEqual(['ada'])
    expect(await found('1234', 'phone', 'note')).toEqual(['ada', 'bob'])
    expect(await found('89AB', 'account')).toEqual(['ada'])
    expect(await found('02-29', 'birthday')).toEqual(['ada'])
    expect(await found('12', 'points', 'newsletter')).toEqual([])
    expect(await found('\0', 'phone')).toEqual([])
  })

  test.each<[string, JsonValue]>([
    ['phone', 7],
    ['newsletter', 'yes'],
    ['muted', 1],
    ['birthday', 'tomorrow'],
    ['account', 'A1234567-89AB-4CDE-8F01-23456789ABCD'],
    ['points', '7'],
  ])('a value of another type is rejected: %s %j', async (field, value) => {
    const user = newUser('ada', { fields: { [field]: value } })
    await expect(store.create(user)).rejects.toThrow(InvalidArgumentError)
    await expect(store.create(user)).rejects.toThrow(`fields.${field} must be`)
  })

  test.each(['a\0b', '\ud800'])('a text that no column holds is refused: %j', async (phone) => {
    await expect(store.create(newUser('ada', { fields: { phone } }))).rejects.toThrow(RefusedError)
    expect(await store.findByUsername('ada')).toBeNull()
  })

  // SQLite stores any number of letters in any column.
  if (engine !== 'sqlite')
    test('what the column has no room for is refused', async () => {
      for (const fields of [{ phone: '1'.repeat(21) }, { points: 1e12 }])
        await expect(store.create(newUser('ada', { fields }))).rejects.toThrow(RefusedError)
    })

  test('null is an absent field', async () => {
    const { id } = await store.create(newUser('ada', { fields: { phone: null, points: null } }))
    expect((await store.findById(id))?.fields).toEqual({ newsletter: false })
  })

  test('a missing column, or one of another type, stops the start and is a finding of doctor', async () => {
    const other = { columns: { ...naming.columns, fields: { phone: 'telephone' } } }
    const missing = 'columns.fields.phone'
    await expect(migrate(db, other)).rejects.toThrow(/^columns\.fields\.phone.* has no column telephone$/)
    expect(await createKyselyUserStore({ db, ...other }).inspect?.()).toContainEqual(
      expect.stringContaining(missing),
    )
    const typed: Naming = {
      columns: { ...naming.columns, fields: { points: { name: 'points', as: 'boolean' } } },
    }
    await expect(migrate(db, typed)).rejects.toThrow(
      /^columns\.fields\.points holds boolean, but points of accounts_users is /,
    )
    const changed: Naming = {
      columns: { users: { email_changed_at: { as: 'timestamptz' }, is_staff: 'team' } },
    }
    await expect(migrate(db, changed)).rejects.toThrow(
      /^columns\.users\.email_changed_at\.as is timestamptz, but email_changed_at/,
    )
  })
})
