import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  createKyselyActivity,
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  type Naming,
} from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
import { urlOf } from '@fastify-accounts/test-support/adopt'
import { makeProject, runCli, runProcess } from '@fastify-accounts/test-support/cli'
import {
  connect,
  type Driver,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { otherNames } from './support/names.js'

const drivers = await driversHere(['libsql', 'pg', 'mysql2'])

const schema = async (folder: string, args: string[], env: Record<string, string> = {}): Promise<string> => {
  const { code, stdout, stderr } = await runCli(folder, ['schema', ...args], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

const openings: Record<Driver['engine'], string> = {
  postgres: 'openPostgres(new pg.Pool())',
  mysql: 'openMysql(createPool({}))',
  sqlite: "openSqlite(new Database(':memory:'))",
}

/** A module of an app whose tables have these names. `schema` asks the database of DATABASE_URL, and not this one. */
const configWith = (naming: Naming, engine: Driver['engine'] = 'sqlite'): string => `
import * as kysely from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
import { organizations } from '@fastify-accounts/organizations'
import Database from 'libsql'
import { createPool } from 'mysql2'
import pg from 'pg'
const { createKyselyActivity, createKyselyInvitationStore, createKyselySessionStore, createKyselyUserStore } = kysely
const { openMysql, openPostgres, openSqlite } = kysely
const db = ${openings[engine]}
const naming = ${JSON.stringify(naming)}
export const options = {
  userStore: createKyselyUserStore({ db, ...naming }),
  sessionStore: createKyselySessionStore({ db, ...naming }),
  invitationStore: createKyselyInvitationStore({ db, ...naming }),
  activity: createKyselyActivity({ db, ...naming }),
  features: [organizations({ roles: { owner: ['org:*'] }, store: createKyselyOrganizationStore({ db, ...naming }) })],
}
export const close = () => db.destroy()
`

describe.each(drivers)('schema sql on $title', ({ name, engine }) => {
  const databases: { database: TestDatabase; db: Kysely<unknown> }[] = []
  beforeEach(async () => {
    for (let n = 0; n < 2; n++) {
      const database = await makeDatabase(name)
      databases.push({ database, db: await connect(database.place) })
    }
  })
  afterEach(async () => {
    for (const { database, db } of databases.splice(0)) {
      await db.destroy()
      await database.drop()
    }
  })

  /** The first of them. */
  const env = () => ({ DATABASE_URL: databases.map(({ database }) => urlOf(database.place))[0] ?? '' })

  test.each<[string, Naming]>([
    ['default names', {}],
    ['names of its own', otherNames],
    ['columns of other types', typedColumns],
  ])('makes the tables that migrate makes, with %s', async (_, naming) => {
    const [printed, migrated] = databases.map(({ db }) => db)
    if (printed === undefined || migrated === undefined) throw new Error('there are two databases')
    const folder = makeProject({ 'accounts.config.js': configWith(naming, engine) })
    await execute(printed, await schema(folder, ['sql'], env()))
    await migrate(migrated, naming)
    const tables = Object.values({ ...defaultTables, ...naming.tables, migrations: undefined }).flatMap(
      (each) => each ?? [],
    )
    const made = await catalog(printed, engine, tables)
    expect(made.length).toBeGreaterThan(60)
    expect(made).toEqual(await catalog(migrated, engine, tables))
    // It takes over later, and changes nothing.
    expect(await migrate(printed, naming)).toEqual(['0001_accounts'])
    expect(await catalog(printed, engine, tables)).toEqual(made)
    const options = { db: printed, ...naming }
    const stores = [
      createKyselyUserStore(options),
      createKyselySessionStore(options),
      createKyselyInvitationStore(options),
      createKyselyActivity(options),
      createKyselyOrganizationStore(options),
    ]
    expect((await Promise.all(stores.map((store) => store.inspect?.()))).flat()).toEqual([])
  })

  test.each([
    ['without a config', undefined],
    ['of other names', otherNames],
  ])('Prisma and Drizzle name every column of the SQL, %s', async (_, naming) => {
    const folder = makeProject(naming && { 'accounts.config.js': configWith(naming) })
    const sqlText = await schema(folder, ['sql'], env())
    const columns = [...sqlText.matchAll(/^ {2}["`](.+?)["`] \w/gm)].map(([, name = '']) =>
      name.replaceAll('""', '"'),
    )
    expect(columns.length).toBeGreaterThan(45)
    const prisma = await schema(folder, ['prisma'], env())
    const drizzle = await schema(folder, ['drizzle'], env())
    for (const column of columns) {
      expect(prisma).toMatch(
        new RegExp(`@map\\(${escaped(JSON.stringify(column))}\\)|^ {2}${escaped(column)} `, 'm'),
      )
      expect(drizzle).toContain(`('${column}'`)
    }
  })

  test('tables that exist are never printed as a whole, but for ours that have no other column', async () => {
    const [printed] = databases.map(({ db }) => db)
    if (printed === undefined) throw new Error('there is a database')
    const wholeIn = async (naming: Naming) => {
      const folder = makeProject({ 'accounts.config.js': configWith(naming, engine) })
      const text = await schema(folder, ['sql'], env())
      return [...text.matchAll(/^create table \Waccounts_(\w+)/gm)].map(([, name]) => name).sort()
    }
    await migrate(printed)
    // migrate leaves columns of sessions to processes of earlier versions: they are ours as well.
    expect(await wholeIn({})).toEqual([
      'activity',
      'identities',
      'invitations',
      'organization_members',
      'organizations',
      'outbox',
      'sessions',
      'users',
    ])
    await sql`alter table accounts_users add column shoe_size integer`.execute(printed)
    await sql`alter table accounts_outbox add column seen integer`.execute(printed)
    expect(await wholeIn({})).toEqual([
      'activity',
      'identities',
      'invitations',
      'organization_members',
      'organizations',
      'sessions',
    ])
    await sql`create table people (id integer)`.execute(printed)
    const folder = makeProject({
      'accounts.config.js': configWith({ tables: { users: 'people' } }, engine),
    })
    const { code, stderr } = await runCli(folder, ['schema', 'drizzle'], { env: env() })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'people has no column username: run what adopt users --table people prints first\n',
    })
  })

  test.runIf(engine === 'postgres')('tables in another schema of the database', async () => {
    const tables = { users: 'app.users', sessions: 'app.logins' }
    const folder = makeProject({ 'accounts.config.js': configWith({ tables }) })
    const [printed, prisma, drizzle] = await Promise.all(
      ['sql', 'prisma', 'drizzle'].map((format) => schema(folder, [format], env())),
    )
    expect(printed).toContain('create table "app"."users" (')
    expect(prisma).toContain('  @@map("users")\n  @@schema("app")')
    expect(drizzle).toContain("const appSchema = pgSchema('app')")
    expect(drizzle).toContain("appSchema.table(\n  'users'")
  })

  test.runIf(engine === 'sqlite')(
    'makes tables and indexes in the schema that their names have',
    async () => {
      const [printed] = databases.map(({ db }) => db)
      if (printed === undefined) throw new Error('there is a database')
      const naming = { tables: { users: 'main.people', sessions: 'main.visits' } }
      const folder = makeProject({ 'accounts.config.js': configWith(naming, engine) })
      await execute(printed, await schema(folder, ['sql'], env()))
      expect(await createKyselyUserStore({ db: printed, ...naming }).inspect?.()).toEqual([])
      expect(await createKyselySessionStore({ db: printed, ...naming }).inspect?.()).toEqual([])
    },
  )
})

const typedColumns: Naming = {
  columns: {
    users: {
      id: { as: 'uuid' },
      is_verified: { as: 'boolean' },
      is_active: { name: 'blocked', as: 'not boolean' },
      created_at: { as: 'timestamptz' },
    },
    identities: { user_id: { as: 'uuid' } },
    sessions: { user_id: { as: 'uuid' } },
  },
}

const defaultTables = {
  users: 'accounts_users',
  identities: 'accounts_identities',
  sessions: 'accounts_sessions',
  invitations: 'accounts_invitations',
  activity: 'accounts_activity',
  organizations: 'accounts_organizations',
  organizationMembers: 'accounts_organization_members',
  outbox: 'accounts_outbox',
}

/** Runs what a tool that owns the migrations would. */
async function execute(db: Kysely<unknown>, text: string): Promise<void> {
  const statements = text.replace(/^--.*\n/gm, '').split(/;\n/)
  for (const statement of statements.filter((each) => each.trim() !== ''))
    await db.executeQuery(CompiledQuery.raw(statement))
}

/** Everything about the columns and indexes of these tables, but for the order of columns; sorted lines. */
async function catalog(
  db: Kysely<unknown>,
  engine: Driver['engine'],
  tables: readonly string[],
): Promise<string[]> {
  const lines: string[] = []
  for (const table of tables) {
    for (const query of catalogQueries[engine](table)) {
      const { rows } = await query.execute(db)
      lines.push(...rows.map((row) => JSON.stringify({ table, ...(row as object) })))
    }
  }
  return lines.sort()
}

const catalogQueries: Record<Driver['engine'], (table: string) => ReturnType<typeof sql>[]> = {
  postgres: (table) => [
    sql`select attname, format_type(atttypid, atttypmod), attnotnull, collname, pg_get_expr(adbin, adrelid)
      from pg_attribute left join pg_collation c on c.oid = attcollation
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = quote_ident(${table}::text)::regclass and attnum > 0 and not attisdropped`,
    sql`select indexdef from pg_indexes where tablename = ${table}`,
    sql`select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = quote_ident(${table}::text)::regclass`,
  ],
  mysql: (table) => [
    sql`select column_name, column_type, is_nullable, column_default, character_set_name, collation_name, extra
      from information_schema.columns where table_schema = database() and table_name = ${table}`,
    sql`select index_name, seq_in_index, column_name, non_unique, sub_part, index_type
      from information_schema.statistics where table_schema = database() and table_name = ${table}`,
    sql`select engine, table_collation from information_schema.tables
      where table_schema = database() and table_name = ${table}`,
  ],
  sqlite: (table) => [
    sql`select name, type, "notnull", dflt_value, pk from pragma_table_info(${table})`,
    // SQLite names the index of a constraint itself.
    sql`select part.name, seqno, coll, "unique", origin, group_concat(part.name) over (partition by list.name) as whole
      from pragma_index_list(${table}) as list, pragma_index_xinfo(list.name) as part where key = 1`,
    sql`select name from sqlite_schema where tbl_name = ${table} and type = 'index' and sql is not null`,
  ],
}

describe('what schema prints', () => {
  test('without a config and without Kysely, the tables of the table stores, if they are installed', async () => {
    const folder = makeProject({ 'package.json': '{}' })
    const packages = join(folder, 'node_modules/@fastify-accounts')
    rmSync(join(packages, 'kysely'))
    // In a process of its own: Vitest's NODE_PATH leads to every package.
    const { stdout: text } = await runProcess(folder, ['schema', 'sql', '--dialect', 'postgres'])
    expect(text).toContain('The tables of @fastify-accounts/table-stores on')
    expect(text).toContain('"created_at" timestamptz(3) not null')
    expect(text).toContain('references "accounts_users" ("id") on delete cascade')
    rmSync(join(packages, 'table-stores'))
    const { code, stderr } = await runProcess(folder, ['schema', 'sql', '--dialect', 'postgres'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'no stores on tables: npm install @fastify-accounts/table-stores, or @fastify-accounts/kysely\n',
    })
  })

  test('only the tables of the stores that have some', async () => {
    const config = configWith({}).replaceAll(
      /createKysely(SessionStore|InvitationStore|Activity|OrganizationStore)\(\{[^}]*\}\)/g,
      'undefined',
    )
    const text = await schema(makeProject({ 'accounts.config.js': config }), [
      'prisma',
      '--dialect',
      'postgres',
    ])
    expect([...text.matchAll(/^model (\w+)/gm)].map(([, model]) => model)).toEqual([
      'AccountsUser',
      'AccountsIdentity',
      'AccountsMessage',
    ])
    expect(text).toContain(
      '//   user   AccountsUser @relation(fields: [userId], references: [id], onDelete: Cascade)',
    )
  })

  test.each<[string, Naming]>([
    ['tables.sessions', { tables: { sessions: 'logins' } }],
    ['columns.users', { columns: { users: { username: 'login' } } }],
  ])('without a database of that dialect, nothing that %s renames', async (option, naming) => {
    const folder = makeProject({ 'accounts.config.js': configWith(naming) })
    for (const env of [{}, { DATABASE_URL: 'file:app.db' }]) {
      const { code, stdout, stderr } = await runCli(folder, ['schema', 'prisma', '--dialect', 'mysql'], {
        env,
      })
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: `${option} may name a table that exists: set DATABASE_URL to its mysql database, so its own columns are seen\n`,
      })
    }
  })
})

describe('the dialect', () => {
  test.each([
    ['postgres://localhost/app', 'PostgreSQL'],
    ['prisma+postgres://localhost/app', 'PostgreSQL'],
    ['mariadb://localhost/app', 'MySQL or MariaDB'],
    ['file:./dev.db', 'SQLite'],
  ])('is that of DATABASE_URL: %s', async (DATABASE_URL, title) => {
    expect(await schema(makeProject(), ['sql'], { DATABASE_URL })).toContain(` on ${title}, `)
  })

  test.each([
    [['sql'], 'pass --dialect with postgres, mysql, sqlite, or set DATABASE_URL'],
    [['sql', '--dialect', 'oracle'], '--dialect must be postgres, mysql, sqlite, got oracle'],
    [['typeorm', '--dialect', 'mysql'], 'schema prints prisma, drizzle, sql, got typeorm'],
    [[], 'missing argument: prisma|drizzle|sql'],
  ])('%j: exit code 2', async (args, message) => {
    const { code, stderr } = await runCli(makeProject(), ['schema', ...args])
    expect({ code, stderr }).toEqual({ code: 2, stderr: `${message}\n` })
  })
})

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
