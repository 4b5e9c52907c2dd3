import { setScene } from '@fastify-accounts/test-support/faults/scene'
import { expect, test } from 'vitest'
import { branches } from './branches.js'
import { eventWatch, expectTold, type Outcome } from './event-watch.js'

// Those of features that apps opt in to are tried by `tryFactor`.
test.each([false, true])(
  'every request and call that changes something has its events, confirming: %s',
  async (confirms) => {
    const watched = eventWatch({ requireEmailConfirmation: confirms })
    const service = await watched.setUp()
    const outcomes: Outcome[] = []
    for (const branch of branches.filter((each) => (each.confirms ?? false) === confirms)) {
      const scene = await setScene(service)
      Object.assign(scene, await branch.prepare?.(scene))
      const { remoteAddress } = scene
      const told = await watched.send({ ...branch.request(scene), remoteAddress })
      expect([branch.name, told.status]).toEqual([branch.name, branch.status])
      outcomes.push({ name: branch.name, ...told })
    }
    await service.app.close()
    expectTold(outcomes)
  },
)
