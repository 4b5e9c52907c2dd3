import { randomUUID } from 'node:crypto'
import {
  createKyselyActivity,
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  migrationSql,
  mysqlDialect,
  type Naming,
  type TableNames,
} from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
import {
  connect,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { newActivityEntry, newInvitation, newPendingMail } from '@fastify-accounts/testing'
import { newMembership, newOrganization } from '@fastify-accounts/testing/organizations'
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
import { resolveNames } from '../src/columns/names.js'
import { type Step, steps } from '../src/migrate/migrations.js'
import { history, useSteps } from './support/later-steps.js'
import { otherNames } from './support/names.js'
import { newSession, newUser } from './support/users.js'

const all = steps.map(({ name }) => name)

/** The last moment that a `Date` has. */
const endOfTime = 8.64e15

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

  /** Rows as a version inserts them that has only the first step of the history. */
  async function insertOld({ users, sessions, outbox }: TableNames): Promise<void> {
    await sql`insert into ${sql.table(users)} (id, username, username_key, email, email_key, password_hash,
      is_verified, is_staff, is_active, created_at, last_login_at, session_epoch, reset_epoch, verify_epoch, version,
      fields) values ('u1', 'Ada', 'ada', null, null, 'hash', 1, 0, 1, 5, null, 0, 0, 0, 3, '{"a":1}')`.execute(
      db,
    )
    await sql`insert into ${sql.table(sessions)} (id, user_id, epoch, created_at, last_seen_at, expires_at, methods)
      values ('s1', 'u1', 2, 5, 6, ${endOfTime}, '["pwd"]'), ('s2', 'u1', 2, 5, 6, ${endOfTime}, null)`.execute(
      db,
    )
    await sql`insert into ${sql.table(outbox)} (id, realm, mail, posted_at, due_at, attempts)
      values ('m1', 'accounts', '{"realm":"accounts","id":"m1"}', 7, 7, 0)`.execute(db)
  }

  /** Checks that the stores read them, and change them. A session that doesn't say how its user logged in has ended. */
  async function expectOld(tables: TableNames): Promise<void> {
    const users = createKyselyUserStore({ db, tables })
    const sessions = createKyselySessionStore({ db, tables, userStore: users })
    const known = { username: 'Ada', usernameKey: 'ada', passwordHash: 'hash', isVerified: true }
    const nobody = { email: null, emailKey: null }
    const user = { ...newUser('ada'), ...nobody, ...known, createdAt: new Date(5), fields: { a: 1 } }
    expect(await users.findByUsername('ada')).toEqual({ ...user, id: 'u1', version: 3 })
    const [createdAt, lastSeenAt, expiresAt] = [new Date(5), new Date(6), new Date(endOfTime)]
    const times = { createdAt, lastSeenAt, expiresAt }
    const session = newSession('s1', { userId: 'u1', epoch: 2, methods: ['pwd'], ...times })
    const { credentials, identityKeys, notes, ...visitor } = user
    expect(await sessions.withUsers?.find('s1')).toEqual({
      session,
      user: { ...visitor, id: 'u1', version: 3 },
    })
    expect(await sessions.find('s2')).toBeNull()
    expect(await sessions.change('s1', session, { generation: 1 })).toBe(true)
    expect(await users.update('u1', { kind: 'service' }, 3)).toMatchObject({ kind: 'service' })
    expect(await users.list({ limit: 9, where: { kind: 'person' } })).toEqual([])
    expect(await users.outbox?.oldestDue?.('accounts')).toEqual(new Date(7))
    await createKyselyActivity({ db, tables }).add([newActivityEntry()], 1)
  }

  test('upgrades the tables of every earlier version, and keeps their rows', async () => {
    useSteps(history)
    const names = history.map(({ name }) => name)
    for (const last of names.keys()) {
      const named = (key: string) => [key, `v${last}_${key}`]
      const tables: TableNames = Object.fromEntries(Object.keys(resolveNames({}, 'sqlite').tables).map(named))
      const printed = migrationSql(engine, { tables })
        .split(/^-- .*\n/m)
        .slice(1, last + 2)
      for (const statement of printed.join('').split('\n').filter(Boolean))
        await db.executeQuery(CompiledQuery.raw(statement))
      await sql`create table ${sql.table(tables.migrations)}
        (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(db)
      for (const name of names.slice(0, last + 1))
        await sql`insert into ${sql.table(tables.migrations)} values (${name}, '2026-01-01')`.execute(db)
      await insertOld(tables)
      expect(await migrate(db, { tables })).toEqual(names.slice(last + 1))
      await expectOld(tables)
    }
  })

  test('a process of the version before can go on inserting', async () => {
    useSteps(history)
    await migrate(db)
    const { tables } = resolveNames({}, 'sqlite')
    await insertOld(tables)
    await expectOld(tables)
  })

  test('refuses the tables of a commit before the first release, and changes nothing', async () => {
    await migrate(db)
    await sql`update accounts_migrations set name = '0001_users_and_sessions'`.execute(db)
    await sql`insert into accounts_migrations values ('0002_session_details', '2026-01-01')`.execute(db)
    await sql`drop table accounts_activity`.execute(db)
    const before = await tableNames()
    const refusal = await migrate(db).catch((error: unknown) => error)
    expect(refusal).not.toBeInstanceOf(UnavailableError)
    expect(String(refusal)).toBe(
      "Error: the table accounts_migrations lists 0001_users_and_sessions, but not 0001_accounts: its tables are those of a commit before the first release, and can't be upgraded (create them anew), or tables.migrations names a table of another program",
    )
    expect(await tableNames()).toEqual(before)
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
      invitations: 'guests',
      activity: 'events_seen',
      organizations: 'teams',
      organizationMembers: 'team_people',
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
      'accounts_activity',
      'accounts_identities',
      'accounts_invitations',
      'accounts_migrations',
      'accounts_migrations_lock',
      'accounts_organization_members',
      'accounts_organizations',
      'accounts_outbox',
      'accounts_sessions',
      'accounts_users',
      'events_seen',
      'guests',
      'known',
      'logins',
      'mails',
      'people',
      'people_migrations',
      'people_migrations_lock',
      'team_people',
      'teams',
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

  test('rejects tables of an incompatible newer version', async () => {
    await migrate(db)
    const name = '0099_later_breaking'
    await sql`insert into accounts_migrations values (${name}, '2030-01-01T00:00:00.000Z')`.execute(db)
    const refusal = await migrate(db).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Error)
    expect(refusal).not.toBeInstanceOf(UnavailableError)
    expect(String(refusal)).toBe(
      `Error: a newer version of @fastify-accounts/kysely has migrated the tables: this version doesn't know ${name}`,
    )
  })

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

  test('takes over a table that has the columns, and one that lacks some only stops the steps from there on', async () => {
    const [first = ''] = migrationSql(engine).match(/create table[^;]*/) ?? []
    await sql.raw(first).execute(db)
    await sql`alter table accounts_users add column extra varchar(20)`.execute(db)
    await sql`create table accounts_activity (id integer primary key)`.execute(db)
    await expect(migrate(db)).rejects.toThrow('the table accounts_activity lacks columns')

    useSteps(history)
    await expect(migrate(db)).rejects.toThrow('the table accounts_activity lacks columns')
    const recorded = sql<{ name: string }>`select name from accounts_migrations`.execute(db)
    const names = await recorded.then(
      ({ rows }) => rows.map(({ name }) => name),
      () => [],
    )
    const steps = history.map(({ name }) => name)
    expect(names).toEqual(engine === 'sqlite' ? [] : steps.slice(0, steps.indexOf('0004_activity')))

    const tables = { activity: 'accounts_log' }
    expect(await migrate(db, { tables })).toEqual(steps.slice(names.length))
    await createKyselyUserStore({ db, tables }).create(newUser('ada'))
    expect((await sql`select extra from accounts_users`.execute(db)).rows).toEqual([{ extra: null }])
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
    expect(String(failure)).toBe('UnavailableError: the database failed')
    expect(failure).toHaveProperty('cause')
  })

  test("does so too if an unrelated table has the first one's name", async () => {
    await sql`create table accounts_migrations (id int)`.execute(db)
    expect(await migrate(db).catch((error: unknown) => error)).toBeInstanceOf(UnavailableError)
  })

  test.each<[string, Naming, readonly Step[]]>([
    ['with default names', {}, [...steps]],
    ['with other names', otherNames, [...steps]],
    ['with later steps', {}, history],
    ['with later steps and other names', otherNames, history],
  ])(
    'prints SQL that creates the same tables, %s, can be rerun, and lets migrate take over',
    async (_, naming, current) => {
      useSteps(current)
      const statements = migrationSql(engine, naming)
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('--'))
      for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement))
      for (const statement of statements) {
        // Only PostgreSQL has IF (NOT) EXISTS for columns, and only MySQL lacks CREATE INDEX IF NOT EXISTS.
        const fails = { sqlite: /^alter/, postgres: /^$/, mysql: /^(alter|create index)/ }[engine]
        const again = db.executeQuery(CompiledQuery.raw(statement))
        if (!fails.test(statement)) await again
        else await expect(again).rejects.toThrow(/duplicate (column|key name)/i)
      }
      const printed = await columns(db)
      const user = await createKyselyUserStore({ db, ...naming }).create(newUser('ada'))
      expect(await migrate(db, naming)).toEqual(current.map(({ name }) => name))
      expect(await createKyselyUserStore({ db, ...naming }).findById(user.id)).toEqual(user)

      const other = await makeDatabase(driver)
      const fresh = await connect(other.place)
      await migrate(fresh, naming)
      expect(printed).toHaveLength(8)
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

