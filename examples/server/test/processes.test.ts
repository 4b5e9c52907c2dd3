import { driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import { isFull } from '@fastify-accounts/test-support/depth'
import {
  type Client,
  createClient,
  linkIn,
  newestMail,
} from '@fastify-accounts/test-support/example-server/client'
import {
  type Later,
  type RunningServer,
  run,
  start,
} from '@fastify-accounts/test-support/example-server/server'
import { isRedisHere, url as redisUrl } from '@fastify-accounts/test-support/redis/redis'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'

const password = 'seven-green-lanterns'

/** An unused Redis database; flushed afterwards. */
async function emptyRedis(later: Later): Promise<string> {
  for (let index = 15; index > 0; index -= 1) {
    const url = new URL(`/${index}`, redisUrl).href
    const redis = new Redis(url)
    later(async () => redis.disconnect())
    if ((await redis.dbsize()) > 0) continue
    later(async () => void (await redis.flushdb()))
    return url
  }
  throw new Error('no Redis database is empty')
}

/** Two processes on one database and one Redis, with the same base URL. */
async function twoServers(databaseUrl: string, later: Later): Promise<[RunningServer, RunningServer]> {
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: await emptyRedis(later),
    SECRET: 'a secret of at least 32 bytes for tests',
    BASE_URL: 'http://localhost',
  }
  return [await start(environment, undefined, later), await start(environment, undefined, later)]
}

/** A client of another server, with the same cookies. */
function at({ url }: RunningServer, { cookies }: Client): Client {
  const client = createClient(url)
  for (const [name, value] of cookies) client.cookies.set(name, value)
  return client
}

const servers = await driversHere(['pg', 'mysql2'])

describe.runIf(await isRedisHere()).each(servers)(
  'two processes on $title and Redis behave as one',
  ({ name }) => {
    const cleanings: Parameters<Later>[0][] = []
    let shared: Promise<[RunningServer, RunningServer]> | undefined

    afterAll(async () => {
      for (const clean of cleanings.toReversed()) await clean()
    })

    async function serversUntil(later: Later): Promise<[RunningServer, RunningServer]> {
      const { place, drop } = await makeDatabase(name)
      later(drop)
      return twoServers(place.url, later)
    }

    /** Two servers, shared by all tests at quick depth, and a user who signed up on the first one. */
    async function arrange(username: string) {
      const later: Later = isFull ? onTestFinished : (clean) => void cleanings.push(clean)
      const servers = (!isFull && shared) || serversUntil(later)
      shared = servers
      const [first, second] = await servers
      const client = createClient(first.url)
      const email = `${username}@example.org`
      const user = { username, password, confirm_password: password, email }
      expect((await client.post('/signup/', user)).status).toBe(201)
      return { first, second, client, user, email }
    }

    /** Sends requests concurrently, alternating between the servers, each from a client without cookies. */
    function postAll(servers: RunningServer[], path: string, bodies: Record<string, string>[]) {
      return Promise.all(
        bodies.map((body, index) =>
          createClient(servers[index % servers.length]?.url ?? '').post(path, body),
        ),
      )
    }

    it('a login on one is valid on the other, and a logout on one applies to both', async () => {
      const { first, second, client: ada } = await arrange('ada')
      expect((await ada.post('/login/', { username: 'ada', password })).status).toBe(200)
      const elsewhere = at(second, ada)
      expect(await (await elsewhere.get('/me/')).json()).toMatchObject({ username: 'ada' })
      expect((await elsewhere.post('/logout/')).status).toBe(204)
      // With the old cookie: the session itself has ended, not only the browser's cookie.
      for (const server of [first, second]) expect((await at(server, ada).get('/me/')).status).toBe(401)
    })

    it('a username taken on one is taken on the other, also in a race', async () => {
      const { first, second, user } = await arrange('grace')
      expect((await createClient(second.url).post('/signup/', user)).status).toBe(409)
      const bob = { username: 'bob', password, confirm_password: password }
      const responses = await postAll([first, second], '/signup/', Array(6).fill(bob))
      expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(5).fill(409)])
    })

    it('exactly one of many concurrent uses of a link on both succeeds', async () => {
      const { first, second, client, email } = await arrange('alan')
      await client.post('/forgot/', { email })
      const link = linkIn(await newestMail([first.url, second.url], 'reset-password', email))
      const passwords = Array.from({ length: 10 }, (_, index) => `password number ${index} of ten`)
      const bodies = passwords.map((each) => ({ new_password: each, confirm_password: each }))
      const uses = await postAll([first, second], link, bodies)
      expect(uses.map(({ status }) => status).toSorted()).toEqual([204, ...Array(9).fill(400)])
      const winner = passwords[uses.findIndex(({ status }) => status === 204)] ?? ''
      const loser = passwords[uses.findIndex(({ status }) => status === 400)] ?? ''
      const logins = [
        [winner, 200],
        [loser, 401],
        [password, 401],
      ] as const
      for (const [each, status] of logins) {
        const login = await createClient(second.url).post('/login/', { username: email, password: each })
        expect(login.status).toBe(status)
      }
    })

    it('attempts are counted across both', async () => {
      const { first, second } = await arrange('kim')
      const wrong = { username: 'kim', password: 'wrong one' }
      const attempts = await postAll([first, second], '/login/', Array(20).fill(wrong))
      // The limit is five failures per account.
      expect(attempts.map(({ status }) => status).toSorted()).toEqual([
        ...Array(5).fill(401),
        ...Array(15).fill(429),
      ])
      // Now even the right password is rejected, on either server.
      for (const { url } of [first, second]) {
        expect((await createClient(url).post('/login/', { username: 'kim', password })).status).toBe(429)
      }
    })
  },
)

it('an unreachable Redis stops the start with one line', async () => {
  const server = run({
    // Reserved, so nothing listens on it.
    REDIS_URL: 'redis://:hunter2-and-more@127.0.0.1:1',
    LOG_LEVEL: 'silent',
  })
  expect(await server.ended).toBe(1)
  expect(server.output()).toMatch(
    /^Not started: REDIS_URL names 127\.0\.0\.1:\d+, which cannot be used: .*\n$/,
  )
  expect(server.output()).not.toContain('hunter2')
})
