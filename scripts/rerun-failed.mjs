// Retries failed tests on their own: node scripts/rerun-failed.mjs <vitest's JSON report> <its log>
//
// A single slow wait among thousands of tests shouldn't fail the whole run, but must not be overlooked: a test that
// passes on retry is listed as flaky. A test that fails twice has failed. Tests of the security cases, the adapters and
// the faults are not retried, because a rare failure there may be a rare vulnerability.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Folders in which a test must pass the first time. */
const strict = [
  /^test\/(catalogue|faults|invitations)\//,
  /^packages\/(kysely|redis|nodemailer|hashes|passkeys|providers|table-stores)\/test\//,
  /^packages\/testing\/test\/sabotage\//,
  /^packages\/accounts\/test\/defaults\//,
  /^examples\/(own-store|drizzle-store|drizzle|prisma)\//,
]
/** More failures than this aren't just slow waits. */
const most = 5

const [reportFile, logFile] = process.argv.slice(2)
const report = JSON.parse(readFileSync(reportFile, 'utf8'))
const log = readFileSync(logFile, 'utf8')

const failed = report.testResults.flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => ({ file: relative(root, name), fullName })),
)
/** Files that failed to load have no failed tests. */
const broken = report.testResults.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((each) => each.status === 'failed'),
)

if (failed.length === 0 || broken.length > 0) end('the failure is not a test that can be retried')
if (/^ERROR: Coverage/m.test(log)) end('coverage is below its threshold')
if (/Unhandled (Errors|Rejection)/.test(log)) end('an error outside of any test')
if (failed.length > most) end(`${failed.length} tests failed`)
for (const { file, fullName } of failed) {
  if (strict.some((pattern) => pattern.test(file))) end(`${file} must pass the first time: ${fullName}`)
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
for (const file of new Set(failed.map((each) => each.file))) {
  const names = failed.filter((each) => each.file === file).map((each) => `^${escaped(each.fullName)}$`)
  const args = ['vitest', 'run', file, '--testNamePattern', names.join('|'), '--coverage.enabled=false']
  const { status } = spawnSync('npx', args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) end(`${file} failed twice`)
}
console.log('\nFLAKY, failed once and passed on retry: fix the test')
for (const { file, fullName } of failed) console.log(`  ${file}: ${fullName}`)

function end(why) {
  console.error(`not retried: ${why}`)
  process.exit(1)
}
