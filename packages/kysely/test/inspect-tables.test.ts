import {
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
} from '@fastify-accounts/kysely'
import {
  connect,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { otherNames } from './support/names.js'

const drivers = await driversHere()

// What doctor prints of tables that migrations of the app's own made.
describe.each(drivers)('differences of the tables: $title', ({ name, engine }) => {
  let database: TestDatabase
  let db: Kysely<unknown>
  beforeEach(async () => {
    database = await makeDatabase(name)
    db = await connect(database.place)
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })

  const run = (text: string) => sql.raw(text).execute(db)
  const inspect = async (naming = {}): Promise<string[]> => {
    const stores = [createKyselyUserStore, createKyselySessionStore, createKyselyInvitationStore].map(
      (create) => create({ db, ...naming }),
    )
    return (await Promise.all(stores.map((store) => store.inspect?.() ?? []))).flat()
  }
  /** Replaces a table by a copy whose statement the function has changed; SQLite can't change columns. */
  const change = async (table: string, column: string, type: string) => {
    if (engine === 'postgres') await run(`alter table ${table} alter column ${column} type ${type}`)
    else if (engine === 'mysql') await run(`alter table ${table} modify ${column} ${type} not null`)
    else {
      const { rows } = await sql<{
        sql: string
      }>`select sql from sqlite_schema where name = ${table}`.execute(db)
      const changed = rows[0]?.sql.replace(new RegExp(`"${column}" \\w+`), `"${column}" ${type}`)
      await run(`drop table ${table}`)
      await run(changed ?? '')
    }
  }

  test('none, with any names', async () => {
    await migrate(db)
    expect(await inspect()).toEqual([])
    await migrate(db, otherNames)
    expect(await inspect(otherNames)).toEqual([])
  })

  test('a missing table and a missing column', async () => {
    await migrate(db)
    await run('drop table accounts_identities')
    await run('alter table accounts_users drop column factors')
    await run('alter table accounts_sessions drop column seen_generation')
    expect(await inspect()).toEqual([
      'the column accounts_users.factors is missing',
      'the table accounts_identities does not exist',
      'the column accounts_sessions.seen_generation is missing',
    ])
  })

  test('a type that holds less, or something else', async () => {
    await migrate(db)
    const [text, date, found, key, number] = {
      postgres: ['varchar(20)', 'integer', 'character varying(20)', 'text', 'bigint'],
      mysql: ['varchar(255)', 'int', 'varchar(255)', 'varbinary(255)', 'bigint'],
      sqlite: ['integer', 'datetime', 'integer', 'text', 'bigint'],
    }[engine] as [string, string, string, string, string]
    await change('accounts_outbox', 'id', text)
    await change('accounts_sessions', 'expires_at', date)
    const lines = await inspect()
    expect(lines).toContain(`the column accounts_outbox.id is ${found}, not ${key}`)
    expect(lines.find((line) => line.startsWith('the column accounts_sessions.expires_at is '))).toMatch(
      new RegExp(`, not ${number}$`),
    )
  })

  test('a column that must be nullable, and one of the app that must be given', async () => {
    await migrate(db)
    if (engine === 'sqlite') await change('accounts_outbox', 'error', 'text not null')
    else if (engine === 'mysql') await change('accounts_outbox', 'error', 'longtext')
    else await run('alter table accounts_outbox alter column error set not null')
    await run(`alter table accounts_identities add column note ${engine === 'mysql' ? 'int' : 'integer'}`)
    expect(await inspect()).toEqual(['the column accounts_outbox.error must be nullable'])
    if (engine === 'sqlite') {
      await run('drop table accounts_identities')
      await run(
        'create table accounts_identities (identity_key text primary key not null, user_id text not null, note int not null, unique (user_id, identity_key))',
      )
    } else
      await run(
        engine === 'mysql'
          ? 'alter table accounts_identities modify note int not null'
          : 'alter table accounts_identities alter column note set not null',
      )
    expect(await inspect()).toContain(
      "the column accounts_identities.note, which isn't ours, must be nullable or have a default: no row can be inserted",
    )
  })

  test("columns of the app's fields, which the store fills", async () => {
    await migrate(db)
    await run(
      `alter table accounts_users add column age ${engine === 'mysql' ? 'int' : 'integer'} not null default 0`,
    )
    if (engine !== 'sqlite') await run('alter table accounts_users alter column age drop default')
    const fields = { age: { name: 'age', as: 'number', default: 0 }, plan: { name: 'plan' } }
    expect(await inspect({ columns: { fields } })).toEqual([
      'columns.fields.plan: the table accounts_users has no column plan',
    ])
    expect(await inspect({ columns: { fields: { age: fields.age } } })).toEqual([])
  })

  test('missing indexes: those that keep keys unique, and those that queries need', async () => {
    await migrate(db)
    const drop = async (table: string, index: string, constraint: boolean) => {
      if (engine === 'mysql') await run(`alter table ${table} drop index ${index}`)
      else if (constraint && engine === 'postgres') await run(`alter table ${table} drop constraint ${index}`)
      else await run(`drop index ${index}`)
    }
    await drop('accounts_users', 'accounts_users_kind', false)
    if (engine === 'sqlite') {
      await run('drop table accounts_identities')
      // Another order of letters is another key.
      await run(
        'create table accounts_identities (identity_key text not null, user_id text not null, unique (user_id, identity_key), unique (identity_key collate nocase))',
      )
    } else if (engine === 'mysql') {
      await run('alter table accounts_identities drop primary key, add unique start_only (identity_key(20))')
    } else {
      await run('alter table accounts_identities drop constraint accounts_identities_pkey')
      await run('create unique index some_rows on accounts_identities (identity_key) where user_id > $$a$$')
    }
    expect(await inspect()).toEqual([
      'no index on accounts_users (kind, created_at, id): queries read the whole table',
      'no unique index on accounts_identities (identity_key) alone: two rows could have the same',
    ])
  })

  test('an index of several columns that keeps them unique', async () => {
    await migrate(db)
    const table = 'accounts_invitations'
    if (engine === 'mysql') await run(`alter table ${table} drop index accounts_invitations_target`)
    else if (engine === 'postgres')
      await run(`alter table ${table} drop constraint accounts_invitations_target`)
    else {
      const { rows } = await sql<{
        sql: string
      }>`select sql from sqlite_schema where name = ${table}`.execute(db)
      await run(`drop table ${table}`)
      await run(
        (rows[0]?.sql ?? '').replace(/, constraint "accounts_invitations_target" unique \([^)]*\)/, ''),
      )
    }
    const line =
      'no unique index on accounts_invitations (target, inviter_id, email_key) alone: two rows could have the same'
    expect(await inspect()).toEqual([line])
    await run(`create index a on ${table} (target, inviter_id, email_key)`)
    await run(`create unique index b on ${table} (target, inviter_id, email_key, id)`)
    expect(await inspect()).toEqual([line])
    await run(`create unique index c on ${table} (email_key, target, inviter_id)`)
    expect(await inspect()).toEqual([])
  })

  test('texts that are compared, or kept, in another way', async () => {
    await migrate(db)
    if (engine === 'postgres') {
      await run('alter table accounts_users alter column username_key type text collate "und-x-icu"')
      expect(await inspect()).toEqual([
        'the column accounts_users.username_key is compared as und-x-icu says, not byte by byte: alter its type to text collate "C"',
      ])
    }
    if (engine === 'mysql') {
      await run('alter table accounts_users modify username varchar(1024) character set latin1 not null')
      expect(await inspect()).toEqual([
        "the column accounts_users.username has the collation latin1_swedish_ci, which can't hold every character: use one of utf8mb4",
      ])
    }
  })
})
