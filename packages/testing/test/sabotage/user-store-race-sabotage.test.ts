import { times } from '@fastify-accounts/test-support/depth'
import { breaksLaws } from '@fastify-accounts/test-support/sabotage'
import { expect, test } from 'vitest'
import { runCases, userStoreCases } from '../../src/index.js'
import { createStoreInSteps, type StepFault } from './store-in-steps.js'

const faults: Record<StepFault, string> = {
  'a rename writes over whatever is there': 'law 15: a deletion stands, whatever update has begun',
  'identities are written over whatever version is there': 'law 14: of two updates',
  'an update checks identities, then inserts them': 'law 3: of two who take an identity',
  'a creation checks identities, then inserts them': 'law 3: of two who take an identity',
}

const runs = times({ quick: 3, full: 20 })

for (const [fault, law] of Object.entries(faults)) {
  test(`detected each time: ${fault}`, async () => {
    const cases = userStoreCases(() => createStoreInSteps(fault as StepFault))
    const own = cases.filter(({ name }) => name.includes(law))
    for (let run = 0; run < runs; run += 1) await breaksLaws(own, law)
  }, 60_000)
}

test('a store in steps that does it correctly passes all', async () => {
  expect((await runCases(userStoreCases(createStoreInSteps), () => undefined)).failures).toEqual([])
}, 60_000)
