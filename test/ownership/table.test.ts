import { isFull, isQuick, sample } from '@fastify-accounts/test-support/depth'
import { grounds, type OpenGround } from '@fastify-accounts/test-support/grounds'
import type { OwnershipEvent } from 'fastify-accounts/features'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, bringInto, type Column } from './accounts.js'
import { type Profile, type Way, ways } from './events.js'
import { expected, table } from './expected.js'
import { look, lookLater } from './seen.js'
import { type Service, startService } from './service.js'

const [memory, ...databases] = grounds
const here = databases.filter(({ isHere }) => isHere)
const chosen = isFull ? here : isQuick ? [] : sample('ownership', here)

const events = Object.keys(table) as OwnershipEvent[]

describe.each([memory, ...chosen].filter((ground) => ground !== undefined))('on $name', ({ open }) => {
  let ground: OpenGround
  let service: Service
  beforeAll(async () => {
    ground = await open()
    service = await startService(await ground.stores())
  })
  afterAll(async () => {
    await service?.app.close()
    await ground?.close()
  })

  /** An account in a state, after an event. */
  async function after(way: Way, column: Column, isChoosing = false): Promise<Account> {
    const account = await bringInto(service, column, way)
    const choice: Profile = isChoosing ? { username: `owner-of-${account.username}`, profile: 'drop' } : {}
    const response = await way.happen(service, account, choice)
    expect(response?.statusCode ?? 200, response?.body).toBeLessThan(400)
    return account
  }

  for (const event of events) {
    for (const [name, way] of Object.entries(ways[event])) {
      describe(`${event}: ${name}`, () => {
        it.each(way.at)('%s', async (column) => {
          const [seen, later] = await Promise.all([
            after(way, column).then((account) => look(service, account)),
            after(way, column).then((account) => lookLater(service, account)),
          ])
          expect({ ...seen, ...later }).toEqual(expected(event, column, way.seen))
        })
      })
    }
  }

  const choosing = (['proved-elsewhere', 'code-elsewhere'] as const).flatMap((event) =>
    Object.entries(ways[event]).flatMap(([name, way]) =>
      way.at.filter(() => way.choice === true).map((column) => ({ event, name, way, column })),
    ),
  )
  it.each(choosing)(
    '$name: the new owner of an account that is $column drops what was entered, and chooses a name',
    async ({ event, way, column }) => {
      const seen = await look(service, await after(way, column, true))
      const { later: _, ...others } = expected(event, column)
      const isTheirs = column !== 'proven'
      expect(seen).toEqual({ ...others, ...(isTheirs && { name: 'their own', field: 'goes' }) })
    },
  )
})
