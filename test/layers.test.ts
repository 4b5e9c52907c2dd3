import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { accountsFiles, accountsSource, type Import, importsOf } from '@fastify-accounts/test-support/source'
import { describe, expect, it } from 'vitest'

/**
 * The layers of packages/accounts/src, lowest first; CONTRIBUTING.md explains them. An import points to a lower
 * layer, or stays within its own folder. Files at the top of src stand here without `.ts`.
 */
const layers: readonly (readonly string[])[] = [
  ['user', 'languages'],
  ['seams', 'errors'],
  ['adapters', 'identifiers', 'validation'],
  ['options'],
  ['throttle', 'tokens', 'pages', 'sessions'],
  ['emails', 'passwords'],
  ['deps'],
  ['users', 'logins'],
  ['services'],
  ['routes'],
  ['features'],
  ['start'],
]

/** Beside the layers: what an integrator could have written. Seen by the upper layers only. */
const outsiders = ['defaults', 'testing']
const seenByOutsiders = ['user', 'errors', 'seams']
const mayUseDefaults = ['start', 'index']

/**
 * Below the layers: interfaces that features fill in, which import nothing. Above them: what the package exports, and the
 * command line, which is an app of its own on that.
 */
const stack = [['feature-names'], ...layers, ['index'], ['cli']]

const mayUseFastify = ['routes', 'sessions', 'features', 'start', 'cli']
const mayNameFastifyTypes = ['options']

type Sources = ReadonlyMap<string, readonly Import[]>

/** `services/log-in.ts` is part of `services`, `deps.ts` is `deps`. */
function partOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : file.replace(/\.ts$/, '')
}

function levelOf(part: string): number {
  return stack.findIndex((layer) => layer.includes(part))
}

function targetOf(file: string, from: string): string {
  return posix.join(posix.dirname(file), from).replace(/\.js$/, '.ts')
}

/** Every import that breaks the rule, one line each. */
function violations(sources: Sources): string[] {
  const found: string[] = []
  for (const [file, imports] of sources) {
    const part = partOf(file)
    if (levelOf(part) < 0 && !outsiders.includes(part)) found.push(`${file} belongs to no layer`)
    for (const { from, typeOnly } of imports) {
      const reason = from.startsWith('.')
        ? wrongWithin(file, targetOf(file, from))
        : wrongOutside(file, from, typeOnly)
      if (reason !== null) found.push(`${file} must not import ${from}: ${reason}`)
    }
  }
  return [...found, ...circles(sources)]
}

function wrongWithin(file: string, target: string): string | null {
  const [part, other] = [partOf(file), partOf(target)]
  if (target.startsWith('../')) return 'it is outside of src'
  if (part === other) return wrongBeside(file, target)
  if (outsiders.includes(part)) return seenByOutsiders.includes(other) ? null : 'it is no seam'
  if (other === 'defaults') return mayUseDefaults.includes(part) ? null : 'a default is chosen by the plugin'
  if (other === 'testing') return 'it is for tests'
  if (levelOf(other) < levelOf(part)) return null
  return `${other} is not below ${part}`
}

/** Within one folder. */
function wrongBeside(file: string, target: string): string | null {
  const [part, feature, ...within] = file.split('/')
  if (part === 'services') return 'a service never calls a service'
  // A file at the top of features/ composes them; one within a feature knows its own.
  if (part !== 'features' || within.length === 0 || target === 'features/feature.ts') return null
  return target.startsWith(`features/${feature}/`) ? null : 'a feature never knows another'
}

function wrongOutside(file: string, from: string, typeOnly: boolean): string | null {
  const part = partOf(file)
  if (from !== 'fastify' && !from.startsWith('@fastify/') && from !== 'fastify-plugin') return null
  // Of a feature, the routes; its services are like those of services/.
  if (/^features\/[^/]+\/(?!routes[./])/.test(file)) return 'of a feature, only its routes know HTTP'
  if (mayUseFastify.includes(part)) return null
  if (mayNameFastifyTypes.includes(part)) return typeOnly ? null : 'only its types may be named here'
  return `${part} knows no HTTP`
}

