import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeProject, run, runCli, runProcess } from '@fastify-accounts/test-support/cli'
import { driversHere, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { startIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { root } from '@fastify-accounts/test-support/source'
import { describe, expect, onTestFinished, test } from 'vitest'

const env = { SECRET: 'a test needs no better secret than this one' }

const here = (await driversHere(['pg', 'mysql2'])).map(({ name, title }) => ({ name, title }))

/** An existing app with the two lines that `init` says to add, which then signs up a user and logs in. */
const story = (load: string): string => `
const Fastify = FASTIFY
${load}
const main = async () => {
  const app = Fastify({ ...serverOptions, logger: false })
  await mountAccounts(app)
  app.get('/hello', { onRequest: app.accounts.requireUser }, async (request) => ({ hello: request.user.username }))
  const post = (url, payload) => app.inject({ method: 'POST', url, payload })
  const password = 'seven green lanterns'
  // The mail is printed; its first link verifies the address.
  const printed = new Promise((resolve) => {
    const { write } = process.stdout
    process.stdout.write = (text, ...rest) => {
      const [link] = /http:\\/\\/localhost:3000\\/signup\\/v\\S+/.exec(text) ?? []
      if (link) resolve(link)
      return write.call(process.stdout, text, ...rest)
    }
  })
  // Pending mails don't keep a process alive, and this app doesn't listen.
  const alive = setInterval(() => {}, 1000)
  const ada = { username: 'ada', email: 'ada@example.org', password, confirm_password: password }
  const signUps = [await post('/signup/', ada)]
  await post(new URL(await printed).pathname)
  clearInterval(alive)
  signUps.push(await post('/signup/', { ...ada, username: 'eve' }))
  // No account enumeration: both responses are alike.
  console.log(signUps.map(({ statusCode, body }) => statusCode + body).filter((each, index, all) => each === all[0]).length, 'alike')
  const [cookie] = (await post('/login/', { username: 'ada', password })).cookies
  console.log((await app.inject({ url: '/hello', cookies: { [cookie.name]: cookie.value } })).body)
  await app.close()
}
main()
`

describe('init', () => {
  test.each([
    [
      'esm',
      'module',
      'app.js',
      "import { mountAccounts, serverOptions } from './accounts.js'",
      "(await import('fastify')).default",
    ],
    [
      'commonjs',
      'commonjs',
      'app.js',
      "const { mountAccounts, serverOptions } = require('./accounts.cjs')",
      "require('fastify')",
    ],
  ])(
    'adds working files to an %s app, but never overwrites any',
    async (flavor, type, name, load, fastify) => {
      const folder = makeProject({
        'package.json': JSON.stringify({ type }),
        [name]: story(load).replace('FASTIFY', fastify),
      })
      const made = await runCli(folder, ['init'])
      expect(made).toMatchObject({ code: 0, stderr: '' })
      expect(made.stdout).toContain(load)
      expect(await run(folder, [name], { env })).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^2 alike$[\s\S]*^{"hello":"ada"}$/m),
      })

      expect((statSync(join(folder, 'accounts.db')).mode & 0o777).toString(8)).toBe('600')

      const config = flavor === 'esm' ? 'accounts.config.js' : 'accounts.config.mjs'
      writeFileSync(join(folder, config), 'mine')
      const again = await runCli(folder, ['init'])
      expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was written') })
      expect(readFileSync(join(folder, config), 'utf8')).toBe('mine')
    },
  )

  test.each(['sqlite', 'postgres', 'mysql'])(
    'writes TypeScript that compiles in strict mode, for %s',
    async (database) => {
      const compilerOptions = {
        module: 'nodenext',
        target: 'es2023',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        exactOptionalPropertyTypes: true,
        types: [],
      }
      const folder = makeProject({
        'package.json': '{"type":"module"}',
        'tsconfig.json': JSON.stringify({
          compilerOptions: {
            ...compilerOptions,
            types: ['node'],
            typeRoots: [join(root, 'node_modules/@types')],
          },
        }),
        'src/app.ts':
          "import Fastify from 'fastify'\nimport { mountAccounts, serverOptions } from './accounts.js'\nconst app = Fastify(serverOptions)\nawait mountAccounts(app)\napp.get('/', { onRequest: app.accounts.requireUser }, async (request) => request.user?.username)\n",
      })
      symlinkSync(join(root, 'packages/kysely/node_modules/@types'), join(folder, 'node_modules/@types'))
      const { code, stdout } = await runCli(folder, ['init', '--database', database, '--json'])
      expect({ code, ...JSON.parse(stdout) }).toMatchObject({
        code: 0,
        flavor: 'typescript',
        files: ['src/accounts.config.ts', 'src/accounts.ts'],
      })
      const tsc = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
        encoding: 'utf8',
      })
      expect(tsc.stdout).toBe('')
      // The commands find the config, if this Node.js can load it.
      const create = ['create-user', '--username', 'ada']
      const DATABASE_URL = `${database}://127.0.0.1:1/none`
      const { stderr } = await runCli(folder, create, { input: 'short\n', env: { ...env, DATABASE_URL } })
      expect(stderr).not.toContain('no user store')
      expect(stderr).toMatch(
        /accounts\.config\.ts: this version of Node\.js can't run TypeScript; .*install tsx|password|create the tables|set DATABASE_URL|ECONNREFUSED/,
      )
    },
  )

  test.each([
    ['postgres', '{"type":"module"}', false],
    ['mysql', '{}', false],
    ['postgres', '{"type":"module"}', true],
  ])('asks for the URL of %s, and fails with one line without it', async (database, manifest, types) => {
    const folder = makeProject({ 'package.json': manifest, ...(types && { 'tsconfig.json': '{}' }) })
    const { stdout } = await runCli(folder, ['init', '--database', database])
    expect(stdout).toContain(`DATABASE_URL=${database}://`)
    expect(stdout).toMatch(/npm install .* kysely@0\.2[89] /)
    expect(stdout.includes('npm install --save-dev @types/pg')).toBe(types)
    if (types && !Reflect.get(process.features, 'typescript')) return
    expect(await runCli(folder, ['migrate'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^set DATABASE_URL.*\n$|set-database-url.*set DATABASE_URL.*\n$/),
    })
  })

  test.each(['postgres', 'mysql', 'sqlite'])(
    'writes a config for %s that tests can import, whatever BASE_URL their runner sets',
    async (database) => {
      const folder = makeProject({
        'package.json': '{"type":"module"}',
        'app.js': "console.log((await import('./accounts.config.js')).options.baseUrl)",
      })
      await runCli(folder, ['init', '--database', database])
      // Vitest sets it.
      expect(await run(folder, ['app.js'], { env: { BASE_URL: '/' } })).toMatchObject({
        code: 0,
        stdout: 'http://localhost:3000\n',
      })
      const { stdout } = await run(folder, ['app.js'], { env: { ACCOUNTS_URL: 'https://example.org' } })
      expect(stdout).toBe('https://example.org\n')
    },
  )

  test.each<[string, Record<string, string>, string]>([
    ['is set', { 'tsconfig.json': '{"compilerOptions":{"rootDir":"./server"}}' }, 'server/'],
    ['is deep', { 'tsconfig.json': '{"compilerOptions":{"rootDir":"server/src"}}' }, 'server/src/'],
    ['is src, which is still missing', { 'tsconfig.json': '{"compilerOptions":{"rootDir":"src/"}}' }, 'src/'],
    [
      'is set among comments',
      {
        'tsconfig.json':
          '{ // "rootDir": "no"\n "compilerOptions": { /* "rootDir": "no" */ "paths": {"@/*": ["./*"]}, "rootDir": "lib", }, }',
      },
      'lib/',
    ],
    [
      'comes from another file',
      {
        'tsconfig.json': '{"extends":["./config/a","./config/b.json"]}',
        'config/a.json': '{"compilerOptions":{"rootDir":"../of-a"}}',
        'config/b.json': `{"compilerOptions":{"rootDir":"\${configDir}/of-b"}}`,
      },
      'of-b/',
    ],
    [
      'comes from a package',
      {
        'tsconfig.json': '{"extends":"shared-config/node"}',
        'node_modules/shared-config/package.json': '{"name":"shared-config"}',
        'node_modules/shared-config/node.json': `{"compilerOptions":{"rootDir":"\${configDir}/app"}}`,
      },
      'app/',
    ],
    ['is the project', { 'tsconfig.json': '{"compilerOptions":{"rootDir":"."}}', 'src/app.ts': '' }, 'src/'],
    ['is around it', { 'tsconfig.json': '{"compilerOptions":{"rootDir":"../.."}}' }, ''],
    ["isn't there, nor is src", { 'tsconfig.json': '{}' }, ''],
    ['is unreadable', { 'tsconfig.json': '{"extends":"./tsconfig.json",' }, ''],
    ['comes from itself', { 'tsconfig.json': '{"extends":"./tsconfig.json"}' }, ''],
  ])('writes into the rootDir of TypeScript if it %s, where the commands look', async (_, files, root) => {
    const folder = makeProject({ 'package.json': '{"type":"module"}', ...files })
    const { stdout } = await runCli(folder, ['init', '--json'])
    expect(JSON.parse(stdout).files).toEqual([`${root}accounts.config.ts`, `${root}accounts.ts`])
    expect(existsSync(join(folder, root, 'accounts.config.ts'))).toBe(true)
    const { stderr } = await runCli(folder, ['create-user', '--username', 'ada'], { input: 'short\n', env })
    // Found, whether or not something here can run it.
    expect(stderr).toMatch(new RegExp(`^${root}accounts.config.ts: this|password|create the tables`))
  })

  // It stands for tsx: its hooks run the TypeScript below, and find a .ts file under its output's name.
  const loader = {
    'node_modules/tsx/package.json': '{"name":"tsx","type":"module","exports":"./loader.mjs"}',
    'node_modules/tsx/loader.mjs': `import { register } from 'node:module'; register('./hooks.mjs', import.meta.url)`,
    'node_modules/tsx/hooks.mjs': `
      import { readFileSync } from 'node:fs'
      import { fileURLToPath } from 'node:url'
      export const resolve = (name, context, next) =>
        next(name, context).catch((error) => {
          if (!name.endsWith('.js')) throw error
          return next(name.replace(/js$/, 'ts'), context)
        })
      export function load(url, context, next) {
        if (!/\\.ts(\\?|$)/.test(url)) return next(url, context)
        const text = readFileSync(fileURLToPath(url), 'utf8')
        const source = text
          .replace(/export enum (\\w+) {(.*) = (.*)}/, 'export const $1 = { $2: $3 }')
          .replaceAll(/, type \\w+|: AccountsOptions/g, '')
        return { format: 'module', source, shortCircuit: true }
      }`,
  }
  const typescript = {
    'package.json': '{"type":"module"}',
    'tsconfig.json': '{}',
    'kind.ts': "export enum Kind { Staff = 'staff' }",
    'accounts.config.ts': `import { createMemoryUserStore, type AccountsOptions } from 'fastify-accounts'
      import { Kind } from './kind.js'
      export const options: AccountsOptions = { secret: process.env.SECRET, userStore: createMemoryUserStore(), brand: { name: Kind.Staff } }`,
  }
  const create = ['create-user', '--username', 'ada']
  const typed = { env, input: 'seven green lanterns\n' }

  test('leaves a TypeScript config that Node.js cannot run to the loader that the project has', async () => {
    const without = await runProcess(makeProject(typescript), create, typed)
    expect(without).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^accounts\.config\.ts.*install tsx.*\n$/),
    })
    const found = await runProcess(makeProject({ ...typescript, ...loader }), create, typed)
    expect(found).toMatchObject({ code: 0, stderr: '' })
    const broken = { ...typescript, 'kind.ts': 'export const Kind = {}; throw new Error("kind is broken")' }
    expect(await runProcess(makeProject({ ...broken, ...loader }), create, typed)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^accounts\.config\.ts cannot be loaded: kind is broken\n$/),
    })
  })

  test('requires a package.json and a supported database', async () => {
    expect(await runCli(makeProject(), ['init'])).toMatchObject({ code: 1 })
    expect(await runCli(makeProject({ 'package.json': '{}' }), ['init', '--database', 'x'])).toMatchObject({
      code: 2,
    })
  })
})

