import { randomUUID } from 'node:crypto'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  migrationSql,
  mysqlDialect,
  type Naming,
} from '@fastify-accounts/kysely'
import {
  connect,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { UnavailableError } from 'fastify-accounts'
import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  MssqlAdapter,
  MssqlQueryCompiler,
  SqliteIntrospector,
  sql,
} from 'kysely'
import { createPool } from 'mysql2'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { steps } from '../src/migrations.js'
import { otherNames } from './support/names.js'
import { newSession, newUser } from './support/users.js'

const all = steps.map(({ name }) => name)

const drivers = await driversHere()

describe.each(drivers)('migrate: $title', ({ name: driver, engine }) => {
  let database: TestDatabase
  let db: Kysely<unknown>

  beforeEach(async () => {
    database = await makeDatabase(driver)
    db = await connect(database.place)
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })

  const tableNames = async (): Promise<string[]> =>
    (await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name).sort()

  test('creates the tables once, and keeps their contents', async () => {
    expect(await migrate(db)).toEqual(all)
    const user = await createKyselyUserStore({ db }).create(newUser('ada'))
    expect(await migrate(db)).toEqual([])
    expect(await createKyselyUserStore({ db }).findById(user.id)).toEqual(user)
  })

  test('works with a pool of one connection', async () => {
    const single = await connect(database.place, 1)
    expect(await migrate(single)).toEqual(all)
    await single.destroy()
  })

  if (engine === 'mysql') {
    test('rejects a SQL mode that would allow SQL injection', async () => {
      const mode = "set session sql_mode = 'NO_BACKSLASH_ESCAPES'"
      const naive = await connect(database.place, 1, mode)
      await expect(migrate(naive)).rejects.toThrow('the SQL mode NO_BACKSLASH_ESCAPES is on')
      await naive.destroy()
      expect(await tableNames()).toEqual([])

      const pool = createPool({ uri: database.place.url })
      pool.on('connection', (connection) => void connection.query(mode))
      const own = new Kysely<unknown>({ dialect: mysqlDialect(pool) })
      await migrate(own)
      const users = createKyselyUserStore({ db: own })
      await users.create(newUser('ada'))
      expect(await users.findByUsername("' or username_key = 'ada' -- ")).toBeNull()
      await own.destroy()
    })
  }

  test('takes other table names, and both sets coexist', async () => {
    const tables = {
      users: 'people',
      identities: 'known',
      sessions: 'logins',
      outbox: 'mails',
      migrations: 'people_migrations',
    }
    await migrate(db)
    await migrate(db, { tables })
    const user = await createKyselyUserStore({ db, tables }).create(newUser('ada'))
    await createKyselySessionStore({ db, tables }).create(newSession('s1', { userId: user.id }))
    expect(await createKyselyUserStore({ db }).findById(user.id)).toBeNull()
    expect(await createKyselySessionStore({ db }).find('s1')).toBeNull()
    expect(await tableNames()).toEqual([
      'accounts_identities',
      'accounts_migrations',
      'accounts_migrations_lock',
      'accounts_outbox',
      'accounts_sessions',
      'accounts_users',
      'known',
      'logins',
      'mails',
      'people',
      'people_migrations',
      'people_migrations_lock',
    ])
  })

  test('works alongside a newer version, and changes nothing', async () => {
    await migrate(db)
    await sql`insert into accounts_migrations values ('0099_later', '2030-01-01T00:00:00.000Z')`.execute(db)
    await sql`alter table accounts_users add column later varchar(20)`.execute(db)
    expect(await migrate(db)).toEqual([])
    const user = await createKyselyUserStore({ db }).create(newUser('ada'))
    expect(await createKyselyUserStore({ db }).findById(user.id)).toEqual(user)
  })

  test.each(['0099_later_breaking', '0001_users'])(
    'rejects tables of an incompatible newer version: %s',
    async (name) => {
      await migrate(db)
      if (name === '0001_users') await sql`delete from accounts_migrations`.execute(db)
      await sql`insert into accounts_migrations values (${name}, '2030-01-01T00:00:00.000Z')`.execute(db)
      const refusal = await migrate(db).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(Error)
      expect(refusal).not.toBeInstanceOf(UnavailableError)
      expect(String(refusal)).toBe(
        `Error: a newer version of @fastify-accounts/kysely has migrated the tables: this version doesn't know ${name}`,
      )
    },
  )

  test('does not take over an unrelated table, and leaves it untouched', async () => {
    await sql`create table accounts_users (id integer primary key, name varchar(20))`.execute(db)
    await sql`insert into accounts_users values (1, 'ada')`.execute(db)
    const refusal = await migrate(db).catch((error: unknown) => error)
    expect(String(refusal)).toMatch(
      /^Error: the table accounts_users lacks columns, or does not exist: tables\.users .*$/,
    )
    expect((await sql`select * from accounts_users`.execute(db)).rows).toEqual([{ id: 1, name: 'ada' }])

    const tables = { users: 'accounts_people' }
    expect(await migrate(db, { tables })).toEqual(all)
    await createKyselyUserStore({ db, tables }).create(newUser('ada'))
  })

  test('reports columns whose names differ from those the tables were created with', async () => {
    await migrate(db, { columns: { users: { username: 'login' } } })
    const refused = async (naming: Naming, table: string) =>
      expect(migrate(db, naming)).rejects.toThrow(`the table ${table} lacks columns, or does not exist`)
    await refused({}, 'accounts_users')
    await refused({ tables: { users: 'accounts_people' } }, 'accounts_people')
    await refused({ columns: otherNames.columns }, 'accounts_users')
    const users = { username: 'login' }
    await refused({ columns: { users, sessions: { epoch: 'era' } } }, 'accounts_sessions')
    expect(await migrate(db, { columns: { users } })).toEqual([])
  })

  test('resumes an earlier run that stopped halfway', async () => {
    await migrate(db)
    await sql`drop table accounts_sessions`.execute(db)
    await sql`delete from accounts_migrations`.execute(db)
    const user = await createKyselyUserStore({ db }).create(newUser('ada'))
    expect(await migrate(db)).toEqual(all)
    expect(await createKyselyUserStore({ db }).findById(user.id)).toEqual(user)
    expect(await createKyselySessionStore({ db }).find('s1')).toBeNull()
  })

  test('throws "unavailable", without SQL, if a statement is rejected', async () => {
    await sql`create view accounts_users as select 1 as id`.execute(db)
    await sql`create table accounts_migrations (name int)`.execute(db)
    const failure = await migrate(db).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UnavailableError)
    expect(String(failure)).toBe('UnavailableError: the database cannot answer')
    expect(failure).toHaveProperty('cause')
  })

  test("does so too if an unrelated table has the first one's name", async () => {
    await sql`create table accounts_migrations (id int)`.execute(db)
    expect(await migrate(db).catch((error: unknown) => error)).toBeInstanceOf(UnavailableError)
  })

  test.each([
    ['with default names', {}],
    ['with other names', otherNames],
  ])(
    'prints SQL that creates the same tables, %s, can be rerun, and lets migrate take over',
    async (_, naming) => {
      const statements = migrationSql(engine, naming)
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('--'))
      for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement))
      for (const statement of statements) {
        // Only PostgreSQL has ADD COLUMN IF NOT EXISTS, and only MySQL lacks CREATE INDEX IF NOT EXISTS.
        const fails = { sqlite: /^alter/, postgres: /^$/, mysql: /^(alter|create index)/ }[engine]
        const isKnown = !fails.test(statement)
        const again = db.executeQuery(CompiledQuery.raw(statement))
        if (isKnown) await again
        else await expect(again).rejects.toThrow(/duplicate (column|key name)/i)
      }
      const printed = await columns(db)
      const user = await createKyselyUserStore({ db, ...naming }).create(newUser('ada'))
      expect(await migrate(db, naming)).toEqual(all)
      expect(await createKyselyUserStore({ db, ...naming }).findById(user.id)).toEqual(user)

      const other = await makeDatabase(driver)
      const fresh = await connect(other.place)
      await migrate(fresh, naming)
      expect(printed).toHaveLength(4)
      expect(await columns(fresh)).toEqual(printed)
      await fresh.destroy()
      await other.drop()
    },
  )

  test("the unique indexes exist: even direct SQL can't bypass them", async () => {
    await migrate(db)
    const store = createKyselyUserStore({ db })
    const ada = await store.create(newUser('ada'))
    const copy = (usernameKey: string, emailKey: string, id: string) => sql`
      insert into accounts_users (id, username, username_key, email, email_key, password_hash, is_verified, is_staff,
        is_active, created_at, last_login_at, session_epoch, reset_epoch, verify_epoch, version, fields)
      select ${sql.lit(id)}, username, ${sql.lit(usernameKey)}, email, ${sql.lit(emailKey)}, password_hash,
        is_verified, is_staff, is_active, created_at, last_login_at, session_epoch, reset_epoch, verify_epoch,
        version, fields
      from accounts_users where username_key = 'ada'`
    await expect(copy('ada', 'new@example.com', 'id-1').execute(db)).rejects.toThrow(/unique|duplicate/i)
    await expect(copy('new', 'ada@example.com', 'id-1').execute(db)).rejects.toThrow(/unique|duplicate/i)
    await expect(copy('new', 'new@example.com', ada.id).execute(db)).rejects.toThrow(/unique|duplicate/i)
    await copy('new', 'new@example.com', 'id-1').execute(db)
    expect(await store.list({ limit: 10 })).toHaveLength(2)
  })
})

