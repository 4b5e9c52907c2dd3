import { setTimeout as sleep } from 'node:timers/promises'
import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { connect, driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import type { Stores } from '@fastify-accounts/test-support/faults/grounds'
import { type OnCall, watch } from '@fastify-accounts/test-support/faults/probe'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import { type Service, startService } from '@fastify-accounts/test-support/faults/service'
import { connectWithin } from '@fastify-accounts/test-support/patience'
import { type Line, openLine } from '@fastify-accounts/test-support/redis/proxy'
import {
  connect as connectRedis,
  isRedisHere,
  newPrefix,
  promptly,
  sweep,
  url,
} from '@fastify-accounts/test-support/redis/redis'
import { createMemoryThrottleStore, createMemoryUserStore } from 'fastify-accounts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Branch, branches } from './branches.js'
import { recorder, type Site } from './faults.js'

/** Timeouts in milliseconds, longer than any healthy call takes on a busy machine. */
const clientTimeout = 2000
const deadline = 3200
const plenty = { max: 1000, window: 60_000 }
/** Fewer than the requests that hang. */
const connections = 4

interface Connected {
  stores: Stores
  line: Line
  close(): Promise<void>
}

async function openDatabase(driver: 'pg' | 'mysql2'): Promise<Connected> {
  const { place, drop } = await makeDatabase(driver)
  // Without a limit: a busy server may take longer to make tables than for any query.
  const direct = await connect(place)
  await migrate(direct)
  await direct.destroy()
  const line = await openLine(place.url)
  const db = connectWithin({ driver, url: line.url }, clientTimeout, connections)
  const users = createKyselyUserStore({ db })
  return {
    line,
    stores: {
      users,
      sessions: createKyselySessionStore({ db, userStore: users }),
      throttle: createMemoryThrottleStore(),
    },
    async close() {
      await line.mend()
      await db.destroy()
      await line.close()
      await drop()
    },
  }
}

async function openRedis(): Promise<Connected> {
  const line = await openLine(url)
  const redis = await connectRedis(promptly, line.url)
  const prefix = newPrefix()
  return {
    line,
    stores: {
      users: createMemoryUserStore(),
      sessions: createRedisSessionStore({ redis, prefix }),
      throttle: createRedisThrottleStore({ redis, prefix }),
    },
    async close() {
      redis.disconnect()
      await line.close()
      const direct = await connectRedis()
      await sweep(direct, prefix)
      direct.disconnect()
    },
  }
}

const grounds = [
  ...(await driversHere(['pg', 'mysql2'])).map(({ name, title }) => ({
    name: title,
    open: () => openDatabase(name as 'pg' | 'mysql2'),
    isRemote: /^(users|sessions)\./,
  })),
  ...((await isRedisHere()) ? [{ name: 'Redis', open: openRedis, isRemote: /^(sessions|throttle)\./ }] : []),
]

const actions = [
  'login with the right password',
  'create (user)',
  'reset',
  'change-password',
  'delete own account',
]
  .map((name) => branches.find((branch) => branch.name === name))
  .filter((branch) => branch !== undefined)

// A file without tests would fail.
if (grounds.length === 0) test.todo('needs a server: PostgreSQL, MariaDB or Redis')
describe.each(grounds)('a connection to $name', ({ open, isRemote }) => {
  let connected: Connected
  let service: Service
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)

  beforeEach(async () => {
    process.on('unhandledRejection', note)
    connected = await open()
    service = await startService(connected.stores, {
      adapterTimeout: deadline,
      throttle: { limits: { login: plenty, loginAccount: plenty } },
    })
  })
  afterEach(async () => {
    await service.app.close()
    await connected.close()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  async function prepared(branch: Branch): Promise<Scene> {
    const scene = await setScene(service)
    return { ...scene, ...(await branch.prepare?.(scene)) }
  }

  /** The service recovers without intervention. */
  async function recovers(scene: Scene): Promise<void> {
    await vi.waitFor(async () => expect((await scene.logIn(goodPassword)).statusCode).toBe(200), {
      timeout: 60_000,
    })
  }

  test.each(actions)(
    'FLT-03 returns 503 while a connection cut during any store call of $name is down, then recovers',
    async (branch) => {
      const recording = recorder()
      const healthy = await prepared(branch)
      await watch(recording.onCall, () => healthy.send(branch.request(healthy)))
      for (const site of recording.sites.filter(({ method }) => isRemote.test(method))) {
        const scene = await prepared(branch)
        const witness = await setScene(service)
        const { onCall, isCut } = cutting(site)
        const response = await watch(onCall, () => scene.send(branch.request(scene)))
        await isCut
        expect([503, branch.status]).toContain(response.statusCode)
        // Any other status means that the action was done before the cut.
        const isAcknowledged = response.statusCode !== 503
        if (response.statusCode === 503) expect(response.json().code).toBe('ACCOUNTS_UNAVAILABLE')
        const refused = await witness.logIn(goodPassword)
        expect([refused.statusCode, refused.json().code]).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
        expect(refused.cookies).toEqual([])

        await connected.line.mend()
        await recovers(witness)
        const isDone = await branch.action.isDone(scene)
        const changesSomething = branch.action.again.length > 0
        if (isAcknowledged) expect(isDone).toBe(changesSomething)
        const again = await scene.send(branch.request(scene))
        expect(isDone ? branch.action.again : [branch.status]).toContain(again.statusCode)
        expect(await branch.action.isDone(scene)).toBe(changesSomething)
      }
    },
  )

  /** The call reaches the store, but the connection is cut before its result arrives. */
  function cutting({ method, nth }: Site): { onCall: OnCall; isCut: Promise<void> } {
    let tell = (): void => {}
    const isCut = new Promise<void>((resolve) => {
      tell = resolve
    })
    let calls = 0
    async function cut(inner: () => unknown): Promise<unknown> {
      connected.line.hold()
      const call = Promise.resolve(inner())
      call.catch(() => {})
      await sleep(20)
      await connected.line.cut()
      tell()
      return call
    }
    return {
      isCut,
      onCall(called, inner) {
        if (called === method) calls += 1
        return called === method && calls === nth ? cut(inner) : inner()
      },
    }
  }

  test('FLT-02 returns 503 at the deadline if the server goes silent, and leaks no connection', async () => {
    const scene = await setScene(service)
    connected.line.silence()
    for (let round = 0; round < 2; round += 1) {
      const responses = await Promise.all(Array.from({ length: 10 }, () => scene.logIn(goodPassword)))
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 503))
      expect(responses.flatMap(({ cookies }) => cookies)).toEqual([])
    }
    await connected.line.mend()
    await recovers(scene)
    expect(await scene.whoIs(scene.cookie)).toBe(scene.name)
  })

  test('FLT-17 reports not ready while the connection is cut or silent, and ready again afterwards', async () => {
    const { check } = service.app.accounts
    const isRemotePart = (part: string): boolean => isRemote.test(`${part}.`)
    const ready = async (ok: boolean): Promise<void> => {
      // A result is cached for a second.
      await vi.waitFor(
        async () => {
          const health = await check()
          expect(health).toMatchObject({ ok })
          for (const part of ['users', 'sessions', 'throttle'] as const) {
            const state = ok || !isRemotePart(part) ? 'ok' : 'unavailable'
            expect([part, health[part].state]).toEqual([part, state])
          }
        },
        { timeout: 60_000 },
      )
    }
    await ready(true)
    await connected.line.cut()
    await ready(false)
    await connected.line.mend()
    await ready(true)
    connected.line.silence()
    await ready(false)
    await connected.line.mend()
    await ready(true)
  })

  test('FLT-02 replaces connections that died silently, however many requests were using them', async () => {
    const scene = await setScene(service)
    const logIns = () => Promise.all(Array.from({ length: 10 }, () => scene.logIn(goodPassword)))
    await logIns()
    for (let round = 0; round < 2; round += 1) {
      // Existing connections stay silent forever; only new ones work.
      connected.line.hold()
      await logIns()
    }
    await recovers(scene)
    expect((await logIns()).map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
  })
})
