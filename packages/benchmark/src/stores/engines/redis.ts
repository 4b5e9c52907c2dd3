import { randomUUID } from 'node:crypto'
import { createRedisSessionStore } from '@fastify-accounts/redis'
import type { Session } from 'fastify-accounts'
import { type ChainableCommander, Redis } from 'ioredis'
import { versionOf } from '../../versions.js'
import type { Engine } from '../engine.js'

const server = process.env.ACCOUNTS_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
const fields = ['userId', 'epoch', 'createdAt', 'lastSeenAt', 'expiresAt'] as const

/**
 * Redis, sessions only. By hand: one hash per session, and one sorted set of ids per user, as the store keeps them;
 * each change is one MULTI. By hand nothing checks that a session still exists when it is changed, so one that was
 * ended at that moment comes back: the store's scripts pay for that check.
 */
export async function openRedis(): Promise<Engine> {
  const redis = new Redis(server, { lazyConnect: true, connectTimeout: 3000, retryStrategy: () => null })
  redis.on('error', () => {}) // the command under way rejects with the same error
  await redis.connect()
  const prefix = `{accounts-benchmark-${randomUUID()}}:`
  const keyOf = (id: string) => `${prefix}session:${id}`
  const indexOf = (userId: string) => `${prefix}user:${userId}`

  function put(on: ChainableCommander, { id, userId, epoch, createdAt, lastSeenAt, expiresAt }: Session) {
    const end = expiresAt.getTime()
    const times = { createdAt: createdAt.getTime(), lastSeenAt: lastSeenAt.getTime(), expiresAt: end }
    return on
      .hset(keyOf(id), { userId, epoch, ...times })
      .pexpireat(keyOf(id), end)
      .zadd(indexOf(userId), end, id)
      .zremrangebyscore(indexOf(userId), '-inf', Date.now())
      .pexpireat(indexOf(userId), end)
  }

  return {
    versions: [`Redis ${/redis_version:(\S+)/.exec(await redis.info('server'))?.[1]}`, versionOf('ioredis')],
    sessions: {
      store: createRedisSessionStore({ redis, prefix }),
      bare: {
        async find(id) {
          const row = await redis.hmget(keyOf(id), ...fields)
          return row[0] === null ? undefined : row
        },
        create: (session) => put(redis.multi(), session).exec(),
        async touch({ id, userId, lastSeenAt, expiresAt }) {
          const end = expiresAt.getTime()
          const replies = await redis
            .multi()
            .hset(keyOf(id), { lastSeenAt: lastSeenAt.getTime(), expiresAt: end })
            .pexpireat(keyOf(id), end)
            .zadd(indexOf(userId), end, id)
            .zremrangebyscore(indexOf(userId), '-inf', Date.now())
            .pexpireat(indexOf(userId), end)
            .exec()
          return Number(replies?.[1]?.[1])
        },
        async deleteByUser(userId) {
          const ids = await redis.zrange(indexOf(userId), 0, '-1')
          return (await redis.del([...ids.map(keyOf), indexOf(userId)])) - 1
        },
      },
      async load(sessions) {
        const pipeline = redis.pipeline()
        for (const session of sessions) put(pipeline, session)
        await pipeline.exec()
      },
    },
    settle: async () => {},
    async drop() {
      for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 10_000 })) {
        if (keys.length > 0) await redis.unlink(keys)
      }
      await redis.quit()
    },
  }
}
