/**
 * Runs the tests on other versions of Node.js and on Fastify's next major. npx installs both.
 *
 *   npm run test:nodes                              all tests on each version: about ten minutes each
 *   npm run test:nodes -- --quick                   a few files per version: two minutes in total
 *   npm run test:nodes -- --versions 26 test/cli    some versions, some files
 *   npm run test:nodes -- --fastify next --quick    with Fastify's next major instead of ours, on Node.js 24;
 *                                                   failures are reported, but don't fail the run
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nodeOf } from './node-of.mjs'

/** What `--fastify next` means. */
const nextFastify = '6.0.0-alpha.4'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Tests that depend on Node.js itself: HTTP, cookies, crypto, URLs, Unicode, module loading. */
const quickFiles = [
  'packages/accounts/test/cookies.test.ts',
  'packages/accounts/test/defaults/scrypt-hasher.test.ts',
  'packages/accounts/test/emails.test.ts',
  'packages/accounts/test/host.test.ts',
  'packages/accounts/test/identifiers.test.ts',
  'packages/accounts/test/languages.test.ts',
  'packages/accounts/test/routes/login.test.ts',
  'packages/accounts/test/story.test.ts',
  'packages/accounts/test/tokens.test.ts',
  'packages/client/test/client.test.ts',
  'packages/kysely/test/conformance.test.ts',
  'packages/kysely/test/sqlite-writes.test.ts',
  'packages/kysely/test/row-cache.test.ts',
  'packages/kysely/test/sqlite-dialect.test.ts',
  'test/packages.test.ts',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    versions: { type: 'string' },
    fastify: { type: 'string' },
  },
})
if (values.fastify !== undefined && values.fastify !== 'next') throw new Error('--fastify must be next')

const files = [...(values.quick ? quickFiles : []), ...positionals]
const next = values.fastify === 'next'
const fastify = next ? fastifyOf(nextFastify) : undefined
// The alpha of Fastify's next major doesn't run on Node.js 20.
const versions = values.versions ?? (next ? '24' : '22,24,26')
const runs = []
for (const version of versions.split(',')) {
  const node = await nodeOf(version)
  const name = `Node.js ${output(node, ['-p', 'process.versions.node'])}`
  runs.push({ name: next ? `${name}, Fastify ${nextFastify}` : name, node })
}

// better-sqlite3 is built for one version of Node.js: on others its tests are skipped, which CI doesn't allow.
const { CI: _, ...environment } = process.env

const failed = []
for (const { name, node } of runs) {
  console.log(`\n== ${name}`)
  const { status } = spawnSync(
    node,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...(values.quick ? ['--reporter=dot'] : []),
      ...files,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      // Commands that a test starts by name also use this Node.js.
      env: {
        ...environment,
        PATH: `${dirname(node)}:${process.env.PATH}`,
        NO_COLOR: '1',
        ...(values.quick && { ACCOUNTS_TEST_DRIVER: 'node:sqlite' }),
        ...(next && { ACCOUNTS_TEST_FASTIFY: fastify }),
      },
    },
  )
  if (status !== 0) failed.push(name)
}
console.log('')
for (const { name } of runs) console.log(`${name}: ${failed.includes(name) ? 'failed' : 'passed'}`)
if (next && failed.length > 0)
  console.log('Fastify’s next major may fail: it is not released or supported yet.')
else if (failed.length > 0) process.exitCode = 1

/** The file that `import 'fastify'` would load, in npx's copy of that version. */
function fastifyOf(version) {
  const path = output('npx', ['--yes', '-p', `fastify@${version}`, 'node', '-p', 'process.env.PATH'])
  const kept = path.split(delimiter).find((folder) => /[\\/]_npx[\\/].*[\\/]\.bin$/.test(folder))
  if (kept === undefined) throw new Error(`npx did not install fastify@${version}`)
  const require = createRequire(join(dirname(dirname(kept)), 'package.json'))
  const brought = JSON.parse(readFileSync(require.resolve('fastify/package.json'), 'utf8')).version
  if (brought !== version) throw new Error(`npx installed Fastify ${brought} instead of ${version}`)
  return require.resolve('fastify')
}

function output(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stderr}`)
  return stdout.trim()
}
