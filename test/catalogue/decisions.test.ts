import { readdirSync } from 'node:fs'
import { read, root } from '@fastify-accounts/test-support/source'
import { expect, test } from 'vitest'
import { decisions } from './decisions.js'
import ids from './ids.json' with { type: 'json' }

const sources = readdirSync(`${root}test/catalogue`).filter((name) => name.endsWith('.test.ts'))

test('ids.json lists each case once', () => {
  const all = Object.values(ids).flat()
  expect(new Set(all).size).toBe(all.length)
  for (const id of all) expect(id).toMatch(/^[A-Z]{3}-\d\d$/)
})

// Like tested cases, decisions get into the table through vitest's report.
for (const { id, tried, decision } of decisions) {
  const meta = { securityDecision: { id, tried, decision } }
  test(`${id} is in ids.json, decided once, and has no attempt`, { meta }, () => {
    expect(Object.values(ids).flat()).toContain(id)
    expect(decisions.filter((each) => each.id === id)).toHaveLength(1)
    for (const name of sources) expect(read(`test/catalogue/${name}`)).not.toContain(`'${id}'`)
  })
}
