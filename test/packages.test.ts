import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { importsOf, read, root } from '@fastify-accounts/test-support/source'
import { describe, expect, it, onTestFinished } from 'vitest'

/** The packages whose types an entry imports, directly or through its own files. */
function packagesInTypes(entry: string): string[] {
  const packages = new Set<string>()
  const files = [entry]
  // The list grows during the loop.
  for (const file of files) {
    for (const { from } of importsOf(read(file), file)) {
      if (!from.startsWith('.')) packages.add(from)
      else {
        const target = posix.join(posix.dirname(file), from.replace(/\.js$/, '.d.ts'))
        if (!files.includes(target)) files.push(target)
      }
    }
  }
  return [...packages].sort()
}

describe('the types of the built packages', () => {
  it.each([
    // Every app's compiler would load a schema library, and @fastify/cookie would declare decorators that an app may
    // not have.
    ['accounts/dist/index', ['fastify', 'node:events']],
    ['client/dist/index', []],
    ['client/dist/organizations', []],
    ['client/dist/passkeys', []],
    ['client/dist/providers', []],
    ['client/dist/users', []],
    ['hashes/dist/index', ['fastify-accounts', 'node:crypto']],
    ['kysely/dist/index', ['fastify-accounts', 'kysely']],
    ['nodemailer/dist/index', ['fastify-accounts', 'nodemailer']],
    ['organizations/dist/index', ['fastify-accounts', 'fastify-accounts/features']],
    ['organizations/dist/store', ['fastify-accounts', 'fastify-accounts/features']],
    ['pages/dist/index', ['fastify-accounts/features']],
    ['passkeys/dist/index', ['fastify-accounts', 'fastify-accounts/features']],
    ['providers/dist/index', ['fastify-accounts', 'fastify-accounts/features']],
    ['redis/dist/index', ['fastify-accounts']],
    ['table-stores/dist/index', ['fastify-accounts']],
    ['testing/dist/index', ['fastify', 'fastify-accounts']],
  ])('%s import nothing that an app may not need', (entry, packages) => {
    expect(packagesInTypes(`packages/${entry}.d.ts`)).toEqual(packages)
  })
})

const published = [
  ...['accounts', 'client', 'hashes', 'kysely', 'nodemailer', 'organizations', 'pages'],
  ...['passkeys', 'providers', 'redis', 'table-stores', 'testing'],
]

/** The source maps of a package's bundle. */
function sourceMapsOf(name: string): { sources: string[]; sourcesContent: (string | null)[] }[] {
  const dist = `${root}packages/${name}/dist`
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js.map'))
    .map((file) => {
      const map = JSON.parse(readFileSync(`${dist}/${file}`, 'utf8'))
      const folder = posix.dirname(file.replaceAll('\\', '/'))
      return {
        ...map,
        sources: map.sources.map((source: string) => posix.join(name, 'dist', folder, source)),
      }
    })
}

interface Component {
  group?: string
  name: string
  version?: string
  purl: string
  scope?: 'required' | 'optional'
  licenses?: object[]
  properties: { name: string; value: string }[]
}

