import { createKyselyUserStore, type Engine, migrate, type Naming } from '@fastify-accounts/kysely'
import { adopt as adoptOn, urlOf } from '@fastify-accounts/test-support/adopt'
import { testAppOn } from '@fastify-accounts/test-support/app'
import { makeProject, runCli } from '@fastify-accounts/test-support/cli'
import { connect, driversHere, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { createMemorySessionStore, createScryptHasher } from 'fastify-accounts'
import { describe, expect, onTestFinished, test } from 'vitest'

const bcrypt = '$2b$04$N1HBPz1.M9kqGth3cCXtkus43cQa0icUmjsPgH674MGZZ5gLra.iG'
const scrypt = await createScryptHasher({ logN: 1 }).hash('correct horse battery')
const idOf = (n: number) => `${n}1234567-89ab-4cde-8f01-23456789abcd`

const time: Record<Engine, string> = { postgres: 'timestamptz(3)', mysql: 'datetime(3)', sqlite: 'text' }
const instant = '2026-03-29 01:30:00.123'

describe.each(await driversHere(['pg', 'mysql2', 'libsql']))(
  'what adopt takes for ours: $title',
  ({ name, engine }) => {
    /** A table of two to nine rows, with a column of texts for each key, and what `adopt` says of it. */
    async function tableOf(columns: Record<string, (string | null)[]>, more: Record<string, string> = {}) {
      const { place, drop } = await makeDatabase(name)
      onTestFinished(drop)
      const definitions = Object.keys(columns).map((column) => `${column} ${more[column] ?? 'varchar(1024)'}`)
      await runSql(
        place,
        `create table customers (${[`id ${engine === 'postgres' ? 'uuid' : 'char(36)'} primary key`, ...definitions]})`,
      )
      const count = Math.max(...Object.values(columns).map((values) => values.length))
      for (let n = 0; n < count; n += 1) {
        const values = Object.values(columns).map((texts) => {
          const text = texts[n] ?? 'null'
          return /^(?:null|true|false)$/.test(text) ? text : `'${text}'`
        })
        await runSql(
          place,
          `insert into customers (${['id', ...Object.keys(columns)]}) values (${[`'${idOf(n)}'`, ...values]})`,
        )
      }
      const adopt = (...choices: string[]) =>
        adoptOn(place, ...choices.flatMap((choice) => ['--column', choice]), '--json')
      return {
        adopt,
        run: (...statements: string[]) => runSql(place, ...statements),
        async store(naming: Naming) {
          const db = await connect(place)
          onTestFinished(() => db.destroy())
          await migrate(db, naming)
          return createKyselyUserStore({ db, ...naming })
        },
        /** What `doctor` warns of addresses, with the options that `adopt` has printed. */
        async warned(naming: object) {
          const folder = makeProject({
            'accounts.config.mjs': `
              import { createKyselyUserStore, openDatabase } from '@fastify-accounts/kysely'
              import { createRequire } from 'node:module'
              const db = openDatabase(process.env.DATABASE_URL, createRequire(import.meta.url))
              export const options = { userStore: createKyselyUserStore({ db, ...${JSON.stringify(naming)} }) }
              export const close = () => db.destroy()`,
          })
          const env = { DATABASE_URL: urlOf(place) }
          const { stdout } = await runCli(folder, ['doctor', '--json', '--config', 'accounts.config.mjs'], {
            env,
          })
          const findings: { what: string; detail: string }[] = JSON.parse(stdout).findings
          return findings.filter(({ what }) => what === 'addresses').map(({ detail }) => detail)
        },
        fill: (...choices: string[]) =>
          adoptOn(place, ...choices.flatMap((choice) => ['--column', choice]), '--fill'),
      }
    }

    const addresses = ['ada@example.org', 'ben@example.org']
    const added = (statements: string[]) =>
      statements.flatMap((line) => /add column .(\w+)/.exec(line)?.slice(1) ?? [])
    const usersOf = ({ data }: { data: { naming: { columns: { users?: object } } } }) =>
      data.naming.columns.users ?? {}

    test.each([
      ['pass', 'user_email'],
      ['pwd', 'mail'],
      ['hash', 'e_mail'],
      ['pass_hash', 'email'],
      ['crypted_password', 'email_address'],
    ])('columns of values that fit, called %s and %s', async (hash, email) => {
      const { adopt } = await tableOf({ [hash]: [bcrypt, scrypt], [email]: addresses })
      const found = await adopt()
      expect(found).toMatchObject({ code: 0, data: { obstacles: [] } })
      expect(usersOf(found)).toMatchObject({ password_hash: hash })
      expect(added(found.data.statements)).not.toContain('password_hash')
      expect(added(found.data.statements)).not.toContain('email')
    })

    test('columns of other names, or without a value, are in the way until somebody says what they are', async () => {
      const { adopt, fill, run } = await tableOf({ secret_word: [bcrypt], contact: addresses, email: [null] })
      const found = await adopt()
      expect(found.code).toBe(1)
      expect(found.data.obstacles).toEqual([
        'email, contact may hold email addresses: say which one does, such as --column email=email, or --column email=none for a new, empty one',
        'secret_word may hold password hashes: say which one does, such as --column password_hash=secret_word, or --column password_hash=none for a new, empty one',
      ])
      expect(added(found.data.statements)).not.toContain('password_hash')
      const choices = ['email=contact', 'password_hash=secret_word']
      const told = await adopt(...choices)
      expect(told).toMatchObject({ code: 0, data: { obstacles: [] } })
      expect(usersOf(told)).toMatchObject({ email: 'contact', password_hash: 'secret_word' })
      await run(...told.data.statements)
      expect(await fill()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^email, /) })
      expect(await fill(...choices)).toMatchObject({ code: 0, stdout: 'filled: 2\n' })
      // The keys are addresses as well, and no candidates.
      expect(await adopt(...choices)).toMatchObject({ code: 0, data: { statements: [], obstacles: [] } })
    })

    test('hashes and addresses that nobody finds are in the way, and a new column is added once somebody says so', async () => {
      const { adopt, run } = await tableOf({ legacy: ['5f4dcc3b5aa765d61d8327deb882cf99'] })
      const found = await adopt()
      expect(found.code).toBe(1)
      expect(found.data.obstacles).toEqual([
        expect.stringMatching(/^no column seems to hold email addresses: .* --column email=none/),
        expect.stringMatching(/^no column seems to hold password hashes: .* --column password_hash=none/),
      ])
      expect(added(found.data.statements)).not.toContain('password_hash')
      expect(added(found.data.statements)).not.toContain('email')
      const choices = ['email=none', 'password_hash=none']
      const told = await adopt(...choices)
      expect(told).toMatchObject({ code: 0, data: { obstacles: [] } })
      expect(added(told.data.statements)).toEqual(expect.arrayContaining(['email', 'password_hash']))
      await run(...told.data.statements)
      expect(await adopt(...choices)).toMatchObject({ code: 0, data: { statements: [], obstacles: [] } })
    })

    test('of an empty table, names decide', async () => {
      const { adopt } = await tableOf({ contact: [], pwd: [], backup_email: [], locked: [] })
      const found = await adopt()
      expect(found).toMatchObject({ code: 0, data: { obstacles: [] } })
      expect(usersOf(found)).toMatchObject({ password_hash: 'pwd' })
      expect(added(found.data.statements)).toContain('email')
    })

    test('a lock is read as its opposite, or asked for, and whom it locks out is counted', async () => {
      const rows = { email: addresses, password: [bcrypt], locked: ['true', 'false'] }
      const { adopt } = await tableOf(rows, { locked: 'boolean default false' })
      const found = await adopt()
      expect(found).toMatchObject({ code: 1, data: { users: 2, inactive: 1, locks: [] } })
      expect(found.data.obstacles).toEqual([
        "locked may lock users out: say --column is_active=not:locked, or --column is_active=none if it doesn't",
      ])
      expect(added(found.data.statements)).not.toContain('is_active')
      expect(found.data.statements.join('\n')).not.toContain('is_active')
      for (const choice of ['is_active=not:locked', 'is_active=locked']) {
        const told = await adopt(choice)
        expect(told).toMatchObject({ code: 0, data: { users: 2, inactive: 1 } })
        expect(usersOf(told)).toMatchObject({ is_active: { name: 'locked', as: 'not boolean' } })
      }
      const none = await adopt('is_active=none')
      expect(none).toMatchObject({
        code: 0,
        data: { users: 2, inactive: 0, locks: [{ name: 'locked', choice: 'is_active=not:locked' }] },
      })
    })

    test('every lock that is not read is in the way until somebody says what it is', async () => {
      const rows = {
        email: addresses,
        password: [bcrypt],
        is_active: ['true', 'true'],
        locked_at: [instant, null],
        state: ['banned', 'ok'],
        email_confirmed_at: [instant, null],
      }
      const types = { is_active: 'boolean', locked_at: time[engine], email_confirmed_at: time[engine] }
      const { adopt, fill, run } = await tableOf(rows, types)
      const found = await adopt()
      expect(found).toMatchObject({
        code: 1,
        data: { users: 2, unverified: 2, mayVerify: ['email_confirmed_at'] },
      })
      expect(found.data.obstacles).toEqual([
        'locked_at, state may lock users out: say --column is_active=not:locked_at, or --column is_active=is_active, and set its column to 0 for users whom they lock out',
      ])
      const choices = ['is_active=is_active', 'is_verified=email_confirmed_at']
      const told = await adopt(...choices)
      expect(told).toMatchObject({ code: 0, data: { inactive: 0, unverified: 1, mayVerify: [] } })
      expect(told.data.locks).toEqual([
        { name: 'locked_at', choice: 'is_active=not:locked_at' },
        { name: 'state', choice: null },
      ])
      await run(...told.data.statements)
      expect(await fill()).toMatchObject({ code: 1, stderr: expect.stringMatching(/^locked_at, state may/) })
      expect(await fill(...choices)).toMatchObject({ code: 0 })
    })

    test.runIf(engine === 'mysql')('a bit is read as a boolean', async () => {
      const rows = { email: addresses, password: [bcrypt], disabled: ['true', 'false'] }
      const { adopt, fill, run, store } = await tableOf(rows, { disabled: 'bit(1)' })
      const { data, code } = await adopt()
      expect([code, data.inactive, data.locks]).toEqual([0, 1, []])
      await run(...data.statements)
      expect(await fill()).toMatchObject({ code: 0 })
      const users = await store(data.naming)
      expect(await users.findById(idOf(0))).toMatchObject({ isActive: false })
      const ben = await users.findById(idOf(1))
      expect(ben).toMatchObject({ isActive: true })
    })

    test('any flag can be the opposite of a column, and nothing else can', async () => {
      const rows = { email: addresses, password: [bcrypt], guest: ['true', 'false'] }
      const { adopt, fill } = await tableOf(rows, { guest: 'boolean default false' })
      expect(usersOf(await adopt('is_verified=not:guest'))).toMatchObject({
        is_verified: { name: 'guest', as: 'not boolean' },
      })
      // Said so, so it is read so.
      expect((await adopt('is_active=guest')).data).toMatchObject({ inactive: 1 })
      expect(await fill('username=not:email')).toMatchObject({
        code: 1,
        stderr: 'not: is for is_verified, is_staff, is_active, got username=not:email\n',
      })
    })

    test('times say who is verified, and who is not active, as long as the old app writes them', async () => {
      const { adopt, fill, run } = await tableOf(
        {
          email: [...addresses, 'cyd@example.org'],
          password: [bcrypt],
          confirmed_at: [instant, null, instant],
          deleted_at: [null, null, instant],
        },
        { confirmed_at: time[engine], deleted_at: time[engine] },
      )
      const choices = ['is_verified=confirmed_at', 'is_active=not:deleted_at']
      const { data, code } = await adopt(...choices)
      expect([code, data.obstacles, data.locks, data.inactive]).toEqual([0, [], [], 1])
      await run(...data.statements)
      expect(await fill(...choices)).toMatchObject({ code: 0, stdout: 'filled: 3\n' })
      const flags = async () =>
        (await run('select is_verified, is_active from customers order by id')).map((row) => [
          Number(row.is_verified),
          Number(row.is_active),
        ])
      expect(await flags()).toEqual([
        [1, 1],
        [0, 1],
        [1, 0],
      ])
      expect((await adopt(...choices)).data.statements).toEqual([])
      // The old app confirms one; the new one takes it back from another.
      await run(
        `update customers set confirmed_at = '${instant}' where id = '${idOf(1)}'`,
        `update customers set is_verified = 0, version = version + 1 where id = '${idOf(0)}'`,
      )
      const later = (await adopt(...choices)).data.statements
      expect(later).toHaveLength(1)
      await run(...later)
      expect(await flags()).toEqual([
        [0, 1],
        [1, 1],
        [1, 0],
      ])
      // The old app changes an address, and unconfirms a user whose address stays.
      await run(
        `update customers set email = 'eve@example.org', email_key = null, confirmed_at = null where id = '${idOf(1)}'`,
        `update customers set confirmed_at = null where id = '${idOf(2)}'`,
      )
      expect(await fill(...choices)).toMatchObject({ code: 0, stdout: 'filled: 1\n' })
      const last = (await adopt(...choices)).data.statements
      await run(...last)
      expect(await flags()).toEqual([
        [0, 1],
        [0, 1],
        [0, 0],
      ])
      expect((await adopt(...choices)).data.statements).toEqual([])
    })

    test('what is printed for times can be repeated: whom the new app has created or changed stays as it is', async () => {
      const { adopt, fill, run, store } = await tableOf(
        { email: addresses, password: [bcrypt], confirmed_at: [instant, null] },
        { confirmed_at: time[engine] },
      )
      const choices = ['is_verified=confirmed_at']
      const { data: first } = await adopt(...choices)
      await run(...first.statements)
      expect(await fill(...choices)).toMatchObject({ code: 0 })
      const users = await store(first.naming)
      const sessions = createMemorySessionStore()
      const { app, send } = await testAppOn({ users, sessions }, { users: { names: 'none' } })
      const create = (name: string, isVerified: boolean) =>
        app.accounts.createUser({
          email: `${name}@example.org`,
          password: 'correct horse battery',
          isVerified,
        })
      await create('new', true)
      await create('used', true)
      const login = { username: 'used@example.org', password: 'correct horse battery' }
      expect((await send('POST', '/login/', login)).statusCode).toBe(200)
      const taken = await create('taken', true)
      await app.accounts.updateUser(taken.id, { isVerified: false })
      // The old app has a time for whom the new one doesn't trust, makes one user, and takes the time from another.
      await run(
        `update customers set confirmed_at = '${instant}' where email = 'taken@example.org'`,
        `insert into customers (id, email, password, confirmed_at) values ('${idOf(5)}', 'late@example.org', '${bcrypt}', '${instant}')`,
        `update customers set confirmed_at = null where id = '${idOf(0)}'`,
        `update customers set confirmed_at = '${instant}' where id = '${idOf(1)}'`,
      )
      const verified = async () =>
        (await run('select email from customers where is_verified = 1 order by email')).map(
          ({ email }) => email,
        )
      const updates = (await adopt(...choices)).data.statements
      expect(updates.length).toBeGreaterThan(0)
      const expected = ['ben', 'late', 'new', 'used'].map((name) => `${name}@example.org`)
      const repeated = [...first.statements.filter((line: string) => line.startsWith('update')), ...updates]
      for (const statement of [...repeated, ...repeated]) await run(statement)
      expect(await verified()).toEqual(expected)
      expect(await fill(...choices)).toMatchObject({ code: 0, stdout: 'filled: 1\n' })
      for (const statement of repeated) await run(statement)
      expect(await verified()).toEqual(expected)
    })

    test('who gets no keys is counted by cause, and what has to be corrected is told apart from what the statements mend', async () => {
      const emails = [
        ...['Ada@example.org', 'ada@example.org', 'ben@example.org ', '\tcyd@example.org', 'nowhere'],
        ...['', null, 'name+tag@example.org'],
      ]
      const rows = { email: emails, password: [bcrypt] }
      const { adopt, fill, run, warned } = await tableOf(rows, { email: 'varchar(200)' })
      const found = await adopt()
      const keyless = { 'same address': 2, 'no address': 1, 'other form': 2, nothing: 2, total: 7 }
      expect(found.data.keyless).toEqual(keyless)
      expect(found.data.obstacles).toEqual([
        expect.stringContaining(`(${idOf(0)}, ${idOf(1)})`),
        expect.stringMatching(`^invalid addresses of 1 user .${idOf(4)}.`),
        expect.stringMatching(`^the addresses of 2 users .${idOf(2)}, ${idOf(3)}. have white space`),
      ])
      expect(found.data.mended).toEqual(
        engine === 'sqlite' ? [] : [expect.stringMatching(/^email is .*, and needs 254 characters/)],
      )
      await run(...found.data.statements)
      const { code, stdout } = await fill()
      expect([code, stdout.split('\n')[0]]).toEqual([1, 'filled: 1'])
      const { naming } = found.data
      const [warning, ...others] = await warned(naming)
      expect(others).toEqual([])
      expect(warning).toMatch(/^7 users get no email or are not found by address: /)
      expect(warning).toMatch(/\b1 with an invalid address/)
      expect(warning).toMatch(/\b2 with white space around the address/)
      expect(warning).toMatch(/\b2 with the address of another but for case/)
      expect(warning).toMatch(/\b2 with nothing that they are found by/)
      expect(warning).not.toContain('@')
      await run(
        `update customers set email = 'ben@example.org' where id = '${idOf(2)}'`,
        `delete from customers where id in ('${[1, 3, 4, 5, 6].map(idOf).join("', '")}')`,
      )
      expect(await fill()).toMatchObject({ code: 0, stdout: 'filled: 2\n' })
      expect(await adopt()).toMatchObject({
        code: 0,
        data: { obstacles: [], mended: [], keyless: { total: 0 } },
      })
      await run(`update customers set email = 'eve@example.org' where id = '${idOf(2)}'`)
      const [outdated] = await warned(naming)
      expect(outdated).toMatch(/^1 user gets no email or is not found by address: 1 with the key of another/)
    })
  },
)
