import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The file of Fastify's next major, where `npm run test:nodes` asks for it. */
const nextFastify = process.env.ACCOUNTS_TEST_FASTIFY

export default defineConfig({
  resolve: {
    // Tests run on the sources, so that coverage speaks of them; test/packages.test.ts runs on what is built.
    alias: [
      ...(nextFastify !== undefined ? [{ find: /^fastify$/, replacement: nextFastify }] : []),
      {
        find: /^fastify-accounts\/features$/,
        replacement: source('packages/accounts/src/features/index.ts'),
      },
      { find: /^fastify-accounts\/testing$/, replacement: source('packages/accounts/src/testing/index.ts') },
      { find: /^fastify-accounts$/, replacement: source('packages/accounts/src/index.ts') },
      {
        find: /^@fastify-accounts\/client\/passkeys$/,
        replacement: source('packages/client/src/passkeys.ts'),
      },
      {
        find: /^@fastify-accounts\/client\/providers$/,
        replacement: source('packages/client/src/providers.ts'),
      },
      { find: /^@fastify-accounts\/client$/, replacement: source('packages/client/src/index.ts') },
      { find: /^@fastify-accounts\/hashes$/, replacement: source('packages/hashes/src/index.ts') },
      { find: /^@fastify-accounts\/kysely$/, replacement: source('packages/kysely/src/index.ts') },
      { find: /^@fastify-accounts\/nodemailer$/, replacement: source('packages/nodemailer/src/index.ts') },
      { find: /^@fastify-accounts\/passkeys$/, replacement: source('packages/passkeys/src/index.ts') },
      { find: /^@fastify-accounts\/providers$/, replacement: source('packages/providers/src/index.ts') },
      { find: /^@fastify-accounts\/redis$/, replacement: source('packages/redis/src/index.ts') },
    ],
  },
  test: {
    // What some of them run on is as new as the sources.
    globalSetup: 'scripts/bundle.mjs',
    include: ['packages/*/test/**/*.test.ts', 'examples/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: [source('test/support/prompt-postman.ts')],
    // One less than there are cores is the default, and would be one on two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // What must come may take its time on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      // The command line, and what it reads of imports, runs as a process of its own in its tests.
      exclude: [
        'packages/benchmark/**',
        'packages/accounts/src/cli/**',
        'packages/accounts/src/features/second-factor/import/**',
        'packages/passkeys/src/import.ts',
      ],
      reporter: ['text', 'html'],
      // scripts/rerun-failed.mjs wants to know.
      reportOnFailure: true,
      // Where the databases and the browser are, and where they may not be.
      thresholds: process.env.CI
        ? { statements: 98, branches: 94, functions: 98, lines: 98.5 }
        : { statements: 97, branches: 92, functions: 97, lines: 98 },
    },
  },
})
