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
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
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
const all = []
const misplaced = []
for (const mistake of readMistakes()) {
  try {
    all.push({ ...mistake, ...place(mistake, sources) })
  } catch (error) {
    misplaced.push(error.message)
  }
}
if (misplaced.length > 0) {
  console.error(misplaced.join('\n'))
  process.exit(1)
}
if (values.check) {
  console.log(`${all.length} mistakes can be made`)
  process.exit()
}
const unknown = asked.filter((id) => !all.some((each) => each.id === id))
if (unknown.length > 0) throw new Error(`there is no mistake ${unknown.join(', ')}`)

copySources()
const { createVitest } = await import(
  pathToFileURL(createRequire(join(copy, 'package.json')).resolve('vitest/node'))
)
if (values.map || !existsSync(mapFile)) await makeMap()
const map = readJson(mapFile)
const last = existsSync(lastFile) ? readJson(lastFile) : {}

const rows = asked.length === 0 ? all : all.filter(({ id }) => asked.includes(id))
// What `npm test` runs, then what `.ci/run` runs besides.
for (const [by, depth, project] of [
  ['npm test', 'quick', 'quick*'],
  ['.ci/run', 'push', '*'],
]) {
  const vitest = await start({ depth, project, bail: 1 })
  for (const row of rows.filter((each) => each.test === undefined)) {
    const started = performance.now()
    const test = await firstToNotice(row, vitest)
    const seconds = Math.round((performance.now() - started) / 1000)
    if (test) Object.assign(row, { test, by, seconds })
    console.log(
      `${row.id}: ${test ? `${test} (${by}, ${seconds} s)` : `not noticed by ${by} (${seconds} s)`}`,
    )
    if (test) last[row.id] = test
    writeFileSync(lastFile, JSON.stringify(last, null, 2))
  }
  await vitest.close()
  const noticed = rows.filter((row) => row.by === by)
  if (noticed.length === 0) continue
  const control = await start({ depth, project })
  const { failed } = await control.run(noticed.map(({ test }) => test))
  await control.close()
  for (const row of noticed) if (failed.includes(row.test)) row.by = 'fails without it'
}
console.table(rows, ['id', 'wrong', 'by', 'test', 'seconds'])
for (const by of ['npm test', '.ci/run', 'fails without it', undefined])
  console.log(`${by ?? 'not noticed'}: ${rows.filter((row) => row.by === by).length} of ${rows.length}`)
process.exit(rows.every(({ by }) => by === 'npm test' || by === '.ci/run') ? 0 : 1)

/** The first test file that notices a mistake. */
async function firstToNotice({ id, files, lines }, vitest) {
  await change(files, vitest)
  const left = candidates(id, files, lines).filter((test) => vitest.files.includes(test))
  let test
  for (let most = 1; left.length > 0 && test === undefined; most *= 4) {
    const { failed } = await vitest.run(left.splice(0, most))
    test = failed[0]
  }
  await change(new Map([...files.keys()].map((path) => [path, sources.get(path)])), vitest)
  return test
}

/** The test files to try, in order. */
function candidates(id, files, lines) {
  const tests = Object.keys(map.seconds)
  const reaching = new Set(lines.flatMap((line) => map.tests[line] ?? []).map((at) => tests[at]))
  const isOnBuild = (test) => /^(?:examples|test\/(?:cli|samples))\//.test(test)
  const homes = isCommand(files)
    ? ['test/cli']
    : [...files.keys()].map((path) => path.split('/', 2).join('/'))
  const isNear = (test) => homes.some((each) => test.startsWith(`${each}/`))
  // Without a line in the map, the code runs on import, or in another process.
  const isTried = (test) => (isCommand(files) ? isOnBuild(test) : reaching.size === 0 || reaching.has(test))
  const rank = (test) => (test === last[id] ? 0 : isNear(test) ? 1 : isOnBuild(test) ? 3 : 2)
  return tests
    .filter(isTried)
    .toSorted((one, other) => rank(one) - rank(other) || map.seconds[one] - map.seconds[other])
}

/** Whether the command line changes, whose tests run on the build. */
function isCommand(files) {
  return [...files.keys()].some((path) => path.includes('/src/cli/'))
}

/** Vitest in the copy. */
async function start({ depth, project, ...options }) {
  Object.assign(process.env, { CI: '', ACCOUNTS_TEST_DEPTH: depth })
  const vitest = await createVitest('test', {
    root: copy,
    watch: false,
    reporters: [{}],
    project,
    ...options,
  })
  const known = await vitest.globTestSpecifications()
  const nameOf = ({ moduleId }) => relative(copy, moduleId)
  return {
    files: known.map(nameOf),
    invalidate: (path) => vitest.invalidateFile(join(copy, path)),
    async run(tests) {
      // Otherwise it still has those of earlier runs.
      vitest.state.filesMap.clear()
      const { testModules } = await vitest.runTestSpecifications(
        known.filter((each) => tests.includes(nameOf(each))),
      )
      return {
        failed: testModules.filter((each) => !each.ok()).map(nameOf),
        seconds: Object.fromEntries(
          testModules.map((each) => [nameOf(each), Math.round(each.diagnostic().duration / 1000)]),
        ),
      }
    },
    close: () => vitest.close(),
  }
}

/** Runs all tests once, and keeps for each how long it takes, and for each line who reaches it. */
async function makeMap() {
  console.log('Running all tests once, for the map')
  const reached = join(home, 'reached.jsonl')
  rmSync(reached, { force: true })
  process.env.MISTAKES_MAP = reached
  writeFileSync(
    join(copy, 'vitest.reach.config.ts'),
    `import base from './vitest.config.js'
const setupFiles = [...[base.test?.setupFiles ?? []].flat(), './scripts/mistakes/reach.mjs']
export default { ...base, test: { ...base.test, setupFiles } }
`,
  )
  const vitest = await start({ depth: 'quick', project: '*', config: 'vitest.reach.config.ts' })
  const { seconds } = await vitest.run(vitest.files)
  await vitest.close()
  const names = Object.keys(seconds)
  const tests = new Map()
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
  if (!existsSync(copy)) git('worktree', 'add', '--force', '--detach', copy)
  git('-C', copy, 'reset', '--hard', '--quiet', git('rev-parse', 'HEAD').trim())
  git('-C', copy, 'clean', '--force', '-d', '--quiet')
  for (const path of git('ls-files', '--modified', '--others', '--exclude-standard')
    .split('\n')
    .filter(Boolean)) {
    if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path))
    else rmSync(join(copy, path), { force: true })
  }
  node('scripts/setup.mjs', 'all')
}

/** Changes sources of the copy. */
async function change(files, vitest) {
  for (const [path, text] of files) {
    writeFileSync(join(copy, path), text)
    vitest.invalidate(path)
  }
  if (isCommand(files)) node('scripts/bundle.mjs')
}

function node(script, ...args) {
  const { status, stderr } = spawnSync(process.execPath, [join(copy, script), ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`)
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
