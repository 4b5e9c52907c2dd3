import { readdirSync } from 'node:fs'
import { read, root } from '@fastify-accounts/test-support/source'
import { expect, test } from 'vitest'
import { decisions } from './decisions.js'
import ids from './ids.json' with { type: 'json' }

const sources = readdirSync(`${root}test/catalogue`).filter((name) => name.endsWith('.test.ts'))

test('ids.json names each case once', () => {
  const all = Object.values(ids).flat()
  expect(new Set(all).size).toBe(all.length)
  for (const id of all) expect(id).toMatch(/^[A-Z]{3}-\d\d$/)
})

// A decision reaches the table through the report, like the cases that are tried.
for (const { id, tried, decision } of decisions) {
  const meta = { securityDecision: { id, tried, decision } }
  test(`${id} is decided: it is of the list, told once, and has no attempt`, { meta }, () => {
    expect(Object.values(ids).flat()).toContain(id)
    expect(decisions.filter((each) => each.id === id)).toHaveLength(1)
    for (const name of sources) expect(read(`test/catalogue/${name}`)).not.toContain(`'${id}'`)
  })
}
