import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bin, makeProject, runCli, runModule, runProcess } from '@fastify-accounts/test-support/cli'
import { read } from '@fastify-accounts/test-support/source'
import { describe, expect, test } from 'vitest'
import { commands } from '../../packages/accounts/src/cli/commands.js'

const sqlite = { DATABASE_URL: 'file:accounts.db' }
const password = 'seven green lanterns'

/** A module like the one `init` writes, with custom user fields. */
const config = `
import { createKyselyUserStore, migrate as migrateTables, openSqlite } from '@fastify-accounts/kysely'
import Database from 'libsql'
const db = openSqlite(new Database('own.db'))
export const options = {
  secret: 'a test needs no better secret than this one',
  baseUrl: 'https://example.org',
  userStore: createKyselyUserStore({ db }),
  users: {
    fields: {
      type: 'object',
      properties: { age: { type: 'integer' }, nickname: { type: 'string' } },
      required: ['age'],
    },
  },
}
export const migrate = () => migrateTables(db)
export const close = () => db.destroy()
`

/** Logs in to an app on the same database. */
const login = `
import { createKyselyUserStore, openSqlite } from '@fastify-accounts/kysely'
import Fastify from 'fastify'
import accounts from 'fastify-accounts'
import Database from 'libsql'
const db = openSqlite(new Database(process.argv[2]))
const app = Fastify()
await app.register(accounts, { secret: 'a test needs no better secret than this one', baseUrl: 'https://example.org', userStore: createKyselyUserStore({ db }), mailer: { async send() {} } })
const [, , , username, password] = process.argv
const response = await app.inject({ method: 'POST', url: '/login/', payload: { username, password } })
console.log(response.statusCode, response.body)
await app.close()
await db.destroy()
`

describe('usage', () => {
  test('lists all commands if none is given, with exit code 2', async () => {
    const { code, stdout } = await runProcess(makeProject(), [])
    expect(code).toBe(2)
    for (const { name } of commands) expect(stdout).toContain(`  ${name} `)
    expect((await runCli(makeProject(), ['--help'])).code).toBe(0)
  })

  test('--version prints the version', async () => {
    const { version } = JSON.parse(read('packages/accounts/package.json')) as { version: string }
    expect(await runCli(makeProject(), ['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` })
  })

  test('reads .env without overriding variables already set', async () => {
    const folder = makeProject({ '.env': 'DATABASE_URL=file:of-env.db\n' })
    expect((await runCli(folder, ['migrate'])).code).toBe(0)
    expect((await runCli(folder, ['migrate'], { env: sqlite })).code).toBe(0)
    expect(['of-env.db', 'accounts.db'].map((name) => existsSync(join(folder, name)))).toEqual([true, true])
  })

  test.each(commands.map(({ name }) => name))('%s --help lists its options', async (name) => {
    const { code, stdout } = await runCli(makeProject(), [name, '--help'])
    expect(code).toBe(0)
    const { options } = commands.find((each) => each.name === name) ?? { options: {} }
    for (const option of [...Object.keys(options), 'json', 'help']) expect(stdout).toContain(`  --${option} `)
  })

  test.each([
    [['nonsense']],
    [['secret', 'more']],
    [['secret', '--nonsense']],
    [['import']],
    [['import', 'users.txt']],
    [['import', 'users.csv', '--delimiter', '""']],
    [['create-user']],
    [['create-user', '--username', 'ada', '--field', 'x']],
  ])('%j is wrong usage: one line, exit code 2', async (args) => {
    const { code, stdout, stderr } = await runCli(makeProject(), args, { env: sqlite })
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^.+\n$/)
    const json = await runCli(makeProject(), [...args, '--json'], { env: sqlite })
    expect(json).toMatchObject({ code: 2, stderr: '' })
    expect(JSON.parse(json.stdout)).toEqual({ error: expect.any(String) })
  })

  // Features may add fields, so this loads the project first.
  test('importing an unknown field is wrong usage as well', async () => {
    const folder = makeProject({ 'users.csv': 'username\nada\n' })
    expect((await runCli(folder, ['migrate'], { env: sqlite })).code).toBe(0)
    const { code, stderr } = await runCli(folder, ['import', 'users.csv', '--map', 'nonsense=x'], {
      env: sqlite,
    })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('not nonsense=x') })
    expect(stderr).toMatch(/^.+\n$/)
  })

  test('says what to do if no database is set', async () => {
    const { code, stderr } = await runProcess(makeProject(), ['migrate'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('set DATABASE_URL') })
  })

  test.each([
    ['oracle://here', 'must begin with file:, postgres:// or mysql://'],
    ['postgres://127.0.0.1:1/none', 'ECONNREFUSED'],
    ['file:no/such/folder/accounts.db', 'DATABASE_URL cannot be used'],
  ])('reports an unusable database, %s, in one line with exit code 1', async (DATABASE_URL, reason) => {
    const { code, stderr } = await runCli(makeProject(), ['migrate'], { env: { DATABASE_URL } })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(reason) })
    expect(stderr.trim()).not.toContain('\n')
  })
})

test('secret prints a new secret each time, long enough for the plugin', async () => {
  const folder = makeProject()
  const [one, other] = await Promise.all([runCli(folder, ['secret']), runCli(folder, ['secret', '--json'])])
  expect(Buffer.from(one.stdout.trim(), 'base64url')).toHaveLength(32)
  expect(JSON.parse(other.stdout).secret).not.toBe(one.stdout.trim())
})

