import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { steps } from '../src/migrations.js'

// The other tests run on the older Kysely of the range that package.json allows.
test('migrations and stores work on the newer Kysely too, with its own dialects', () => {
  const script = fileURLToPath(new URL('support/newer-kysely.mjs', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', script], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const reports = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(reports.map(({ name }) => name)).toEqual(['libsql', 'PGlite'])
  for (const { migrations, users, sessions, refusal } of reports) {
    expect(migrations).toEqual([steps.map(({ name }) => name), []])
    expect([...users.failures, ...sessions.failures]).toEqual([])
    expect(users.passed + sessions.passed).toBeGreaterThan(50)
    expect(refusal).toMatch(/^Error: the tables were made by a newer version .* 0002_later_breaking/)
  }
}, 300_000)
