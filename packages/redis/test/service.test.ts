import { createHash } from 'node:crypto'
import { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import { type Line, openLine } from '@fastify-accounts/test-support/redis/proxy'
import {
  connect,
  isRedisHere,
  keysOf,
  newPrefix,
  promptly,
  sweep,
  url,
} from '@fastify-accounts/test-support/redis/redis'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import accounts, {
  type AccountsOptions,
  createMemoryUserStore,
  createScryptHasher,
  type UserStore,
} from 'fastify-accounts'
import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const password = 'correct horse battery'
const options = {
  secret: 'dGhpcy1pcy1hLXRlc3Qtc2VjcmV0LW9mLWVub3VnaC1ieXRlcw',
  baseUrl: 'http://localhost:3000',
  passwordHasher: createScryptHasher({ logN: 4, r: 1, p: 1 }),
  mailer: { send: async () => undefined },
}

interface Client {
  app: FastifyInstance
  cookies?: Record<string, string>
}

function post({ app, cookies = {} }: Client, url: string, payload?: object): Promise<LightMyRequestResponse> {
  return app.inject({ method: 'POST', url, cookies, ...(payload && { payload }) })
}

function logIn(app: FastifyInstance, given = password): Promise<LightMyRequestResponse> {
  return post({ app }, '/login/', { username: 'ada', password: given })
}

/** The cookies of a new login. */
async function cookiesOf(app: FastifyInstance): Promise<Record<string, string>> {
  const login = await logIn(app)
  expect(login.statusCode).toBe(200)
  return Object.fromEntries(login.cookies.map(({ name, value }) => [name, value]))
}

async function me({ app, cookies = {} }: Client): Promise<number> {
  return (await app.inject({ url: '/me/', cookies })).statusCode
}

describe.skipIf(!(await isRedisHere()))('two apps on one Redis', () => {
  let direct: Redis
  let line: Line
  let prefix: string
  let users: UserStore
  const open: { app: FastifyInstance; redis: Redis }[] = []

  beforeAll(async () => {
    direct = await connect()
    line = await openLine(url)
  })
  beforeEach(() => {
    prefix = newPrefix()
    users = createMemoryUserStore()
  })
  afterEach(async () => {
    for (const { app, redis } of open.splice(0)) {
      await app.close()
      redis.disconnect()
    }
    await sweep(direct, prefix)
  })
  afterAll(async () => {
    await line.close()
    direct.disconnect()
  })

  /** An app with its own connection; all share Redis and the users. */
  async function start(
    limits?: NonNullable<Exclude<AccountsOptions['throttle'], false>>['limits'],
    secret: AccountsOptions['secret'] = options.secret,
  ) {
    const redis = await connect(promptly, line.url)
    const app = Fastify()
    await app.register(accounts, {
      ...options,
      secret,
      userStore: users,
      sessionStore: createRedisSessionStore({ redis, prefix }),
      throttle: { store: createRedisThrottleStore({ redis, prefix }), ...(limits && { limits }) },
    })
    await app.ready()
    open.push({ app, redis })
    return app
  }

  async function startTwo(limits?: Parameters<typeof start>[0]) {
    const [one, two] = [await start(limits), await start(limits)]
    const { id } = await one.accounts.createUser({ username: 'ada', email: 'ada@example.org', password })
    return { one, two, id }
  }

  test('a login on one is valid on the other; a logout on one ends it on both', async () => {
    const { one, two } = await startTwo()
    const cookies = await cookiesOf(one)
    expect([await me({ app: one, cookies }), await me({ app: two, cookies })]).toEqual([200, 200])
    expect((await post({ app: two, cookies }, '/logout/')).statusCode).toBe(204)
    expect([await me({ app: one, cookies }), await me({ app: two, cookies })]).toEqual([401, 401])
    expect(await keysOf(direct, `${prefix}session:`)).toEqual([])
  })

  test('read access to Redis is not enough to log in: only a hash of the id in the cookie is stored', async () => {
    const { one } = await startTwo()
    const [value = ''] = Object.values(await cookiesOf(one))
    const [id = ''] = value.split('.')
    const kept = await Promise.all(
      (await keysOf(direct, prefix)).map(async (key) => {
        const type = await direct.type(key)
        if (type === 'hash') return { key, holds: await direct.hgetall(key) }
        return { key, holds: type === 'zset' ? await direct.zrange(key, '0', '-1') : await direct.get(key) }
      }),
    )
    expect(id).toMatch(/^[\w-]{32}$/)
    expect(JSON.stringify(kept)).not.toContain(id)
    const hash = createHash('sha256').update(id).digest('base64url')
    expect(kept.map(({ key }) => key)).toContain(`${prefix}session:${hash}`)
  })

  test('a login stays valid on processes with a rotated secret, and a logout there ends it everywhere', async () => {
    const { one } = await startTwo()
    const newer = 'bmV3LXNlY3JldC1vZi1lbm91Z2gtYnl0ZXMtZm9yLWEtdGVzdA'
    const rotated = await start(undefined, [newer, options.secret])
    const cookies = await cookiesOf(one)
    const visit = await rotated.inject({ url: '/me/', cookies })
    expect(visit.statusCode).toBe(200)
    const renewed = Object.fromEntries(visit.cookies.map(({ name, value }) => [name, value]))
    expect(await me({ app: await start(undefined, newer), cookies: renewed })).toBe(200)
    expect((await post({ app: rotated, cookies: renewed }, '/logout/')).statusCode).toBe(204)
    expect(await me({ app: one, cookies })).toBe(401)
  })

  test('ending all sessions on one logs out everywhere and leaves nothing in Redis', async () => {
    const { one, two, id } = await startTwo()
    const all = [await cookiesOf(one), await cookiesOf(one), await cookiesOf(two)]
    expect(await keysOf(direct, `${prefix}session:`)).toHaveLength(3)
    expect(await two.accounts.endUserSessions(id)).toBe(true)
    for (const cookies of all) {
      expect([await me({ app: one, cookies }), await me({ app: two, cookies })]).toEqual([401, 401])
    }
    expect(await keysOf(direct, `${prefix}session:`)).toEqual([])
    expect(await me({ app: two, cookies: await cookiesOf(one) })).toBe(200)
  })

  test('a new password on one ends the sessions on the other, except the current one', async () => {
    const { one, two } = await startTwo()
    const [mine, other] = [await cookiesOf(one), await cookiesOf(two)]
    const changed = await post({ app: one, cookies: mine }, '/change-password/', {
      old_password: password,
      new_password: 'staple gun and paper',
      confirm_password: 'staple gun and paper',
    })
    expect(changed.statusCode).toBe(204)
    const renewed = Object.fromEntries(changed.cookies.map(({ name, value }) => [name, value]))
    expect(await me({ app: two, cookies: renewed })).toBe(200)
    expect(await me({ app: two, cookies: other })).toBe(401)
    expect(await me({ app: two, cookies: mine })).toBe(401)
    expect(await keysOf(direct, `${prefix}session:`)).toHaveLength(1)
  })

  test('failed logins of an account are counted across both', async () => {
    const { one, two } = await startTwo()
    const statuses: number[] = []
    for (const app of [one, two, one, two, one, two, one]) {
      statuses.push((await logIn(app, 'not the password')).statusCode)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect((await logIn(two)).headers['retry-after']).toMatch(/^\d+$/)
  })

  test('logins of a client IP are counted across both', async () => {
    const { one, two } = await startTwo({ login: { max: 3, window: 60_000 } })
    const statuses: number[] = []
    for (const app of [one, two, one, two, one]) statuses.push((await logIn(app)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect(await keysOf(direct, `${prefix}throttle:ip:`)).toEqual([
      `${prefix}throttle:ip:accounts:login:127.0.0.1`,
    ])
  })

  test('without Redis, no login is accepted or lost: 503 everywhere, then back to normal', async () => {
    const { one, two } = await startTwo()
    const cookies = await cookiesOf(one)
    await line.cut()
    expect(await me({ app: two, cookies })).toBe(503)
    expect((await logIn(one)).statusCode).toBe(503)
    expect((await logIn(one, 'not the password')).statusCode).toBe(503)
    await line.mend()
    await expect.poll(() => me({ app: two, cookies })).toBe(200)
    await expect.poll(async () => (await logIn(one)).statusCode).toBe(200)
  })
})
