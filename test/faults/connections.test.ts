import { setTimeout as sleep } from 'node:timers/promises'
import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
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

/** Milliseconds: of the clients, and of the plugin. No busy machine takes so long for a call that is healthy. */
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
  const line = await openLine(place.url)
  const db = connectWithin({ driver, url: line.url }, clientTimeout, connections)
  await migrate(db)
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
  'delete oneself',
]
  .map((name) => branches.find((branch) => branch.name === name))
  .filter((branch) => branch !== undefined)

// A file without any test would fail.
if (grounds.length === 0) test.todo('wants a server: PostgreSQL, MariaDB or Redis')
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

  /** The service works again, without anybody doing anything about it. */
  async function recovers(scene: Scene): Promise<void> {
    await vi.waitFor(async () => expect((await scene.logIn(goodPassword)).statusCode).toBe(200), {
      timeout: 30_000,
    })
  }

  test.each(actions)(
    'FLT-03 that is cut in any call of $name, and refused: 503, then all is well',
    async (branch) => {
      const recording = recorder()
      const healthy = await prepared(branch)
      await watch(recording.onCall, () => healthy.send(branch.request(healthy)))
      for (const site of recording.sites.filter(({ method }) => isRemote.test(method))) {
        const scene = await prepared(branch)
        const witness = await setScene(service)
        const { onCall, isCut } = cutting(site)
        const answer = await watch(onCall, () => scene.send(branch.request(scene)))
        await isCut
        expect([503, branch.status]).toContain(answer.statusCode)
        // What is not unavailable was done before.
        const isAcknowledged = answer.statusCode !== 503
        if (answer.statusCode === 503) expect(answer.json().code).toBe('ACCOUNTS_UNAVAILABLE')
        const refused = await witness.logIn(goodPassword)
        expect([refused.statusCode, refused.json().code]).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
        expect(refused.cookies).toEqual([])

        await connected.line.mend()
        await recovers(witness)
        const isDone = await branch.action.isDone(scene)
        const isDeed = branch.action.again.length > 0
        if (isAcknowledged) expect(isDone).toBe(isDeed)
        const again = await scene.send(branch.request(scene))
        expect(isDone ? branch.action.again : [branch.status]).toContain(again.statusCode)
        expect(await branch.action.isDone(scene)).toBe(isDeed)
      }
    },
  )

  /** The call reaches the store, its answer is held back, and then the line is cut. */
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

  test('FLT-02 that is taken and never answered: 503 at the deadline, and no connection is lost for good', async () => {
    const scene = await setScene(service)
    connected.line.silence()
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => scene.logIn(goodPassword)))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 503))
      expect(answers.flatMap(({ cookies }) => cookies)).toEqual([])
    }
    await connected.line.mend()
    await recovers(scene)
    expect(await scene.whoIs(scene.cookie)).toBe(scene.name)
  })

  test('FLT-17 that is cut, or never answered, is not ready, and ready again once it answers', async () => {
    const { check } = service.app.accounts
    const isRemotePart = (part: string): boolean => isRemote.test(`${part}.`)
    const ready = async (ok: boolean): Promise<void> => {
      // An answer serves for a second.
      await vi.waitFor(
        async () => {
          const health = await check()
          expect(health).toMatchObject({ ok })
          for (const part of ['users', 'sessions', 'throttle'] as const) {
            const state = ok || !isRemotePart(part) ? 'ok' : 'unavailable'
            expect([part, health[part].state]).toEqual([part, state])
          }
        },
        { timeout: 30_000 },
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

  test('FLT-02 that died without a word is replaced, however many requests met it', async () => {
    const scene = await setScene(service)
    const logIns = () => Promise.all(Array.from({ length: 10 }, () => scene.logIn(goodPassword)))
    await logIns()
    for (let round = 0; round < 2; round += 1) {
      // Those that there are stay silent for ever; only new ones work.
      connected.line.hold()
      await logIns()
    }
    await recovers(scene)
    expect((await logIns()).map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
  })
})
