/**
 * Runs the fuzzer of test/fuzz for longer than `npm test` does: `npm run fuzz`, or
 * `npm run fuzz -- --requests=1000000 --seed=7 --driver=pg`. A failing run names its seed and its request.
 */
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    /** The number of random requests. */
    requests: { type: 'string', default: '1000000' },
    /** By default, a different one each day. */
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
    /** libsql, better-sqlite3, pg, pglite or mysql2. */
    driver: { type: 'string', default: 'libsql' },
  },
})
const { status } = spawnSync('npx', ['vitest', 'run', 'test/fuzz'], {
  cwd: dirname(dirname(fileURLToPath(import.meta.url))),
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: {
    ...process.env,
    FUZZ_REQUESTS: values.requests,
    FUZZ_SEED: values.seed,
    FUZZ_DRIVER: values.driver,
  },
})
process.exit(status ?? 1)
