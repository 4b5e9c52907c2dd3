import { defineConfig } from 'vitest/config'
import base from './vitest.config.js'

/** The tests that judge mutants: those of the plugin and the catalogue, on stores in memory alone. */
export default defineConfig({
  ...base,
  test: {
    include: ['packages/accounts/test/**/*.test.ts', 'test/catalogue/*.test.ts'],
    exclude: [
      // They try the suites and the defaults, of which the signer alone is mutated.
      'packages/accounts/test/defaults/!(hmac-signer).test.ts',
      // They measure time, and the catalogue's decisions read files.
      'packages/accounts/test/{hashing,no-enumeration}.test.ts',
      'test/catalogue/decisions.test.ts',
    ],
    // The score must not depend on what runs beside: no Redis, and no complaint of its absence.
    env: { CATALOGUE_GROUNDS: 'memory', ACCOUNTS_TEST_REDIS_URL: 'redis://127.0.0.1:1', CI: '' },
    // Each mutant has a worker of its own anyway, and imports cost most of its time.
    isolate: false,
    testTimeout: 30_000,
  },
})
