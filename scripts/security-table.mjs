// Writes docs/security-cases.md from a run of the tests: node scripts/security-table.mjs <vitest's JSON report> [--check]
// With --check nothing is written: it fails where a case of ids.json is missing, and warns where the page is another.
// Either way it fails where a case failed or was skipped.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = 'docs/security-cases.md'
const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const [reportFile, flag] = process.argv.slice(2)
if (reportFile === undefined || ![undefined, '--check'].includes(flag)) {
  fail(['usage: node scripts/security-table.mjs <report.json> [--check]'])
}

const areas = JSON.parse(readFileSync(path('test/catalogue/ids.json'), 'utf8'))
const ids = Object.values(areas).flat()
const mishapRule = '503, or the truth; nothing lost, nobody let in, and well again by itself'
const aliases = { SQLite: 'libsql', 'PostgreSQL + Redis': 'to Redis', MariaDB: 'mysql2' }

const tests = JSON.parse(readFileSync(reportFile, 'utf8'))
  .testResults.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  .flatMap(({ assertionResults }) => assertionResults)
const told = tests.filter(({ meta }) => meta.securityCase ?? meta.securityDecision)
const attempts = attemptsOf(tests.flatMap(({ meta }) => meta.securityCase ?? []))
// Those of packages/test-support/grounds.ts, in their order: most attempts are made on all.
const grounds = [...(attempts.toSorted((a, b) => a.on.size - b.on.size).at(-1)?.on ?? [])]
const decisions = tests.flatMap(({ meta }) => meta.securityDecision ?? [])
const mishaps = tests.filter(({ title, meta }) => /^FLT-\d\d /.test(title) && !meta.securityCase)
const caseIds = new Set([...attempts, ...decisions, ...mishaps.map(mishapOf)].map(({ id }) => id))
const missing = ids.filter((id) => !caseIds.has(id))

const faults = [
  ...[...told, ...mishaps]
    .filter(({ status }) => status !== 'passed')
    .map(({ status, title }) => `${status}: ${title}`),
  ...[...caseIds].filter((id) => !ids.includes(id)).map((id) => `${id} is not in ids.json`),
  ...attempts
    .filter(({ on, because }) => because === undefined && grounds.some((ground) => !on.has(ground)))
    .map(({ id, tried }) => `${id} did not run on all stores, and says no reason: ${tried}`),
]
if (faults.length > 0) fail(faults)

const text = render()
if (flag === undefined) {
  writeFileSync(path(page), text)
  console.log(`${page} is written; neither tried nor decided: ${missing.join(', ') || 'none'}`)
} else {
  if (missing.length > 0) faults.push(`neither tried nor decided: ${missing.join(', ')}`)
  if (readFileSync(path(page), 'utf8') !== text) {
    // Not a fault: titles name what is on the machine.
    console.warn(
      `security-table: ${page} is not what this run gives; CONTRIBUTING.md says how to write it anew`,
    )
  }
  if (faults.length > 0) fail(faults)
  console.log(`the table of security cases holds: ${ids.length} cases, ${told.length + mishaps.length} tests`)
}

function fail(lines) {
  for (const line of lines) console.error(`security-table: ${line}`)
  process.exit(1)
}

/** The tests of one attempt on several grounds as one, which says on which. */
function attemptsOf(cases) {
  const attempts = new Map()
  for (const { ground, ...facts } of cases) {
    const key = JSON.stringify(facts)
    if (!attempts.has(key)) attempts.set(key, { ...facts, on: new Set() })
    attempts.get(key).on.add(ground)
  }
  return [...attempts.values()]
}

function render() {
  const decided = new Set(decisions.map(({ id }) => id)).size
  const open = missing.length === 0 ? '' : ` ${missing.length} are still to come.`
  const lines = [
    '# Security cases',
    '',
    '<!-- Made by scripts/security-table.mjs from a run of the tests. Change test/catalogue instead. -->',
    '',
    `Attacks and mishaps, and what happens to each. Of ${ids.length} cases ${caseIds.size - decided} are tests, on every combination of stores; ${decided} are decisions, with their reason.${open} CI fails where a test fails or is skipped, and where a case is missing.`,
    '',
    '✓ says that the test passed on these stores. With Redis, sessions and the counters of tries are there; elsewhere the counters are in memory.',
  ]
  for (const [area, own] of Object.entries(areas)) {
    lines.push('', `## ${area}`, '')
    lines.push(row(['Case', 'What is tried', 'What must happen', ...grounds]))
    lines.push(row(['---', '---', '---', ...grounds.map(() => ':-:')]))
    for (const id of own) lines.push(row([id, ...cellsOf(id)]))
  }
  return `${lines.join('\n')}\n`
}

/** The tests of faults are told by their titles: test/faults tries each on whatever it is about. */
function mishapOf({ title, fullName }) {
  const [id, ...words] = title.split(' ')
  const on = grounds.filter((ground) => fullName.includes(ground) || fullName.includes(aliases[ground]))
  // `PostgreSQL + Redis` holds the name of another one.
  const own = on.includes('PostgreSQL + Redis') ? ['PostgreSQL + Redis'] : on
  const tried = words.join(' ').replace(/\b(libsql|better-sqlite3|pglite|pg|mysql2) \([^)]*\)/g, '$1')
  return { id, tried, on: own.length > 0 ? own : ['memory'] }
}

/** What is tried, what must happen, and a mark for each ground. */
function cellsOf(id) {
  const own = mishaps.map(mishapOf).filter((each) => each.id === id)
  if (own.length > 0) {
    const tried = [...new Set(own.map((each) => each.tried))].sort().join('<br>')
    const marks = grounds.map((ground) => (own.some(({ on }) => on.includes(ground)) ? '✓' : ''))
    return [tried, mishapRule, ...marks]
  }
  return triedOf(id)
}

function triedOf(id) {
  const decision = decisions.find((each) => each.id === id)
  if (decision) return [decision.tried, `*Decided:* ${decision.decision}`, ...grounds.map(() => '')]
  const own = attempts.filter((each) => each.id === id)
  const expected = own.map(({ expected, because, on }) =>
    because ? `${expected} (${[...on].join(', ')} only: ${because})` : expected,
  )
  return [
    own.map(({ tried }) => tried).join('<br>'),
    expected.join('<br>'),
    ...grounds.map((ground) => (own.some(({ on }) => on.has(ground)) ? '✓' : '')),
  ]
}

function row(cells) {
  return `|${cells.map((cell) => ` ${cell.replaceAll('|', '\\|')} |`).join('')}`
}
