/**
 * Tests the built packages as users get them: packs, lints and installs them into an empty folder, then imports,
 * requires and compiles them there. Fails at the first error.
 *
 *   npm run check:packages
 *   npm run check:packages -- release   keeps the tarballs in that folder
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = (name) => join(root, 'node_modules', '.bin', name)
const manifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const pnpm = manifest(root).packageManager.split('+')[0]
const work = mkdtempSync(join(tmpdir(), 'check-packages-'))
/** A folder for the tarballs, which then stay: the release publishes those that were checked. */
const [kept] = process.argv.slice(2)
const tarballs = kept === undefined ? join(work, 'tarballs') : resolve(kept)
const consumer = join(work, 'consumer')
const frontEndFolder = join(work, 'front-end')

// The user's files.

const story = `
import assert from 'node:assert/strict'

/** Signs a user up, logs in, and asks who is logged in. */
export async function story(app) {
  const post = (url, payload) => app.inject({ method: 'POST', url, payload })
  const password = 'seven green lanterns'
  const created = await post('/signup/', { username: 'ada', password, confirm_password: password })
  assert.equal(created.statusCode, 201, created.body)
  const login = await post('/login/', { username: 'ada', password })
  assert.equal(login.statusCode, 200, login.body)
  const [cookie] = login.cookies
  const me = await app.inject({ url: '/me/', cookies: { [cookie.name]: cookie.value } })
  assert.equal(me.statusCode, 200, me.body)
  assert.equal(me.json().username, 'ada')
  await app.close()
}
`

const esm = `
import { randomBytes } from 'node:crypto'
import { createAccountsClient, unwrap } from '@fastify-accounts/client'
import { createKyselySessionStore, createKyselyUserStore, migrate, openSqlite } from '@fastify-accounts/kysely'
import { createMigratingHasher, djangoPbkdf2 } from '@fastify-accounts/hashes'
import { createNodemailerMailer } from '@fastify-accounts/nodemailer'
import Fastify from 'fastify'
import accounts, { createScryptHasher } from 'fastify-accounts'
import { userStoreCases } from 'fastify-accounts/testing'
import assert from 'node:assert/strict'
import { story } from './story.mjs'

assert.equal(typeof createNodemailerMailer, 'function')
assert.ok(userStoreCases !== undefined)
const db = openSqlite(':memory:')
await migrate(db)
const app = Fastify()
await app.register(accounts, {
  secret: randomBytes(32).toString('base64url'),
  baseUrl: 'http://localhost:3000',
  users: true,
  userStore: createKyselyUserStore({ db }),
  sessionStore: createKyselySessionStore({ db }),
  passwordHasher: createMigratingHasher(createScryptHasher(), [djangoPbkdf2()]),
})
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
assert.ok('login' in unwrap(await createAccountsClient({ baseUrl }).listRoutes()))
await story(app)
await db.destroy()
`

const commonjs = `
const { randomBytes } = require('node:crypto')
const Fastify = require('fastify')
const accounts = require('fastify-accounts')

async function main() {
  const { story } = await import('./story.mjs')
  const app = Fastify()
  await app.register(accounts.default, {
    secret: randomBytes(32).toString('base64url'),
    baseUrl: 'http://localhost:3000',
    users: true,
  })
  await story(app)
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
`

/** In a workspace with two versions of Fastify, pnpm gives a package with the stores a copy of its own. */
const stores = `
import { createKyselySessionStore, createKyselyUserStore, migrate, openSqlite } from '@fastify-accounts/kysely'

export const db = openSqlite(':memory:')
await migrate(db)
export const userStore = createKyselyUserStore({ db })
export const sessionStore = createKyselySessionStore({ db, userStore })
`

