/** Mutation testing of the security core; scripts/mutation.mjs runs it in stages. */
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
    // Only a list of names.
    `!${src}/identifiers/reserved-usernames.ts`,
  ],
  ignorePatterns: ['/coverage', 'data', '/docs', '/scripts', '**/dist', '**/*.tsbuildinfo'],
  // Stryker would rewrite paths in tsconfig.json with TypeScript's old API; none leads out of the project.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // Most endless loops end by the tests' own timeout; on a busy machine, a slow survivor must not count as killed.
  timeoutFactor: 4,
  timeoutMS: 30_000,
  // scripts/mutation.mjs decides: it doesn't count timeouts as kills.
  thresholds: { high: 95, low: 85, break: null },
  reporters: ['progress-append-only', 'html', 'json'],
  htmlReporter: { fileName: 'coverage/mutation/index.html' },
  jsonReporter: { fileName: process.env.MUTATION_REPORT ?? 'coverage/mutation/report.json' },
}
