import { isFull, times } from '@fastify-accounts/test-support/depth'
import { grounds, type OpenGround } from '@fastify-accounts/test-support/grounds'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { deliveries } from './deliveries.js'
import { checkHistories } from './histories.js'
import { openProcesses, type Stage } from './stages.js'

const shared = grounds.filter(({ name }) => (isFull ? name !== 'memory' : name === 'PostgreSQL'))

describe.skipIf(shared.length === 0).each(shared)('two processes on $name', (ground) => {
  let open: OpenGround
  let stage: Stage
  beforeAll(async () => {
    if (!ground.isHere) return
    open = await ground.open()
    const { place, prefix } = await open.stores()
    if (place === undefined) throw new Error('another process needs a database')
    stage = await openProcesses({ place, ...(prefix && { prefix }) })
  })
  afterAll(async () => {
    await stage?.close()
    await open?.close()
  })

  test.skipIf(!ground.isHere).each(deliveries)(
    'any history of $name comes as by the rules',
    { timeout: 3_600_000 },
    (delivery) => checkHistories(stage, delivery, times({ quick: 30, full: 150 })),
  )
})