const twoCopies = `
import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import accounts from 'fastify-accounts'
import assert from 'node:assert/strict'
import { db, sessionStore, userStore } from './elsewhere/stores.mjs'

const warnings = []
const logger = { level: 'warn', stream: { write: (line) => warnings.push(JSON.parse(line)) } }
for (const requireEmailConfirmation of [false, true]) {
  const app = Fastify({ logger })
  await app.register(accounts, {
    ...{ secret: randomBytes(32).toString('base64url'), baseUrl: 'http://localhost:3000', users: true },
    ...{ userStore, sessionStore, requireEmailConfirmation, mailer: { send: async () => {} } },
  })
  const signUp = (username, email) => {
    const passwords = { password: 'seven green lanterns', confirm_password: 'seven green lanterns' }
    return app.inject({ method: 'POST', url: '/signup/', payload: { username, email, ...passwords } })
  }
  const answers = [await signUp('ada', 'ada@example.org'), await signUp('ada', 'ben@example.org')]
  answers.push(await signUp('eve', 'ada@example.org'))
  const codes = answers.map(({ statusCode }) => statusCode)
  // The second time ada is in the database.
  assert.deepEqual(codes, requireEmailConfirmation ? [409, 409, 202] : [201, 409, 409])
  await app.close()
}
const told = warnings.filter(({ code }) => code === 'ACCOUNTS_WARN_COPIES')
assert.equal(told.length, 2)
for (const folder of ['/consumer/node_modules/fastify-accounts', '/elsewhere/node_modules/fastify-accounts'])
  assert.ok(told[0].msg.replaceAll('\\\\', '/').includes(folder), told[0].msg)
await db.destroy()
`

const typescript = `
import { randomBytes } from 'node:crypto'
import { createKyselySessionStore, createKyselyUserStore, migrate, sqliteDialect } from '@fastify-accounts/kysely'
import { createNodemailerMailer } from '@fastify-accounts/nodemailer'
import Fastify from 'fastify'
import accounts, { type Accounts, type AccountsOptions, type AccountUser, type ErrorCode, type Mailer, type UserStore } from 'fastify-accounts'
import { Type } from '@sinclair/typebox'
import { Kysely } from 'kysely'

declare module 'fastify' {
  interface FastifyInstance { accounts: Accounts<typeof fields> }
  interface FastifyRequest { user: AccountUser<typeof fields> | null }
}
const fields = Type.Object({ display_name: Type.String({ maxLength: 80 }) })
const mailer: Mailer = createNodemailerMailer({ url: 'smtp://localhost:1025', from: 'accounts@example.org' })
const code: ErrorCode = 'ACCOUNTS_LOGIN_REQUIRED'
const app = Fastify()
// This is compiled and run, so the database is a real one.
const db = new Kysely<never>({ dialect: sqliteDialect(':memory:') })
await migrate(db)
const userStore: UserStore = createKyselyUserStore({ db })
const options: AccountsOptions = {
  secret: randomBytes(32).toString('base64url'),
  baseUrl: 'http://localhost:3000',
  users: { variant: 'signup', fields, publicFields: ['created_at', 'display_name'] },
  userStore,
  sessionStore: createKyselySessionStore({ db, userStore }),
  mailer,
}
await app.register(accounts, options)
app.get('/hello', { onRequest: app.accounts.requireUser }, async (request) => {
  const name: string | undefined = request.user?.fields.display_name
  return { hello: name ?? code }
})
const answer = await app.inject({ url: '/hello' })
if (answer.statusCode !== 401) throw new Error(answer.body)
await app.close()
await db.destroy()
`

const frontEnd = `
import { type AccountsClient, createAccountsClient, type ErrorCode } from '@fastify-accounts/client'

const client: AccountsClient<{ display_name: string }> = createAccountsClient({ baseUrl: 'https://api.example.org' })
export async function greet(): Promise<string | ErrorCode> {
  const me = await client.showMe()
  return me.ok ? \`Hello \${me.data.display_name ?? me.data.username}\` : me.error.code
}
`

/** A front-end project has no Node.js types, and checks the declarations of its dependencies. */
const frontEndTsconfig = {
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom'],
    types: [],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
  },
  files: ['front-end.ts'],
}

