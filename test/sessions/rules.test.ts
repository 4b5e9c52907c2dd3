import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Claim, createRules } from './rules.js'

const window = 30

test('a claim is good for one to two windows once a newer one was seen, and until then', () => {
  const step = fc.oneof(
    fc.record({ wait: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ generation: fc.nat({ max: 12 }), refreshes: fc.boolean() }),
  )
  const property = fc.property(fc.array(step, { size: 'max', maxLength: 60 }), (history) => {
    let time = 0
    const rules = createRules({ window, confirmLifetime: 100, confirmingReplaces: false }, () => time)
    const row = rules.begin()
    /** By generation: when a newer one was first seen. */
    const overtakenAt: number[] = []
    for (const step of history) {
      if ('wait' in step) {
        time += step.wait
        continue
      }
      const generation = Math.min(step.generation, row.newest)
      const claim: Claim = { generation, epoch: 0, confirmation: 0 }
      const standing = rules.present(row, claim)
      const age = time - (overtakenAt[generation] ?? time)
      if (age < window) expect(standing).toBe('good')
      if (age >= 2 * window) expect(standing).toBe('below the base')
      if (standing !== 'good') continue
      for (let older = 0; older < generation; older += 1) overtakenAt[older] ??= time
      if (step.refreshes) rules.refresh(row, claim)
    }
  })
  fc.assert(property, { numRuns: 2000, seed: 1 })
})
