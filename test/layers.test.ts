import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import {
  accountsFiles,
  accountsSource,
  type Import,
  importsOf,
  nodesOf,
  parse,
  read,
  root,
  typeScriptIn,
} from '@fastify-accounts/test-support/source'
import { describe, expect, it } from 'vitest'

/**
 * The layers of packages/accounts/src, lowest first; CONTRIBUTING.md explains them. An import points to a lower
 * layer, or stays within its own folder. Files at the top of src are listed without `.ts`.
 */
const layers: readonly (readonly string[])[] = [
  ['copies', 'user', 'languages', 'web-url'],
  ['notes'],
  ['seams', 'errors'],
  ['adapters', 'identifiers', 'request-slot', 'validation'],
  ['options'],
  ['outbox', 'throttle', 'tokens', 'sessions'],
  ['pages'],
  ['emails', 'events', 'passwords'],
  ['deps'],
  ['users', 'logins'],
  ['http'],
  ['features'],
  ['start'],
]

/** Beside the layers: code that an integrator could have written. Only the upper layers may import it. */
const outsider = 'defaults'
const seenByOutsider = ['user', 'errors', 'seams', 'web-url']
const mayUseDefaults = ['start', 'index']

/**
 * Below the layers: interfaces that features extend, which import nothing. Above them: the exports of the package, and
 * the command line, which is an app.
 */
const stack = [['feature-names'], ...layers, ['index'], ['cli']]

/** The folders and files of http, and the folders of packages/kysely/src, lowest first, by the same rule. */
const httpRooms = [
  ['input', 'navigation', 'scope-path', 'spellings'],
  ['guard', 'route-urls'],
  ['feature-core', 'well-known'],
  ['operation'],
  ['route'],
  ['move-routes', 'openapi'],
  ['output'],
  ['api-root', 'link-routes', 'pipeline'],
  ['perform'],
  ['page-route'],
  ['mount-pages', 'mount-routes'],
]
const kyselyRooms = [
  ['base'],
  ['columns', 'open'],
  ['inspect', 'run'],
  ['activity', 'adopt', 'invitations', 'migrate', 'organizations', 'outbox', 'sessions'],
  ['users'],
  ['index'],
]

const mayUseFastify = ['http', 'sessions', 'start', 'cli']
const mayNameFastifyTypes = ['options']

/** What every feature may import beside its own folder: its interface. */
const seenByFeatures = ['features/feature.ts', 'features/host.ts']

type Sources = ReadonlyMap<string, readonly Import[]>

/** `tokens/vault.ts` is part of `tokens`, `deps.ts` is `deps`. */
function partOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : file.replace(/\.ts$/, '')
}

function levelOf(part: string, levels: readonly (readonly string[])[] = stack): number {
  return levels.findIndex((level) => level.includes(part))
}

function targetOf(file: string, from: string): string {
  return posix.join(posix.dirname(file), from).replace(/\.js$/, '.ts')
}

/** Each import that breaks the rule, one line each. */
function violations(sources: Sources): string[] {
  const found: string[] = []
  for (const [file, imports] of sources) {
    const part = partOf(file)
    if (levelOf(part) < 0 && part !== outsider) found.push(`${file} belongs to no layer`)
    for (const { from, typeOnly } of imports) {
      const reason = from.startsWith('.')
        ? wrongWithin(file, targetOf(file, from))
        : wrongOutside(file, from, typeOnly)
      if (reason !== null) found.push(`${file} must not import ${from}: ${reason}`)
    }
  }
  return [...found, ...cycles(sources)]
}

function wrongWithin(file: string, target: string): string | null {
  const [part, other] = [partOf(file), partOf(target)]
  if (target.startsWith('../')) return 'it is outside of src'
  if (part === other) return wrongInFolder(file, target)
  if (part === outsider) return seenByOutsider.includes(other) ? null : 'it is not a seam'
  if (other === outsider) return mayUseDefaults.includes(part) ? null : 'a default is chosen by the plugin'
  if (levelOf(other) < levelOf(part)) return null
  return `${other} is not below ${part}`
}

/** Within one folder. */
function wrongInFolder(file: string, target: string): string | null {
  const [part, feature, ...within] = file.split('/')
  if (part === 'http') return wrongInRooms(httpRooms, file.slice(5), target.slice(5))
  // Files at the top of features/ compose them; files within a feature may import only that feature.
  if (part !== 'features' || within.length === 0 || seenByFeatures.includes(target)) return null
  return target.startsWith(`features/${feature}/`) ? null : 'a feature must not import another'
}

