import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { driversHere, makeDatabase } from '../../../packages/kysely/test/support/databases.js'
import { isRedisHere, url as redisUrl } from '../../../packages/redis/test/support/redis.js'
import { type Client, createClient, linkIn, newestMail } from './support/client.js'
import { freePort, type RunningServer, run, start } from './support/server.js'

const password = 'seven-green-lanterns'
const email = 'ada@example.org'

/** A database of Redis in which nobody keeps anything; empty again after the test. */
async function emptyRedis(): Promise<string> {
  for (let index = 15; index > 0; index -= 1) {
    const url = new URL(`/${index}`, redisUrl).href
    const redis = new Redis(url)
    onTestFinished(async () => redis.disconnect())
    if ((await redis.dbsize()) > 0) continue
    onTestFinished(async () => void (await redis.flushdb()))
    return url
  }
  throw new Error('no database of Redis is empty')
}

/** Two processes on one database and one Redis, known under one address. */
async function twoServers(databaseUrl: string): Promise<[RunningServer, RunningServer]> {
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: await emptyRedis(),
    SECRET: 'a secret of at least 32 bytes for tests',
    BASE_URL: 'http://accounts.example.org',
  }
  return [await start(environment), await start(environment)]
}

/** A client at another server, with the same cookies. */
function at({ url }: RunningServer, { cookies }: Client): Client {
  const client = createClient(url)
  for (const [name, value] of cookies) client.cookies.set(name, value)
  return client
}

const servers = await driversHere(['pg', 'mysql2'])

describe.runIf(await isRedisHere()).each(servers)(
  'two processes on $title and Redis behave as one',
  ({ name }) => {
    it('in logins, logouts, limits and links', async () => {
      const { place, drop } = await makeDatabase(name)
      onTestFinished(drop)
      const [first, second] = await twoServers(place.url)
      const ada = createClient(first.url)
      const user = { username: 'ada', password, confirm_password: password, email }
      expect((await ada.post('/signup/', user)).status).toBe(201)
      expect((await createClient(second.url).post('/signup/', user)).status).toBe(409)

      // Logged in on one is logged in on the other; out on one is out on both.
      expect((await ada.post('/login/', { username: 'ada', password })).status).toBe(200)
      const elsewhere = at(second, ada)
      expect(await (await elsewhere.get('/me/')).json()).toMatchObject({ username: 'ada' })
      expect((await elsewhere.post('/logout/')).status).toBe(204)
      expect((await ada.get('/me/')).status).toBe(401)

      // A link that was made on one is used on both at once: one wins.
      await ada.post('/forgot/', { email })
      const link = linkIn(await newestMail(first.url, 'reset-password', email))
      const passwords = Array.from({ length: 10 }, (_, index) => `password number ${index} of ten`)
      const uses = await Promise.all(
        passwords.map((each, index) =>
          createClient([first, second][index % 2]?.url ?? '').post(link, {
            new_password: each,
            confirm_password: each,
          }),
        ),
      )
      expect(uses.map(({ status }) => status).toSorted()).toEqual([204, ...Array(9).fill(400)])
      const winner = passwords[uses.findIndex(({ status }) => status === 204)] ?? ''
      expect(
        (await createClient(second.url).post('/login/', { username: 'ada', password: winner })).status,
      ).toBe(200)

      // Five failures, counted over both, and then no more on either.
      const tries = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          createClient([first, second][index % 2]?.url ?? '').post('/login/', {
            username: 'ada',
            password: 'wrong one',
          }),
        ),
      )
      expect(tries.filter(({ status }) => status === 401)).toHaveLength(5)
      expect(tries.filter(({ status }) => status === 429)).toHaveLength(15)
    })
  },
)

it('a Redis that cannot be reached stops the start with one line', async () => {
  const server = run({
    REDIS_URL: `redis://:hunter2-and-more@127.0.0.1:${await freePort()}`,
    LOG_LEVEL: 'silent',
  })
  expect(await server.ended).toBe(1)
  expect(server.output()).toMatch(
    /^Not started: REDIS_URL names 127\.0\.0\.1:\d+, which cannot be used: .*\n$/,
  )
  expect(server.output()).not.toContain('hunter2')
})
