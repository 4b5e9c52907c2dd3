/**
 * `npm run mistakes`: puts each mistake of test/mistakes into a copy of this checkout, and runs the tests that reach the
 * changed lines, the fastest first, until one fails. It fails if a mistake isn't noticed. `-- 6cbc751d late-commit` tries
 * only these; `-- --check` only looks whether each can be made.
 *
 * Which test reaches which line is in a map, made by a first run of all tests, and by `-- --map` anew; code that it doesn't
 * see, since it runs on import or in another process, is tried by more. What noticed a mistake last time comes first. In the
 * end, tests that have failed must pass without their mistake.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { place, readMistakes, readSources } from './mistakes/read.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const home = join(root, 'coverage/mistakes')
const copy = join(home, 'copy')
const mapFile = join(home, 'map.json')
const lastFile = join(home, 'last.json')

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false }, map: { type: 'boolean', default: false } },
})

// All are placed first, so one that is nowhere stops this at once.
const sources = readSources()
const all = readMistakes().map((mistake) => ({ ...mistake, ...place(mistake, sources) }))
if (values.check) {
  console.log(`${all.length} mistakes can be made`)
  process.exit()
}
const unknown = asked.filter((id) => !all.some((each) => each.id === id))
if (unknown.length > 0) throw new Error(`there is no mistake ${unknown.join(', ')}`)

/** What `npm test` runs, then what `.ci/run` runs besides. */
const depths = [
  { depth: 'quick', by: 'npm test', projects: ['--project=quick*'] },
  { depth: 'push', by: '.ci/run', projects: [] },
]

copySources()
if (values.map || !existsSync(mapFile)) makeMap()
const map = readJson(mapFile)
const last = existsSync(lastFile) ? readJson(lastFile) : {}
for (const each of depths) each.files = filesAt(each)

const rows = []
for (const mistake of all.filter(({ id }) => asked.length === 0 || asked.includes(id))) {
  const row = tryOut(mistake)
  rows.push(row)
  console.log(`${row.id}: ${row.test ? `${row.test} (${row.by}, ${row.seconds} s)` : 'NOT NOTICED'}`)
  if (row.test) last[row.id] = row.test
  writeFileSync(lastFile, JSON.stringify(last, null, 2))
}
for (const { depth, by } of depths) {
  const tests = new Set(rows.filter((row) => row.by === by).map(({ test }) => test))
  const failed = tests.size === 0 ? [] : run([...tests], depth).failed
  for (const row of rows) if (row.by === by && failed.includes(row.test)) row.by = 'FAILS WITHOUT IT'
}
console.table(rows, ['id', 'by', 'test', 'seconds'])
for (const { by } of [...depths, { by: 'FAILS WITHOUT IT' }, { by: 'NOT NOTICED' }])
  console.log(`${by}: ${rows.filter((row) => row.by === by).length} of ${rows.length}`)
if (!rows.every((row) => depths.some(({ by }) => by === row.by))) process.exitCode = 1

/** The first test file that notices a mistake. */
function tryOut({ id, files, lines }) {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 1000)
  write(files)
  try {
    for (const { depth, by, files: known } of depths) {
      const left = candidates(id, files, lines).filter((test) => known.includes(test))
      for (let most = 1; left.length > 0; most *= 4) {
        const [test] = run(left.splice(0, most), depth, '--bail=1').failed
        if (test) return { id, by, test, seconds: seconds() }
      }
    }
    return { id, by: 'NOT NOTICED', seconds: seconds() }
  } finally {
    write(new Map([...files.keys()].map((path) => [path, sources.get(path)])))
  }
}