const fullName = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`)

describe.each(published)('the bundle of %s', (name) => {
  it('has an SBOM that names what it contains, by version, and what is installed next to it, by range', () => {
    const folder = `packages/${name}`
    const bom = JSON.parse(read(`${folder}/dist/sbom.cdx.json`))
    const { version, dependencies = {}, peerDependencies = {} } = JSON.parse(read(`${folder}/package.json`))
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
    expect(bom.metadata.component).toMatchObject({ version, licenses: [{ expression: 'MIT' }] })
    const components: Component[] = bom.components
    const contained = components.filter((each) => each.version !== undefined)
    // pnpm's folders have the versions in their names.
    const inBundle = sourceMapsOf(name).flatMap(({ sources }) =>
      sources.flatMap((each) => {
        const [, held = '', library] = /\.pnpm\/([^/]+)\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(each) ?? []
        const [, of] = /^.+?@(\d[^_(]*)/.exec(held) ?? []
        return library === undefined ? [] : [`${library}@${of}`]
      }),
    )
    expect(contained.map((each) => `${fullName(each)}@${each.version}`).sort()).toEqual(
      [...new Set(inBundle)].sort(),
    )
    for (const { purl, licenses = [] } of contained) {
      expect([purl, licenses.length]).toEqual([expect.stringMatching(/^pkg:npm\/.+@\d/), 1])
    }
    const declared = components.filter((each) => each.version === undefined)
    expect(declared.map(fullName).sort()).toEqual(
      Object.keys({ ...dependencies, ...peerDependencies }).sort(),
    )
    expect(declared.flatMap(({ properties }) => properties.map(({ value }) => value)).join()).not.toContain(
      'workspace',
    )
  })

  it('contains no module twice, so error classes are the same in every entry', () => {
    const sources = sourceMapsOf(name).flatMap(({ sources }) => sources)
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.filter((source, at) => sources.indexOf(source) !== at)).toEqual([])
  })

  it('has source maps that include the sources', () => {
    for (const { sources, sourcesContent } of sourceMapsOf(name)) {
      expect(sourcesContent).toHaveLength(sources.length)
      expect(sourcesContent).not.toContain(null)
    }
  })

  it('does not load TypeBox, whose schemas were made at build', () => {
    const dist = `${root}packages/${name}/dist`
    const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.js$/.test(file),
    )
    const loading = scripts.filter((file) => /["']@sinclair\//.test(readFileSync(`${dist}/${file}`, 'utf8')))
    expect(loading).toEqual([])
  })

  it('bundles only the expected libraries, with their licenses', () => {
    const foreign = sourceMapsOf(name).flatMap(({ sources }) =>
      sources.flatMap((each) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(each)?.[1] ?? []),
    )
    const packages = [...new Set(foreign)]
    const expected = [
      ...['@inquirer/ansi', '@inquirer/core', '@inquirer/figures', '@inquirer/password', '@inquirer/type'],
      ...['cli-width', 'fast-string-truncated-width', 'fast-string-width', 'fast-wrap-ansi', 'mute-stream'],
      ...['signal-exit', 'uqr'],
    ]
    expect(packages.sort()).toEqual(name === 'accounts' ? expected : [])
    const notice = `${root}packages/${name}/dist/THIRD-PARTY-LICENSES.txt`
    expect(existsSync(notice)).toBe(packages.length > 0)
    for (const each of packages) {
      expect(readFileSync(notice, 'utf8')).toMatch(
        new RegExp(`Parts of ${each} [\\s\\S]+?Copyright|Parts of ${each} [\\s\\S]+?The ISC License`),
      )
    }
  })
})

/** Runs a CommonJS script in a folder where the built packages are installed, by default the example server. */
function runCommonJs(
  script: string,
  flags: string[] = [],
  folder = 'examples/server',
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [...flags, '--input-type=commonjs', '--eval', script], {
    cwd: root + folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
}

describe('the built packages from CommonJS', () => {
  // What docs/guides/typescript.md says of each setting, with the TypeScript of this repository.
  it.each([
    ['nodenext', 'nodenext', null],
    ['node20', 'node16', null],
    ['preserve', 'bundler', null],
    ['node18', 'node16', 'TS1479'],
    ['node16', 'node16', 'TS1479'],
    ['commonjs', 'node10', 'TS5108'],
  ])('compile with module %s and moduleResolution %s, or not: %s', (module, moduleResolution, error) => {
    const folder = mkdtempSync(join(tmpdir(), 'accounts-cjs-types-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(root, 'packages/accounts'), join(folder, 'node_modules/fastify-accounts'))
    writeFileSync(join(folder, 'package.json'), '{}')
    writeFileSync(
      join(folder, 'app.ts'),
      "import accounts from 'fastify-accounts'\nimport { isDuplicate } from 'fastify-accounts/features'\nexport const all = [accounts, isDuplicate]\n",
    )
    const settings = ['--module', module, '--moduleResolution', moduleResolution, '--target', 'es2022']
    const { stdout } = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/typescript/bin/tsc'),
        ...[...settings, '--strict', '--skipLibCheck', '--noEmit', '--types', '', 'app.ts'],
      ],
      { cwd: folder, encoding: 'utf8' },
    )
    expect(stdout.match(/TS\d+/)?.[0] ?? null, stdout).toBe(error)
  })

  it('can be loaded with require, without a warning', () => {
    const { status, stdout, stderr } = runCommonJs(`
      const accounts = require('fastify-accounts')
      const testing = require('@fastify-accounts/testing')
      const kysely = require('@fastify-accounts/kysely')
      const nodemailer = require('@fastify-accounts/nodemailer')
      const redis = require('@fastify-accounts/redis')
      console.log(JSON.stringify([
        typeof accounts.default,
        typeof accounts.AccountsError,
        typeof testing.userStoreCases,
        typeof kysely.createKyselyUserStore,
        typeof nodemailer.createNodemailerMailer,
        typeof redis.createRedisSessionStore,
      ]))
    `)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).not.toContain('undefined')
  })

  it('throw errors that the testing package recognizes', () => {
    const { status, stdout, stderr } = runCommonJs(`
      const { createMemoryUserStore } = require('fastify-accounts')
      const { runCases, userStoreCases } = require('@fastify-accounts/testing')
      const cases = userStoreCases(() => createMemoryUserStore())
      runCases(cases, () => {}).then(({ passed, skipped, failures }) => console.log(JSON.stringify([passed + skipped.length === cases.length, failures])))
    `)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual([true, []])
  })

  it('show the source location of an error with --enable-source-maps', () => {
    const { status, stderr } = runCommonJs(`require('fastify-accounts').assertText('name', 1)`, [
      '--enable-source-maps',
    ])
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /InvalidArgumentError: name must be a text\n +at .*assertText \(.*src\/seams\/store-errors\.ts:\d+:\d+\)/,
    )
  })

  it('store users with a Kysely that the app loaded with require', () => {
    const script = `
      const { createKyselyUserStore, sqliteDialect } = require('@fastify-accounts/kysely')
      const { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } = require('kysely')
      const dialects = [SqliteDialect, PostgresDialect, MysqlDialect].map((Dialect) => new Dialect({}))
      for (const dialect of [...dialects, sqliteDialect(':memory:')]) {
        createKyselyUserStore({ db: new Kysely({ dialect }) })
      }
      console.log('kept')
    `
    // Node.js 22 warns that its SQLite is experimental.
    const quiet = ['--disable-warning=ExperimentalWarning']
    const { status, stdout, stderr } = runCommonJs(script, quiet, 'packages/benchmark')
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'kept\n', stderr: '' })
  })

  it('log a user in', () => {
    const { status, stdout, stderr } = runCommonJs(`
      const Fastify = require('fastify')
      const { default: accounts, createScryptHasher } = require('fastify-accounts')

      async function main() {
        const app = Fastify()
        app.register(accounts, {
          ...{ secret: 'a secret that is long enough for a test', baseUrl: 'http://localhost', users: true },
          passwordHasher: createScryptHasher({ logN: 10 }),
        })
        await app.ready()
        const password = 'seven-green-lanterns'
        const post = (url, payload) => app.inject({ method: 'POST', url, payload })
        const created = await post('/signup/', { username: 'ada', password, confirm_password: password })
        const login = await post('/login/', { username: 'ada', password })
        const cookies = Object.fromEntries(login.cookies.map(({ name, value }) => [name, value]))
        const me = await app.inject({ url: '/me/', cookies })
        await app.close()
        console.log(JSON.stringify([created.statusCode, login.statusCode, me.statusCode, me.json().username]))
      }
      main()
    `)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual([201, 200, 200, 'ada'])
  })
})

/** A second copy of the built package in a folder of its own, with the same dependencies, as pnpm makes it. */
function copyOfAccounts(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'copy-of-accounts-')))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  for (const name of ['dist', 'package.json'])
    cpSync(`${root}packages/accounts/${name}`, join(copy, name), { recursive: true })
  symlinkSync(`${root}packages/accounts/node_modules`, join(copy, 'node_modules'))
  return copy
}

describe('two copies of the built package in one process', () => {
  it('work together, and the warning at the start names both', () => {
    const copy = copyOfAccounts()
    const { status, stdout, stderr } = runCommonJs(`
      const Fastify = require('fastify')
      const { default: accounts, createScryptHasher } = require('fastify-accounts')
      const { createMemoryUserStore } = require(${JSON.stringify(copy)})

      async function main() {
        const lines = []
        const app = Fastify({ logger: { level: 'warn', stream: { write: (line) => lines.push(JSON.parse(line)) } } })
        app.register(accounts, {
          ...{ secret: 'a secret that is long enough for a test', baseUrl: 'http://localhost', users: true },
          userStore: createMemoryUserStore(),
          passwordHasher: createScryptHasher({ logN: 10 }),
        })
        await app.ready()
        const password = 'seven-green-lanterns'
        const signUp = () =>
          app.inject({ method: 'POST', url: '/signup/', payload: { username: 'ada', password, confirm_password: password } })
        const codes = [(await signUp()).statusCode, (await signUp()).statusCode]
        await app.close()
        const warnings = lines.filter(({ code }) => code === 'ACCOUNTS_WARN_COPIES').map(({ msg }) => msg)
        console.log(JSON.stringify({ codes, warnings }))
      }
      main()
    `)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const { codes, warnings } = JSON.parse(stdout)
    expect(codes).toEqual([201, 409])
    expect(warnings).toEqual([expect.stringContaining(`: ${root}packages/accounts, ${copy} (`)])
  })
})
