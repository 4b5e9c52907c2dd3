import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { bcrypt, createMigratingHasher } from '@fastify-accounts/hashes'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  type Engine,
  fillKeys,
  migrate,
  type Naming,
} from '@fastify-accounts/kysely'
import { adopt, urlOf } from '@fastify-accounts/test-support/adopt'
import { cookieOf } from '@fastify-accounts/test-support/app'
import { bin, makeProject } from '@fastify-accounts/test-support/cli'
import { connect, type DriverName, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { connectWith } from '@fastify-accounts/test-support/interfere'
import { createScryptHasher } from 'fastify-accounts'
import { afterEach, expect, vi } from 'vitest'
import { cases } from './catalogue.js'
import type { Scene } from './service.js'

const where = {
  on: ['SQLite', 'PostgreSQL', 'MariaDB'],
  because: 'a table of the app’s needs a database',
} as const

const password = 'correct horse battery'
/** Of bcrypt, with the least cost. */
const bcryptHash = '$2b$04$N1HBPz1.M9kqGth3cCXtkus43cQa0icUmjsPgH674MGZZ5gLra.iG'
const [ada, ben, cyd] = ['0', '1', '2'].map((digit) => `${digit}1234567-89ab-4cde-8f01-23456789abcd`) as [
  string,
  string,
  string,
]

const engines: Partial<Record<DriverName, Engine>> = { pg: 'postgres', mysql2: 'mysql' }

/** Types that each engine's app might have chosen. */
const types: Record<Engine, { id: string; text: string; flag: string }> = {
  postgres: { id: 'text collate "C"', text: 'varchar(255)', flag: 'boolean' },
  mysql: { id: 'varbinary(255)', text: 'varchar(255)', flag: 'boolean' },
  sqlite: { id: 'text', text: 'text', flag: 'boolean' },
}

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** A database of the ground's kind, with an app's table `customers`, and one that an attack would be after. */
async function shopLike({ place: like }: Scene) {
  if (like === undefined) throw new Error('this ground has no database')
  const { place, drop } = await makeDatabase(like.driver)
  opened.push(drop)
  const engine = engines[place.driver] ?? 'sqlite'
  const { id, text, flag } = types[engine]
  await runSql(
    place,
    `create table customers (id ${id} not null primary key, email ${text}, password ${text}, blocked ${flag}, staff ${flag}, verified ${flag})`,
    'create table victims (id integer)',
  )
  const mark = engine === 'mysql' ? '`' : '"'
  return {
    place,
    engine,
    quoted: (name: string) => `${mark}${name.replaceAll(mark, mark + mark)}${mark}`,
    run: (...statements: string[]) => runSql(place, ...statements),
    insert: (of: string, email: string, others: Record<string, unknown> = {}) =>
      runSql(
        place,
        `insert into customers (${Object.keys({ of, email, password, ...others }).map((name) => (name === 'of' ? 'id' : name))})
          values (${Object.values({ of, email, password: bcryptHash, ...others }).map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))})`,
      ),
  }
}

type Shop = Awaited<ReturnType<typeof shopLike>>

/** Runs what `adopt users` prints, without filling keys. */
async function prepare({ place, run }: Pick<Shop, 'place' | 'run'>, ...args: string[]): Promise<Naming> {
  const { data } = await adopt(place, '--json', ...args)
  await run(...data.statements)
  return data.naming
}

/** An app on the adopted table. */
async function startOn({ start }: Scene, { place }: Pick<Shop, 'place'>, naming: Naming) {
  const db = await connect(place)
  opened.push(() => db.destroy())
  await migrate(db, naming)
  const userStore = createKyselyUserStore({ db, ...naming })
  const service = await start({
    userStore,
    sessionStore: createKyselySessionStore({ db, ...naming, userStore }),
    passwordHasher: createMigratingHasher(createScryptHasher(), [bcrypt({ cost: 4 })]),
    users: {
      names: 'none',
      list: true,
      fields: { type: 'object', properties: { phone: { type: 'string' } } },
    },
  })
  const logIn = (username: string, word = password) =>
    service.send('POST', '/login/', { username, password: word })
  return { service, userStore, logIn }
}

const victims = async ({ run }: Pick<Shop, 'run'>) => (await run('select * from victims')).length
const keysOf = async ({ run }: Pick<Shop, 'run'>) =>
  (await run('select id, email, email_key, version from customers order by id')).map((row) =>
    [row.id, row.email, row.email_key, Number(row.version)].map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    ),
  )

