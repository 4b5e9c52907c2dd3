/** Mutation testing of what guards the accounts; scripts/mutation.mjs runs it in stages. */
const src = 'packages/accounts/src'

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  mutate: [
    `${src}/{tokens,sessions,throttle,identifiers}/**/*.ts`,
    `${src}/validation.ts`,
    `${src}/adapters/guard.ts`,
    `${src}/routes/validation.ts`,
    `${src}/defaults/hmac-signer.ts`,
    // A table of names.
    `!${src}/identifiers/reserved-usernames.ts`,
  ],
  ignorePatterns: ['/coverage', 'data', '/docs', '/scripts', '**/dist', '**/*.tsbuildinfo'],
  // Stryker would rewrite the paths of a tsconfig.json with TypeScript's old API; there are none that lead out.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // Most of what hangs ends by the tests' own timeout; on a busy machine a slow survivor must not pass for killed.
  timeoutFactor: 4,
  timeoutMS: 30_000,
  // The script judges: it counts no mutant as killed by the clock.
  thresholds: { high: 95, low: 85, break: null },
  reporters: ['progress-append-only', 'html', 'json'],
  htmlReporter: { fileName: 'coverage/mutation/index.html' },
  jsonReporter: { fileName: process.env.MUTATION_REPORT ?? 'coverage/mutation/report.json' },
}
