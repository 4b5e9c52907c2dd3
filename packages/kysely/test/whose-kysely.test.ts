import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { driversHere, makeDatabase, type TestDatabase } from '@fastify-accounts/test-support/databases'
import { isFull } from '@fastify-accounts/test-support/depth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { steps } from '../src/migrations.js'

interface Report {
  name: string
  migrations: string[][]
  passed: number[]
  failures: unknown[]
  refusal: string
}

// The other tests run from source, with a single Kysely.
describe.each(['older', 'newer'])("an app's own Kysely, the %s version of two", (version) => {
  const databases: Partial<Record<string, TestDatabase>> = {}

  beforeAll(async () => {
    for (const { name } of await driversHere(['pg', 'mysql2'])) databases[name] = await makeDatabase(name)
  })
  afterAll(async () => {
    for (const database of Object.values(databases)) await database?.drop()
  })

  test('runs migrations and stores of the built package, which has its own copy of Kysely', async () => {
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
  const script = fileURLToPath(new URL('support/own-kysely.mjs', import.meta.url))
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
