import { randomUUID } from 'node:crypto'
import { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import { connect, isRedisHere, sweep, url } from '@fastify-accounts/test-support/redis/redis'
import { read } from '@fastify-accounts/test-support/source'
import { sessionStoreCases, throttleStoreCases } from '@fastify-accounts/testing'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** The command in docs/adapters/redis.md, with this run's own user and keys. */
const user = `accounts-test-${randomUUID()}`
const password = randomUUID()
const [command = ''] = /^ACL SETUSER .*$/m.exec(read('docs/adapters/redis.md')) ?? []
const grant = command.replaceAll('accounts', user).replace('>password', `>${password}`).split(' ').slice(1)

describe.skipIf(!(await isRedisHere()))('an ACL user', () => {
  const redis = new Redis(url, { lazyConnect: true, username: user, password })
  let made = 0
  let owner: Redis
  beforeAll(async () => {
    owner = await connect()
    await owner.call('ACL', grant)
    await redis.connect()
  })
  afterAll(async () => {
    redis.disconnect()
    await owner.call('ACL', 'DELUSER', user)
    await sweep(owner, `{${user}}:`)
    await sweep(owner, `${user}:`)
    owner.disconnect()
  })

  test('can do nothing else', async () => {
    await expect(redis.get('another')).rejects.toThrow('NOPERM')
    await expect(redis.flushdb()).rejects.toThrow('NOPERM')
  })
  describe('can do everything the session store does', () => {
    for (const { name, run } of sessionStoreCases(() => {
      made += 1
      return createRedisSessionStore({ redis, prefix: `{${user}}:${made}:` })
    }))
      test.concurrent(name, run)
  })
  describe('can do everything the throttle store does', () => {
    for (const { name, run } of throttleStoreCases(() => {
      made += 1
      return createRedisThrottleStore({ redis, prefix: `${user}:${made}:` })
    }))
      test.concurrent(name, run)
  })
})
