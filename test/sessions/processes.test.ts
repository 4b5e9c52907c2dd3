import { isFull, times } from '@fastify-accounts/test-support/depth'
import { grounds, type OpenGround } from '@fastify-accounts/test-support/grounds'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { deliveries } from './deliveries.js'
import { checkHistories } from './histories.js'
import { openProcesses } from './stages.js'

const shared = grounds.filter(({ name }) => (isFull ? name !== 'memory' : name === 'PostgreSQL'))

describe.skipIf(shared.length === 0).each(shared)('two processes on $name', (ground) => {
  let open: OpenGround
  beforeAll(async () => {
    if (ground.isHere) open = await ground.open()
  })
  afterAll(() => open?.close())

  test.skipIf(!ground.isHere).each(deliveries)(
    'any history of $name comes as by the rules',
    { timeout: 3_600_000 },
    async (delivery) => {
      const { place, prefix } = await open.stores()
      if (place === undefined) throw new Error('another process needs a database')
      const stage = await openProcesses({ place, ...(prefix && { prefix }) }, delivery)
      try {
        await checkHistories(stage, delivery, times({ quick: 30, full: 150 }))
      } finally {
        await stage.close()
      }
    },
  )
})