/** Each circle once, told from the file in it that was reached first. */
function circles(sources: Sources): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push(`import circle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
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
    // A second count, by another way: each of these words stands before a module name.
    // The templates of `init` import nothing; the apps that they are written into do.
    const sourced = files.filter((file) => file !== 'cli/templates.ts')
    const written = sourced.flatMap((file) =>
      readFileSync(accountsSource + file, 'utf8').match(
        /^(?:import|export|\}) ?(?:[^'"\n]* )?from '[^']+'|^import '[^']+'|await import\('[^']+'\)/gm,
      ),
    )
    expect(counted).toBe(written.filter((each) => each !== null).length)
  })

  it('holds imports that point downward only', () => {
    expect(violations(sources)).toEqual([])
  })
})

describe('the rule itself', () => {
  it.each([
    [
      'an import that points upward',
      { 'seams/mailer.ts': "import type { Deps } from '../deps.js'" },
      'deps is not below seams',
    ],
    [
      'a sibling on the same level',
      { 'tokens/email-link.ts': "import { hash } from '../passwords/passwords.js'" },
      'passwords is not below tokens',
    ],
    [
      'a service that calls a service',
      { 'services/a.ts': "import { b } from './b.js'" },
      'a service never calls a service',
    ],
    [
      'a feature that knows another one',
      { 'features/reset/a.ts': "import { b } from '../not-me/b.js'" },
      'a feature never knows another',
    ],
    [
      'a service of a feature that knows Fastify',
      { 'features/reset/a.ts': "import type { FastifyRequest } from 'fastify'" },
      'only its routes know HTTP',
    ],
    [
      'a service that knows Fastify',
      { 'services/a.ts': "import type { FastifyRequest } from 'fastify'" },
      'services knows no HTTP',
    ],
    [
      'a plugin of Fastify in tokens',
      { 'tokens/a.ts': "import x from '@fastify/cookie'" },
      'tokens knows no HTTP',
    ],
    [
      'more than types of Fastify in options',
      { 'options/options.ts': "import Fastify from 'fastify'" },
      'only its types',
    ],
    [
      'a default that knows the options',
      { 'defaults/a.ts': "import type { X } from '../options/options.js'" },
      'it is no seam',
    ],
    [
      'a suite that knows the plugin',
      { 'testing/a.ts': "export * from '../start/plugin.js'" },
      'it is no seam',
    ],
    [
      'a default used by a service',
      { 'services/a.ts': "import { x } from '../defaults/x.js'" },
      'chosen by the plugin',
    ],
    [
      'a suite used by the plugin',
      { 'start/plugin.ts': "import { x } from '../testing/x.js'" },
      'it is for tests',
    ],
    [
      'an import written as a type',
      { 'seams/a.ts': "export type X = import('../deps.js').Deps" },
      'deps is not below seams',
    ],
    [
      'an import made at run time',
      { 'seams/a.ts': "export const x = () => import('../start/plugin.js')" },
      'start is not below seams',
    ],
    ['a file of no layer', { 'helpers/a.ts': '' }, 'belongs to no layer'],
    [
      'a file of another package',
      { 'start/plugin.ts': "import x from '../../../kysely/src/x.js'" },
      'outside of src',
    ],
    [
      'a circle within a folder',
      { 'tokens/a.ts': "import './b.js'", 'tokens/b.ts': "export type { X } from './a.js'" },
      'import circle: tokens/a.ts → tokens/b.ts → tokens/a.ts',
    ],
  ])('finds %s', (_what, texts: Record<string, string>, reason) => {
    const found = violations(sourcesOf(texts))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(Object.keys(texts)[0])
    expect(found[0]).toContain(reason)
  })

  it('lets pass what is allowed', () => {
    const allowed = {
      'options.ts':
        "import type { RouteOptions } from 'fastify'\nimport { type FastifyRequest } from 'fastify'",
      'services/log-in.ts': "import type { Deps } from '../deps.js'\nimport { x } from '../errors.js'",
      'routes/auth.ts': "import type { FastifyRequest } from 'fastify'\nimport { y } from './route.js'",
      'defaults/a.ts': "import type { Mailer } from '../seams/mailer.js'\nimport { uuid } from 'uuid'",
    }
    expect(violations(sourcesOf(allowed))).toEqual([])
  })
})