describe('doctor', () => {
  test('does not create the database it looks for', async () => {
    const folder = makeProject({ 'package.json': '{"type":"module"}' })
    const { code, stdout } = await runCli(folder, ['doctor'], { env: { DATABASE_URL: 'file:typo.db' } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('typo.db does not exist') })
    expect(existsSync(join(folder, 'typo.db'))).toBe(false)
  })

  test('reports missing tables, and nothing after migrate', async () => {
    const folder = makeProject({ 'package.json': '{"type":"module"}' })
    await runCli(folder, ['init'])
    const before = await runCli(folder, ['doctor'], { env })
    expect(before).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^FAILED {2}user store: .*migrate/m),
    })
    await runCli(folder, ['migrate'], { env })
    const after = await runProcess(folder, ['doctor', '--json'], { env })
    expect(after.code).toBe(0)
    const { findings } = JSON.parse(after.stdout)
    expect(findings.map(({ what, state }: { what: string; state: string }) => `${what} ${state}`)).toEqual(
      expect.arrayContaining([
        'Node.js ok',
        'fastify ok',
        'user store ok',
        'session store ok',
        'invitation store ok',
        'options ok',
        'server options ok',
      ]),
    )
  })

  test('warns if responses to malformed paths would repeat the token, or if it can’t check', async () => {
    const folder = makeProject({ 'package.json': '{"type":"module"}' })
    await runCli(folder, ['init'])
    await runCli(folder, ['migrate'], { env })
    const config = join(folder, 'accounts.config.js')
    const written = readFileSync(config, 'utf8')
    writeFileSync(config, written.replace('  frameworkErrors,\n', ''))
    expect(await runCli(folder, ['doctor'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^warning server options: .*ACCOUNTS_WARN_FRAMEWORK_ERRORS/m),
    })
    writeFileSync(config, written.replace('export const serverOptions', 'const serverOptions'))
    expect(await runCli(folder, ['doctor'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^warning server options: not checked/m),
    })
  })

  test('warns of links in the log only if the logger of serverOptions shows them', async () => {
    const folder = makeProject({ 'package.json': '{"type":"module"}' })
    await runCli(folder, ['init'])
    await runCli(folder, ['migrate'], { env })
    const config = join(folder, 'accounts.config.js')
    const origins = "  trustedOrigins: ['https://app.example.org'],\n  users: true,\n"
    const masked = readFileSync(config, 'utf8').replace('  users: true,\n', origins)
    const shown = masked.replace('serializers: { req: maskedRequest }', "level: 'info'")
    for (const [text, isWarned] of [
      [masked, false],
      [shown, true],
    ] as const) {
      writeFileSync(config, text)
      const { stdout } = await runCli(folder, ['doctor'], { env })
      expect(stdout).toMatch(/^ok {6}options: /m)
      expect([text, stdout.includes('ACCOUNTS_WARN_LOGGED_LINKS')]).toEqual([text, isWarned])
    }
  })

  test('takes serverOptions with a loggerInstance', async () => {
    const folder = makeProject({ 'package.json': '{"type":"module"}' })
    await runCli(folder, ['init'])
    await runCli(folder, ['migrate'], { env })
    const config = join(folder, 'accounts.config.js')
    const text = readFileSync(config, 'utf8')
    const logger = "import Fastify from 'fastify'\nconst loggerInstance = Fastify({ logger: true }).log\n"
    writeFileSync(config, logger + text.replace(/logger: \{[^\n]*\}/, 'loggerInstance'))
    const { stdout } = await runCli(folder, ['doctor'], { env })
    expect(stdout).toMatch(/^ok {6}options: /m)
  })

  test('reports what would fail or warn at startup', async () => {
    const folder = makeProject({ 'package.json': '{"type":"module"}' })
    await runCli(folder, ['init'])
    const early = await runCli(folder, ['create-user', '--username', 'ada'], {
      env,
      input: 'seven green lanterns\n',
    })
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('create the tables with') })
    await runCli(folder, ['migrate'], { env })
    expect(await runCli(folder, ['doctor'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('the option secret'),
    })
    const production = { ...env, NODE_ENV: 'production', ACCOUNTS_URL: 'http://example.org' }
    expect(await runCli(folder, ['doctor'], { env: production })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('mailer'),
    })
    const mailed = await runCli(folder, ['doctor'], {
      env: { ...production, SMTP_URL: 'smtp://127.0.0.1:1' },
    })
    expect(mailed).toMatchObject({ code: 0, stdout: expect.stringContaining('ACCOUNTS_WARN_HTTP') })
  })

  test.each(here)('names the problem on $title: login, database or tables', async ({ name }) => {
    const folder = makeProject({ 'package.json': '{"type":"module"}' })
    const { place, drop } = await makeDatabase(name)
    onTestFinished(drop)
    const url = new URL(place.url)
    const changed = (change: (url: URL) => void): string => {
      const other = new URL(url)
      change(other)
      return other.href
    }
    const stranger = changed((each) => {
      each.username = 'no_such_user'
      each.password = 'wrong'
    })
    const elsewhere = changed((each) => {
      each.pathname = '/no_such_database'
    })
    const tables = 'create the tables with npx fastify-accounts migrate'
    const login = 'the database refused the login'
    const absent = 'the database does not exist'
    for (const [DATABASE_URL, hint] of [
      [stranger, login],
      [elsewhere, absent],
      [url.href, tables],
    ] as const) {
      const { code, stdout } = await runCli(folder, ['doctor'], { env: { DATABASE_URL } })
      const [line = ''] = stdout.split('\n').filter((each) => each.startsWith('FAILED  user store: '))
      expect({ code, found: [login, absent, tables].filter((each) => line.includes(each)) }).toEqual({
        code: 1,
        found: [hint],
      })
    }
  })

  test('fails if a provider does not respond, or its document is of another issuer', async () => {
    const issuer = await startIssuer()
    onTestFinished(() => issuer.close())
    const config = `import { createMemoryUserStore } from 'fastify-accounts'
import { providers } from '@fastify-accounts/providers'
export const options = {
  userStore: createMemoryUserStore(),
  secret: 'a test needs no better secret than this one',
  baseUrl: 'http://localhost:3000',
  features: [providers([{ name: 'company', issuer: '${issuer.url}', clientId: 'app' }])],
}
`
    const folder = makeProject({ 'package.json': '{"type":"module"}', 'accounts.config.js': config })
    const doctor = () => runCli(folder, ['doctor'])
    expect(await doctor()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {6}providers: /m) })
    issuer.metadata.issuer = `${issuer.url}/realm/`
    const wrong = `FAILED  providers: company: company.issuer is ${issuer.url}, but its discovery document says ${issuer.url}/realm/`
    expect(await doctor()).toMatchObject({ code: 1, stdout: expect.stringContaining(wrong) })
    issuer.twist.discovery = (response) => response.writeHead(404).end()
    const away = `FAILED  providers: company: ${issuer.url}: discovery returned 404`
    expect(await doctor()).toMatchObject({ code: 1, stdout: expect.stringContaining(away) })
  })

  test.each(here)('names a missing privilege on $title', async ({ name }) => {
    const folder = makeProject({ 'package.json': '{"type":"module"}' })
    const { place, drop } = await makeDatabase(name)
    onTestFinished(drop)
    const env = { DATABASE_URL: place.url }
    await runCli(folder, ['migrate'], { env })
    const role = `accounts_role_${randomBytes(6).toString('hex')}`
    const who = name === 'mysql2' ? `${role}@'%'` : role
    const run = (...texts: string[]) => runSql(place, ...texts)
    if (name === 'mysql2') await run(`create user ${who} identified by 'secret'`)
    else await run(`create role ${who} login password 'secret'`)
    onTestFinished(async () => {
      if (name !== 'mysql2') await run(`drop owned by ${who}`)
      await run(`drop ${name === 'mysql2' ? 'user' : 'role'} ${who}`)
    })
    for (const table of ['users', 'identities', 'sessions', 'invitations', 'outbox']) {
      const all = table === 'outbox' ? 'select, insert, update' : 'select, insert, update, delete'
      await run(`grant ${all} on accounts_${table} to ${who}`)
    }
    const url = Object.assign(new URL(place.url), { username: role, password: 'secret' })
    const { stdout } = await runCli(folder, ['doctor'], { env: { DATABASE_URL: url.href } })
    expect(stdout.split('\n').filter((line) => line.includes('privilege'))).toEqual([
      'warning user store: the database user lacks the privilege delete on accounts_outbox: grant it',
    ])
  })

  test('warns about problems that the stores report, passing the app’s deadline', async () => {
    const config = `import { createMemoryInvitationStore, createMemorySessionStore, createMemoryUserStore } from 'fastify-accounts'
const userStore = { ...createMemoryUserStore(), inspect: async (within) => [\`the server goes on after \${within} ms\`] }
const sessionStore = { ...createMemorySessionStore(), inspect: async () => ['no room'] }
const invitationStore = { ...createMemoryInvitationStore(), inspect: async () => ['no index'] }
export const options = { userStore, sessionStore, invitationStore, adapterTimeout: 4321 }
`
    const folder = makeProject({ 'package.json': '{"type":"module"}', 'accounts.config.js': config })
    const { stdout } = await runCli(folder, ['doctor'])
    expect(stdout).toMatch(/^warning user store: the server goes on after 4321 ms$/m)
    expect(stdout).toMatch(/^warning session store: no room$/m)
    expect(stdout).toMatch(/^warning invitation store: no index$/m)
  })
})
