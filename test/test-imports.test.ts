import { existsSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { importsOf, read, root } from '@fastify-accounts/test-support/source'
import { expect, it } from 'vitest'

/** Self-contained test folders: those of each workspace member, and those for the whole project. */
const folders =
  /^(packages\/test-support|(?:packages|examples)\/[^/]+\/test|test\/(?:catalogue|cli|faults|fuzz|ownership|samples)|test)\//
const member = /^(?:packages|examples)\/[^/]+/

/** Compares the client's types to the server's. */
const exceptions = ['packages/client/test/contract.test.ts']

function folderOf(path: string): string | undefined {
  return folders.exec(path)?.[1]
}

/** Tests may import the sources of their own package; project-wide tests and test-support may import all sources. */
function seesSource(file: string, target: string): boolean {
  const [of] = member.exec(target) ?? []
  if (of === undefined || folderOf(target) !== undefined) return false
  return folderOf(file) === `${of}/test` || /^(test|packages\/test-support)\//.test(file)
}

/** Each forbidden import, one line each. */
function violations(file: string, code: string): string[] {
  return importsOf(code, file)
    .map(({ from }) => from)
    .filter((from) => from.startsWith('.'))
    .filter((from) => {
      const target = posix.join(posix.dirname(file), from)
      return folderOf(target) !== folderOf(file) && !seesSource(file, target)
    })
    .map((from) => `${file} imports ${from}`)
}

function filesIn(folder: string): string[] {
  if (!existsSync(root + folder)) return []
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts') && !file.includes('/node_modules/'))
}

const members = ['packages', 'examples'].flatMap((group) =>
  readdirSync(root + group).map((name) => `${group}/${name}/test`),
)
const files = ['test', 'packages/test-support', ...members].flatMap(filesIn)

/** How a test would choose a port that somebody else may take before it listens, or that is taken already. */
const chosenPorts =
  /freePort|free-port|get-port|\blisten\(\s*(?:\{[^}]*\bport:\s*)?[1-9]\d*|\bPORT: ['"`][1-9]\d*|--(?:port|listen)[= ]\d/

it('no test chooses a port before it listens on it', () => {
  const found = files
    // Examples of settings, and of this rule.
    .filter((file) => !['examples/server/test/config.test.ts', 'test/test-imports.test.ts'].includes(file))
    .flatMap((file) =>
      [...read(file).matchAll(new RegExp(chosenPorts, 'g'))].map(([use]) => `${file}: ${use}`),
    )
  // What pages of the docs say; samples listen elsewhere.
  expect(found.filter((line) => !/^test\/samples\/.*port: 3000$/.test(line))).toEqual([])
})

it.each([
  "import { freePort } from '@fastify-accounts/test-support/free-port'",
  "await app.listen({ host: '127.0.0.1', port: 4000 })",
  'server.listen(8080)',
  "start({ PORT: '3000' })",
])('finds that a port is chosen in %s', (code) => {
  expect(code).toMatch(chosenPorts)
})

it('no test imports files of other tests', () => {
  expect(files.length).toBeGreaterThan(200)
  const found = files.flatMap((file) => (exceptions.includes(file) ? [] : violations(file, read(file))))
  expect(found).toEqual([])
})

it.each([
  ['packages/redis/test/a.test.ts', '../../kysely/test/support/tasks.js'],
  ['packages/redis/test/a.test.ts', '../../kysely/src/index.js'],
  ['packages/redis/test/a.test.ts', '../../test-support/app.js'],
  ['examples/server/test/a.test.ts', '../../../test/support/nginx.js'],
  ['test/cli/a.test.ts', '../catalogue/service.js'],
  ['test/a.test.ts', './faults/trial.js'],
  ['packages/test-support/a.ts', '../../test/catalogue/service.js'],
])('finds that %s imports %s', (file, from) => {
  expect(violations(file, `import '${from}'`)).toEqual([`${file} imports ${from}`])
})

it.each([
  ['packages/redis/test/a.test.ts', './support/tasks.js'],
  ['packages/redis/test/a.test.ts', '../src/index.js'],
  ['packages/accounts/test/routes/a.test.ts', '../cases.js'],
  ['test/cli/a.test.ts', '../../packages/accounts/src/user.js'],
  ['test/a.test.ts', './support/nginx.js'],
  ['packages/test-support/redis/redis.ts', '../depth.js'],
])('lets %s import %s', (file, from) => {
  expect(violations(file, `import '${from}'`)).toEqual([])
})
