import { createRedisSessionStore, createRedisThrottleStore, type RedisClient } from '@fastify-accounts/redis'
import { newSession } from '@fastify-accounts/testing'
import { UnavailableError } from 'fastify-accounts'
import { describe, expect, test } from 'vitest'

type Command = () => Promise<never>

/** A client of each kind, with these commands. */
const clients: Record<string, (command: (name: string) => Command) => RedisClient> = {
  ioredis: (command) => ({ hmget: command('hmget'), evalsha: command('evalsha'), eval: command('eval') }),
  'node-redis': (command) => ({
    hmGet: command('hmget'),
    evalSha: command('evalsha'),
    eval: command('eval'),
    withTypeMapping() {
      return this
    },
  }),
}

const session = newSession()
const attempts = ['a:{ada}', 'b:{ada}'].map((key) => ({ key, windowMs: 1000, max: 5 }))
const calls: Record<string, (redis: RedisClient) => Promise<unknown>> = {
  'sessions.create': (redis) => createRedisSessionStore({ redis }).create(session),
  'sessions.find': (redis) => createRedisSessionStore({ redis }).find('s1'),
  'sessions.touch': (redis) => createRedisSessionStore({ redis }).touch('s1', session),
  'sessions.change': (redis) => createRedisSessionStore({ redis }).change('s1', session, session),
  'sessions.delete': (redis) => createRedisSessionStore({ redis }).delete('s1'),
  'sessions.listByUser': (redis) => createRedisSessionStore({ redis }).listByUser('ada'),
  'sessions.now': (redis) => createRedisSessionStore({ redis }).now(),
  'sessions.deleteByUser': (redis) => createRedisSessionStore({ redis }).deleteByUser('ada'),
  'sessions.deleteByUser but one': (redis) => createRedisSessionStore({ redis }).deleteByUser('ada', 's1'),
  'throttle.increment': (redis) => createRedisThrottleStore({ redis }).increment('ada', 1000),
  'throttle.decrement': (redis) => createRedisThrottleStore({ redis }).decrement('ada'),
  'throttle.clear': (redis) => createRedisThrottleStore({ redis }).clear('ada'),
  'throttle.incrementAll': (redis) => createRedisThrottleStore({ redis }).incrementAll(attempts),
  'throttle.clearAll': (redis) => createRedisThrottleStore({ redis }).clearAll(['a:{ada}', 'b:{ada}']),
}

const thrown: unknown[] = [
  new Error('connect ECONNREFUSED 10.0.0.5:6379'),
  new Error("READONLY You can't write against a read only replica."),
  new Error('OOM command not allowed when used memory > maxmemory.'),
  new Error('LOADING Redis is loading the dataset in memory'),
  new Error('NOPERM this user has no permissions to run this command'),
  'not even an error',
]

describe.each(Object.entries(clients))('with %s', (_, clientOf) => {
  /** A client whose every command fails with this error, and the commands it was sent. */
  function failing(thrown: unknown) {
    const sent: string[] = []
    const redis = clientOf((name) => async () => {
      sent.push(name)
      throw thrown
    })
    return { redis, sent }
  }

  describe.each(Object.entries(calls))('%s', (_, call) => {
    test.each(thrown)(
      "is unavailable without exposing the error text, and isn't retried: %s",
      async (cause) => {
        const { redis, sent } = failing(cause)
        const error: unknown = await call(redis).catch((reason) => reason)
        expect(error).toBeInstanceOf(UnavailableError)
        expect(String(error)).toBe('UnavailableError: Redis failed')
        expect(error).toHaveProperty('cause', cause)
        expect(sent).toHaveLength(1)
      },
    )

    test('is unavailable too if the client throws synchronously', async () => {
      const redis = clientOf(() => () => {
        throw new Error('boom')
      })
      await expect(call(redis)).rejects.toThrow(UnavailableError)
    })
  })

  test('a script missing in Redis is sent again in full, once', async () => {
    const { redis, sent } = failing(new Error('NOSCRIPT No matching script.'))
    await expect(createRedisThrottleStore({ redis }).clear('ada')).rejects.toThrow(UnavailableError)
    expect(sent).toEqual(['evalsha', 'eval'])
  })
})
