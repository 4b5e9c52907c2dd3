import { driversHere } from '@fastify-accounts/test-support/databases'
import { isFull, isQuick, sample, times } from '@fastify-accounts/test-support/depth'
import { grounds, type OpenGround } from '@fastify-accounts/test-support/grounds'
import { makeTables, openSql, storesOn } from '@fastify-accounts/test-support/tables/open-tables'
import { sqlTables } from '@fastify-accounts/test-support/tables/sql-tables'
import type { ListingUserStore } from 'fastify-accounts'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { deliveries } from './deliveries.js'
import { checkHistories } from './histories.js'
import { openStage } from './stages.js'

/** Stores to play on. */
interface Ground {
  name: string
  open(): Promise<{
    stores(): Promise<Pick<Awaited<ReturnType<OpenGround['stores']>>, 'users' | 'sessions'>>
    close(): Promise<void>
  }>
}

const here: Ground[] = grounds.filter(({ isHere }) => isHere)
const memory = here.filter(({ name }) => name === 'memory')
const databases = [...here.filter(({ name }) => name !== 'memory'), ...(await authorsTables())]

async function authorsTables(): Promise<Ground[]> {
  if (isQuick || memory.length === here.length) return []
  const drivers = await driversHere(['libsql', 'pg', 'mysql2'])
  return drivers.map(({ name, engine }) => ({
    name: `an author's tables on ${engine}`,
    async open() {
      const { place, drop } = await makeTables(name)
      const sql = await openSql(place)
      return {
        async stores() {
          const { users, sessions } = storesOn(sqlTables(sql))
          return { users: users as ListingUserStore, sessions }
        },
        async close() {
          await sql.close()
          await drop()
        },
      }
    },
  }))
}

/** Quick: memory. Push: and a database, always the same one. Full: all. */
const played = isQuick ? memory : [...memory, ...sample('histories', databases)]

describe.each(played)('on $name', (ground) => {
  let open: Awaited<ReturnType<Ground['open']>>
  beforeAll(async () => {
    open = await ground.open()
  })
  afterAll(() => open.close())

  const [quick, full] = memory.includes(ground) ? [60, 1000] : [40, 200]
  const runs = isQuick || isFull ? times({ quick, full }) : times({ quick: 5 * quick, full })

  test.each(deliveries)(
    'any history of $name comes as by the rules',
    { timeout: 3_600_000 },
    async (delivery) => {
      const stage = await openStage(await open.stores(), delivery)
      try {
        await checkHistories(stage, delivery, runs)
      } finally {
        await stage.close()
      }
    },
  )
})