/** The test files to try, in order. */
function candidates(id, files, lines) {
  const tests = Object.keys(map.seconds)
  const reaching = new Set(lines.flatMap((line) => map.tests[line] ?? []).map((at) => tests[at]))
  const homes = [...files.keys()].map((path) => path.split('/', 2).join('/'))
  const isNear = (test) => homes.some((each) => test.startsWith(`${each}/`))
  const isCommand = [...files.keys()].some((path) => path.includes('/src/cli/'))
  const isOnBuild = (test) => /^(?:examples|test\/(?:cli|samples))\//.test(test)
  // Without a line in the map, the code runs on import, or in processes.
  const tried = tests.filter((test) =>
    isCommand ? isOnBuild(test) : reaching.size === 0 || reaching.has(test),
  )
  const rank = (test) => (test === last[id] ? 0 : isNear(test) ? 1 : isOnBuild(test) ? 3 : 2)
  return tried.toSorted((one, other) => rank(one) - rank(other) || map.seconds[one] - map.seconds[other])
}

/** Runs test files in the copy. */
function run(files, depth, ...options) {
  const report = join(home, 'report.json')
  rmSync(report, { force: true })
  const json = ['--reporter=json', `--outputFile=${report}`]
  const { stdout, stderr } = vitest(
    ['run', ...json, ...options, ...files.map((file) => join(copy, file))],
    depth,
  )
  if (!existsSync(report)) throw new Error(`vitest made no report:\n${stdout}${stderr}`)
  const { testResults } = readJson(report)
  const nameOf = ({ name }) => relative(copy, name)
  return {
    failed: testResults.filter(({ status }) => status === 'failed').map(nameOf),
    seconds: Object.fromEntries(
      testResults.map((each) => [nameOf(each), Math.round((each.endTime - each.startTime) / 1000)]),
    ),
  }
}

function vitest(args, depth) {
  return spawnSync(process.execPath, [join(copy, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: copy,
    env: { ...process.env, CI: '', ACCOUNTS_TEST_DEPTH: depth },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
}

/** The test files of a depth. */
function filesAt({ depth, projects }) {
  const { stdout } = vitest(['list', '--filesOnly', '--json', ...projects], depth)
  return JSON.parse(stdout.slice(stdout.indexOf('['))).map(({ file }) => relative(copy, file))
}

/** Runs all tests once, and keeps for each how long it takes, and for each line who reaches it. */
function makeMap() {
  console.log('Running all tests once, for the map')
  const reached = join(home, 'reached.jsonl')
  const config = join(copy, 'vitest.reach.config.ts')
  rmSync(reached, { force: true })
  writeFileSync(
    config,
    `import base from './vitest.config.js'
const setupFiles = [...[base.test?.setupFiles ?? []].flat(), './scripts/mistakes/reach.mjs']
export default { ...base, test: { ...base.test, setupFiles } }
`,
  )
  process.env.MISTAKES_MAP = reached
  const { seconds } = run([], 'quick', `--config=${config}`)
  const tests = new Map()
  const names = Object.keys(seconds)
  for (const text of readFileSync(reached, 'utf8').trim().split('\n')) {
    const { test, lines } = JSON.parse(text)
    const at = names.indexOf(relative(copy, test))
    for (const line of lines) tests.set(line, [...(tests.get(line) ?? []), at])
  }
  writeFileSync(mapFile, JSON.stringify({ seconds, tests: Object.fromEntries(tests) }))
}

/** Brings the copy up to this checkout, uncommitted files included. */
function copySources() {
  mkdirSync(home, { recursive: true })
  if (!existsSync(copy)) git('worktree', 'add', '--detach', copy)
  const head = git('rev-parse', 'HEAD').trim()
  git('-C', copy, 'reset', '--hard', '--quiet', head)
  git('-C', copy, 'clean', '--force', '-d', '--quiet')
  for (const path of git('ls-files', '--modified', '--others', '--exclude-standard')
    .split('\n')
    .filter(Boolean)) {
    if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path))
    else rmSync(join(copy, path), { force: true })
  }
  const { status, stderr } = spawnSync(process.execPath, [join(copy, 'scripts/setup.mjs')], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
}

function write(files) {
  for (const [path, text] of files) writeFileSync(join(copy, path), text)
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
