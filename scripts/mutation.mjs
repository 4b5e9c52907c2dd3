/**
 * `npm run mutation`: breaks the security core bit by bit and counts what the tests notice (stryker.config.mjs).
 * Stryker wants Node 22, so it comes by npx with a Node of its own where this one is older, and no install of the
 * project carries it. What is passed on goes to Stryker: `npm run mutation -- --mutate 'packages/accounts/src/tokens/*.ts'`.
 */
import './setup.mjs'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const stryker = '10.1.1'
const node = '22.23.3'

const vitest = createRequire(import.meta.url)('vitest/package.json').version
const packages = [
  `@stryker-mutator/core@${stryker}`,
  `@stryker-mutator/vitest-runner@${stryker}`,
  // The runner runs the project's own vitest, but loads the one beside it first.
  `vitest@${vitest}`,
  ...(Number(process.versions.node.split('.')[0]) < 22 ? [`node@${node}`] : []),
]
const started = performance.now()
const { status } = spawnSync(
  'npx',
  [
    '--yes',
    // npm warns for its own Node, which Stryker does not run on.
    '--loglevel=error',
    ...packages.map((name) => `--package=${name}`),
    '--',
    'stryker',
    'run',
    ...process.argv.slice(2),
  ],
  {
    cwd: dirname(dirname(fileURLToPath(import.meta.url))),
    shell: process.platform === 'win32',
    stdio: 'inherit',
  },
)
console.log(`Mutation testing took ${Math.round((performance.now() - started) / 60_000)} minutes.`)
process.exitCode = status ?? 1
