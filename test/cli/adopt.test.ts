import { bcrypt, createMigratingHasher } from '@fastify-accounts/hashes'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  type Engine,
  migrate,
  type Naming,
} from '@fastify-accounts/kysely'
import { adopt as adoptOn } from '@fastify-accounts/test-support/adopt'
import { testAppOn } from '@fastify-accounts/test-support/app'
import {
  connect,
  type DriverName,
  driversHere,
  makeDatabase,
  runSql,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { sample } from '@fastify-accounts/test-support/depth'
import { read } from '@fastify-accounts/test-support/source'
import { sessionStoreCases, userStoreCases } from '@fastify-accounts/testing'
import { createScryptHasher } from 'fastify-accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const page = read('docs/guides/existing-table.md')
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

/** The option `columns` that the page ends with. */
const optionsOnPage = () => Function(`${blockOf('js')}; return columns`)() as NonNullable<Naming['columns']>

/** The tables of a shop, as its own migrations made them. */
const shop: Record<Engine, readonly string[]> = {
  postgres: [
    blockOf('sql'),
    `create table orders (id serial primary key, customer_id uuid not null references customers (id) on delete cascade)`,
  ],
  mysql: [
    `create table customers (id char(36) primary key, email varchar(255) not null,
      password varchar(255), full_name varchar(100), created_at datetime not null default current_timestamp,
      blocked boolean not null default false) default charset utf8mb4`,
    `create table orders (id int auto_increment primary key, customer_id char(36) not null,
      foreign key (customer_id) references customers (id) on delete cascade) default charset utf8mb4`,
  ],
  sqlite: [
    `create table customers (id text primary key, email text unique, password text, full_name text,
      created_at text not null default current_timestamp, blocked boolean not null default false)`,
    `create table orders (id integer primary key, customer_id text not null references customers (id) on delete cascade)`,
  ],
}

/** The tables that migrate makes. */
const ours = ['accounts_identities', 'accounts_sessions', 'accounts_outbox']
const password = 'correct horse battery'
/** Of bcrypt, with the least cost. */
const bcryptHash = '$2b$04$N1HBPz1.M9kqGth3cCXtkus43cQa0icUmjsPgH674MGZZ5gLra.iG'
const ada = '01234567-89ab-4cde-8f01-23456789abcd'
const ben = '11234567-89ab-4cde-8f01-23456789abcd'

describe.each(await driversHere(['pg', 'mysql2', 'libsql']))(
  'a shop adopts its users: $title',
  ({ name, engine }) => {
    let database: TestDatabase
    let db: Awaited<ReturnType<typeof connect>>
    const run = (...statements: string[]) => runSql(database.place, ...statements)

    beforeEach(async () => {
      database = await makeDatabase(name)
      db = await connect(database.place)
      await run(...shop[engine])
    })
    afterEach(async () => {
      await db.destroy()
      await database.drop()
    })

    const passwordHasher = createMigratingHasher(createScryptHasher(), [bcrypt({ cost: 4 })])

    const insert = (id: string, email: string, others = {}) => {
      const row = { id, email, password: bcryptHash, ...others }
      const values = Object.values(row).map((value) =>
        typeof value === 'string' ? `'${value}'` : String(value),
      )
      return run(`insert into customers (${Object.keys(row)}) values (${values})`)
    }

    const adopt = (...args: string[]) => adoptOn(database.place, ...args)

    async function adopted(): Promise<Naming> {
      const { data } = await adopt('--json')
      await run(...data.statements)
      expect(await adopt('--fill')).toMatchObject({ stderr: '' })
      await migrate(db, data.naming)
      return data.naming
    }

    test('what it prints makes the table ours, and old customers log in', async () => {
      await insert(ada, 'Ada@Example.org')
      await insert(ben, 'ben@example.org', { blocked: true, password: null })
      await run(`insert into orders (customer_id) values ('${ada}')`)
      const naming = await adopted()
      expect(naming.columns?.users).toMatchObject({
        is_active: { name: 'blocked', as: 'not boolean' },
        password_hash: 'password',
      })

      if (engine === 'postgres') {
        const { fields, ...columns } = optionsOnPage()
        expect(naming.columns).toEqual(columns)
      }

      // As at every later start of an app with a column for its own field.
      const columns = { ...naming.columns, fields: { full_name: 'full_name' } }
      expect(await migrate(db, { ...naming, columns })).toEqual([])

      const again = await adopt('--json')
      expect(again).toMatchObject({ code: 0 })
      expect(again.data).toMatchObject({
        statements: [],
        unfilled: 0,
        obstacles: [],
        references: ['orders.customer_id'],
      })

      const userStore = createKyselyUserStore({ db, ...naming })
      const sessions = createKyselySessionStore({ db, ...naming, userStore })
      expect(await userStore.findById(ben)).toMatchObject({ isActive: false, passwordHash: '!' })
      const { send } = await testAppOn(
        { users: userStore, sessions },
        { passwordHasher, users: { names: 'none' } },
      )
      const response = await send('POST', '/login/', { username: 'ada@example.org', password })
      expect(response.statusCode, response.body).toBe(200)
      expect(response.json()).toMatchObject({ id: ada, email: 'Ada@Example.org' })
      expect(await userStore.delete(ada)).toBe(true)
      expect(await run('select * from orders')).toEqual([])
    })

    test.runIf(engine === 'sqlite')(
      'an id that somebody chose adds no statement to what is printed',
      async () => {
        await insert('ada\ndrop table orders;', 'ada@example.org', { password: 'md5-of-something' })
        const { stdout } = await adopt()
        expect(stdout).toContain('ada drop table orders;')
        const statements = stdout.split('\n').filter((line) => !line.startsWith('--'))
        expect(statements.filter((line) => line.includes('drop'))).toEqual([])
      },
    )

    test.runIf(engine === 'sqlite')('a table can be named with the schema main', async () => {
      await insert(ada, 'Ada@example.org')
      const inMain = (...args: string[]) => adopt('--table', 'main.customers', ...args)
      const { data } = await inMain('--json')
      await run(...data.statements)
      expect(await inMain('--fill')).toMatchObject({ code: 0, stdout: 'filled: 1\n' })
      await migrate(db, data.naming)
      expect(await createKyselyUserStore({ db, ...data.naming }).inspect?.()).toEqual([])
      expect((await inMain('--json')).data).toMatchObject({
        statements: [],
        references: ['orders.customer_id'],
      })
    })

    test('what is in the way is named, by ids, and nothing else of a user', async () => {
      await insert(ada, 'Ada@example.org')
      await insert(ben, 'ADA@example.org', { password: 'md5-of-something' })
      await run('alter table customers add column tax_number varchar(20) not null default 7')
      const { code, stdout } = await adopt()
      expect(code).toBe(1)
      expect(stdout).toContain(
        `Must be fixed: 2 users have the same email address as another but for case and Unicode form (${ada}, ${ben})`,
      )
      expect(stdout).toContain(
        `Must be fixed: 1 password hash has a format that @fastify-accounts/hashes doesn't know: ids ${ben}`,
      )
      expect(stdout).not.toMatch(/ada@|md5|\$2b/i)
      expect(stdout).not.toContain('tax_number')
      await run(...(await adopt('--json')).data.statements)
      expect(await adopt('--fill')).toMatchObject({
        code: 1,
        stdout: `filled: 0\nleft: 2 users (${ada}, ${ben}): adopt users says why\n`,
      })
      await run(`update customers set email = 'ben@example.org' where id = '${ben}'`)
      expect(await adopt('--fill')).toMatchObject({ code: 0, stdout: 'filled: 2\n' })
      expect(await adopt('--fill')).toMatchObject({ code: 0, stdout: 'filled: 0\n' })
    })

    test('ids that the database makes, triggers and required columns are in the way', async () => {
      const id = { postgres: 'serial', mysql: 'int auto_increment', sqlite: 'integer' }[engine]
      await run(`create table members (id ${id} primary key, email varchar(255), club varchar(9) not null)`)
      const { stdout, code } = await adopt('--table', 'members')
      expect(code).toBe(1)
      expect(stdout).toMatch(/Must be fixed: id is int\S*: ids must be texts or UUIDs/)
      expect(stdout).toContain('Must be fixed: club must be nullable or have a default')
    })

    test.each([
      [['--table', 'nobodies'], 1, 'the database has no table nobodies'],
      [['--table', 'customers"; drop table customers; --'], 1, /^the database has no table/],
      [['--column', 'username=nothing'], 1, 'the table has no column nothing for username'],
      [['--column', 'username'], 2, '--column must be name=column, got username'],
      [['--as', 'yaml'], 2, '--as must be sql, prisma, drizzle, got yaml'],
      [['--fill'], 1, /^customers has no column \S+: run what adopt users prints first$/],
    ])('%j ends with one line', async (args, code, line) => {
      const { stderr, stdout, code: found } = await adopt(...args)
      expect(stdout).toBe('')
      expect(stderr.trimEnd()).toMatch(line)
      expect(found).toBe(code)
      expect(await run('select * from customers')).toEqual([])
    })

    // Their tests in examples/ merge it into a model of the app.
    test.each(['prisma', 'drizzle'])('prints our part of the table in the words of %s', async (as) => {
      const { stdout } = await adopt('--as', as)
      for (const field of ['emailKey', 'createdAt', 'blocked']) expect(stdout).toContain(`  ${field}`)
      expect(stdout).not.toMatch(/fullName|full_name/)
    })

    test('the adopted table keeps every law', async () => {
      const naming = await adopted()
      const options = async () => {
        await run(...['customers', ...ours].map((table) => `delete from ${table}`))
        return { db, ...naming }
      }
      const cases = [
        ...userStoreCases(async () => createKyselyUserStore(await options())),
        ...sessionStoreCases(async () => {
          const given = await options()
          return createKyselySessionStore({ ...given, userStore: createKyselyUserStore(given) })
        }),
      ]
      for (const { name: law, run } of cases) {
        if (sample(law, ['pg', 'mysql2', 'libsql'] satisfies DriverName[]).includes(name as 'pg'))
          await run().catch((error: unknown) => {
            throw new Error(law, { cause: error })
          })
      }
    }, 600_000)
  },
)