function wrongInRooms(rooms: readonly (readonly string[])[], file: string, target: string): string | null {
  const [room, other] = [partOf(file), partOf(target)]
  if (levelOf(room, rooms) < 0) return `${room} belongs to no room`
  if (room === other || levelOf(other, rooms) < levelOf(room, rooms)) return null
  return `${other} is not below ${room}`
}

/** Each import within packages/kysely/src that breaks the rule, one line each. */
function kyselyViolations(sources: Sources): string[] {
  return [...sources].flatMap(([file, imports]) =>
    imports.flatMap(({ from }) => {
      const reason = from.startsWith('.') ? wrongInRooms(kyselyRooms, file, targetOf(file, from)) : null
      return reason === null ? [] : [`${file} must not import ${from}: ${reason}`]
    }),
  )
}

function wrongOutside(file: string, from: string, typeOnly: boolean): string | null {
  const part = partOf(file)
  if (from !== 'fastify' && !from.startsWith('@fastify/') && from !== 'fastify-plugin') return null
  // In a feature, only the routes.
  if (/^features\/[^/]+\/(?!routes[./])/.test(file)) return 'in a feature, only its routes may use HTTP'
  if (mayUseFastify.includes(part)) return null
  if (mayNameFastifyTypes.includes(part)) return typeOnly ? null : 'only its types may be imported here'
  return `${part} must not use HTTP`
}

