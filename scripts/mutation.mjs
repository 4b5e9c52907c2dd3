/**
 * `npm run mutation`: mutation testing of the security core (stryker.config.mjs). It fails if a part scores below 85 %.
 *
 * Each file's mutants run against the few most relevant test files, which takes a second or two per mutant. The full
 * suite might kill more, so the score is a lower bound. `-- --resume` reuses the stages that an earlier run finished
 * on the same sources and tests; `-- tokens throttle` runs only these parts.
 *
 * Stryker requires Node.js 22. npx installs it, with its own Node.js if this one is older, so the project doesn't
 * depend on it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const version = '10.1.1'
const node = '22.23.3'
const leastScore = 85

const src = 'packages/accounts/src'
const unit = 'packages/accounts/test'

/** The mutated files, each with the tests that run on its mutants, the fastest first. */
const parts = {
  tokens: {
    [`${src}/tokens/email-link.ts`]: [
      `${unit}/tokens.test.ts`,
      `${unit}/routes/{new-device,own-account,reset}.test.ts`,
    ],
    [`${src}/tokens/list-cursor.ts`]: [`${unit}/tokens.test.ts`, `${unit}/secret-keys.test.ts`],
  },
  sessions: {
    [`${src}/sessions/client.ts`]: [`${unit}/client.test.ts`],
    [`${src}/sessions/device-cookie.ts`]: [`${unit}/secret-keys.test.ts`, `${unit}/cookies.test.ts`],
    [`${src}/sessions/{ended-sessions,host-session}.ts`]: [`${unit}/host-session.test.ts`],
    [`${src}/sessions/{session-list,session-reader,session-rules}.ts`]: [
      `${unit}/routes/sessions.test.ts`,
      `${unit}/session-outages.test.ts`,
      `${unit}/routes/own-sessions.test.ts`,
    ],
    [`${src}/sessions/session-cookie.ts`]: [
      `${unit}/secret-keys.test.ts`,
      `${unit}/routes/{own-sessions,sessions}.test.ts`,
      `${unit}/cookies.test.ts`,
    ],
    [`${src}/sessions/{fastify-session,session-keeper}.ts`]: [
      `${unit}/cookies.test.ts`,
      `${unit}/host.test.ts`,
      `${unit}/session-outages.test.ts`,
      `${unit}/routes/{change-password,login,own-account,own-sessions,reset,sessions}.test.ts`,
    ],
  },
  throttle: {
    [`${src}/throttle/throttle.ts`]: [
      `${unit}/throttle.test.ts`,
      `${unit}/throttle-store.test.ts`,
      `${unit}/routes/{login,throttle}.test.ts`,
    ],
  },
  validation: {
    [`${src}/validation.ts`]: [`${unit}/validation.test.ts`, `${unit}/fields.test.ts`],
    [`${src}/http/input/validation.ts`]: [`${unit}/routes/{staff,users}.test.ts`, `${unit}/fields.test.ts`],
  },
  identifiers: { [`${src}/identifiers/{email,fold,username}.ts`]: [`${unit}/identifiers.test.ts`] },
  signer: { [`${src}/defaults/hmac-signer.ts`]: [`${unit}/defaults/hmac-signer.test.ts`] },
  guard: { [`${src}/adapters/guard.ts`]: [`${unit}/guard.test.ts`] },
}

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { resume: { type: 'boolean', default: false } },
})
for (const part of asked) {
  if (!Object.hasOwn(parts, part)) throw new Error(`${part} is not one of ${Object.keys(parts).join(', ')}`)
}

const started = performance.now()
const rows = []
for (const part of asked.length > 0 ? asked : Object.keys(parts)) {
  const mutants = []
  for (const [files, tests] of Object.entries(parts[part])) {
    const report = `coverage/mutation/${part}-${Object.keys(parts[part]).indexOf(files)}.json`
    if (!values.resume || !isCurrent(report, [files, ...tests])) run(files, tests, report)
    mutants.push(...mutantsIn(JSON.parse(readFileSync(root + report, 'utf8'))))
  }
  rows.push(scoreOf(part, mutants))
}
console.table(rows)
for (const { part, of } of rows.filter(({ score }) => !(score >= leastScore))) {
  console.error(
    of === 0 ? `${part} has no mutants: are its files missing?` : `${part} is below ${leastScore} %`,
  )
  process.exitCode = 1
}
console.log(`It took ${Math.round((performance.now() - started) / 60_000)} minutes.`)

/** `a/{b,c}.ts` as a list of files, because Stryker splits its argument at commas. */
function filesOf(glob) {
  const [, start, names, end] = /^([^{]*)(?:\{(.*)\})?(.*)$/.exec(glob)
  return names === undefined ? [glob] : names.split(',').map((name) => start + name + end)
}

/** Whether the report is for the current sources and tests, whose text it contains. */
function isCurrent(report, globs) {
  if (!existsSync(root + report)) return false
  const reported = JSON.parse(readFileSync(root + report, 'utf8'))
  const known = { ...reported.files, ...reported.testFiles }
  return (
    globs.flatMap(filesOf).every((name) => name in known) &&
    Object.entries(known).every(([name, { source }]) => source === undefined || source === textOf(name))
  )
}

function textOf(name) {
  return existsSync(root + name) ? readFileSync(root + name, 'utf8') : null
}

/** One run of Stryker. */
function run(files, tests, report) {
  const vitest = createRequire(import.meta.url)('vitest/package.json').version
  const packages = [
    `@stryker-mutator/core@${version}`,
    `@stryker-mutator/vitest-runner@${version}`,
    // The runner uses the project's vitest, but first loads the one next to it.
    `vitest@${vitest}`,
    ...(Number(process.versions.node.split('.')[0]) < 22 ? [`node@${node}`] : []),
  ]
  // Hides npm's warning about its own Node.js, which Stryker doesn't use.
  const npx = ['--yes', '--loglevel=error', ...packages.map((name) => `--package=${name}`)]
  const stryker = ['stryker', 'run', '--mutate', filesOf(files).join(',')]
  const { status } = spawnSync('npx', [...npx, '--', ...stryker], {
    cwd: root,
    env: { ...process.env, MUTATION_TESTS: tests.join(' '), MUTATION_REPORT: report },
    shell: process.platform === 'win32',
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** The valid mutants. */
function mutantsIn({ files }) {
  return Object.entries(files)
    .flatMap(([name, { mutants }]) => mutants.map((mutant) => ({ ...mutant, name })))
    .filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status))
}

/** Prints the survivors, and returns the score. */
function scoreOf(part, mutants) {
  const alive = mutants.filter((mutant) => !isKilled(mutant))
  for (const { name, location, mutatorName, replacement, status } of alive) {
    console.log(`${status}: ${name}:${location.start.line}:${location.start.column} ${mutatorName}`)
    console.log(`  ${replacement?.replace(/\s+/g, ' ').slice(0, 100)}`)
  }
  const killed = mutants.length - alive.length
  return { part, killed, of: mutants.length, score: Math.floor((1000 * killed) / mutants.length) / 10 }
}

/** Whether a test failed. A test timeout doesn't count, but Stryker's hit limit does: it indicates an endless loop. */
function isKilled({ status, statusReason = '' }) {
  if (status === 'Timeout') return statusReason.startsWith('Hit limit')
  return status === 'Killed' && !/^(Test|Hook) timed out/.test(statusReason)
}