describe('migrate', () => {
  test('creates the tables once', async () => {
    const folder = makeProject()
    const first = await runProcess(folder, ['migrate', '--json'], { env: sqlite })
    expect(JSON.parse(first.stdout).ran).toContain('0001_accounts')
    const second = await runCli(folder, ['migrate'], { env: sqlite })
    expect(second).toEqual({ code: 0, stdout: 'The tables are up to date.\n', stderr: '' })
  })

  test('prefers accounts.config.js to DATABASE_URL, and honors --config', async () => {
    const folder = makeProject({
      'package.json': '{"type":"module"}',
      'accounts.config.js': config,
      'other.mjs': config,
    })
    expect((await runCli(folder, ['migrate'], { env: sqlite })).code).toBe(0)
    expect(existsSync(join(folder, 'own.db'))).toBe(true)
    expect(existsSync(join(folder, 'accounts.db'))).toBe(false)
    const missing = await runCli(folder, ['migrate', '--config', 'missing.js'])
    expect(missing).toMatchObject({ code: 1, stderr: 'missing.js does not exist\n' })
    expect((await runCli(folder, ['migrate', '--config', 'other.mjs'])).code).toBe(0)
  })
})

describe('create-user', () => {
  test('creates a user who can log in, reading the password from standard input', async () => {
    const folder = makeProject({ 'login.mjs': login })
    await runCli(folder, ['migrate'], { env: sqlite })
    const args = [
      'create-user',
      '--username',
      'ada',
      '--email',
      'ada@example.org',
      '--staff',
      '--verified',
      '--json',
    ]
    const made = await runProcess(folder, args, { env: sqlite, input: `${password}\nmore\n` })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const { stdout } = await runModule(folder, ['login.mjs', 'accounts.db', 'ada', password])
    expect(stdout).toContain('200')
    expect(JSON.parse(stdout.slice(4))).toMatchObject({
      ...{ id: JSON.parse(made.stdout).id, is_staff: true, is_verified: true, email: 'ada@example.org' },
    })
    const again = await runCli(folder, args, { env: sqlite, input: password })
    expect(again.code).toBe(1)
  })

  test.each([
    ['short', /password: /],
    ['', /password: /],
    ['password123', /password: /],
  ])('rejects the password %j by the plugin’s rules, also in production', async (input, reason) => {
    const folder = makeProject()
    const env = { ...sqlite, NODE_ENV: 'production' }
    await runCli(folder, ['migrate'], { env })
    const { code, stderr } = await runCli(folder, ['create-user', '--username', 'ada'], { env, input })
    expect(code).toBe(1)
    expect(stderr).toMatch(reason)
  })

  test('needs no username if the config makes it optional, nor does import', async () => {
    const named = (names: string) =>
      makeProject({
        'package.json': '{"type":"module"}',
        'accounts.config.js': config.replace(/users: \{.*?\n {2}\},\n/s, `users: { names: '${names}' },\n`),
        'users.csv': 'username,email\n,eve@example.org\n,\n',
      })
    const args = ['create-user', '--email', 'ada@example.org']
    for (const names of ['none', 'optional']) {
      const folder = named(names)
      await runCli(folder, ['migrate'])
      const made = await runCli(folder, args, { input: password })
      expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('created ada@example.org (') })
      const imported = await runCli(folder, ['import', 'users.csv', '--json'])
      expect(JSON.parse(imported.stdout)).toMatchObject({ lines: 2, created: 1, rejected: 1 })
      const again = await runCli(folder, ['import', 'users.csv', '--json'])
      expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, existing: 1, rejected: 1 })
    }
    const folder = named('required')
    await runCli(folder, ['migrate'])
    const refused = await runCli(folder, args, { input: password })
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--username is required') })
    const imported = await runCli(folder, ['import', 'users.csv', '--json'])
    expect(JSON.parse(imported.stdout)).toMatchObject({ created: 0, rejected: 2 })
  })

  test('accepts the fields in the config', async () => {
    const folder = makeProject({ 'package.json': '{"type":"module"}', 'accounts.config.js': config })
    await runCli(folder, ['migrate'])
    const refused = await runCli(folder, ['create-user', '--username', 'ada'], { input: password })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('age: ') })
    const args = ['create-user', '--username', 'ada', '--field', 'age=36', '--field', 'nickname=Countess']
    expect(await runCli(folder, args, { input: password })).toMatchObject({ code: 0, stderr: '' })
  })
})

describe.runIf(process.platform === 'linux')('on a terminal', () => {
  /** Types each response when its prompt appears. */
  async function typed(
    responses: [question: string, response: string][],
  ): Promise<{ code: number | null; shown: string }> {
    const folder = makeProject()
    await runCli(folder, ['migrate'], { env: sqlite })
    const command = `${process.execPath} ${bin} create-user --username ada`
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...sqlite },
    })
    let shown = ''
    let from = 0
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      const [question, response] = responses[0] ?? []
      const at = question === undefined ? -1 : shown.indexOf(question, from)
      if (at === -1) return
      from = shown.length
      responses.shift()
      child.stdin.write(response)
    })
    const [code] = await once(child, 'close')
    return { code, shown }
  }

  test('asks for a password twice and never shows it', async () => {
    const { code, shown } = await typed([
      ['Password:', `${password}\r`],
      ['Password again:', `${password}\r`],
    ])
    expect({ code, shown }).toEqual({ code: 0, shown: expect.stringContaining('created ada') })
    expect(shown).not.toContain('lanterns')
    expect(
      await typed([
        ['Password:', `${password}\r`],
        ['Password again:', 'another one\r'],
      ]),
    ).toEqual({ code: 1, shown: expect.stringContaining('don’t match') })
  })

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s cancels the prompt', async (_name, key) => {
    expect(await typed([['Password:', key]])).toEqual({ code: 1, shown: expect.stringContaining('canceled') })
  })
})
