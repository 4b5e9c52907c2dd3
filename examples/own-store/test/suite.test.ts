import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runCases, userStoreCases } from '@fastify-accounts/testing'
import { createMemoryUserStore } from 'fastify-accounts'
import { expect, onTestFinished, test } from 'vitest'

// It can do exactly what the in-memory store can.
const cases = userStoreCases(createMemoryUserStore)
const { passed, skipped } = await runCases(cases, () => undefined)
// Next to the built store, which the scripts import.
const folder = fileURLToPath(new URL('../dist/', import.meta.url))
const page = await readFile(new URL('../../../docs/adapters/user-store.md', import.meta.url), 'utf8')

/** Runs the page's snippet for running the suite as a file, and returns the output. */
async function run(title: string, file: string, args: string[], runner = 'node:test'): Promise<string> {
  const [, shown = expect.fail(`the page says nothing of: ${title}`)] =
    new RegExp(`^${title}:\n\n\`\`\`ts\n(.*?)^\`\`\``, 'ms').exec(page) ?? []
  const script = shown.replace("from 'node:test'", `from '${runner}'`)
  const temporary = await mkdtemp(join(tmpdir(), 'suite-'))
  await writeFile(join(folder, file), script)
  onTestFinished(async () => {
    await rm(join(folder, file))
    await rm(temporary, { recursive: true })
  })
  const options = { cwd: folder, env: { PATH: process.env.PATH, NO_COLOR: '1', TMPDIR: temporary } }
  return (await promisify(execFile)(process.execPath, [...args, file], options)).stdout
}

test('the suite runs under node:test, as documented', async () => {
  const output = await run('With `node:test`', 'node-test.js', ['--test-reporter=tap'])
  expect(output).toContain(`# pass ${passed}\n`)
  expect(output).toContain(`# skipped ${skipped.length}\n`)
  expect(output).toContain('# SKIP not checked: createMany')
})

test('the suite runs under vitest, as documented', async () => {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  // Otherwise vitest would use this project's config.
  await writeFile(
    join(folder, 'vitest.config.js'),
    'export default { test: { cache: false, testTimeout: 60_000 } }',
  )
  onTestFinished(() => rm(join(folder, 'vitest.config.js')))
  const output = await run(
    'With `node:test`',
    'vitest.test.js',
    [vitest, 'run', '--config', 'vitest.config.js'],
    'vitest',
  )
  expect(output).toMatch(new RegExp(`Tests +${passed} passed \\| ${skipped.length} skipped`))
})

test('the suite runs on its own, as documented', async () => {
  expect(await run('Without a test runner', 'alone.js', [])).toBe(
    `${passed} of ${cases.length} laws hold; not checked: createMany, close, now, fail\n`,
  )
})
