import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isFull, isQuick } from './packages/test-support/depth.js'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The file of Fastify's next major, if `npm run test:nodes` sets it. */
const nextFastify = process.env.ACCOUNTS_TEST_FASTIFY

/** Tests that leave no state in their process: each sends requests to its own app. */
const sharing = [
  'packages/{accounts,client,kysely,nodemailer,organizations,pages,passkeys,providers,redis,table-stores,testing}/test/**/*.test.ts',
  'examples/server/test/**/*.test.ts',
  'test/{catalogue,cli,events,faults,fuzz,invitations,organizations,ownership,sessions}/**/*.test.ts',
]

const tests = ['packages/*/test/**/*.test.ts', 'examples/*/test/**/*.test.ts', 'test/**/*.test.ts']

/**
 * Files that `npm test` leaves to `.ci/run`: about the examples, browsers, proxies, other people's frameworks and
 * versions, code blocks of the docs, the packages as installed, commands that few changes reach, and servers that die.
 */
const onPush = {
  shared: [
    'examples/server/test/**/*.test.ts',
    'packages/kysely/test/{application-tables,contention,inspect-tables,kysely-versions,late-effects}.test.ts',
    'packages/kysely/test/{migration-locks,privileges,processes,second-requests,typed-columns}.test.ts',
    'packages/pages/test/{account-look,entrance-look,organizations-look}.test.ts',
    'packages/pages/test/{passkeys,security-browser,sign-up-browser,templates}.test.ts',
    'packages/passkeys/test/browser.test.ts',
    'packages/redis/test/{access-control,cluster,outages,processes}.test.ts',
    'packages/table-stores/test/mutants.test.ts',
    'test/catalogue/rolling-rotation.test.ts',
    'test/cli/{adopt,after-restore,alongside,docs,guides,init,moving-in}.test.ts',
    'test/events/{crash,restore,roll-out,waiting}.test.ts',
    'test/faults/{connections,crash,deadline,ending,mailer,outages}.test.ts',
    'test/invitations/{crash,races}.test.ts',
    'test/organizations/{crash,races}.test.ts',
    'test/sessions/processes.test.ts',
  ],
  own: [
    'examples/!(server)/test/**/*.test.ts',
    'packages/{benchmark,compatibility}/test/**/*.test.ts',
    'packages/hashes/test/libraries.test.ts',
    'test/samples/**/*.test.ts',
    'test/{browser-https,packages,pages,proxies,workflows}.test.ts',
  ],
}

const project = (
  name: string,
  include: string[],
  exclude: string[] = [],
  isolate = true,
  globalSetup: string[] = [],
) => ({
  extends: true as const,
  test: { name, include, exclude: [...configDefaults.exclude, ...exclude], isolate, globalSetup },
})

/** Files that would run on alone if they began last. */
const long = [
  ...['crash', 'matrix', 'outages', 'providers', 'stores'].map((name) => `test/faults/${name}.test.ts`),
  ...['conformance', 'faults', 'kysely-versions', 'typed-columns'].map(
    (name) => `packages/kysely/test/${name}.test.ts`,
  ),
  ...['prisma', 'drizzle'].map((name) => `examples/${name}/test/stores.test.ts`),
  'packages/testing/test/sabotage/user-store-path-sabotage.test.ts',
  'test/samples/samples.test.ts',
].map(source)

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.includes(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((each) => !isLong(each))]
  }
}

