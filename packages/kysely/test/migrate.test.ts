import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  migrationSql,
} from '@fastify-accounts/kysely'
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
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect, enginesHere, makeDatabase, type TestDatabase } from './support/databases.js'
import { newSession, newUser } from './support/users.js'

const first = '0001_users_and_sessions'

describe.each(await enginesHere())('migrate: %s', (engine) => {
  let database: TestDatabase
  let db: Kysely<unknown>

  beforeEach(async () => {
    database = await makeDatabase(engine)
    db = connect(database.place)
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })

  const tableNames = async (): Promise<string[]> =>
    (await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name).sort()

  test('makes the tables once, and keeps what is in them', async () => {
    expect(await migrate(db)).toEqual([first])
    const user = await createKyselyUserStore({ db }).create(newUser('ada'))
    expect(await migrate(db)).toEqual([])
    expect(await createKyselyUserStore({ db }).findById(user.id)).toEqual(user)
  })

  test('works with a pool of one connection', async () => {
    const single = connect(database.place, 1)
    expect(await migrate(single)).toEqual([first])
    await single.destroy()
  })

  test('takes other names for the tables, and both sets stand side by side', async () => {
    const tables = { users: 'people', sessions: 'logins', migrations: 'people_migrations' }
    await migrate(db)
    await migrate(db, { tables })
    const user = await createKyselyUserStore({ db, tables }).create(newUser('ada'))
    await createKyselySessionStore({ db, tables }).create(newSession('s1', { userId: user.id }))
    expect(await createKyselyUserStore({ db }).findById(user.id)).toBeNull()
    expect(await createKyselySessionStore({ db }).find('s1')).toBeNull()
    expect(await tableNames()).toEqual([
      'accounts_migrations',
      'accounts_migrations_lock',
      'accounts_sessions',
      'accounts_users',
      'logins',
      'people',
      'people_migrations',
      'people_migrations_lock',
    ])
  })

  test('refuses tables of a newer version in one line, and changes nothing', async () => {
    await migrate(db)
    await sql`insert into accounts_migrations values ('0002_later', '2030-01-01T00:00:00.000Z')`.execute(db)
    const refusal = await migrate(db).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Error)
    expect(refusal).not.toBeInstanceOf(UnavailableError)
    expect(String(refusal)).toBe(
      'Error: the tables were made by a newer version of @fastify-accounts/kysely: it ran 0002_later, which this one does not know',
    )
  })

  test('goes on where an earlier run ended half-way', async () => {
    await migrate(db)
    await sql`drop table accounts_sessions`.execute(db)
    await sql`delete from accounts_migrations`.execute(db)
    const user = await createKyselyUserStore({ db }).create(newUser('ada'))
    expect(await migrate(db)).toEqual([first])
    expect(await createKyselyUserStore({ db }).findById(user.id)).toEqual(user)
    expect(await createKyselySessionStore({ db }).find('s1')).toBeNull()
  })

  test('says that the database cannot answer, without SQL, where a statement is refused', async () => {
    await sql`create view accounts_users as select 1 as id`.execute(db)
    await sql`create table accounts_migrations (name int)`.execute(db)
    const failure = await migrate(db).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UnavailableError)
    expect(String(failure)).toBe('UnavailableError: the database cannot answer')
    expect(failure).toHaveProperty('cause')
  })

  test('says so too where a table of another kind has the name of the first', async () => {
    await sql`create table accounts_migrations (id int)`.execute(db)
    expect(await migrate(db).catch((error: unknown) => error)).toBeInstanceOf(UnavailableError)
  })

  test('prints SQL that makes the same tables, may run twice, and lets migrate take over', async () => {
    const statements = migrationSql(engine)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('--'))
    for (const statement of [...statements, ...statements]) {
      await db.executeQuery(CompiledQuery.raw(statement))
    }
    const printed = await columns(db)
    const user = await createKyselyUserStore({ db }).create(newUser('ada'))
    expect(await migrate(db)).toEqual([first])
    expect(await createKyselyUserStore({ db }).findById(user.id)).toEqual(user)

    const other = await makeDatabase(engine)
    const fresh = connect(other.place)
    await migrate(fresh)
    expect(await columns(fresh)).toEqual(printed)
    await fresh.destroy()
    await other.drop()
  })

  test('the unique indexes are really there: SQL of others cannot pass them either', async () => {
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

/** What the engine knows of our two tables. */
async function columns(db: Kysely<unknown>) {
  const tables = await db.introspection.getTables()
  return tables
    .filter(({ name }) => name === 'accounts_users' || name === 'accounts_sessions')
    .map(({ name, columns }) => ({ name, columns }))
}

describe.runIf((await enginesHere()).includes('postgres'))('another schema: postgres', () => {
  test('tables may stand in a schema of their own', async () => {
    const database = await makeDatabase('postgres')
    const db = connect(database.place)
    const tables = { users: 'auth.users', sessions: 'auth.sessions', migrations: 'auth.migrations' }
    await sql`create schema auth`.execute(db)
    expect(await migrate(db, { tables })).toEqual([first])
    expect(await migrate(db, { tables })).toEqual([])
    const user = await createKyselyUserStore({ db, tables }).create(newUser('ada'))
    const { rows } = await sql`select id from auth.users`.execute(db)
    expect(rows).toEqual([{ id: user.id }])
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

  test('a dialect of another family is refused at once', async () => {
    const line = 'db must be a Kysely on SQLite, PostgreSQL or MySQL'
    await expect(migrate(mssql)).rejects.toThrow(new TypeError(line))
    expect(() => createKyselyUserStore({ db: mssql })).toThrow(new TypeError(line))
  })

  test('migrationSql refuses an engine that it does not know', () => {
    // @ts-expect-error there is no such engine
    expect(() => migrationSql('oracle')).toThrow(
      new TypeError('engine must be one of sqlite, postgres, mysql'),
    )
  })

  test('a wrong name of a table is told by its option', () => {
    expect(() => migrationSql('sqlite', { tables: { users: '' } })).toThrow(
      new TypeError('tables.users must be the name of a table'),
    )
    // @ts-expect-error there is no such table
    expect(() => migrationSql('sqlite', { tables: { groups: 'groups' } })).toThrow(
      new TypeError('tables.groups is not an option'),
    )
  })

  test('migrationSql prints the names that were asked for', () => {
    const printed = migrationSql('postgres', { tables: { users: 'auth.people' } })
    expect(printed).toMatch(/^-- 0001_users_and_sessions\ncreate table if not exists "auth"\."people" \(/)
    expect(printed).toContain('constraint "people_username_key" unique ("username_key")')
    expect(printed).toMatch(/;\n$/)
  })
})
