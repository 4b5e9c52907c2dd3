import { matchesGlob } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import base from './vitest.config.js'

/** The few files that a stage of scripts/mutation.mjs asks, the quickest first; without, all of them. */
const asked = process.env.MUTATION_TESTS?.split(' ')

/** The first test that fails ends the run of a mutant, so those that take long come last. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      asked === undefined
        ? Number(/\/(every-route|faults|host|races)\.test\.ts$/.test(moduleId))
        : asked.findIndex((glob) => matchesGlob(moduleId, `**/${glob}`))
    return files.toSorted((one, other) => place(one) - place(other))
  }
}

/** The tests that judge mutants: those of the plugin and the catalogue, on stores in memory alone. */
export default defineConfig({
  ...base,
  test: {
    include: asked ?? ['packages/accounts/test/**/*.test.ts', 'test/catalogue/*.test.ts'],
    exclude: [
      // They try the suites and the defaults, of which the signer alone is mutated.
      'packages/accounts/test/defaults/!(hmac-signer).test.ts',
      // They measure time, or read files.
      'packages/accounts/test/{hashing,no-enumeration}.test.ts',
      'test/catalogue/decisions.test.ts',
    ],
    // The score must not depend on what runs beside: no Redis, and no complaint of its absence.
    env: {
      CATALOGUE_GROUNDS: 'memory',
      ACCOUNTS_TEST_DEPTH: 'full',
      ACCOUNTS_TEST_REDIS_URL: 'redis://127.0.0.1:1',
      CI: '',
    },
    // Each mutant has a worker of its own anyway, and imports cost most of its time.
    isolate: false,
    sequence: { sequencer: QuickFirst },
    testTimeout: 30_000,
  },
})
