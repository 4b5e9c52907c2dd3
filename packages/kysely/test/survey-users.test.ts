import { createKyselyUserStore, type Engine, migrate, surveyUsers } from '@fastify-accounts/kysely'
import { connect, driversHere, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'

const drivers = await driversHere(['pg', 'mysql2', 'libsql'])

/** A trigger of the app's on its table, as each engine writes it. */
const triggers: Record<Engine, readonly string[]> = {
  postgres: [
    'create function shout() returns trigger language plpgsql as $$ begin new.email = upper(new.email); return new; end $$',
    'create trigger shouts before update on members for each row execute function shout()',
  ],
  mysql: ['create trigger shouts before update on members for each row set new.email = upper(new.email)'],
  sqlite: [
    'create trigger shouts after update on members begin update members set email = upper(new.email) where id = new.id; end',
  ],
}

async function makeMembers(name: (typeof drivers)[number]['name'], columns: string) {
  const { place, drop } = await makeDatabase(name)
  onTestFinished(drop)
  await runSql(place, `create table members (${columns})`)
  return place
}

test.each(drivers)(
  'triggers, and unique indexes on names, are in the way: $title',
  async ({ name, engine }) => {
    const place = await makeMembers(
      name,
      'id varchar(36) primary key, email varchar(255), login varchar(255) unique, active boolean, banned_at varchar(30)',
    )
    await runSql(place, ...triggers[engine])
    const db = await connect(place)
    onTestFinished(() => db.destroy())
    const { obstacles, locks } = await surveyUsers(db, 'members')
    expect(obstacles).toContain(
      'the trigger shouts also runs on our statements: none may change a column of ours',
    )
    expect(obstacles.filter((line) => line.includes('unique index on login'))).toHaveLength(1)
    const choice = engine === 'sqlite' ? 'is_active=not:banned_at' : null
    expect(locks).toEqual([{ name: 'banned_at', choice }])
    await expect(surveyUsers(db, 'members', { usernam: 'login' })).rejects.toThrow(
      /^users have no column usernam that login could be$/,
    )
  },
)

for (const { title, name } of drivers.filter(({ engine }) => engine === 'postgres')) {
  test(`columns that are too short, required or too exact: ${title}`, async () => {
    const place = await makeMembers(
      name,
      'id text primary key, email text not null, login varchar(100), password varchar(60) not null, created_at timestamptz(6), last_login timestamptz(3)',
    )
    const db = await connect(place, 1)
    onTestFinished(() => db.destroy())
    const { obstacles, mended, loosened, times } = await surveyUsers(db, 'members')
    expect(obstacles).toEqual([])
    expect(mended).toEqual([
      "login is character varying(100), and needs 150 characters: longer values are rejected, or cut if the SQL mode isn't strict",
      "password is character varying(60), and needs 128 characters: longer values are rejected, or cut if the SQL mode isn't strict",
    ])
    expect(loosened).toEqual([
      { name: 'email', type: 'text', isNullable: true },
      { name: 'login', type: 'varchar(1024)', isNullable: true },
      { name: 'password', type: 'varchar(1024)', isNullable: false },
    ])
    expect(times.map((column) => column.name)).toEqual(['created_at'])
    await runSql(place, 'create table orders (member text references members (id))')
    const inSchema = await surveyUsers(db, 'public.members')
    expect(inSchema).toMatchObject({ obstacles, mended, loosened, times, references: ['orders.member'] })
  })
}

for (const { title, name } of drivers.filter(({ engine }) => engine === 'mysql')) {
  test(`columns that are too short, required, of other letters, or no UUIDs: ${title}`, async () => {
    const place = await makeMembers(
      name,
      `id char(36) primary key, email varchar(255) character set latin1 not null, login varchar(100),
        password varchar(60), created_at timestamp(3) null, last_login datetime(3), index (password(10))`,
    )
    const db = await connect(place, 1)
    onTestFinished(() => db.destroy())
    const ids = ['01234567-89ab-4cde-8f01-23456789abcd', '01234567-89AB-4CDE-8F01-23456789ABCE']
    for (const id of ids) await runSql(place, `insert into members (id, email) values ('${id}', '')`)
    const told = { email: 'email', password_hash: 'password' }
    const survey = await surveyUsers(db, 'members', told)
    expect(survey.mended).toEqual([])
    expect(survey.obstacles).toEqual([
      expect.stringMatching(/^login is varchar\(100\), and needs 150 characters/),
      expect.stringMatching(/^password is varchar\(60\), and needs 128 characters/),
      expect.stringMatching(/^email has the collation latin1_\w+, which can't hold every character$/),
      `id is a text, and some ids are no UUIDs in lower case (${ids[1]}): make it varbinary(255), with all that refers to it`,
    ])
    expect(survey.times.map((column) => column.name)).toEqual(['created_at'])
    const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
    const inSchema = await surveyUsers(db, `${rows[0]?.name}.members`, told)
    expect(inSchema.obstacles).toEqual(survey.obstacles)
    // An index has no room for longer texts.
    expect(survey.loosened).toEqual([{ name: 'email', type: 'varchar(255)', isNullable: true }])
    await runSql(place, 'drop index password on members', `delete from members where id = '${ids[1]}'`)
    const after = await surveyUsers(db, 'members', told)
    expect(after.loosened.map((column) => column.name)).toEqual(['email', 'login', 'password'])
    expect(after.obstacles.filter((line) => line.includes('UUIDs'))).toEqual([])
  })

  test(`a mode that cuts values, and addresses that only look alike: ${title}`, async () => {
    const place = await makeMembers(
      name,
      'id char(36) primary key, email varchar(255) collate utf8mb4_general_ci unique, phone varchar(5)',
    )
    const db = await connect(place, 1, "set session sql_mode = ''")
    onTestFinished(() => db.destroy())
    const { obstacles, engine } = await surveyUsers(db, 'members')
    expect(engine).toBe('mysql')
    const isStrictOne = (line: string) => line.startsWith("the SQL mode isn't strict")
    expect(obstacles.filter(isStrictOne)).toHaveLength(1)
    expect(obstacles.filter((line) => line.includes('utf8mb4_general_ci'))).toHaveLength(1)
    await migrate(db)
    await runSql(place, 'alter table accounts_users add column phone varchar(5)')
    const fields = { columns: { fields: { phone: 'phone' } } }
    const lines = (await createKyselyUserStore({ db, ...fields }).inspect?.()) ?? []
    expect(lines.filter(isStrictOne)).toHaveLength(1)
    expect(await createKyselyUserStore({ db }).inspect?.()).toEqual([])
    const strict = await connect(place, 1)
    onTestFinished(() => strict.destroy())
    expect((await surveyUsers(strict, 'members')).obstacles.filter(isStrictOne)).toEqual([])
  })
}

test.each(drivers)(
  'where people came from is no origin of ours, and what was added is found again: $title',
  async ({ name }) => {
    const place = await makeMembers(
      name,
      'id varchar(36) primary key, email varchar(255), origin varchar(255)',
    )
    const db = await connect(place, 1)
    onTestFinished(() => db.destroy())
    const { naming, missing } = await surveyUsers(db, 'members')
    const column = missing.columns.find((each) => each.name === 'account_origin')
    expect(column).toMatchObject({ default: 'host' })
    expect(column?.isNullable).not.toBe(true)
    expect(naming).toMatchObject({ columns: { users: { origin: 'account_origin' } } })
    await runSql(place, "alter table members add column account_origin varchar(255) default 'host' not null")
    const again = await surveyUsers(db, 'members')
    expect(again.naming).toMatchObject({ columns: { users: { origin: 'account_origin' } } })
    expect(again.missing.columns.map((each) => each.name)).not.toContain('account_origin')
  },
)

test.each(drivers)(
  'in a table with rows it asks what may lock users out, and reads times: $title',
  async ({ name, engine }) => {
    const time = { postgres: 'timestamptz', mysql: 'datetime', sqlite: 'text' }[engine]
    const place = await makeMembers(
      name,
      `id varchar(36) primary key, email varchar(255), password varchar(255), confirmed_at ${time}, deleted_at ${time}, status varchar(20)`,
    )
    const ids = ['01234567-89ab-4cde-8f01-23456789abcd', '11234567-89ab-4cde-8f01-23456789abcd']
    await runSql(
      place,
      `insert into members values ('${ids[0]}', 'ada@example.org', '$2b$04$', '2024-01-01 00:00:00', null, 'ok')`,
      `insert into members values ('${ids[1]}', 'ben@example.org', '$2b$04$', null, '2024-01-01 00:00:00', 'banned')`,
    )
    const db = await connect(place, 1)
    onTestFinished(() => db.destroy())
    const before = await surveyUsers(db, 'members')
    const asked = before.undecided.filter((line) => line.includes('may lock users out'))
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatch(/^deleted_at, status .*--column is_active=not:deleted_at/)
    expect(before.mayVerify).toEqual(['confirmed_at'])
    const choices = { is_verified: 'confirmed_at', is_active: 'not:deleted_at' }
    const { missing, dates, unverified, mayVerify } = await surveyUsers(db, 'members', choices)
    expect(dates).toEqual([expect.stringContaining('confirmed_at'), expect.stringContaining('deleted_at')])
    expect(missing.columns.map((column) => column.name)).toEqual(
      expect.arrayContaining(['is_verified', 'is_active']),
    )
    expect([unverified, mayVerify]).toEqual([1, []])
  },
)
