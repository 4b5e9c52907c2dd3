import { setTimeout as sleep } from 'node:timers/promises'
import { createRedisSessionStore } from '@fastify-accounts/redis'
import { connect, isRedisHere, keysOf, newPrefix, sweep } from '@fastify-accounts/test-support/redis/redis'
import { newSession } from '@fastify-accounts/testing'
import { InvalidArgumentError } from 'fastify-accounts'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = newPrefix()
let redis: Redis
let made = 0

function setUp() {
  made += 1
  const prefix = `${run}${made}:`
  return { prefix, store: createRedisSessionStore({ redis, prefix }) }
}

function inMs(milliseconds: number): Date {
  return new Date(Date.now() + milliseconds)
}

describe.skipIf(!(await isRedisHere()))('sessions in Redis', () => {
  beforeAll(async () => {
    redis = await connect()
  })
  afterAll(async () => {
    await sweep(redis, run)
    redis.disconnect()
  })

  describe('keys', () => {
    test('are a hash per session and a sorted set per user, and expire with the session', async () => {
      const { store, prefix } = setUp()
      const session = newSession({ id: 's1', userId: 'ada', epoch: 3 })
      await store.create(session)
      expect(await keysOf(redis, prefix)).toEqual([`${prefix}session:s1`, `${prefix}user:ada`])
      expect(await redis.hgetall(`${prefix}session:s1`)).toEqual({
        userId: 'ada',
        epoch: '3',
        createdAt: String(session.createdAt.getTime()),
        lastSeenAt: String(session.lastSeenAt.getTime()),
        expiresAt: String(session.expiresAt.getTime()),
        details: JSON.stringify(Object.values(session.details ?? {})),
        methods: 'pwd',
        confirmedAt: String(session.confirmedAt?.getTime()),
      })
      expect(await redis.pexpiretime(`${prefix}session:s1`)).toBe(session.expiresAt.getTime())
      expect(await redis.pexpiretime(`${prefix}user:ada`)).toBe(session.expiresAt.getTime())
    })

    test('are compactly encoded by Redis, with the details of most clients', async () => {
      const { store, prefix } = setUp()
      const details = {
        browser: 'Samsung Internet',
        system: 'Android',
        ip: '2001:db8:1234::/48',
        isPersistent: true,
      }
      const userId = '019f3b7e-7f3a-7f3a-8f3a-1234567890ab'
      const session = newSession({ id: 'x'.repeat(43), userId, details })
      await store.create(session)
      expect(await store.find(session.id)).toEqual(session)
      expect(await redis.object('ENCODING', `${prefix}session:${session.id}`)).toBe('listpack')
    })

    test('hold what differs from an ordinary session, and are compactly encoded with it', async () => {
      const { store, prefix } = setUp()
      const token = newSession({
        id: 't'.repeat(43),
        kind: 'token',
        name: 'Ada’s phone',
        ...{ generation: 3, seenGeneration: 2, baseGeneration: 1, nextBase: 2 },
        ...{ confirmation: 4, priorConfirmedAt: new Date(1), settlesAt: new Date(2) },
      })
      const bare = newSession({ id: 'b'.repeat(43), details: null, methods: [], confirmedAt: null })
      const more = {
        [token.id]: {
          ...{ kind: 'token', name: '"Ada’s phone"' },
          ...{ gen: '3', seenGen: '2', baseGen: '1', nextBase: '2', settlesAt: '2' },
          ...{ confirmation: '4', priorConfirmedAt: '1' },
        },
        [bare.id]: {},
      }
      const eachHas = ['createdAt', 'epoch', 'expiresAt', 'lastSeenAt', 'userId']
      for (const session of [token, bare]) {
        await store.create(session)
        expect(await store.find(session.id)).toEqual(session)
        const key = `${prefix}session:${session.id}`
        const row = await redis.hgetall(key)
        const others = session === bare ? ['methods'] : ['confirmedAt', 'details', 'methods']
        const names = [...eachHas, ...others, ...Object.keys(more[session.id] ?? {})]
        expect(Object.keys(row).sort()).toEqual(names.sort())
        expect(row).toMatchObject(more[session.id] ?? {})
        expect(await redis.object('ENCODING', key)).toBe('listpack')
      }
    })

    test('of earlier versions hold ordinary sessions, which can be seen and changed', async () => {
      const { store, prefix } = setUp()
      const session = newSession({ details: null, methods: [], confirmedAt: null })
      const key = `${prefix}session:${session.id}`
      const times = [session.createdAt, session.lastSeenAt, session.expiresAt].map(Number)
      const [createdAt = 0, lastSeenAt = 0, expiresAt = 0] = times
      await redis.hset(key, { userId: 'user-1', epoch: 0, createdAt, lastSeenAt, expiresAt, methods: ' ' })
      await redis.pexpireat(key, expiresAt)
      await redis.zadd(`${prefix}user:user-1`, expiresAt, session.id)
      expect(await store.find(session.id)).toEqual(session)
      expect(await store.listByUser('user-1')).toEqual([session])
      await redis.hset(key, { details: '', confirmedAt: '' })
      // What no longer has a meaning.
      await redis.hset(key, { confirmedGen: '7', retiredBy: 's2' })
      expect(await store.find(session.id)).toEqual(session)

      expect(await store.touch(session.id, session)).toBe(true)
      expect(await store.change(session.id, session, { generation: 1 })).toBe(true)
      expect(await store.change(session.id, session, { generation: 2 })).toBe(false)
      const changed = { ...session, generation: 1 }
      expect(await store.find(session.id)).toEqual(changed)
      expect(await store.listByUser('user-1')).toEqual([changed])
      expect(await store.delete(session.id)).toBe(true)
      expect(await keysOf(redis, prefix)).toEqual([])
    })

    test('hold any name', async () => {
      const { store } = setUp()
      const texts = ['a\0b', '\ud800', '"', "']]", 'KEYS[1]', '\r\n*1\r\n', '😀'.repeat(50), '-1', 'false']
      for (const text of texts) {
        const session = newSession({ name: text })
        await store.create(session)
        expect(await store.find(session.id)).toEqual(session)
        for (const name of ['', text, null]) {
          expect(await store.change(session.id, session, { name })).toBe(true)
          expect(await store.find(session.id)).toEqual({ ...session, name })
        }
      }
    })

    test('start with {accounts}: by default', async () => {
      const store = createRedisSessionStore({ redis })
      await store.create(newSession({ id: run, userId: run }))
      expect(await redis.del(`{accounts}:session:${run}`, `{accounts}:user:${run}`)).toBe(2)
    })

    test('go after the client’s own prefix', async () => {
      const { prefix } = setUp()
      const prefixed = await connect({ keyPrefix: prefix })
      const store = createRedisSessionStore({ redis: prefixed, prefix: '' })
      const [kept, ended] = [newSession({ id: 's1' }), newSession({ id: 's2' })]
      for (const session of [kept, ended]) await store.create(session)
      expect(await keysOf(redis, prefix)).toEqual(
        ['session:s1', 'session:s2', 'user:user-1'].map((key) => prefix + key),
      )
      expect(await store.touch('s1', kept)).toBe(true)
      expect(await store.change('s1', kept, { expiresAt: kept.expiresAt })).toBe(true)
      expect(await store.listByUser('user-1')).toHaveLength(2)
      expect(await store.deleteByUser('user-1', 's1')).toBe(1)
      expect(await store.delete('s1')).toBe(true)
      expect(await keysOf(redis, prefix)).toEqual([])
      prefixed.disconnect()
    })
  })

  describe('expiry', () => {
    test('is done by Redis: nothing is left, without a store call', async () => {
      const { store, prefix } = setUp()
      const expiresAt = inMs(5000)
      for (const id of ['s1', 's2']) await store.create(newSession({ id, expiresAt }))
      const keys = await keysOf(redis, prefix)
      expect(keys).toHaveLength(3)
      for (const key of keys) expect(await redis.pexpiretime(key)).toBe(expiresAt.getTime())
      await expect.poll(() => redis.exists(...keys)).toBe(0)
      expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime())
      expect(await store.deleteExpired(new Date())).toBe(0)
    })

    test('of the index follows the longest session, even if touch shortens it', async () => {
      const { store, prefix } = setUp()
      const [short, long] = [newSession({ expiresAt: inMs(60_000) }), newSession({ expiresAt: inMs(90_000) })]
      for (const session of [long, short]) await store.create(session)
      const end = () => redis.pexpiretime(`${prefix}user:user-1`)
      expect(await end()).toBe(long.expiresAt.getTime())
      const times = { lastSeenAt: new Date(), expiresAt: inMs(30_000) }
      await store.touch(long.id, times)
      expect(await end()).toBe(short.expiresAt.getTime())
      await store.touch(short.id, times)
      expect(await end()).toBe(times.expiresAt.getTime())
    })

    test('moves with a change, in both directions, and stays otherwise', async () => {
      const { store, prefix } = setUp()
      const session = newSession({ expiresAt: inMs(60_000) })
      await store.create(session)
      const ends = async () => [
        await redis.pexpiretime(`${prefix}session:${session.id}`),
        await redis.pexpiretime(`${prefix}user:user-1`),
        Number(await redis.zscore(`${prefix}user:user-1`, session.id)),
      ]
      const later = { ...session, confirmation: 1 }
      const allAt = (end: Date) => Array.from({ length: 3 }, () => end.getTime())
      for (const expiresAt of [inMs(90_000), inMs(30_000)]) {
        expect(await store.change(session.id, session, { expiresAt })).toBe(true)
        expect(await store.find(session.id)).toEqual({ ...session, expiresAt })
        expect(await ends()).toEqual(allAt(expiresAt))
        expect(await store.change(session.id, later, { expiresAt: inMs(10_000) })).toBe(false)
        expect(await store.change(session.id, session, { epoch: 0 })).toBe(true)
        expect(await ends()).toEqual(allAt(expiresAt))
      }
      expect(await store.change(session.id, session, { expiresAt: new Date(0) })).toBe(true)
      expect(await keysOf(redis, prefix)).toEqual([])
    })

    test('applies to a row that lost its TTL, and neither touch nor change revives it', async () => {
      const { store, prefix } = setUp()
      const session = newSession({ expiresAt: inMs(3000) })
      await store.create(session)
      for (const key of [`session:${session.id}`, 'user:user-1']) {
        expect(await redis.persist(prefix + key)).toBe(1)
      }
      await sleep(session.expiresAt.getTime() - Date.now() + 10)
      expect(await store.find(session.id)).toBeNull()
      expect(await store.listByUser('user-1')).toEqual([])
      expect(await store.touch(session.id, newSession())).toBe(false)
      expect(await store.change(session.id, session, newSession())).toBe(false)
      expect(await store.deleteByUser('user-1')).toBe(0)
    })
  })

  describe('the index of a user', () => {
    test('does not grow with expired or ended sessions', async () => {
      const { store, prefix } = setUp()
      const size = () => redis.zcard(`${prefix}user:user-1`)
      // Keeps the index: otherwise it would expire with the other sessions.
      const long = newSession()
      await store.create(long)
      for (let n = 0; n < 100; n++) await store.create(newSession({ expiresAt: inMs(20) }))
      await sleep(60)
      const last = newSession()
      await store.create(last)
      expect(await size()).toBe(2)
      await store.delete(last.id)
      for (let n = 0; n < 100; n++) await store.create(newSession({ expiresAt: inMs(20) }))
      await sleep(60)
      await store.touch(long.id, long)
      expect(await size()).toBe(1)
      for (let n = 0; n < 50; n++) {
        const session = newSession()
        await store.create(session)
        await store.delete(session.id)
      }
      expect(await size()).toBe(1)
      for (let n = 0; n < 50; n++) await store.create(newSession())
      expect(await store.deleteByUser('user-1', long.id)).toBe(50)
      expect(await size()).toBe(1)
    })

    test('is rebuilt by touch after Redis evicted it', async () => {
      const { store, prefix } = setUp()
      const session = newSession()
      await store.create(session)
      await redis.del(`${prefix}user:user-1`)
      expect(await store.listByUser('user-1')).toEqual([])
      await store.touch(session.id, session)
      expect(await store.listByUser('user-1')).toEqual([session])
    })
  })

  describe('an invalid value', () => {
    const never = new Date(Number.NaN)
    test.each([
      ['epoch', { epoch: 0.5 }],
      ['epoch', { epoch: -1 }],
      ['epoch', { epoch: '1' as unknown as number }],
      ['createdAt', { createdAt: never }],
      ['lastSeenAt', { lastSeenAt: 0 as unknown as Date }],
      ['expiresAt', { expiresAt: never }],
      ['methods', { methods: 'pwd' as unknown as string[] }],
      ['methods', { methods: ['one', 'two words'] }],
      ['confirmedAt', { confirmedAt: never }],
      ['kind', { kind: '' as 'cookie' }],
      ['name', { name: 7 as unknown as string }],
      ['generation', { generation: Number.MAX_SAFE_INTEGER + 1 }],
      ['seenGeneration', { seenGeneration: -1 }],
      ['baseGeneration', { baseGeneration: Number.NaN }],
      ['nextBase', { nextBase: -1 }],
      ['settlesAt', { settlesAt: never }],
      ['priorConfirmedAt', { priorConfirmedAt: 0 as unknown as Date }],
      ['confirmation', { confirmation: 0.5 }],
    ])('is rejected as an argument: %s %o', async (name, changes) => {
      const { store, prefix } = setUp()
      const refused = async (call: Promise<unknown>) => {
        const error: unknown = await call.catch((reason) => reason)
        expect(error).toBeInstanceOf(InvalidArgumentError)
        expect(error).toMatchObject({ message: expect.stringContaining(name) })
      }
      await refused(store.create(newSession(changes)))
      expect(await keysOf(redis, prefix)).toEqual([])
      if (name === 'createdAt' || name === 'kind') return
      const session = newSession()
      await store.create(session)
      await refused(store.change(session.id, session, { generation: 1, ...changes }))
      expect(await store.find(session.id)).toEqual(session)
    })

    test('is rejected by touch, change, deleteByUser and deleteExpired as well', async () => {
      const { store } = setUp()
      const session = newSession()
      await store.create(session)
      for (const call of [
        () => store.touch(session.id, { lastSeenAt: never, expiresAt: new Date() }),
        () => store.touch(session.id, { lastSeenAt: new Date(), expiresAt: never }),
        () => store.change(session.id, session, { lastSeenAt: never }),
        () => store.deleteByUser('user-1', ''),
        () => store.deleteExpired(never),
      ]) {
        await expect(call()).rejects.toThrow(InvalidArgumentError)
      }
      expect(await store.find(session.id)).toEqual(session)
    })
  })
})
