import { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import { connectNode } from '@fastify-accounts/test-support/redis/node-redis'
import { connect } from '@fastify-accounts/test-support/redis/redis'
import { newSession } from '@fastify-accounts/testing'

/** What a process races with: which client, and which keys. */
export interface Place {
  client: 'ioredis' | 'node-redis'
  prefix: string
}

/** How many rounds each process races. */
export const rounds = 100

export const sessionsPerUser = 5

export const userOf = (round: number): string => `user-${round}`

export const idOf = (round: number, which = 0): string => `session-${round}-${which}`

/**
 * A process's part in a race: it prepares, then returns the function to run at the signal. Results are plain data.
 */
export const tasks = {
  /** The rounds in which this process created the session. */
  createSession: (place: Place) =>
    inRounds(place, async (store, round) => {
      const session = newSession({ id: idOf(round), userId: `${process.pid}` })
      return store.create(session).then(
        () => 1,
        () => 0,
      )
    }),

  /** Whether this process ended each round's session, with concurrent touches and changes by both. */
  endSession: (place: Place) =>
    inRounds(place, async (store, round) => {
      const [, , went] = await Promise.all([
        store.touch(idOf(round), newSession()),
        store.change(idOf(round), 0, newSession()),
        store.delete(idOf(round)),
        store.touch(idOf(round), newSession()),
        store.change(idOf(round), 0, newSession()),
      ])
      return Number(went)
    }),

  /** How often this process ended each round's session, or had it go on, from its first generation. */
  endOrAdvance: (place: Place) =>
    inRounds(place, async (store, round) => {
      const attempts = [
        () => store.delete(idOf(round), 0),
        () => store.change(idOf(round), 0, { generation: 1, retiredBy: 'next' }),
      ]
      if (round % 2 === 1) attempts.reverse()
      const outcomes = await Promise.all(attempts.map((attempt) => attempt()))
      return outcomes.filter((isDone) => isDone).length
    }),

  /**
   * The generations from which this process made one session go on as `<process>-<generation>`. With each attempt, it says
   * to have seen a lower generation.
   */
  advance: (place: Place) =>
    inRounds(place, async (store, round) => {
      const changes = { generation: round + 1, retiredBy: `${process.pid}-${round}` }
      const [isMine] = await Promise.all([
        store.change(idOf(0), round, changes),
        store.touch(idOf(0), { ...newSession(), seenGeneration: rounds - round }),
      ])
      return Number(isMine)
    }),

  /** How many sessions of each round's user this process ended, with concurrent touches by both. */
  endUser: (place: Place) =>
    inRounds(place, async (store, round) => {
      const touches = Array.from({ length: sessionsPerUser }, (_, which) =>
        store.touch(idOf(round, which), newSession()),
      )
      const [went] = await Promise.all([store.deleteByUser(userOf(round)), ...touches])
      return went
    }),

  /** The counts that this process got for 200 attempts. */
  async increment({ client, prefix }: Place) {
    const { redis, end } = await open(client)
    const store = createRedisThrottleStore({ redis, prefix })
    return async () => {
      const counted = await Promise.all(Array.from({ length: 200 }, () => store.increment('key', 60_000)))
      end()
      return counted.map(({ count }) => count)
    }
  },
}

/** The results, round by round. */
async function inRounds(
  { client, prefix }: Place,
  play: (store: ReturnType<typeof createRedisSessionStore>, round: number) => Promise<number>,
): Promise<() => Promise<number[]>> {
  const { redis, end } = await open(client)
  const store = createRedisSessionStore({ redis, prefix })
  await store.find('warm')
  return async () => {
    const results: number[] = []
    for (let round = 0; round < rounds; round++) results.push(await play(store, round))
    end()
    return results
  }
}

async function open(client: Place['client']) {
  if (client === 'ioredis') {
    const redis = await connect()
    return { redis, end: () => redis.disconnect() }
  }
  const redis = await connectNode()
  return { redis, end: () => redis.destroy() }
}