const tsconfig = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    outDir: 'compiled',
    types: ['node'],
  },
  files: ['typescript.mts'],
}

try {
  const packages = readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'package.json')) && !manifest(folder).private)
  for (const folder of packages) {
    checkManifest(folder)
    checkNothingStale(folder)
  }
  const packed = packages.map(pack)
  for (const tarball of packed) lint(tarball)
  for (const folder of packages) publishDry(folder)
  install(packed)
  for (const entry of packages.flatMap(entriesOf)) {
    use(`${entry} by import`, process.execPath, ['--input-type=module', '--eval', `await import('${entry}')`])
    use(`${entry} by require`, process.execPath, ['--input-type=commonjs', '--eval', `require('${entry}')`])
  }
  use('as an ES module', process.execPath, ['esm.mjs'])
  use('from CommonJS', process.execPath, ['commonjs.cjs'])
  use('with stores of another copy', process.execPath, ['two-copies.mjs'])
  use('from TypeScript', process.execPath, [
    join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    '.',
  ])
  use('from TypeScript, run', process.execPath, ['compiled/typescript.mjs'])
  const client = packed.find((tarball) => tarball.includes('client'))
  installFrontEnd(client)
  use('the client alone, in a front end', process.execPath, [
    join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    frontEndFolder,
  ])
  console.log(`${packed.length} packages are OK.`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** All packages are released together, publicly, for the same versions of Node.js. */
function checkManifest(folder) {
  const [of, all] = [manifest(folder), manifest(root)]
  const first = manifest(join(root, 'packages/accounts'))
  const directory = relative(root, folder).replaceAll('\\', '/')
  const wrong = [
    of.version !== first.version && `has version ${of.version}, not ${first.version}`,
    of.engines?.node !== all.engines.node && `requires Node.js ${of.engines?.node}, not ${all.engines.node}`,
    of.license !== all.license && `has the license ${of.license}`,
    !of.description && 'has no description',
    !of.keywords?.includes('fastify-accounts') &&
      of.name !== first.name &&
      'lacks the keyword fastify-accounts',
    of.homepage !== all.homepage && `has the homepage ${of.homepage}, not ${all.homepage}`,
    of.bugs !== all.bugs && `has the bugs URL ${of.bugs}, not ${all.bugs}`,
    !isDeepStrictEqual(of.repository, { ...all.repository, directory }) &&
      `has the repository ${JSON.stringify(of.repository)}`,
    of.publishConfig?.access !== 'public' && 'would not be public',
    of.publishConfig?.provenance !== true && 'would have no provenance',
  ].filter((each) => each !== false)
  if (wrong.length > 0) throw new Error(`${of.name} ${wrong.join('; ')}`)
}

/** The import paths of a package: its name, and any subpaths. */
function entriesOf(folder) {
  const { name, exports } = manifest(folder)
  const paths = Object.keys(exports).filter((path) => !path.endsWith('.json'))
  return paths.map((path) => posix.join(name, path))
}

/** Declarations whose source was deleted would still be published. The bundler removes stale scripts itself. */
function checkNothingStale(folder) {
  const built = readdirSync(join(folder, 'dist'), { recursive: true })
  for (const file of built.filter((each) => each.endsWith('.d.ts'))) {
    if (!existsSync(join(folder, 'src', file.replace(/\.d\.ts$/, '.ts')))) {
      throw new Error(`${join(folder, 'dist', file)} no longer has a source: remove it`)
    }
  }
}

/** `pnpm pack` replaces the workspace's version ranges with real ones. */
function pack(folder) {
  mkdirSync(tarballs, { recursive: true })
  const before = new Set(readdirSync(tarballs))
  run('npx', ['--yes', pnpm, 'pack', '--pack-destination', tarballs], folder)
  const name = readdirSync(tarballs).find((each) => !before.has(each))
  if (name === undefined) throw new Error(`${folder}: nothing was packed`)
  const tarball = join(tarballs, name)
  const files = run('tar', ['-tzf', tarball], folder).split('\n')
  for (const needed of [
    'package/package.json',
    'package/LICENSE',
    'package/README.md',
    'package/dist/index.js',
    'package/dist/index.d.ts',
    'package/dist/sbom.cdx.json',
  ]) {
    if (!files.includes(needed)) throw new Error(`${name} lacks ${needed}`)
  }
  if (!files.some((file) => file.endsWith('.js.map'))) throw new Error(`${name} lacks source maps`)
  if (run('tar', ['-xzOf', tarball, 'package/package.json'], folder).includes('workspace:')) {
    throw new Error(`${name} has a workspace: version range`)
  }
  console.log(`packed ${name}, ${files.length - 1} files`)
  return tarball
}

function lint(tarball) {
  run(bin('publint'), ['run', tarball, '--strict'], root)
  run(bin('attw'), [tarball, '--profile', 'esm-only', '--no-emoji', '--no-color'], root)
}

/** Everything that publishing does, except the upload to the registry. */
function publishDry(folder) {
  const args = ['publish', '--dry-run', '--no-git-checks', '--registry', 'http://127.0.0.1:9/']
  const said = run('npx', ['--yes', pnpm, ...args], folder, {
    npm_config_fetch_retries: '0',
    // Otherwise it prints nothing under `npm run --silent`.
    npm_config_loglevel: 'notice',
  })
  const { name, version } = manifest(folder)
  if (!said.includes(`+ ${name}@${version}`)) throw new Error(`${name} would not be published:\n${said}`)
  console.log(`would publish ${name}@${version}`)
}

function install(packed) {
  const versions = (folder, kind) => manifest(join(root, folder))[kind]
  const server = versions('examples/server', 'dependencies')
  const wanted = {
    fastify: versions('packages/accounts', 'peerDependencies').fastify,
    kysely: versions('packages/kysely', 'devDependencies').kysely,
    libsql: server.libsql,
    '@simplewebauthn/browser': versions('packages/client', 'peerDependencies')['@simplewebauthn/browser'],
    '@sinclair/typebox': versions('packages/accounts', 'devDependencies')['@sinclair/typebox'],
    '@types/node': manifest(root).devDependencies['@types/node'],
  }
  mkdirSync(consumer)
  write('package.json', JSON.stringify({ private: true, type: 'module' }))
  const specs = Object.entries(wanted).map(([name, range]) => `${name}@${range}`)
  run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', ...packed, ...specs], consumer)
  write('story.mjs', story)
  write('esm.mjs', esm)
  write('commonjs.cjs', commonjs)
  write('two-copies.mjs', twoCopies)
  for (const name of ['fastify-accounts', '@fastify-accounts/kysely']) {
    const [from, to] = ['node_modules', 'elsewhere/node_modules'].map((folder) =>
      join(consumer, folder, name),
    )
    cpSync(from, to, { recursive: true })
  }
  write('elsewhere/stores.mjs', stores)
  write('typescript.mts', typescript)
  write('tsconfig.json', JSON.stringify(tsconfig))
}

/** A project with only the client. */
function installFrontEnd(client) {
  mkdirSync(frontEndFolder)
  write('package.json', JSON.stringify({ private: true, type: 'module' }), frontEndFolder)
  run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', client], frontEndFolder)
  const installed = readdirSync(join(frontEndFolder, 'node_modules', '@fastify-accounts'))
  if (installed.join() !== 'client') throw new Error(`the client installs ${installed.join()}`)
  write('front-end.ts', frontEnd, frontEndFolder)
  write('tsconfig.json', JSON.stringify(frontEndTsconfig), frontEndFolder)
}

function write(name, text, folder = consumer) {
  writeFileSync(join(folder, name), text)
}

function use(how, command, args) {
  run(command, args, consumer)
  console.log(`used ${how}`)
}

function run(command, args, cwd, environment = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    shell: process.platform === 'win32' && command !== process.execPath,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  })
  if (status === 0) return stdout
  throw new Error(`${command} ${args.join(' ')}\n${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`)
}
