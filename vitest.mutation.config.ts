import { matchesGlob } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import base from './vitest.config.js'

/** The few files that a stage of scripts/mutation.mjs runs, the fastest first; if unset, all. */
const asked = process.env.MUTATION_TESTS?.split(' ')

/** The first failing test ends a mutant's run, so slow tests come last. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      asked === undefined
        ? Number(/\/(every-route|faults|host|races)\.test\.ts$/.test(moduleId))
        : asked.findIndex((glob) => matchesGlob(moduleId, `**/${glob}`))
    return files.toSorted((one, other) => place(one) - place(other))
  }
}

/** The tests that mutants run against: the plugin's and the catalogue's, on in-memory stores only. */
export default defineConfig({
  ...base,
  test: {
    setupFiles: base.test?.setupFiles ?? [],
    include: asked ?? ['packages/accounts/test/**/*.test.ts', 'test/catalogue/*.test.ts'],
    exclude: [
      // They test the suites and the defaults, of which only the signer is mutated.
      'packages/accounts/test/defaults/!(hmac-signer).test.ts',
      // They measure time or read files.
      'test/catalogue/decisions.test.ts',
    ],
    // The score must not depend on what is running: no Redis, and no failure without it.
    env: {
      CATALOGUE_GROUNDS: 'memory',
      ACCOUNTS_TEST_DEPTH: 'full',
      ACCOUNTS_TEST_REDIS_URL: 'redis://127.0.0.1:1',
      CI: '',
    },
    // Each mutant has its own worker anyway, and imports take most of its time.
    isolate: false,
    sequence: { sequencer: QuickFirst },
    testTimeout: 30_000,
  },
})
