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
        store.change(idOf(round), newSession(), newSession()),
        store.delete(idOf(round)),
        store.touch(idOf(round), newSession()),
        store.change(idOf(round), newSession(), newSession()),
      ])
      return Number(went)
    }),

  /** How often this process moved each round's session from its first state, with concurrent touches by both. */
  move: (place: Place) =>
    inRounds(place, async (store, round) => {
      const [first, name] = [newSession(), `${process.pid}`]
      const moves = [{ generation: 1 }, { seenGeneration: 1 }, { confirmation: 1 }]
      const [, ...outcomes] = await Promise.all([
        store.touch(idOf(round), first),
        ...moves.map((changes) => store.change(idOf(round), first, { ...changes, name })),
      ])
      return outcomes.filter((isDone) => isDone).length
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
