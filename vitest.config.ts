import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: {
    // Tests run on the sources, so that coverage speaks of them; test/packages.test.ts runs on what is built.
    alias: [
      { find: /^fastify-accounts\/testing$/, replacement: source('packages/accounts/src/testing/index.ts') },
      { find: /^fastify-accounts$/, replacement: source('packages/accounts/src/index.ts') },
      { find: /^@fastify-accounts\/client$/, replacement: source('packages/client/src/index.ts') },
      { find: /^@fastify-accounts\/hashes$/, replacement: source('packages/hashes/src/index.ts') },
      { find: /^@fastify-accounts\/kysely$/, replacement: source('packages/kysely/src/index.ts') },
      { find: /^@fastify-accounts\/nodemailer$/, replacement: source('packages/nodemailer/src/index.ts') },
      { find: /^@fastify-accounts\/redis$/, replacement: source('packages/redis/src/index.ts') },
    ],
  },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'examples/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 30_000,
    // What must come may take its time on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      // The command line runs as a process of its own in its tests.
      exclude: ['packages/benchmark/**', 'packages/accounts/src/cli/**'],
      reporter: ['text', 'html'],
      // Below what was reached before the latest routes and packages; a run without failures tells what they may rise to.
      thresholds: { statements: 95, branches: 90, functions: 93, lines: 95 },
    },
  },
})