/** Our tables, as the engine describes them. */
async function columns(db: Kysely<unknown>) {
  const tables = await db.introspection.getTables()
  return tables
    .filter(({ name }) => !/_(migrations|steps)(_lock)?$/.test(name))
    .map(({ name, columns }) => ({ name, columns }))
}

const withSchemas = drivers.filter(({ engine }) => engine !== 'sqlite')

describe.each(withSchemas)('another schema: $title', ({ name }) => {
  test('tables can live in their own schema', async () => {
    const database = await makeDatabase(name)
    const db = await connect(database.place)
    // On MySQL a schema is a database, and others may use the server as well.
    const schema = `accounts_test_${randomUUID().slice(0, 8)}`
    const tables = {
      users: `${schema}.users`,
      identities: `${schema}.identities`,
      sessions: `${schema}.sessions`,
      outbox: `${schema}.outbox`,
      migrations: `${schema}.migrations`,
    }
    await sql`create schema ${sql.id(schema)}`.execute(db)
    expect(await migrate(db, { tables })).toEqual(all)
    expect(await migrate(db, { tables })).toEqual([])
    const user = await createKyselyUserStore({ db, tables }).create(newUser('ada'))
    await createKyselySessionStore({ db, tables }).create(newSession('s1'))
    const { rows } = await sql<{ id: unknown }>`select id from ${sql.table(tables.users)}`.execute(db)
    expect(rows.map(({ id }) => String(id))).toEqual([user.id])
    if (name === 'mysql2') await sql`drop schema ${sql.id(schema)}`.execute(db)
    await db.destroy()
    await database.drop()
  })
})