describe.each(drivers)('another schema: $title', ({ name, engine }) => {
  let database: TestDatabase
  let db: Kysely<unknown>
  // On MySQL a schema is a database, and others may use the server as well; on SQLite it is an attached file.
  const schema = `accounts_test_${randomUUID().slice(0, 8)}`
  beforeEach(async () => {
    database = await makeDatabase(name)
    db = await connect(database.place)
    const make =
      engine === 'sqlite'
        ? sql`attach database ${`${database.place.url}.attached`} as ${sql.id(schema)}`
        : sql`create schema ${sql.id(schema)}`
    await make.execute(db)
  })
  afterEach(async () => {
    if (engine === 'mysql') await sql`drop schema ${sql.id(schema)}`.execute(db)
    await db.destroy()
    await database.drop()
  })

  const keys = ['users', 'identities', 'sessions', 'outbox', 'migrations'] as const
  const tablesIn = (schema: string, names: readonly (typeof keys)[number][] = keys) =>
    Object.fromEntries(names.map((key) => [key, `${schema}.${key}`]))

  /** What the stores write is in these tables, with all their indexes. */
  async function checkTables(tables: Partial<TableNames>): Promise<void> {
    expect(await migrate(db, { tables })).toEqual(all)
    expect(await migrate(db, { tables })).toEqual([])
    const users = createKyselyUserStore({ db, tables })
    const sessions = createKyselySessionStore({ db, tables, userStore: users })
    const ada = newUser('ada', { identityKeys: ['demo ada'] })
    const { id } = await users.create(ada, [newPendingMail()])
    await sessions.create(newSession('s1', { userId: id }))
    const invitations = createKyselyInvitationStore({ db, tables, userStore: users })
    await invitations.create(newInvitation())
    expect(await invitations.list({ limit: 9 })).toHaveLength(1)
    expect(await users.findByIdentity?.('demo ada')).toMatchObject({ id })
    expect(await sessions.withUsers?.find('s1')).toMatchObject({ user: { id } })
    const activity = createKyselyActivity({ db, tables })
    const entry = newActivityEntry()
    await activity.add([entry], 1)
    expect(await activity.list(entry.userId, { limit: 9 })).toEqual([entry])
    const organizations = createKyselyOrganizationStore({ db, tables, userStore: users })
    const organization = newOrganization()
    const member = newMembership({ organizationId: organization.id })
    await organizations.create(organization, [member])
    expect(await organizations.findFor({ slug: organization.slug }, member.userId)).toMatchObject({
      membership: member,
    })
    for (const store of [users, sessions, invitations, activity, organizations])
      expect(await store.inspect?.()).toEqual([])
    for (const table of [tables.users ?? 'accounts_users', tables.outbox ?? 'accounts_outbox']) {
      const { rows } = await sql`select 1 from ${sql.table(table)}`.execute(db)
      expect(rows).toHaveLength(1)
    }
  }

  test('tables can live in their own schema', () => checkTables(tablesIn(schema)))

  describe.runIf(engine === 'sqlite')('the schemas of SQLite', () => {
    test('main can be named', () => checkTables(tablesIn('main')))

    test.each(keys)('the table of %s can be the only one with a schema', (key) =>
      checkTables(tablesIn(schema, [key])),
    )

    test('the printed SQL puts tables and indexes there, and migrate takes over', async () => {
      const tables = tablesIn(schema)
      for (const line of migrationSql('sqlite', { tables }).split('\n')) {
        if (line !== '' && !line.startsWith('--')) await sql.raw(line).execute(db)
      }
      await checkTables(tables)
    })

    test.each(keys)('without such a file, one line names the option tables.%s', async (key) => {
      await expect(migrate(db, { tables: tablesIn('nowhere', [key]) })).rejects.toThrow(
        `tables.${key} names the schema nowhere, but no file is attached as nowhere: on SQLite, the schema is main or an attached file`,
      )
      expect(await db.introspection.getTables({ withInternalKyselyTables: true })).toEqual([])
    })
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
    [{ columns: { users: { is_staff: { is: 'boolean' } } } }, 'columns.users.is_staff.is is not an option'],
    [
      { columns: { users: { is_staff: { as: 'timestamptz' } } } },
      'columns.users.is_staff.as must be boolean or not boolean, got timestamptz',
    ],
    [
      { columns: { users: { email: { as: 'uuid' } } } },
      "columns.users.email.as is not an option: this column can't have another type",
    ],
    [
      { columns: { outbox: { id: { as: 'uuid' } } } },
      "columns.outbox.id.as is not an option: this column can't have another type",
    ],
    [{ columns: { users: { id: { name: 7 } } } }, `columns.users.id ${column}`],
    [{ columns: { fields: 'phone' } }, 'columns.fields must be an object of columns'],
    [{ columns: { fields: null } }, 'columns.fields must be an object of columns'],
    [
      { columns: { fields: { phone: { name: 'phone', type: 'text' } } } },
      'columns.fields.phone.type is not an option',
    ],
    [
      { columns: { fields: { phone: { name: 'phone', as: 'text' } } } },
      'columns.fields.phone.as must be one of boolean, not boolean, timestamptz, uuid, number, got text',
    ],
    [
      { columns: { fields: { points: { name: 'points', as: 'number', default: 'none' } } } },
      'columns.fields.points.default must be a number',
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
    expect(printed).toMatch(/^-- 0001_accounts\ncreate table if not exists "auth"\."people" \(/)
    expect(printed).toContain('constraint "people_username_key" unique ("login_key")')
    expect(printed).toMatch(/;\n$/)
  })
})
