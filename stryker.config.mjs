/** Mutation testing of the security core: scripts/mutation.mjs runs it in stages, and says which files are mutated. */
/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  ignorePatterns: ['/coverage', 'data', '/docs', '/scripts', '**/dist', '**/*.tsbuildinfo'],
  // Stryker would rewrite paths in tsconfig.json with TypeScript's old API; none leads out of the project.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // Most endless loops end by the tests' own timeout; on a busy machine, a slow survivor must not count as killed.
  timeoutFactor: 4,
  timeoutMS: 30_000,
  reporters: ['progress-append-only', 'html', 'json'],
  htmlReporter: { fileName: 'coverage/mutation/index.html' },
  jsonReporter: { fileName: process.env.MUTATION_REPORT ?? 'coverage/mutation/report.json' },
}
