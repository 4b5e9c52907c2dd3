import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import { isQuick, sample } from '@fastify-accounts/test-support/depth'
import {
  databases,
  memory,
  type OpenGround,
  type Stores,
} from '@fastify-accounts/test-support/faults/grounds'
import { watch } from '@fastify-accounts/test-support/faults/probe'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import { type Service, startService } from '@fastify-accounts/test-support/faults/service'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Branch, branches } from './branches.js'
import { type FaultName, saboteur } from './faults.js'

const grounds = isQuick ? [memory] : [memory, ...databases]

describe.each(grounds)('on $name', (each) => {
  const { open } = each
  // Below full depth, each on memory and one database.
  const own =
    each === memory ? branches : branches.filter(({ name }) => sample(name, databases).includes(each))
  let ground: OpenGround
  let service: Service
  beforeAll(async () => {
    ground = await open()
    service = await startService(ground)
  })
  afterAll(async () => {
    await service.app.close()
    await ground.close()
  })

  test('FLT-09 losing every session row logs everyone out, causes no errors, and logging in still works', async () => {
    const confirming = await startService(ground, { requireEmailConfirmation: true })
    for (const branch of own) {
      const scene = await setScene(branch.confirms ? confirming : service)
      const ready = { ...scene, ...(await branch.prepare?.(scene)) }
      for (const { id } of await ground.sessions.listByUser(scene.user.id)) await ground.sessions.delete(id)
      const response = await ready.send(branch.request(ready))
      expect([branch.name, response.statusCode < 500]).toEqual([branch.name, true])
      expect([await scene.whoIs(scene.cookie), await scene.whoIs(scene.other)]).toEqual([null, null])
    }
    const scene = await setScene(service)
    for (const { id } of await ground.sessions.listByUser(scene.user.id)) await ground.sessions.delete(id)
    expect((await scene.logIn(goodPassword)).statusCode).toBe(200)
    await confirming.app.close()
  })

  test.each<FaultName>(['rejects', 'responds late', 'applied, result lost'])(
    'FLT-15 if the first session after a sign-up fails (%s), a later login works, and there is one user',
    async (fault) => {
      const { fresh, send, logIn, remoteAddress } = await setScene(service)
      const hasty = await startService(ground, { adapterTimeout: 300 })
      const payload = { ...fresh, password: goodPassword, confirm_password: goodPassword }
      expect((await send({ method: 'POST', url: '/signup/', payload })).statusCode).toBe(201)

      // The probes' name for it if a single write stores the login and its session.
      const method = ground.sessions.withUsers?.update ? 'users.update' : 'sessions.create'
      const trouble = saboteur({ method, nth: 1 }, fault)
      const login = { method: 'POST', url: '/login/', remoteAddress } as const
      const credentials = { username: fresh.username, password: goodPassword }
      const response = await watch(trouble.onCall, () => hasty.send({ ...login, payload: credentials }))
      expect([response.json().code, response.cookies]).toEqual(['ACCOUNTS_UNAVAILABLE', []])
      await trouble.end()
      expect((await logIn(goodPassword, fresh.username)).statusCode).toBe(200)
      const again = await send({ method: 'POST', url: '/signup/', payload })
      expect(again.json().code).toBe('ACCOUNTS_USERNAME_TAKEN')
      await hasty.app.close()
    },
  )
})

describe.each(grounds)('a client that disconnects, on $name', ({ open }) => {
  let ground: OpenGround
  let service: Service
  /** Awaited before the next store call. */
  let interrupt: (() => Promise<void>) | undefined
  let underWay = 0
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)

  beforeAll(async () => {
    process.on('unhandledRejection', note)
    ground = await open()
    service = await startService({
      users: interruptible(ground.users),
      sessions: interruptible(ground.sessions),
      throttle: interruptible(ground.throttle),
    } satisfies Stores)
    await service.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await service.app.close()
    await ground.close()
    process.off('unhandledRejection', note)
  })
  afterEach(() => expect(unhandled).toEqual([]))

  function interruptible<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get(target, key) {
        const method = Reflect.get(target, key)
        if (typeof method !== 'function') return method
        return async (...args: unknown[]) => {
          underWay += 1
          const [wait] = [interrupt]
          interrupt = undefined
          try {
            await wait?.()
            return await Reflect.apply(method, target, args)
          } finally {
            underWay -= 1
          }
        }
      },
    })
  }

  async function prepared(name: string): Promise<{ branch: Branch; scene: Scene }> {
    const branch = branches.find((each) => each.name === name) as Branch
    const scene = await setScene(service)
    return { branch, scene: { ...scene, ...(await branch.prepare?.(scene)) } }
  }

  async function dial(): Promise<Socket> {
    const socket = connect((service.app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }

  /** The raw HTTP request, with its whole body or half of it. */
  function bytesOf({ branch, scene }: { branch: Branch; scene: Scene }, whole: boolean): string {
    const { method = 'GET', url, payload, headers } = branch.request(scene)
    const body = JSON.stringify(payload)
    const head = [
      `${method} ${url} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ]
    return `${head.join('\r\n')}\r\n\r\n${whole ? body : body.slice(0, body.length / 2)}`
  }

  const actions = ['create (user)', 'reset', 'change-password']

  test.each(actions)('FLT-14 a client disconnect during %s never leaves it half-done', async (name) => {
    const request = await prepared(name)
    const { branch, scene } = request
    const socket = await dial()
    const isGone = new Promise<void>((resolve) => {
      interrupt = async () => {
        const closed = once(socket, 'close')
        socket.destroy()
        await closed
        resolve()
      }
    })
    socket.write(bytesOf(request, true))
    await isGone
    await quiet()
    const isDone = await branch.action.isDone(scene)
    const again = await scene.send(branch.request(scene))
    expect(isDone ? branch.action.again : [branch.status]).toContain(again.statusCode)
    expect(await branch.action.isDone(scene)).toBe(true)
  })

  test.each(actions)(
    'FLT-14 a client that disconnects while sending the body of %s changes nothing',
    async (name) => {
      const request = await prepared(name)
      const socket = await dial()
      socket.write(bytesOf(request, false))
      socket.destroy()
      await once(socket, 'close')
      await quiet()
      expect(await request.branch.action.isDone(request.scene)).toBe(false)
    },
  )

  /** Resolves when no store has been called for a while. */
  async function quiet(): Promise<void> {
    let rounds = 0
    const isQuiet = () => {
      rounds = underWay === 0 ? rounds + 1 : 0
      expect(rounds).toBeGreaterThan(5)
    }
    await vi.waitFor(isQuiet, 60_000)
  }

  test('FLT-14 the service works normally after clients disconnect', async () => {
    const scene = await setScene(service)
    expect((await scene.logIn(otherPassword)).statusCode).toBe(401)
    expect((await scene.logIn(goodPassword)).statusCode).toBe(200)
  })
})
