import { createKyselyUserStore, type Engine, migrate, surveyUsers } from '@fastify-accounts/kysely'
import { connect, driversHere, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
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
    expect(locks).toEqual(['banned_at'])
    await expect(surveyUsers(db, 'members', { usernam: 'login' })).rejects.toThrow(
      /^users have no column usernam that login could be$/,
    )
  },
)

for (const { title, name } of drivers.filter(({ engine }) => engine === 'mysql')) {
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
