/**
 * Every combination of the tests: all stores and drivers for each case, long races and fuzzing, a process for each file;
 * then all tests on the other versions of Node.js, and on Fastify's next major, which may fail. Takes hours.
 *
 *   npm run test:full
 *   npm run test:full -- test/catalogue/login.test.ts   only these files, on this version of Node.js
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const files = process.argv.slice(2)

run(['scripts/setup.mjs', 'all'])
run(['node_modules/vitest/vitest.mjs', 'run', ...files], { ACCOUNTS_TEST_DEPTH: 'full' })
if (files.length === 0) {
  run(['scripts/test-nodes.mjs'])
  run(['scripts/test-nodes.mjs', '--quick', '--fastify', 'next'])
}

function run([script, ...args], environment = {}) {
  const env = { ...process.env, ...environment }
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env,
  })
  if (status !== 0) process.exitCode = 1
}