export default defineConfig({
  resolve: {
    // Tests run on the sources, so coverage refers to them; test/packages.test.ts runs on the build.
    alias: [
      ...(nextFastify !== undefined ? [{ find: /^fastify$/, replacement: nextFastify }] : []),
      {
        find: /^fastify-accounts\/features$/,
        replacement: source('packages/accounts/src/features/index.ts'),
      },
      { find: /^fastify-accounts$/, replacement: source('packages/accounts/src/index.ts') },
      {
        find: /^@fastify-accounts\/client\/(.+)$/,
        replacement: `${source('packages/client/src')}/$1.ts`,
      },
      { find: /^@fastify-accounts\/client$/, replacement: source('packages/client/src/index.ts') },
      { find: /^@fastify-accounts\/hashes$/, replacement: source('packages/hashes/src/index.ts') },
      // Vite resolves even an import that may fail.
      { find: /^kysely\/migration$/, replacement: 'kysely' },
      {
        find: /^@fastify-accounts\/kysely\/organizations$/,
        replacement: source('packages/kysely/src/organizations.ts'),
      },
      { find: /^@fastify-accounts\/kysely$/, replacement: source('packages/kysely/src/index.ts') },
      { find: /^@fastify-accounts\/nodemailer$/, replacement: source('packages/nodemailer/src/index.ts') },
      {
        find: /^@fastify-accounts\/organizations\/store$/,
        replacement: source('packages/organizations/src/store.ts'),
      },
      {
        find: /^@fastify-accounts\/organizations$/,
        replacement: source('packages/organizations/src/index.ts'),
      },
      { find: /^@fastify-accounts\/pages$/, replacement: source('packages/pages/src/index.ts') },
      { find: /^@fastify-accounts\/passkeys$/, replacement: source('packages/passkeys/src/index.ts') },
      { find: /^@fastify-accounts\/providers$/, replacement: source('packages/providers/src/index.ts') },
      { find: /^@fastify-accounts\/redis$/, replacement: source('packages/redis/src/index.ts') },
      {
        find: /^@fastify-accounts\/table-stores\/organizations$/,
        replacement: source('packages/table-stores/src/organizations.ts'),
      },
      {
        find: /^@fastify-accounts\/table-stores$/,
        replacement: source('packages/table-stores/src/index.ts'),
      },
      {
        find: /^@fastify-accounts\/testing\/organizations$/,
        replacement: source('packages/testing/src/organizations.ts'),
      },
      { find: /^@fastify-accounts\/testing$/, replacement: source('packages/testing/src/index.ts') },
      {
        find: /^@fastify-accounts\/test-support\/(.+)$/,
        replacement: source('packages/test-support/$1.ts'),
      },
    ],
  },
  test: {
    // Some tests run on the build, so this updates it.
    globalSetup: 'scripts/bundle.mjs',
    // `npm test` runs the projects of `quick`, and all others all projects. Imports take as long as the tests, so most
    // files share a process; at full depth none do: order must not matter.
    projects: [
      project('quick, own process', tests, [...sharing, ...onPush.own]),
      project('quick, shared process', sharing, onPush.shared, isFull),
      // Some are about examples on ORMs, which `npm test` doesn't install.
      project('push, own process', onPush.own, [], true, ['scripts/setup.mjs']),
      project('push, shared process', onPush.shared, [], isFull),
    ],
    sequence: { sequencer: LongFirst },
    unstubEnvs: true,
    unstubGlobals: true,
    setupFiles: [
      source('packages/test-support/prompt-postman.ts'),
      ...(isFull ? [] : [source('packages/test-support/close-apps.ts')]),
    ],
    // Requests create much short-lived garbage: collect it half as often. PGlite is a large WebAssembly module:
    // optimizing it takes longer than it saves.
    execArgv: isFull ? [] : ['--max-semi-space-size=32', '--liftoff-only'],
    // Tests also wait. With two workers for each core, a slow machine stood still for seconds.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // Generous, for busy machines.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    coverage: {
      // Off by default because it's slower: `npm test -- --coverage` turns it on.
      enabled: Boolean(process.env.CI),
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      // Tests run the command line, and its import readers, as a separate process. `npm run test:nodes` covers
      // node:sqlite, which needs a later Node.js than the one that measures.
      exclude: [
        'packages/benchmark/**',
        'packages/accounts/src/cli/**',
        'packages/accounts/src/features/second-factor/import/**',
        'packages/passkeys/src/{import,cose-key}.ts',
        'packages/kysely/src/open/node-sqlite.ts',
      ],
      reporter: ['text', 'html'],
      // For scripts/rerun-failed.mjs.
      reportOnFailure: true,
      // `npm test` has only a part of the tests. CI has all databases and a browser, others may not.
      ...(!isQuick && {
        thresholds: process.env.CI
          ? { statements: 98, branches: 94, functions: 98, lines: 98.5 }
          : { statements: 97, branches: 92, functions: 97, lines: 98 },
      }),
    },
  },
})
