import { createKyselyUserStore, type Engine, migrate } from '@fastify-accounts/kysely'
import {
  connect,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { read } from '@fastify-accounts/test-support/source'
import { type ListingUserStore, RefusedError } from 'fastify-accounts'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newUser } from './support/users.js'

const page = read('docs/adapters/kysely.md')

/** The SQL under a heading of docs/adapters/kysely.md, for an engine. */
function onPage(heading: string, engine: Engine): string[] {
  const section = page.split(`\n### ${heading}\n`)[1] ?? expect.fail(`the page has no heading ${heading}`)
  const name = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MySQL and MariaDB' }[engine]
  const block = section.match(new RegExp(`\`\`\`sql\n-- ${name}\n([^\`]+)\`\`\``))?.[1]
  return (block ?? expect.fail(`no SQL for ${name} below ${heading}`))
    .split(';\n')
    .filter((each) => each !== '')
}

describe.each(await driversHere())('application tables next to ours: $title', ({ name, engine }) => {
  let database: TestDatabase
  let db: Kysely<unknown>
  let store: ListingUserStore

  beforeEach(async () => {
    database = await makeDatabase(name)
    // One connection: a call that needed a second one would wait forever.
    db = await connect(database.place, 1)
    await migrate(db)
    store = createKyselyUserStore({ db })
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })

  const run = async (statements: string[]) => {
    for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement))
  }

  test('a column added by the application keeps its values', async () => {
    await sql`alter table accounts_users add column shoe_size integer`.execute(db)
    const ada = await store.create(newUser('ada'))
    await sql`update accounts_users set shoe_size = 38`.execute(db)
    expect(await store.findById(ada.id)).toEqual(ada)
    expect(await store.update(ada.id, { isStaff: true }, 1)).toEqual({ ...ada, isStaff: true, version: 2 })
    expect((await sql`select shoe_size from accounts_users`.execute(db)).rows).toEqual([{ shoe_size: 38 }])
  })

  test("the documented foreign key to our users deletes a user's rows along with the user", async () => {
    await run(onPage('A foreign key to the users', engine))
    const [ada, bob] = [await store.create(newUser('ada')), await store.create(newUser('bob'))]
    for (const { id } of [ada, bob]) {
      await sql`insert into posts (id, author_id, title) values (${`post of ${id}`}, ${id}, 'Hello')`.execute(
        db,
      )
    }
    const ofNobody = sql`insert into posts (id, author_id, title) values ('x', 'nobody', 'Hello')`.execute(db)
    await expect(ofNobody).rejects.toThrow(/foreign key/i)
    expect(await store.delete(ada.id)).toBe(true)
    const { rows } = await sql<{ id: unknown }>`select id from posts`.execute(db)
    expect(rows.map(({ id }) => String(id))).toEqual([`post of ${bob.id}`])
  })

  test('a row that restricts deletion keeps its user', async () => {
    await run(onPage('A foreign key to the users', engine).map((line) => line.replace('cascade', 'restrict')))
    const ada = await store.create(newUser('ada'))
    await sql`insert into posts (id, author_id, title) values ('p', ${ada.id}, 'Hello')`.execute(db)
    await expect(store.delete(ada.id)).rejects.toThrow(RefusedError)
    expect(await store.findById(ada.id)).toEqual(ada)
  })

  test('own fields can be queried and indexed as documented', async () => {
    const ada = await store.create(newUser('ada', { fields: { department: 'Büro "1"', tags: ['a'] } }))
    await run(onPage('Querying custom fields', engine))
    const bob = await store.create(newUser('bob', { fields: { department: 'Lab' } }))
    await store.create(newUser('eve', { fields: {} }))
    const named = async () => {
      const { rows } = await sql<{ username: string; department: unknown }>`
        select username, department from accounts_users where department is not null order by username`.execute(
        db,
      )
      return rows
    }
    expect(await named()).toEqual([
      { username: 'ada', department: 'Büro "1"' },
      { username: 'bob', department: 'Lab' },
    ])
    await store.update(bob.id, { fields: { department: 'Office' } }, 1)
    expect(await named()).toContainEqual({ username: 'bob', department: 'Office' })
    expect(await store.findById(ada.id)).toEqual(ada)
  })

  test('with the documented column, users with NUL or half a character in a field are kept', async () => {
    await run(onPage('Querying custom fields', engine))
    for (const [at, text] of ['a\0b', '\ud800'].entries()) {
      for (const [field, note] of [
        [text, ''],
        ['Lab', text],
      ]) {
        const fields = { department: field ?? '', note: note ?? '' }
        const { id } = await store.create(newUser(`ada-${at}-${field === 'Lab'}`, { fields }))
        expect((await store.findById(id))?.fields).toEqual(fields)
      }
    }
  })

  test("a transaction of the application and a concurrent store call don't mix", async () => {
    await sql`create table notes (note varchar(20))`.execute(db)
    let creation: Promise<unknown> | undefined
    const rolledBack = db.transaction().execute(async (transaction) => {
      await sql`insert into notes values ('draft')`.execute(transaction)
      creation = store.create(newUser('ada'))
      await sql`insert into notes values ('second')`.execute(transaction)
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    const created = await creation
    expect(await store.findByUsername('ada')).toEqual(created)
    expect((await sql`select * from notes`.execute(db)).rows).toEqual([])
  })

  // SQLite has no time zones.
  if (engine !== 'sqlite')
    test("the session's time zone doesn't change any time", async () => {
      const away = engine === 'mysql' ? "set time_zone = '+05:45'" : "set time zone 'Asia/Kathmandu'"
      const back = engine === 'mysql' ? "set time_zone = '-09:30'" : "set time zone 'Pacific/Marquesas'"
      const createdAt = new Date('2026-03-29T01:30:00.123Z')
      await run([away])
      // Their clocks differ by little, time zones by minutes at least.
      expect(Math.abs(Number(await store.now?.()) - Date.now())).toBeLessThan(5 * 60_000)
      const { id } = await store.create(newUser('ada', { createdAt, lastLoginAt: createdAt }))
      await run([back])
      expect(await store.findById(id)).toMatchObject({ createdAt, lastLoginAt: createdAt })
      expect(
        await store.list({
          limit: 1,
          after: { id: '0', usernameKey: '0', createdAt: new Date(+createdAt - 1) },
        }),
      ).toHaveLength(1)
    })

  test('the docs explain how to read a time', async () => {
    await store.create(newUser('ada', { createdAt: new Date('2026-03-29T01:30:00.123Z') }))
    if (engine === 'mysql') await run(["set time_zone = '+00:00'"])
    if (engine === 'postgres') await run(["set time zone 'UTC'"])
    const formula = {
      sqlite: "datetime(created_at / 1000, 'unixepoch')",
      postgres: 'to_timestamp(created_at / 1000.0)',
      mysql: 'from_unixtime(created_at / 1000)',
    }[engine]
    expect(page).toContain(`\`${formula}\``)
    const text = engine === 'mysql' ? `cast(${formula} as char)` : `cast(${formula} as text)`
    const { rows } = await sql<{ t: string }>`select ${sql.raw(text)} as t from accounts_users`.execute(db)
    expect(rows[0]?.t).toMatch(/^2026-03-29 01:30:00/)
  })
})