describe('options', () => {
  const mssql = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new MssqlAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new MssqlQueryCompiler(),
    },
  })

  test('rejects a dialect of an unsupported family immediately', async () => {
    const line = 'db must be a Kysely on SQLite, PostgreSQL or MySQL'
    await expect(migrate(mssql)).rejects.toThrow(new TypeError(line))
    expect(() => createKyselyUserStore({ db: mssql })).toThrow(new TypeError(line))
  })

  test('migrationSql rejects an unknown engine', () => {
    // @ts-expect-error no such engine
    expect(() => migrationSql('oracle')).toThrow(
      new TypeError('engine must be one of sqlite, postgres, mysql'),
    )
  })

  const table = 'must be the name of a table, at most 50 bytes long'
  const column = 'must be the name of a column, at most 50 bytes long'
  test.each<[unknown, string]>([
    [{ tables: null }, 'tables must be an object of names'],
    [{ tables: { groups: 'groups' } }, 'tables.groups is not an option'],
    [{ tables: { users: '' } }, `tables.users ${table}`],
    [{ tables: { users: undefined } }, `tables.users ${table}`],
    [{ tables: { sessions: 'auth.' } }, `tables.sessions ${table}`],
    [{ tables: { sessions: 'é'.repeat(26) } }, `tables.sessions ${table}`],
    [
      { tables: { users: 'people', sessions: 'People' } },
      'tables.users and tables.sessions must not have the same name',
    ],
    [{ columns: 'login' }, 'columns must be an object of names'],
    [{ columns: { groups: {} } }, 'columns.groups is not an option'],
    [{ columns: { users: null } }, 'columns.users must be an object of names'],
    [{ columns: { users: { usernameKey: 'login' } } }, 'columns.users.usernameKey is not an option'],
    [{ columns: { sessions: { epoch: 7 } } }, `columns.sessions.epoch ${column}`],
    [{ columns: { users: { email: 'e\0' } } }, `columns.users.email ${column}`],
    [{ columns: { users: { email: '\ud800' } } }, `columns.users.email ${column}`],
    [{ columns: { users: { email: 'e'.repeat(51) } } }, `columns.users.email ${column}`],
    [
      { columns: { users: { username: 'login', email: 'LOGIN' } } },
      'columns.users.username and columns.users.email must not have the same name',
    ],
    [
      { columns: { users: { username: 'email' } } },
      'columns.users.username and columns.users.email must not have the same name',
    ],
  ])('%o is rejected by option name everywhere', async (given, line) => {
    const naming = given as Naming
    const refusal = new TypeError(line)
    expect(() => migrationSql('sqlite', naming)).toThrow(refusal)
    const db = await connect({ driver: 'libsql', url: ':memory:' })
    await expect(migrate(db, naming)).rejects.toThrow(refusal)
    expect(() => createKyselyUserStore({ db, ...naming })).toThrow(refusal)
    expect(() => createKyselySessionStore({ db, ...naming })).toThrow(refusal)
    await db.destroy()
  })

  test('migrationSql prints the given names', () => {
    const printed = migrationSql('postgres', {
      tables: { users: 'auth.people' },
      columns: { users: { username_key: 'login_key' } },
    })
    expect(printed).toMatch(/^-- 0001_users_and_sessions\ncreate table if not exists "auth"\."people" \(/)
    expect(printed).toContain('constraint "people_username_key" unique ("login_key")')
    expect(printed).toMatch(/;\n$/)
  })
})
