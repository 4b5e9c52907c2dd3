import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../scripts/mistakes.mjs', import.meta.url))

// `npm run mistakes` tries whether each is noticed, which takes an hour.
test('sixty mistakes can be made in the sources as they are', () => {
  const said = execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect(Number(/^(\d+) mistakes can be made\n$/.exec(said)?.[1])).toBeGreaterThanOrEqual(60)
})