/** Each import cycle once, from the file in it that was reached first. */
function cycles(sources: Sources): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push(`import cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
      return
    }
    if (done.has(file)) return
    for (const { from } of sources.get(file) ?? []) {
      if (from.startsWith('.')) visit(targetOf(file, from), [...path, file])
    }
    done.add(file)
  }
  for (const file of sources.keys()) visit(file, [])
  return found
}

function sourcesOf(texts: Record<string, string>): Sources {
  return new Map(Object.entries(texts).map(([name, text]) => [name, importsOf(text, name)]))
}

describe('the layers of packages/accounts/src', () => {
  const files = accountsFiles()
  const sources: Sources = new Map(
    files.map((file) => [file, importsOf(readFileSync(accountsSource + file, 'utf8'), file)]),
  )

  it('reads every import', () => {
    expect(files).toContain('start/plugin.ts')
    const counted = [...sources.values()].flat().length
    // Counts the imports a second way, by the words before a module name.
    // The templates of `init` contain imports, but only for the apps they are written into.
    const sourced = files.filter((file) => file !== 'cli/templates.ts')
    const written = sourced.flatMap((file) =>
      readFileSync(accountsSource + file, 'utf8').match(
        /^(?:import|export|\}) ?(?:[^'"\n]* )?from '[^']+'|^import '[^']+'|await import\('[^']+'\)/gm,
      ),
    )
    expect(counted).toBe(written.filter((each) => each !== null).length)
  })

  it('contain only downward imports', () => {
    expect(violations(sources)).toEqual([])
  })
})

/** The folders of packages/testing/src: each sees only itself, and the entries export them all. */
const testingRooms = ['enumeration', 'kit', 'suites']
const testingEntries = ['index', 'organizations']

/** Each import of another package of ours that doesn't export it, and of another room, one line each. */
function beyondExports(name: string, sources: Sources): string[] {
  return [...sources].flatMap(([file, imports]) =>
    imports.flatMap(({ from, typeOnly }) => {
      const reason = wrongInPackage(name, file, from, typeOnly)
      return reason === null ? [] : [`${file} must not import ${from}: ${reason}`]
    }),
  )
}

function wrongInPackage(name: string, file: string, from: string, typeOnly: boolean): string | null {
  if (from.startsWith('.')) {
    const target = targetOf(file, from)
    if (target.startsWith('../')) return 'it is outside of src'
    const isOtherRoom = !testingEntries.includes(partOf(file)) && partOf(file) !== partOf(target)
    return name === 'testing' && isOtherRoom ? 'it is another room' : null
  }
  if (name === 'testing' && from === 'fastify' && !typeOnly) return 'only its types may be imported here'
  return /^(@fastify-accounts\/|fastify-accounts)/.test(from) && !entries.includes(from)
    ? 'no app sees it'
    : null
}

const packages = readdirSync(`${root}packages`).filter((name) => existsSync(`${root}packages/${name}/src`))

/** What the packages export, as `@fastify-accounts/client/users`. */
const entries = packages.flatMap((folder) => {
  const { name, exports = {} } = JSON.parse(read(`packages/${folder}/package.json`))
  return Object.keys(exports).map((path) => posix.join(name, path))
})

describe('start, which knows no feature by name', () => {
  const folders = [
    ...readdirSync(`${accountsSource}features`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `packages/accounts/src/features/${name}/`),
    ...['passkeys', 'providers'].map((name) => `packages/${name}/src/`),
  ]
  const namesIn = (text: string, pattern: RegExp): string[] =>
    Array.from(text.matchAll(pattern), ([, name = '']) => name)
  const names = folders.flatMap((folder) => {
    const file = existsSync(`${root}${folder}index.ts`) ? 'index.ts' : 'routes.ts'
    return namesIn(read(folder + file), /(?:Feature =|return) \{\s+name: '([a-z-]+)'/g)
  })
  const kinds = folders
    .filter((folder) => existsSync(`${root}${folder}names.ts`))
    .flatMap((folder) => namesIn(read(`${folder}names.ts`), /interface FeatureMails \{([^}]*)\}/g))
    .flatMap((list) => namesIn(list, /([a-z-]+)'?: true/g))
  const files = accountsFiles().filter((file) => file.startsWith('start/'))
  const textOf = (file: string): string => read(`packages/accounts/src/${file}`)

  it('has no name of one, and none of its kinds of email', () => {
    expect([names, kinds].map(({ length }) => length)).toEqual([21, 24])
    // A field of a body, a kind of link, stores, and a member of a feature.
    const others = ['password', 'reset-password', 'invitations', 'activity', 'export']
    const words = new Set([...names, ...kinds].filter((word) => !others.includes(word)))
    const found = files.flatMap((file) =>
      [...nodesOf(parse(textOf(file), file))]
        .filter(({ type, value }) => type === 'Literal' && words.has(value as string))
        .map(({ value }) => `${file}: ${value}`),
    )
    expect(found, 'let the feature bring it, as host, enables or routes').toEqual([])
  })

  it('imports services of those that every mount has, and only for its own calls', () => {
    const found = files.flatMap((file) =>
      importsOf(textOf(file), file)
        .filter(({ typeOnly }) => !typeOnly)
        .flatMap(({ from }) => namesIn(from, /features\/([a-z-]+)\//g))
        .map((feature) => [posix.dirname(file), feature].join(' ')),
    )
    expect([...new Set(found)].sort()).toEqual(['start/host staff'])
  })
})

describe('the other packages', () => {
  const others = packages.filter((name) => name !== 'accounts')

  it.each(others)('%s has no import cycle, and sees of the others what they export', (name) => {
    const source = `${root}packages/${name}/src/`
    const files = typeScriptIn(source)
    expect(files.length).toBeGreaterThan(1)
    const sources: Sources = new Map(
      files.map((file) => [file, importsOf(readFileSync(source + file, 'utf8'), file)]),
    )
    expect([...cycles(sources), ...beyondExports(name, sources)]).toEqual([])
  })

  it('have rooms that are there', () => {
    const folders = typeScriptIn(`${root}packages/testing/src/`).map((file) => partOf(file))
    expect([...new Set(folders)].sort()).toEqual([...testingRooms, ...testingEntries].sort())
  })

  it.each([
    ['a deep import', "import '../../accounts/src/user.js'", 'it is outside of src'],
    ['an entry that is none', "import { x } from 'fastify-accounts/user'", 'no app sees it'],
    ['the kit used by a suite', "import { x } from '../kit/x.js'", 'it is another room'],
    ['a value import from Fastify', "import Fastify from 'fastify'", 'only its types'],
  ])('finds %s', (_what, code, reason) => {
    const found = beyondExports('testing', sourcesOf({ 'suites/a.ts': code }))
    expect(found).toEqual([expect.stringContaining(reason)])
  })
})

describe('the folders of packages/kysely/src', () => {
  it('contain only downward imports', () => {
    const source = `${root}packages/kysely/src/`
    const files = typeScriptIn(source)
    expect(files).toContain('users/user-store.ts')
    expect(
      kyselyViolations(
        new Map(files.map((file) => [file, importsOf(readFileSync(source + file, 'utf8'), file)])),
      ),
    ).toEqual([])
  })
})

describe('the rule itself', () => {
  it.each([
    [
      'an upward import',
      { 'seams/mailer.ts': "import type { Deps } from '../deps.js'" },
      'deps is not below seams',
    ],
    [
      'a sibling on the same level',
      { 'tokens/email-link.ts': "import { hash } from '../passwords/passwords.js'" },
      'passwords is not below tokens',
    ],
    [
      'a feature that imports another',
      { 'features/reset/a.ts': "import { b } from '../not-me/b.js'" },
      'a feature must not import another',
    ],
    [
      'a feature service that imports Fastify',
      { 'features/reset/a.ts': "import type { FastifyRequest } from 'fastify'" },
      'only its routes may use HTTP',
    ],
    [
      'a Fastify plugin in tokens',
      { 'tokens/a.ts': "import x from '@fastify/cookie'" },
      'tokens must not use HTTP',
    ],
    [
      'a value import from Fastify in options',
      { 'options/options.ts': "import Fastify from 'fastify'" },
      'only its types',
    ],
    [
      'a default that imports the options',
      { 'defaults/a.ts': "import type { X } from '../options/options.js'" },
      'it is not a seam',
    ],
    [
      'a default used by a feature',
      { 'features/reset/a.ts': "import { x } from '../../defaults/x.js'" },
      'chosen by the plugin',
    ],
    [
      'an import type',
      { 'seams/a.ts': "export type X = import('../deps.js').Deps" },
      'deps is not below seams',
    ],
    [
      'a dynamic import',
      { 'seams/a.ts': "export const x = () => import('../start/plugin.js')" },
      'start is not below seams',
    ],
    ['a file outside the layers', { 'helpers/a.ts': '' }, 'belongs to no layer'],
    [
      'an import from another package',
      { 'start/plugin.ts': "import x from '../../../kysely/src/x.js'" },
      'outside of src',
    ],
    [
      'a cycle within a folder',
      { 'tokens/a.ts': "import './b.js'", 'tokens/b.ts': "export type { X } from './a.js'" },
      'import cycle: tokens/a.ts → tokens/b.ts → tokens/a.ts',
    ],
    [
      'an upward import within http',
      { 'http/input/a.ts': "import { x } from '../guard/access.js'" },
      'guard is not below input',
    ],
    [
      'a file of http that mounts itself',
      { 'http/output/a.ts': "import { x } from '../mount-routes.js'" },
      'mount-routes is not below output',
    ],
    [
      'a new folder of http',
      { 'http/helpers/a.ts': "import { x } from '../route.js'" },
      'belongs to no room',
    ],
  ])('finds %s', (_what, texts: Record<string, string>, reason) => {
    const found = violations(sourcesOf(texts))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(Object.keys(texts)[0])
    expect(found[0]).toContain(reason)
  })

  it.each([
    [
      'an upward import',
      { 'run/calls.ts': "import type { X } from '../users/user-store.js'" },
      'users is not below run',
    ],
    [
      'a sibling on the same level',
      { 'migrate/migrate.ts': "import { x } from '../adopt/fill-keys.js'" },
      'adopt is not below migrate',
    ],
    ['the exports', { 'users/user-store.ts': "import { x } from '../index.js'" }, 'index is not below users'],
    ['a new folder', { 'helpers/a.ts': "import { x } from '../base/schema.js'" }, 'belongs to no room'],
  ])('finds %s in packages/kysely/src', (_what, texts: Record<string, string>, reason) => {
    const found = kyselyViolations(sourcesOf(texts))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(Object.keys(texts)[0])
    expect(found[0]).toContain(reason)
  })

  it('accepts allowed imports', () => {
    const allowed = {
      'options.ts':
        "import type { RouteOptions } from 'fastify'\nimport { type FastifyRequest } from 'fastify'",
      'features/login/log-in.ts':
        "import type { Deps } from '../../deps.js'\nimport { x } from '../../errors.js'",
      'http/guard/access.ts': "import type { FastifyRequest } from 'fastify'\nimport { y } from './route.js'",
      'defaults/a.ts': "import type { Mailer } from '../seams/mailer.js'\nimport { uuid } from 'uuid'",
    }
    expect(violations(sourcesOf(allowed))).toEqual([])
  })
})