cases('Adopted tables', ({ storage }) => {
  storage(
    'ADO-01',
    {
      tried:
        'names of tables, columns and triggers, and ids, with quotes, line breaks and SQL, in what adopt prints and fills',
      expected:
        'they stay names; every other line of the output is a comment on one line; nothing else is changed',
      ...where,
    },
    async (scene) => {
      const shop = await shopLike(scene)
      const { place, engine, quoted, run } = shop
      const table = `it's "my" \`customers\`; drop table victims; --`
      const column = `pass"w\`ord'; drop table victims; --`
      const note = 'note\ndrop table victims;\n--'
      const { id, text } = types[engine]
      await run(
        `create table ${quoted(table)} (id ${id} not null primary key, email ${text}, ${quoted(column)} ${text}, ${quoted(note)} ${text} not null)`,
      )
      for (const number of [1, 2]) {
        await run(
          `insert into ${quoted(table)} (id, email, ${quoted(note)}) values ('${number}\ndrop table victims;\n', 'ada@example.org', 'x')`,
        )
      }
      const args = ['--table', table, '--column', `password_hash=${column}`]
      const { stdout, code } = await adopt(place, ...args)
      expect(code).toBe(1)
      expect(stdout).toContain('have the same email address')
      for (const line of stdout.trimEnd().split('\n'))
        expect(line).toMatch(/^(?:-- |alter table |create (?:unique )?index |update )/)
      await run(
        ...stdout
          .trimEnd()
          .split('\n')
          .filter((line) => !line.startsWith('--')),
      )
      for (const as of ['prisma', 'drizzle']) {
        const { stdout: models } = await adopt(place, ...args, '--as', as)
        expect(models).not.toMatch(/^\s*drop table/m)
      }
      await run(`delete from ${quoted(table)} where id like '2%'`)
      expect(await adopt(place, ...args, '--fill')).toMatchObject({ code: 0, stdout: 'filled: 1\n' })
      expect(await victims(shop)).toBe(0)
    },
  )

  storage(
    'ADO-02',
    {
      tried:
        'patterns, quotes and SQL as a search for users, in addresses and in a field with a column of its own',
      expected: 'each finds only whom it is in, and changes nothing',
      ...where,
    },
    async (scene) => {
      const shop = await shopLike(scene)
      await shop.run(`alter table customers add column phone ${types[shop.engine].text}`)
      await shop.insert(ada, 'ada@example.org', { staff: true, phone: '+49_30%' })
      await shop.insert(ben, 'ben@example.org', { phone: '4930' })
      const naming = await prepare(shop)
      await adopt(shop.place, '--fill')
      const columns = { ...naming.columns, fields: { phone: 'phone' } }
      const { service, userStore, logIn } = await startOn(scene, shop, { ...naming, columns })
      const cookie = cookieOf(await logIn('ada@example.org'))
      for (const search of [
        '%',
        '_',
        '%@example.org',
        "a' or '1'='1",
        "'; drop table victims; --",
        '\\',
        '"',
      ]) {
        const url = `/user/?search=${encodeURIComponent(search)}`
        const response = await service.app.inject({ url, headers: { cookie } })
        expect([search, response.json().results]).toEqual([search, []])
      }
      const idsOf = async (text: string) =>
        (await userStore.list({ limit: 5, search: { text, fields: ['phone'] } })).map(({ id }) => id)
      expect(await idsOf('_30%')).toEqual([ada])
      expect(await idsOf('4_3')).toEqual([])
      for (const phone of ["1'; drop table victims; --", '\\', '%s']) {
        const user = await userStore.findById(ben)
        await userStore.update(ben, { fields: { phone } }, user?.version ?? 0)
        expect((await userStore.findById(ben))?.fields).toEqual({ phone })
        expect(await idsOf(phone)).toEqual([ben])
      }
      expect((await userStore.findById(ada))?.fields).toEqual({ phone: '+49_30%' })
      expect(await victims(shop)).toBe(0)
    },
  )

  storage(
    'ADO-03',
    {
      tried:
        'a column of keys that is too short, or takes capitals for small letters, and ids or keys that two rows could share',
      expected: 'adopt and doctor name the column before two accounts can become one',
      ...where,
    },
    async (scene) => {
      const shop = await shopLike(scene)
      const { place, engine, run } = shop
      const naming = await prepare(shop)
      const db = await connect(place)
      opened.push(() => db.destroy())
      await migrate(db, naming)
      const found = async () => {
        const { data } = await adopt(place, '--json')
        const lines: string[] = [...data.obstacles, ...data.statements]
        const inspected = (await createKyselyUserStore({ db, ...naming }).inspect?.()) ?? []
        const isNamed = (line: string) => line.includes('email_key') || line.includes('index on id')
        return [lines.filter(isNamed).length > 0, inspected.length > 0]
      }
      expect(await found()).toEqual([false, false])
      const index = 'customers_email_key_u'
      const drop = `drop index ${index}${engine === 'mysql' ? ' on customers' : ''}`
      const unique = `create unique index ${index} on customers (email_key)`
      // Two rows could have the same key.
      await run(drop, unique.replace('unique ', ''))
      expect(await found()).toEqual([true, true])
      const worse: Record<Engine, string[]> = {
        postgres: ['varchar(20) collate "C"', 'text collate "en-x-icu"'],
        mysql: ['varbinary(20)', 'varchar(255) character set utf8mb4 collate utf8mb4_general_ci'],
        sqlite: ['text collate nocase'],
      }
      for (const type of worse[engine]) {
        await run(drop, 'alter table customers drop column email_key')
        await run(`alter table customers add column email_key ${type}`, unique)
        expect([type, await found()]).toEqual([type, [true, true]])
      }
      const { id } = types[engine]
      await run(
        `create table members (id ${id} not null, email varchar(255))`,
        'create index members_id on members (id)',
      )
      expect((await adopt(place, '--table', 'members')).stdout).toContain(
        'Must be fixed: no unique index on id alone: two users could have the same id',
      )
    },
  )

  storage(
    'ADO-04',
    {
      tried:
        'while keys are filled: the old app changes an address, the new one renames the user, a new user takes the address',
      expected:
        'nobody gets the key of an address that isn’t theirs; who was left gets theirs in the next run',
      ...where,
    },
    async (scene) => {
      const shop = await shopLike(scene)
      const { place, run } = shop
      await shop.insert(ada, 'ada@example.org')
      const naming = await prepare(shop)
      const changes = [
        "update customers set email = 'countess@example.org', email_key = null",
        "update customers set username = 'ada', version = version + 1",
        `insert into customers (id, email, password, email_key, username_key) values ('${ben}', 'ada@example.org', '!', 'ada@example.org', 'ben')`,
      ]
      const after = ['countess@example.org', 'ada@example.org']
      for (const [at, change] of changes.entries()) {
        await run(
          "update customers set email = 'ada@example.org', email_key = null, username_key = null, username = ''",
        )
        // Between reading and changing: afterwards a server has the rows locked.
        const beginning = shop.engine === 'sqlite' ? 'update' : 'begin'
        const db = await connectWith(place, beginning, () => run(change))
        opened.push(() => db.destroy())
        expect(await fillKeys(db, naming)).toMatchObject({ filled: 0, left: [ada] })
        expect((await keysOf(shop))[0]?.[2]).toBeNull()
        const again = await adopt(place, '--fill')
        expect([change, again.code]).toEqual([change, at === 2 ? 1 : 0])
        expect((await keysOf(shop))[0]?.[2]).toBe(after[at] ?? null)
      }
    },
  )

  storage(
    'ADO-05',
    {
      tried:
        'kill -9 while keys are filled, then again, and once more; a key left behind by a changed address',
      expected:
        'the next run finishes, the one after changes nothing; the key left behind is named, by the id of its user',
      ...where,
    },
    async (scene) => {
      const shop = await shopLike(scene)
      const { place, run } = shop
      const rows = Array.from({ length: 1500 }, (_, n) => `('user-${n}', 'user-${n}@example.org', '!')`)
      await run(`insert into customers (id, email, password) values ${rows}`)
      await prepare(shop)
      const filled = async () => {
        const [row] = await run('select count(email_key) as n from customers')
        return Number(row?.n)
      }
      const folder = makeProject()
      const child = spawn(process.execPath, [bin, 'adopt', 'users', '--table', 'customers', '--fill'], {
        cwd: folder,
        env: { ...process.env, DATABASE_URL: urlOf(place) },
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      await vi.waitFor(async () => expect(await filled()).toBeGreaterThan(0), {
        timeout: 60_000,
        interval: 5,
      })
      child.kill('SIGKILL')
      await ended
      expect(await adopt(place, '--fill')).toMatchObject({ code: 0 })
      expect(await filled()).toBe(1500)
      const state = await keysOf(shop)
      expect(new Set(state.map(([, , , version]) => version))).toEqual(new Set([1_000_001]))
      expect(await adopt(place, '--fill')).toMatchObject({ code: 0, stdout: 'filled: 0\n' })
      expect(await keysOf(shop)).toEqual(state)

      await run("update customers set email = 'other@example.org' where id = 'user-7'")
      const { stdout, code } = await adopt(place)
      expect(code).toBe(1)
      expect(stdout).toContain('email_key of 1 user (user-7) is of another address than theirs')
    },
  )

  storage(
    'ADO-06',
    {
      tried: 'two rows whose addresses are one but for capitals, each with a password',
      expected: 'neither gets a key or logs in, until one address is changed; then each is its own account',
      ...where,
    },
    async (scene) => {
      const shop = await shopLike(scene)
      await shop.insert(ada, 'Ada@example.org')
      await shop.insert(ben, 'ada@EXAMPLE.org', { password: '!' })
      const naming = await prepare(shop)
      expect(await adopt(shop.place, '--fill')).toMatchObject({ code: 1 })
      const { logIn } = await startOn(scene, shop, naming)
      const nobody = await logIn('nobody@example.org')
      for (const address of ['Ada@example.org', 'ada@EXAMPLE.org', 'ada@example.org']) {
        const { statusCode, body } = await logIn(address)
        expect([address, statusCode, body]).toEqual([address, nobody.statusCode, nobody.body])
      }
      await shop.run(`update customers set email = 'ben@example.org' where id = '${ben}'`)
      expect(await adopt(shop.place, '--fill')).toMatchObject({ code: 0 })
      const response = await logIn('ada@example.org')
      expect(response.json()).toMatchObject({ id: ada })
      expect(response.statusCode).toBe(200)
      expect((await logIn('ben@example.org')).statusCode).toBe(nobody.statusCode)
    },
  )

  storage(
    'ADO-07',
    {
      tried:
        'flags that lock a user out by their opposite, NULL in each flag, and columns that lock users out and are not adopted',
      expected: 'who was locked out stays so; NULL is never a yes; columns that nothing reads are named',
      ...where,
    },
    async (scene) => {
      const shop = await shopLike(scene)
      const { place, engine } = shop
      await shop.run(`alter table customers add column deleted_at ${types[engine].text}`)
      await shop.insert(ada, 'ada@example.org', { blocked: true, staff: true, verified: true })
      await shop.insert(ben, 'ben@example.org')
      await shop.insert(cyd, 'cyd@example.org', { blocked: false, staff: false, verified: false })
      const { code, data: before } = await adopt(place, '--json')
      expect([code, before.obstacles]).toEqual([
        1,
        [expect.stringMatching(/^deleted_at may lock users out: /)],
      ])
      const choice = ['--column', 'is_active=blocked']
      const { data } = await adopt(place, ...choice, '--json')
      const { stdout } = await adopt(place, ...choice)
      expect(stdout).toContain('-- Not read: deleted_at.')
      expect(stdout).toContain(' --column is_active=blocked --fill ')
      expect(data.locks).toMatchObject([{ name: 'deleted_at' }])
      // Without those that say what NULL is.
      const statements: string[] = data.statements
      await shop.run(...statements.filter((line) => !line.startsWith('update')))
      await adopt(place, ...choice, '--fill')
      const { userStore, logIn } = await startOn(scene, shop, data.naming)
      for (const name of ['ada', 'ben'])
        expect([name, (await logIn(`${name}@example.org`)).statusCode]).toEqual([name, 403])
      expect((await logIn('cyd@example.org')).statusCode).toBe(200)
      expect(await userStore.findById(ben)).toMatchObject({
        isActive: false,
        isStaff: false,
        isVerified: false,
      })
      const listed = async (flag: 'isActive' | 'isStaff' | 'isVerified') =>
        (await userStore.list({ limit: 5, where: { [flag]: true } })).map(({ id }) => id)
      expect(await listed('isActive')).toEqual([cyd])
      expect(await listed('isStaff')).toEqual([ada])
      expect(await listed('isVerified')).toEqual([ada])
      await shop.run(...statements.filter((line) => line.startsWith('update')))
      expect(await userStore.findById(ada)).toMatchObject({ isActive: false })
      expect(await userStore.findById(ben)).toMatchObject({ isStaff: false, isVerified: false })
    },
  )

  storage(
    'ADO-08',
    {
      tried:
        'every output of adopt on a table with conflicts, damaged addresses, unknown hashes and a taken key',
      expected: 'users are named by their ids; no address, name or hash is in it',
      ...where,
    },
    async (scene) => {
      const shop = await shopLike(scene)
      const { place, run } = shop
      await shop.insert(ada, 'Secret@example.org')
      await shop.insert(ben, 'secret@example.org', { password: 'md5-secret' })
      await shop.insert(cyd, 'not-an-address-secret')
      const said = async (...args: string[]) => {
        const { stdout, stderr } = await adopt(place, ...args)
        expect(stdout + stderr).not.toMatch(/secret|\$2b|md5/i)
        return stdout + stderr
      }
      const every = [
        [],
        ['--json'],
        ['--as', 'prisma'],
        ['--as', 'drizzle'],
        ['--fill'],
        ['--fill', '--json'],
      ]
      for (const args of every) await said(...args)
      await prepare(shop)
      for (const args of every) expect(await said(...args)).not.toBe('')
      // The key is taken by a row whose own address has changed.
      await run(
        `update customers set email = 'other@example.org', email_key = 'secret@example.org', username_key = 'x' where id = '${ada}'`,
      )
      expect(await said('--fill')).toContain(`left: 2 users (${ben}, ${cyd})`)
    },
  )
})
