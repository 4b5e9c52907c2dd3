import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import { isFull, isQuick, sample } from '@fastify-accounts/test-support/depth'
import { grounds, type OpenGround } from '@fastify-accounts/test-support/grounds'
import { read } from '@fastify-accounts/test-support/source'
import type { OwnershipEvent } from 'fastify-accounts/features'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, bringInto, type Column, columns, expectStatus } from './accounts.js'
import { choice, type Way, ways } from './events.js'
import { expected, rows, table } from './expected.js'
import { look, lookLater } from './seen.js'
import { type Service, startService } from './service.js'

const [memory, ...databases] = grounds
const here = databases.filter(({ isHere }) => isHere)
const chosen = isFull ? here : isQuick ? [] : sample('ownership', here)

const events = Object.keys(table) as OwnershipEvent[]

it('docs/ownership.md has a row for each event, and says where nothing happens', () => {
  const [, section = ''] = read('docs/ownership.md').split('## Events')
  const cells = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').slice(1, -1))
    .map((row) => row.map((cell) => cell.trim()))
  const [head, ...others] = cells
  expect(head).toEqual(['Event', 'No address', 'Unverified', 'Plainly verified', 'Verified'])
  expect(others.map(([first]) => first)).toEqual(Object.values(rows))
  const inWords = (cell: object | null) => (cell === null ? '–' : 'something')
  expect(others.map(([, cell]) => (cell === '–' ? cell : 'something'))).toEqual(
    events.map((event) => inWords(table[event]['no address'])),
  )
  const isNothing = (cell: object | null) => cell !== null && Object.keys(cell).length === 0
  expect(others.map((row) => row.slice(3).map((cell) => cell === 'Nothing'))).toEqual(
    events.map((event) =>
      (['plainly proven, used', 'proven'] as const).map((column) => isNothing(table[event][column])),
    ),
  )
})

it('each state in which an event can happen is tried', () => {
  for (const event of events) {
    const tried = new Set(Object.values(ways[event]).flatMap(({ at }) => at))
    expect([...columns].filter((column) => tried.has(column))).toEqual(
      columns.filter((column) => table[event][column] !== null),
    )
  }
})

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
    const username = way.choice === 'profile' ? {} : { username: `owner-of-${account.username}` }
    const response = await way.happen(service, account, isChoosing ? { ...username, profile: 'drop' } : {})
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
    Object.entries(ways[event])
      .filter(([, { choice }]) => choice !== undefined)
      .flatMap(([name, way]) => way.at.map((column) => ({ event, name, way, column }))),
  )
  it.each(choosing)(
    'a new owner drops what was entered, by $name: $column',
    async ({ event, way, column }) => {
      const seen = await look(service, await after(way, column, true))
      const { later: _, ...others } = expected(event, column)
      const name = way.choice === 'profile' ? 'goes' : 'their own'
      expect(seen).toEqual({ ...others, ...(column !== 'proven' && { name, field: 'goes' }) })
    },
  )

  it('a password that was chosen after a plain proof goes as well, when a login code is used elsewhere', async () => {
    const account = await bringInto(service, 'plainly proven, used')
    const passwords = { old_password: goodPassword, ...choice(otherPassword) }
    expectStatus(await account.device?.send('POST', '/change-password/', passwords), 204)
    const way = ways['code-elsewhere']['a login code elsewhere']
    await way?.happen(service, account, {})
    expect(await look(service, account)).toMatchObject({ password: 'none', passkey: 'goes', told: 'told' })
  })
})
