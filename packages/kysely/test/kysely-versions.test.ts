import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { driversHere, makeDatabase, type TestDatabase } from '@fastify-accounts/test-support/databases'
import { isFull } from '@fastify-accounts/test-support/depth'
import { inc, minVersion, satisfies } from 'semver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { steps } from '../src/migrate/migrations.js'

interface Report {
  name: string
  migrations: string[][]
  passed: number[]
  failures: unknown[]
  refusal: string
}

const manifest = (name: string) =>
  JSON.parse(readFileSync(new URL(`../${name}package.json`, import.meta.url), 'utf8'))

test('both ends of the range of Kysely are installed', () => {
  const range: string = manifest('').peerDependencies.kysely
  const older: string = manifest('node_modules/kysely/').version
  const newer: string = manifest('node_modules/kysely-next/').version
  expect(older).toBe(minVersion(range)?.version)
  expect(satisfies(newer, range)).toBe(true)
  expect(satisfies(inc(newer, 'minor') ?? newer, range)).toBe(false)
})

// The other tests run on the older one.
describe.each(['older', 'newer'])('the %s end of the range of Kysely', (version) => {
  const databases: Partial<Record<string, TestDatabase>> = {}

  beforeAll(async () => {
    for (const { name } of await driversHere(['pg', 'mysql2'])) databases[name] = await makeDatabase(name)
  })
  afterAll(async () => {
    for (const database of Object.values(databases)) await database?.drop()
  })

  test('runs migrations and stores of the built package', async () => {
    const urls = Object.fromEntries(
      Object.entries(databases).map(([name, database]) => [name, database?.place.url]),
    )
    const reports = await reportsOf(version, urls)
    expect(reports).toHaveLength(3 + Object.keys(urls).length)
    for (const { name, migrations, passed, failures, refusal } of reports) {
      expect([name, failures]).toEqual([name, []])
      expect(migrations).toEqual([steps.map((step) => step.name), []])
      // At quick depth the laws are spread over all databases and versions.
      for (const count of passed) expect([name, count > (isFull ? 1 : 0)]).toEqual([name, true])
      expect(refusal).toBe(
        "Error: a newer version of @fastify-accounts/kysely has migrated the tables: this version doesn't know 0002_later_breaking",
      )
    }
  }, 300_000)
})

async function reportsOf(version: string, urls: object): Promise<Report[]> {
  const script = fileURLToPath(new URL('support/on-kysely.mjs', import.meta.url))
  const child = spawn(process.execPath, [
    // PGlite is a large WebAssembly module: optimizing it takes longer than it saves.
    ...(isFull ? [] : ['--liftoff-only']),
    ...['--no-warnings', script, version, JSON.stringify(urls), isFull ? 'full' : 'quick'],
  ])
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(stderr).toBe('')
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
