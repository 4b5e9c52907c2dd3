import { createRedisSessionStore } from '@fastify-accounts/redis'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import { connect, isRedisHere, keysOf, newPrefix, sweep } from '@fastify-accounts/test-support/redis/redis'
import { newSession } from '@fastify-accounts/testing'
import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Place, tasks } from './support/tasks.js'
import { idOf, rounds, sessionsPerUser, userOf } from './support/tasks.js'

const clients = ['ioredis', 'node-redis'] as const

describe.skipIf(!(await isRedisHere())).each(clients)('two processes on one Redis, with %s', (client) => {
  let processes: Processes<keyof typeof tasks, Place>
  let redis: Redis
  let prefix: string
  let store: ReturnType<typeof createRedisSessionStore>

  beforeAll(async () => {
    processes = await startProcesses(new URL('support/tasks.ts', import.meta.url), 2)
    redis = await connect()
  })
  afterAll(() => {
    processes.stop()
    redis.disconnect()
  })
  beforeEach(() => {
    prefix = newPrefix()
    store = createRedisSessionStore({ redis, prefix })
  })
  afterEach(() => sweep(redis, prefix))

  /** What each process returned for each round, added up. */
  async function sums(task: 'createSession' | 'endSession' | 'endUser' | 'move'): Promise<number[]> {
    const [one = [], other = []] = await processes.race<number[]>(task, { client, prefix })
    return one.map((result, round) => result + (other[round] ?? 0))
  }
  const inEveryRound = (result: number) => Array.from({ length: rounds }, () => result)

  test('of two creations of one session, one wins', async () => {
    expect(await sums('createSession')).toEqual(inEveryRound(1))
    expect(await keysOf(redis, `${prefix}session:`)).toHaveLength(rounds)
  })

  test('of changes from one state, one wins, whatever they move', async () => {
    for (let round = 0; round < rounds; round++) await store.create(newSession({ id: idOf(round) }))
    expect(await sums('move')).toEqual(inEveryRound(1))
    for (let round = 0; round < rounds; round++) {
      const { generation, seenGeneration, confirmation } = (await store.find(idOf(round))) ?? newSession()
      expect(generation + seenGeneration + confirmation).toBe(1)
    }
  })

  test('a session ends once, and neither touch nor change brings it back', async () => {
    for (let round = 0; round < rounds; round++) await store.create(newSession({ id: idOf(round) }))
    expect(await sums('endSession')).toEqual(inEveryRound(1))
    expect(await keysOf(redis, prefix)).toEqual([])
  })

  test('each of a user’s sessions ends once, and touch doesn’t bring one back', async () => {
    for (let round = 0; round < rounds; round++) {
      for (let which = 0; which < sessionsPerUser; which++) {
        await store.create(newSession({ id: idOf(round, which), userId: userOf(round) }))
      }
    }
    expect(await sums('endUser')).toEqual(inEveryRound(sessionsPerUser))
    expect(await keysOf(redis, prefix)).toEqual([])
  })

  test('200 attempts by each are counted individually', async () => {
    const counts = (await processes.race<number[]>('increment', { client, prefix })).flat()
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, index) => index + 1))
  })
})
