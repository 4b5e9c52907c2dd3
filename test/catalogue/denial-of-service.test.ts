import { pbkdf2 } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  cheapHasher,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
} from '@fastify-accounts/test-support/app'
import { times } from '@fastify-accounts/test-support/depth'
import { read, root } from '@fastify-accounts/test-support/source'
import { newSession } from '@fastify-accounts/testing'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createMemorySessionStore, createMemoryThrottleStore, type PasswordHasher } from 'fastify-accounts'
import { expect, onTestFinished, vi } from 'vitest'
import { cases } from './catalogue.js'
import type { Service } from './service.js'

interface Gate {
  close(): void
  open(): void
  /** Requests that reached the point of verifying a password. */
  asked: number
  underWay: number
  done: string[]
}

/** Freezes the queue's clock, so a busy machine can't make hashes look slow. */
const holdClock = () => void vi.useFakeTimers({ toFake: ['performance'] })

/** Long enough that hashes suspended by a test don't time out. */
const adapterTimeout = 10 * 60_000

/** A hasher that a test can suspend; it records running work, and the order of completed work. */
function gated(): PasswordHasher & Gate {
  const hasher = cheapHasher()
  let gate: Promise<void> | undefined
  let release = (): void => {}
  async function pass<T>(action: string, work: () => Promise<T>): Promise<T> {
    self.underWay += 1
    await gate
    self.underWay -= 1
    self.done.push(action)
    return work()
  }
  const self = {
    asked: 0,
    underWay: 0,
    done: [] as string[],
    close() {
      gate = new Promise((resolve) => {
        release = resolve
      })
    },
    open() {
      gate = undefined
      release()
    },
    hash: (password: string) => pass(`hash ${password}`, () => hasher.hash(password)),
    verify: (password: string, hash: string) =>
      pass(`verify ${password}`, () => hasher.verify(password, hash)),
    canVerify(hash: string) {
      self.asked += 1
      return hasher.canVerify(hash)
    },
    needsRehash: hasher.needsRehash,
  }
  return self
}

const credentials = { username: 'alice', password: goodPassword }
const guess = (service: Service, n: number) =>
  service.send('POST', '/login/', { username: 'alice', password: `guess number ${n}` })

/** A slow client: sends `bytes` immediately and then, if `drips`, one byte every 20 ms. */
function slowClient(port: number, bytes: string, drips: boolean): { closed: Promise<string> } {
  const socket: Socket = connect(port, '127.0.0.1')
  let response = ''
  socket.on('data', (chunk) => {
    response += chunk
  })
  // The server may close the connection while the client writes.
  socket.on('error', () => {})
  socket.write(bytes)
  const timer = setInterval(() => drips && socket.write('x'), 20)
  onTestFinished(() => void socket.destroy())
  return {
    closed: once(socket, 'close').then(() => {
      clearInterval(timer)
      return response
    }),
  }
}

/** Starts a POST whose body the test writes piece by piece. */
function uploader(port: number, path: string, framing: string) {
  const socket: Socket = connect(port, '127.0.0.1')
  let response = ''
  let error: Error | undefined
  let sent = 0
  socket.on('data', (chunk) => {
    response += chunk
  })
  socket.on('error', (thrown) => {
    error = thrown
  })
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`)
  onTestFinished(() => void socket.destroy())
  const closed = once(socket, 'close').catch(() => once(socket, 'close'))
  return {
    responded: () => expect.poll(() => response).toContain('\r\n\r\n'),
    /** Resolves when the text is sent or the connection is closed. */
    async write(text: string): Promise<void> {
      sent += text.length
      await new Promise((resolve) => {
        socket.write(text, resolve)
        closed.finally(() => resolve(undefined))
      })
    },
    isClosed: () => socket.destroyed,
    closed,
    response: () => response,
    error: () => error,
    sent: () => sent,
  }
}

/** A client that sends the same request again and again, without waiting for responses. */
function pipeliner(port: number, request: string) {
  const socket: Socket = connect(port, '127.0.0.1')
  let response = ''
  socket.on('data', (chunk) => {
    response += chunk
  })
  // The server may close the connection while the client writes.
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return {
    /** Resolves when the kernel has them. */
    send: (times: number) => new Promise((resolve) => socket.write(request.repeat(times), resolve)),
    statuses: () => [...response.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status)),
    response: () => response,
    closed: once(socket, 'close'),
  }
}

/** The TypeScript files in a folder, as paths from the root of the project. */
function filesOf(folder: string): string[] {
  const names = readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => folder + name)
}

/** Bytes of the heap in use after a garbage collection. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

const day = 24 * 3600_000

/** As when a proxy speaks HTTP/1.0 to the server. */
async function closeConnection(_request: unknown, reply: FastifyReply): Promise<void> {
  reply.header('connection', 'close')
}

/**
 * A hasher that is slow only by the queue's clock.
 * @param milliseconds duration of the next hash; 1100 by default
 */
function slowly(hasher: PasswordHasher, milliseconds = () => 1100): PasswordHasher {
  holdClock()
  const after = <T>(work: () => Promise<T>) => {
    vi.advanceTimersByTime(milliseconds())
    return work()
  }
  return {
    ...hasher,
    hash: (password) => after(() => hasher.hash(password)),
    verify: (password, hash) => after(() => hasher.verify(password, hash)),
  }
}

/** Runs the event loop until the condition is met; `expect.poll` would advance the frozen clock. */
async function turns(until: () => boolean): Promise<void> {
  while (!until()) await new Promise(setImmediate)
}

/** The cookies of many logged-in users. */
async function insiders(service: Service, count: number): Promise<string[]> {
  const cookies = []
  for (let n = 0; n < count; n += 1) {
    const username = `insider${n}`
    await service.app.accounts.createUser({ username, password: goodPassword, isVerified: true })
    cookies.push(await logIn(service, username))
  }
  return cookies
}

/** A logged-in user confirms their password. */
const confirm = (service: Service, cookie: string, password: string) =>
  service.send('POST', '/confirm/', { password }, { headers: { cookie } })

const inQueue = { on: 'memory', because: 'no store is involved' } as const

cases('Denial of service', ({ rule }) => {
  for (const concurrency of [1, 3]) {
    rule(
      'DOS-01',
      {
        tried: `two hundred concurrent logins, ${concurrency} hashed at a time`,
        expected:
          'that many are hashed, 64 wait, the others get 503 with Retry-After at once; routes that hash nothing respond in the meantime',
      },
      async ({ start }) => {
        holdClock()
        const hasher = gated()
        const service = await start({ passwordHasher: hasher, password: { concurrency }, adapterTimeout })
        await signUp(service)
        const headers = { cookie: await logIn(service) }
        hasher.close()
        const responses: number[] = []
        const all = Array.from({ length: 200 }, async (_, n) => {
          const response = await guess(service, n)
          responses.push(response.statusCode)
          return response
        })
        await expect.poll(() => responses.length).toBe(200 - 64 - concurrency)
        await service.settle()
        expect(hasher.underWay).toBe(concurrency)
        // No rejected request waited for a hash: none has completed yet.
        expect(responses).toEqual(Array(200 - 64 - concurrency).fill(503))
        for (const url of ['/api-root/', '/me/', '/user/']) {
          expect((await service.send('GET', url, undefined, { headers })).statusCode).toBe(200)
        }
        hasher.open()
        const done = await Promise.all(all)
        for (const response of done.filter(({ statusCode }) => statusCode === 503)) {
          expect(response.json()).toMatchObject({ code: 'ACCOUNTS_UNAVAILABLE' })
          expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
        }
        expect(done.filter(({ statusCode }) => statusCode === 401)).toHaveLength(64 + concurrency)
      },
    )
  }

  rule(
    'DOS-01',
    {
      tried: 'long hashes on every thread of libuv’s pool; three requests for the current user',
      expected:
        'they get their responses before any of the hashes is done: nothing on that path waits for the pool',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service)
      const headers = { cookie: await logIn(service) }
      const ask = async () => (await service.send('GET', '/me/', undefined, { headers })).statusCode
      // Warms up the drivers: they connect, and read one-time data.
      expect(await ask()).toBe(200)
      const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4)
      let done = 0
      const hashes = Array.from({ length: threads }, async () => {
        await promisify(pbkdf2)('password', 'salt', 2_000_000, 64, 'sha512')
        done += 1
      })
      const responses = [await ask(), await ask(), await ask()]
      expect({ responses, done }).toEqual({ responses: [200, 200, 200], done: 0 })
      await Promise.all(hashes)
    },
  )

  rule(
    'DOS-01',
    {
      tried:
        'the queue is full of strangers’ guesses; someone logs in on a known device, someone changes the password',
      expected: 'both are done before the strangers, who get only every fourth hash',
    },
    async ({ start }) => {
      holdClock()
      const hasher = gated()
      const service = await start({ passwordHasher: hasher, password: { concurrency: 1 }, adapterTimeout })
      await signUp(service, 'alice')
      await signUp(service, 'bob')
      const login = await service.send('POST', '/login/', credentials)
      const device = login.cookies.find(({ name }) => name === 'session-device')
      const cookie = await logIn(service, 'bob')
      hasher.close()
      hasher.done.length = 0
      const responses: number[] = []
      const strangers = Array.from({ length: 100 }, async (_, n) =>
        responses.push((await guess(service, n)).statusCode),
      )
      await expect.poll(() => responses.length).toBe(100 - 64 - 1)
      const known = { headers: { cookie: `session-device=${device?.value}` } }
      const before = hasher.asked
      const onDevice = service.send('POST', '/login/', credentials, known)
      const form = { new_password: otherPassword, confirm_password: otherPassword }
      const changing = service.send(
        'POST',
        '/change-password/',
        { old_password: goodPassword, ...form },
        { headers: { cookie } },
      )
      await expect.poll(() => hasher.asked).toBe(before + 2)
      await service.settle()
      hasher.open()
      const statuses = (await Promise.all([onDevice, changing])).map(({ statusCode }) => statusCode)
      expect(statuses).toEqual([200, 204])
      await Promise.all(strangers)
      // One stranger's hash was running; the new password is hashed after the old one, with the same priority.
      expect(hasher.done.slice(1, 3)).toEqual([`verify ${goodPassword}`, `verify ${goodPassword}`])
      expect(hasher.done.indexOf(`hash ${otherPassword}`)).toBeLessThan(6)
    },
  )

  rule(
    'DOS-01',
    {
      tried: 'forty concurrent logins, one hashed at a time; a hash takes a second',
      expected:
        'those whose turn comes within eight seconds wait, the others get 503 with Retry-After at once',
      ...inQueue,
    },
    async ({ start }) => {
      const hasher = gated()
      const service = await start({
        passwordHasher: slowly(hasher),
        password: { concurrency: 1 },
        adapterTimeout,
      })
      await signUp(service)
      hasher.close()
      const refused: Awaited<ReturnType<typeof guess>>[] = []
      const all = Array.from({ length: 40 }, async (_, n) => {
        const response = await guess(service, n)
        if (response.statusCode === 503) refused.push(response)
        return response.statusCode
      })
      await expect.poll(() => refused.length).toBe(40 - 7 - 1)
      for (const response of refused) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      hasher.open()
      expect((await Promise.all(all)).filter((status) => status === 401)).toHaveLength(7 + 1)
    },
  )

  for (const concurrency of [1, 3]) {
    rule(
      'DOS-05',
      {
        tried: `forty logged-in users submit their passwords while twelve strangers log in, ${concurrency} hashed at a time`,
        expected: 'one in four hashes is for a stranger, as long as strangers wait',
        ...inQueue,
      },
      async ({ start }) => {
        holdClock()
        const hasher = gated()
        const service = await start({ passwordHasher: hasher, password: { concurrency }, adapterTimeout })
        await signUp(service)
        const cookies = await insiders(service, 20)
        const cookieOf = (n: number) => cookies[n % 20] ?? ''
        hasher.close()
        const first = Array.from({ length: concurrency }, (_, n) =>
          confirm(service, cookieOf(n), `first ${n}`),
        )
        await expect.poll(() => hasher.underWay).toBe(concurrency)
        hasher.done.length = 0
        hasher.asked = 0
        const all = [
          ...Array.from({ length: 40 }, (_, n) => confirm(service, cookieOf(n), `insider ${n}`)),
          ...Array.from({ length: 12 }, (_, n) => guess(service, n)),
        ]
        await expect.poll(() => hasher.asked).toBe(40 + 12)
        hasher.open()
        const statuses = (await Promise.all([...first, ...all])).map(({ statusCode }) => statusCode)
        expect(statuses.filter((status) => status === 400)).toHaveLength(40 + concurrency)
        expect(statuses.filter((status) => status === 401)).toHaveLength(12)
        const order = hasher.done.map((action) =>
          action.startsWith('verify guess') ? 'stranger' : 'insider',
        )
        const last = order.lastIndexOf('stranger')
        for (let at = 0; at + 4 <= last; at += 1) expect(order.slice(at, at + 4)).toContain('stranger')
        // Otherwise the insiders go first.
        expect(order.slice(0, 16).filter((who) => who === 'insider').length).toBeGreaterThanOrEqual(12)
      },
    )
  }

  rule(
    'DOS-11',
    {
      tried: 'one account logs in fifty times at once from a known device, then two others on theirs',
      expected:
        'two of the account’s logins wait, the others get 503 with Retry-After at once; after one of them it is the others’ turn',
      ...inQueue,
    },
    async ({ start }) => {
      holdClock()
      const hasher = gated()
      const service = await start({ passwordHasher: hasher, password: { concurrency: 1 }, adapterTimeout })
      const deviceOf = async (username: string): Promise<string> => {
        await service.app.accounts.createUser({ username, password: goodPassword, isVerified: true })
        const { cookies } = await service.send('POST', '/login/', { username, password: goodPassword })
        const device = cookies.find(({ name }) => name === 'session-device')
        return `session-device=${device?.value}`
      }
      const [mallory, alice, bob] = [
        await deviceOf('mallory'),
        await deviceOf('alice'),
        await deviceOf('bob'),
      ]
      const order: string[] = []
      const enter = async (username: string, cookie: string) => {
        const response = await service.send(
          'POST',
          '/login/',
          { username, password: goodPassword },
          { headers: { cookie } },
        )
        if (response.statusCode === 200) order.push(username)
        return response
      }
      hasher.close()
      const greedy = Array.from({ length: 50 }, () => enter('mallory', mallory))
      let refused = 0
      for (const each of greedy) {
        each.then(({ statusCode, headers }) => {
          if (statusCode === 503 && Number(headers['retry-after']) > 0) refused += 1
        })
      }
      await expect.poll(() => refused).toBe(50 - 2 - 1)
      hasher.asked = 0
      const others = [enter('alice', alice), enter('bob', bob)]
      await expect.poll(() => hasher.asked).toBe(2)
      await service.settle()
      hasher.open()
      const responses = await Promise.all(others)
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200])
      await Promise.all(greedy)
      expect(order).toEqual(['mallory', 'mallory', 'alice', 'bob', 'mallory'])
    },
  )

  rule(
    'DOS-11',
    {
      tried:
        'an unverified account’s link, used with a wrong password on twenty devices that have logged in to it, then a login of another account on a known device',
      expected:
        'two of them wait, the others get 503 with Retry-After at once; it is the other account’s turn',
      ...inQueue,
    },
    async ({ start }) => {
      holdClock()
      const hasher = gated()
      const service = await start({ passwordHasher: hasher, password: { concurrency: 1 }, adapterTimeout })
      await signUp(service, 'mallory', { email: 'mallory@evil.example' })
      await signUp(service, 'alice')
      const enter = (username: string, cookie = '') =>
        service.send('POST', '/login/', { username, password: goodPassword }, { headers: { cookie } })
      const deviceOf = async (username: string): Promise<string> =>
        `session-device=${(await enter(username)).cookies.find(({ name }) => name === 'session-device')?.value}`
      const known = await deviceOf('alice')
      const devices: string[] = []
      for (let n = 0; n < 20; n += 1) devices.push(await deviceOf('mallory'))
      await service.send('POST', '/user/v/', { email: 'mallory@evil.example' })
      const link = linkPath(await service.mail('verify-email'))
      hasher.close()
      let refused = 0
      const greedy = devices.map(async (cookie) => {
        const response = await service.send(
          'POST',
          `${link}password/`,
          { password: 'a wrong one' },
          { headers: { cookie } },
        )
        if (response.statusCode === 503 && Number(response.headers['retry-after']) > 0) refused += 1
      })
      await turns(() => refused === 20 - 2 - 1)
      hasher.done.length = 0
      hasher.asked = 0
      const owner = enter('alice', known)
      await turns(() => hasher.asked === 1)
      await service.settle()
      hasher.open()
      expect((await owner).statusCode).toBe(200)
      await Promise.all(greedy)
      expect(hasher.done.indexOf(`verify ${goodPassword}`)).toBe(2)
    },
  )

  rule(
    'DOS-15',
    {
      tried:
        'thirty-three accounts that log in with their right passwords on known devices again and again, twice at a time, from as many client addresses; a stranger, and someone on a known device',
      expected:
        'once an account has had its hashes that go first, the others wait with those of strangers, two of each account; the known device is served first, then the stranger',
      on: ['memory', 'PostgreSQL + Redis'],
      because: 'These are the two places that count attempts.',
    },
    async ({ start, wait }) => {
      const hasher = gated()
      const service = await start({
        passwordHasher: hasher,
        password: { concurrency: 1 },
        adapterTimeout,
        throttle: { limits: { priorityHashes: { max: 2, window: 5 * 60_000 } } },
      })
      await wait(0)
      vi.useFakeTimers({ toFake: ['Date', 'performance'] })
      const enter = (username: string, n: number, cookie = '', password = goodPassword) =>
        service.send(
          'POST',
          '/login/',
          { username, password },
          { headers: { cookie }, remoteAddress: `10.0.0.${n}` },
        )
      const deviceOf = async (username: string, n: number, password = goodPassword): Promise<string> => {
        await service.app.accounts.createUser({ username, password, isVerified: true })
        const { cookies } = await enter(username, n, '', password)
        return `session-device=${cookies.find(({ name }) => name === 'session-device')?.value}`
      }
      const devices: string[] = []
      for (let n = 0; n < 33; n += 1) devices.push(await deviceOf(`mallory${n}`, n))
      const known = await deviceOf('alice', 100, otherPassword)
      for (const [n, device] of devices.entries()) {
        for (let times = 0; times < 2; times += 1)
          expect((await enter(`mallory${n}`, n, device)).statusCode).toBe(200)
      }
      hasher.close()
      const running = enter('alice', 103, '', 'the first guess')
      await turns(() => hasher.underWay === 1)
      hasher.asked = 0
      hasher.done.length = 0
      const stranger = enter('alice', 101, '', 'a guess')
      await turns(() => hasher.asked === 1)
      let refused = 0
      const greedy = devices.flatMap((device, n) =>
        [0, 1, 2].map(async (from) => {
          const { statusCode } = await enter(`mallory${n}`, 100 + 3 * n + from, device)
          if (statusCode === 503) refused += 1
          return statusCode
        }),
      )
      // Of each account two wait, as long as there is room for strangers, of whom 64 can.
      await turns(() => refused === 33 * 3 - 63)
      hasher.asked = 0
      const owner = enter('alice', 102, known, otherPassword)
      await turns(() => hasher.asked === 1)
      await service.settle()
      hasher.open()
      const statuses = (await Promise.all([running, owner, stranger])).map(({ statusCode }) => statusCode)
      expect(statuses).toEqual([401, 200, 401])
      expect((await Promise.all(greedy)).filter((status) => status === 200)).toHaveLength(63)
      expect(hasher.done.slice(0, 3)).toEqual([
        'verify the first guess',
        `verify ${otherPassword}`,
        'verify a guess',
      ])
    },
  )

  rule(
    'DOS-15',
    {
      tried: 'wrong passwords from an old device of an account; then a stranger waits, and its owner logs in',
      expected:
        'only right passwords use up the hashes that go first: the owner is served before the stranger',
      on: ['memory', 'PostgreSQL + Redis'],
      because: 'These are the two places that count attempts.',
    },
    async ({ start, wait }) => {
      const hasher = gated()
      const service = await start({
        passwordHasher: hasher,
        password: { concurrency: 1 },
        adapterTimeout,
        throttle: { limits: { priorityHashes: { max: 1, window: 5 * 60_000 } } },
      })
      await wait(0)
      vi.useFakeTimers({ toFake: ['Date', 'performance'] })
      const enter = (n: number, cookie: string, password: string) =>
        service.send(
          'POST',
          '/login/',
          { username: 'alice', password },
          { headers: { cookie }, remoteAddress: `10.0.0.${n}` },
        )
      await service.app.accounts.createUser({ username: 'alice', password: goodPassword, isVerified: true })
      const { cookies } = await enter(1, '', goodPassword)
      const device = `session-device=${cookies.find(({ name }) => name === 'session-device')?.value}`
      for (let guess = 0; guess < 3; guess += 1)
        expect((await enter(1, device, `the guess ${guess}`)).statusCode).toBe(401)
      hasher.close()
      const running = enter(2, '', 'the first guess')
      await turns(() => hasher.underWay === 1)
      hasher.asked = 0
      hasher.done.length = 0
      const stranger = enter(3, '', 'a guess')
      await turns(() => hasher.asked === 1)
      hasher.asked = 0
      const owner = enter(4, device, goodPassword)
      await turns(() => hasher.asked === 1)
      await service.settle()
      hasher.open()
      const statuses = (await Promise.all([running, owner, stranger])).map(({ statusCode }) => statusCode)
      expect(statuses).toEqual([401, 200, 401])
      expect(hasher.done).toEqual(['verify the first guess', `verify ${goodPassword}`, 'verify a guess'])
    },
  )

  rule(
    'DOS-06',
    {
      tried: 'seventy concurrent logins, one hashed at a time, before the first hash of the process is done',
      expected:
        'nobody knows yet how long a hash takes: 64 wait, the others get 503 with Retry-After at once',
      ...inQueue,
    },
    async ({ start }) => {
      holdClock()
      const hasher = gated()
      hasher.close()
      const service = await start({ passwordHasher: hasher, password: { concurrency: 1 }, adapterTimeout })
      const refused: Awaited<ReturnType<typeof guess>>[] = []
      const all = Array.from({ length: 70 }, async (_, n) => {
        const response = await guess(service, n)
        if (response.statusCode === 503) refused.push(response)
        return response.statusCode
      })
      await expect.poll(() => refused.length).toBe(70 - 64)
      for (const response of refused) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      hasher.open()
      expect((await Promise.all(all)).filter((status) => status === 401)).toHaveLength(64)
    },
  )

  rule(
    'DOS-06',
    {
      tried:
        'twenty logged-in users submit their passwords, then twenty strangers log in; a hash takes 1.1 seconds',
      expected:
        'only the two strangers whose turn comes within eight seconds wait, counting those ahead of them; the others get 503 at once',
      ...inQueue,
    },
    async ({ start }) => {
      const hasher = gated()
      const service = await start({
        passwordHasher: slowly(hasher),
        password: { concurrency: 1 },
        adapterTimeout,
      })
      await signUp(service)
      const cookies = await insiders(service, 20)
      hasher.close()
      const refused: string[] = []
      const send = async (who: string, request: ReturnType<typeof guess>) => {
        const { statusCode } = await request
        if (statusCode === 503) refused.push(who)
      }
      const known = cookies.map((cookie, n) => send('insider', confirm(service, cookie, `insider ${n}`)))
      await expect.poll(() => refused.length).toBe(20 - 7 - 1)
      const strangers = Array.from({ length: 20 }, (_, n) => send('stranger', guess(service, n)))
      await expect.poll(() => refused.filter((who) => who === 'stranger').length).toBe(20 - 2)
      hasher.open()
      await Promise.all([...known, ...strangers])
    },
  )

  rule(
    'DOS-06',
    {
      tried: 'the first hashes take a tenth of the time of the others, as when the cores get busy',
      expected: 'the estimate follows: of forty concurrent logins, seven wait',
      ...inQueue,
    },
    async ({ start }) => {
      const hasher = gated()
      let hashes = 0
      const service = await start({
        passwordHasher: slowly(hasher, () => (hashes++ < 2 ? 110 : 1100)),
        password: { concurrency: 1 },
        adapterTimeout,
      })
      await signUp(service)
      for (let n = 0; n < 16; n += 1) await guess(service, n)
      hasher.close()
      let refused = 0
      const all = Array.from({ length: 40 }, async (_, n) => {
        if ((await guess(service, n)).statusCode === 503) refused += 1
      })
      await expect.poll(() => refused).toBe(40 - 7 - 1)
      hasher.open()
      await Promise.all(all)
    },
  )

  rule(
    'DOS-07',
    {
      tried:
        'a hash that never finishes; a stranger, a logged-in user and someone on a known device wait for theirs',
      expected: 'after eight seconds each gets 503 with Retry-After and no hash; not before',
      ...inQueue,
    },
    async ({ start }) => {
      const hasher = gated()
      const service = await start({ passwordHasher: hasher, password: { concurrency: 1 }, adapterTimeout })
      await signUp(service)
      const login = await service.send('POST', '/login/', credentials)
      const cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
      hasher.close()
      hasher.done.length = 0
      const endless = guess(service, 0)
      await turns(() => hasher.underWay === 1)
      hasher.asked = 0
      const responses: number[] = []
      const waiting = [
        guess(service, 1),
        confirm(service, cookie, 'my own password'),
        service.send('POST', '/login/', { ...credentials, password: 'a known one' }, { headers: { cookie } }),
      ]
      for (const each of waiting) each.then(({ statusCode }) => responses.push(statusCode))
      await turns(() => hasher.asked === 3)
      await vi.advanceTimersByTimeAsync(7_999)
      expect(responses).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      for (const response of await Promise.all(waiting)) {
        expect(response.json()).toMatchObject({ statusCode: 503, code: 'ACCOUNTS_UNAVAILABLE' })
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      }
      hasher.open()
      expect((await endless).statusCode).toBe(401)
      expect((await guess(service, 2)).statusCode).toBe(401)
      expect(hasher.done).toEqual(['verify guess number 0', 'verify guess number 2'])
    },
  )

  rule(
    'DOS-07',
    {
      tried: 'the app is closed while one hash is computed and others wait',
      expected: 'the one gets its response; those waiting get 503 with Retry-After, and no connection is cut',
      ...inQueue,
    },
    async ({ start }) => {
      const hasher = gated()
      const service = await start({ passwordHasher: hasher, password: { concurrency: 1 }, adapterTimeout })
      await signUp(service)
      vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
      hasher.close()
      const made = guess(service, 0)
      await turns(() => hasher.underWay === 1)
      hasher.asked = 0
      const waiting = [guess(service, 1), guess(service, 2)]
      await turns(() => hasher.asked === 2)
      const closed = service.app.close()
      await vi.advanceTimersByTimeAsync(3_000)
      for (const response of await Promise.all(waiting)) {
        expect(response.json()).toMatchObject({ statusCode: 503, code: 'ACCOUNTS_UNAVAILABLE' })
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      }
      hasher.open()
      expect((await made).statusCode).toBe(401)
      vi.useRealTimers()
      await closed
    },
  )

  rule(
    'DOS-08',
    {
      tried:
        'clients that disconnect while waiting for their hash: at login, at sign-up, with a reset link, and when submitting the current password',
      expected: 'none of their passwords is hashed; the next in line goes ahead',
      ...inQueue,
    },
    async ({ start }) => {
      holdClock()
      const hasher = gated()
      let [arrived, left] = [0, 0]
      const watch = (app: FastifyInstance) =>
        app.addHook('preHandler', async (_request, { raw }) => {
          arrived += 1
          raw.once('close', () => {
            left += 1
          })
        })
      const service = await start(
        { passwordHasher: hasher, password: { concurrency: 1 }, adapterTimeout },
        { before: watch },
      )
      await signUp(service, 'alice', { email: 'alice@example.org' })
      const cookie = await logIn(service)
      await service.send('POST', '/forgot/', { email: 'alice@example.org' })
      const resetLink = linkPath(await service.mail('reset-password'))
      const port = await service.listen()
      hasher.close()
      hasher.done.length = 0
      const underWay = guess(service, 0)
      await expect.poll(() => hasher.underWay).toBe(1)
      await service.settle()
      arrived = 0
      left = 0
      const choice = { new_password: otherPassword, confirm_password: otherPassword }
      const forms: [path: string, body: object][] = [
        ['/login/', { username: 'alice', password: 'gone' }],
        ['/login/', { username: 'nobody', password: 'gone' }],
        ['/user/', { username: 'bob', password: otherPassword, confirm_password: otherPassword }],
        [resetLink, choice],
        ['/confirm/', { password: 'gone' }],
        ['/change-password/', { old_password: 'gone', ...choice }],
        ['/change-password/form/', { old_password: 'gone', ...choice }],
      ]
      const sockets = forms.map(([path, body]) => {
        const socket = connect(port, '127.0.0.1')
        const text = JSON.stringify(body)
        const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n`
        const type = `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n`
        socket.write(`${head}${type}\r\n${text}`)
        return socket
      })
      await expect.poll(() => arrived).toBe(forms.length)
      await service.settle()
      for (const socket of sockets) socket.destroy()
      await expect.poll(() => left).toBe(forms.length)
      const next = guess(service, 1)
      hasher.open()
      expect((await underWay).statusCode).toBe(401)
      expect((await next).statusCode).toBe(401)
      await service.settle()
      expect(hasher.done).toEqual(['verify guess number 0', 'verify guess number 1'])
    },
  )

  rule(
    'DOS-02',
    {
      tried:
        'headers sent byte by byte, a body sent the same way, and two hundred silent sockets; the host has set `requestTimeout` (docs/warnings.md)',
      expected:
        'all are closed at the timeout, those that had begun a request with 408; others are served in the meantime',
      on: 'memory',
      because: 'no store is called before a request is complete',
    },
    async ({ start }) => {
      const service = await start(
        {},
        // The documented settings, scaled down: Node applies the longer timeout to the body, and checks twice a minute.
        { server: { requestTimeout: 3000, http: { headersTimeout: 1500, connectionsCheckingInterval: 50 } } },
      )
      await signUp(service)
      const port = await service.listen()
      const head = 'POST /login/ HTTP/1.1\r\nHost: localhost\r\n'
      const body = `${head}Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n{"username":"alice","password":"`
      const slow = [slowClient(port, `${head}X-Slow: `, true), slowClient(port, body, true)]
      const idle = Array.from({ length: 200 }, () => slowClient(port, '', false))
      expect((await fetch(`http://127.0.0.1:${port}/api-root/`)).status).toBe(200)
      expect((await service.send('POST', '/login/', credentials)).statusCode).toBe(200)
      // A client that is still writing may get a reset before it reads the response.
      for (const { closed } of slow) expect(await closed).toMatch(/^$|^HTTP\/1\.1 408 /)
      await Promise.all(idle.map(({ closed }) => closed))
      expect(
        await new Promise((resolve) => service.app.server.getConnections((_, count) => resolve(count))),
      ).toBeLessThan(3)
    },
  )

  rule(
    'DOS-02',
    {
      tried:
        'bodies that stop arriving, to a route and to a page, without `requestTimeout`; bodies that arrive in time, or of a type that nothing reads, or that a hook of the app refuses',
      expected:
        '408 ACCOUNTS_REQUEST_TIMEOUT after ten seconds, as JSON or as a page, and the connection is closed; the others leave no timer behind, which would keep them in memory',
      on: 'memory',
      because: 'no store is called before a request is complete',
    },
    async ({ start }) => {
      let waiting = 0
      const service = await start(
        // Over before the timers are counted.
        { adapterTimeout: 5000 },
        {
          // The plugin's timer runs by now; its parser follows in the same turn.
          before: (app) =>
            app.addHook('preParsing', ({ headers }, _reply, _payload, done) => {
              const isRefused = headers['content-type'] === 'application/refused'
              done(isRefused ? Object.assign(new Error('no'), { statusCode: 403 }) : undefined)
              waiting += 1
            }),
        },
      )
      const port = await service.listen()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const bodyOf = (path: string, accept: string) =>
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":`
      const slow = [
        slowClient(port, bodyOf('/forgot/', 'application/json'), false),
        slowClient(port, bodyOf('/reset/a/b/', 'text/html'), false),
      ]
      const responses: string[] = []
      for (const { closed } of slow) closed.then((response) => responses.push(response))
      await turns(() => waiting === 2)
      vi.advanceTimersByTime(9_999)
      expect((await service.send('GET', '/api-root/')).statusCode).toBe(200)
      expect(responses).toEqual([])
      vi.advanceTimersByTime(1)
      const [json = '', page = ''] = await Promise.all(slow.map(({ closed }) => closed))
      for (const response of [json, page])
        expect(response).toMatch(/^HTTP\/1\.1 408 .*\r\nconnection: close\r\n/is)
      expect(JSON.parse(json.split('\r\n\r\n')[1] ?? '')).toMatchObject({
        statusCode: 408,
        code: 'ACCOUNTS_REQUEST_TIMEOUT',
      })
      expect(page).toContain('<!doctype html>')
      expect(page).toContain('took too long')
      waiting = 0
      const late = uploader(port, '/logout/', 'Connection: close\r\nContent-Length: 2')
      await turns(() => waiting === 1)
      expect(vi.getTimerCount()).toBe(1)
      await late.write('{}')
      await late.closed
      expect(late.response()).toMatch(/^HTTP\/1\.1 204 /)
      expect(vi.getTimerCount()).toBe(0)
      for (const [type, status] of [
        ['text/xml', 415],
        ['application/refused', 403],
      ] as const) {
        const headers = { 'content-type': type }
        const response = await service.app.inject({ method: 'POST', url: '/logout/', headers, payload: '{}' })
        expect(response.statusCode).toBe(status)
        const head = `POST /logout/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}`
        const unread = slowClient(port, `${head}\r\nContent-Length: 2\r\n\r\n{}`, false)
        expect(await unread.closed).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
        await expect.poll(() => vi.getTimerCount()).toBe(0)
      }
    },
  )

  rule(
    'DOS-02',
    {
      tried: 'a start in production without `requestTimeout`, and with it',
      expected: 'the warning ACCOUNTS_WARN_REQUEST_TIMEOUT, and none',
    },
    async ({ start, log }) => {
      vi.stubEnv('NODE_ENV', 'production')
      onTestFinished(() => void vi.unstubAllEnvs())
      await start({}, { server: { requestTimeout: 120_000 } })
      expect(log.text()).not.toContain('ACCOUNTS_WARN_REQUEST_TIMEOUT')
      await start()
      expect(log.text()).toContain('ACCOUNTS_WARN_REQUEST_TIMEOUT')
    },
  )

  rule(
    'DOS-04',
    {
      tried:
        'a body that is rejected while it is still being sent: above the limit, without a login, with a wrong method, from another site',
      expected:
        'the response comes at once, the connection is closed for writing, and the rest of the body is read and dropped: no connection reset, which a proxy would count as a failed service',
      on: 'memory',
      because: 'no store is called before a request is complete',
    },
    async ({ start }) => {
      const service = await start({}, { before: (host) => host.addHook('onSend', closeConnection) })
      const port = await service.listen()
      for (const [path, framing, status] of [
        ['/login/', 'Content-Length: 1000000', 413],
        ['/me/', 'Content-Length: 1000000', 405],
        ['/change-email/', 'Content-Length: 1000000', 401],
        ['/login/', 'Content-Length: 1000000\r\nSec-Fetch-Site: cross-site', 403],
      ] as const) {
        const client = uploader(port, path, framing)
        await client.responded()
        expect(client.response()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
        for (let part = 0; part < 100; part += 1) await client.write('x'.repeat(10_000))
        await client.closed
        expect([path, client.sent(), client.error()]).toEqual([path, 1_000_000, undefined])
      }
    },
  )

  rule(
    'DOS-04',
    {
      tried: 'rejected bodies that never end: one sent at full speed, one that stalls',
      expected: 'closed after a few megabytes, and after a few seconds',
      on: 'memory',
      because: 'no store is called before a request is complete',
    },
    async ({ start }) => {
      const service = await start()
      const port = await service.listen()
      const fast = uploader(port, '/login/', 'Content-Length: 1000000000')
      const silent = uploader(port, '/login/', 'Content-Length: 1000000000')
      const megabyte = 'x'.repeat(1024 * 1024)
      while (!fast.isClosed() && fast.sent() < 200_000_000) await fast.write(megabyte)
      // Part of what was written is in the buffers of both ends.
      expect(fast.sent()).toBeLessThan(50_000_000)
      await silent.responded()
      await silent.closed
      expect(silent.response()).toMatch(/^HTTP\/1.1 413 /)
    },
  )

  rule(
    'DOS-09',
    {
      tried:
        'twenty requests on one connection without waiting for the responses, then twenty more; later thousands at once',
      expected:
        'the second twenty aren’t read until the first have their responses; of the thousands a hundred are served, the next gets 503 and the connection is closed; other clients are served in the meantime',
      on: 'memory',
      because: 'no store is called before a request is admitted',
    },
    async ({ start }) => {
      let arrived = 0
      let isHeld = true
      const held: (() => void)[] = []
      const hold = async (request: { url: string }) => {
        if (request.url !== '/me/') return
        arrived += 1
        if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
      }
      const service = await start({}, { before: (host) => host.addHook('preHandler', hold) })
      await signUp(service)
      const headers = { cookie: await logIn(service) }
      const port = await service.listen()
      const client = pipeliner(port, `GET /me/ HTTP/1.1\r\nHost: a\r\nCookie: ${headers.cookie}\r\n\r\n`)
      const others = async () => {
        for (let n = 0; n < 5; n += 1)
          expect((await fetch(`http://127.0.0.1:${port}/api-root/`)).status).toBe(200)
      }
      await client.send(20)
      await expect.poll(() => arrived).toBe(20)
      await client.send(20)
      await others()
      expect(arrived).toBe(20)
      // Node.js itself reads on after a response.
      held.shift()?.()
      await expect.poll(() => client.statuses().length).toBe(1)
      await others()
      expect(arrived).toBe(20)
      isHeld = false
      for (const goOn of held) goOn()
      await expect.poll(() => client.statuses().length).toBe(40)
      expect(client.statuses()).toEqual(Array(40).fill(200))

      arrived = 0
      const flood = pipeliner(port, 'GET /me/ HTTP/1.1\r\nHost: a\r\n\r\n')
      await flood.send(2000)
      await others()
      await flood.closed
      expect(flood.statuses()).toEqual([...Array(100).fill(401), 503])
      expect(flood.response()).toMatch(/connection: close/i)
      expect(flood.response()).toMatch(/retry-after: 5/i)
    },
  )

  rule(
    'DOS-10',
    {
      tried:
        'fifteen hundred uses of links at once, from one client address, then as many, each from its own',
      expected:
        'of the first, all over the limit get 429; all of the second get their response, and so does a logged-in user who asks after them',
      on: 'memory',
      because: 'no store but that of the counters is called',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      await signUp(service)
      const headers = { cookie: await logIn(service) }
      const uses = async (addressOf: (n: number) => string) => {
        const all = Array.from({ length: 1500 }, (_, n) =>
          service.app.inject({ url: '/reset/a/b/', remoteAddress: addressOf(n) }),
        )
        return Promise.all(all)
      }
      const count = (responses: Awaited<ReturnType<typeof uses>>, status: number) =>
        responses.filter(({ statusCode }) => statusCode === status).length
      const one = await uses(() => '192.0.2.1')
      expect([count(one, 400), count(one, 429)]).toEqual([20, 1480])
      const many = uses((n) => `10.0.${n >> 8}.${n & 255}`)
      expect((await service.app.inject({ url: '/me/', headers })).statusCode).toBe(200)
      expect(count(await many, 400)).toBe(1500)
    },
  )

  rule(
    'DOS-03',
    {
      tried:
        'a million addresses and names, each attempted a few times, after one account has reached its failure limit',
      expected: 'the in-memory counters stay within their bound; the account’s own counter survives: 429',
      on: 'memory',
      because: 'with Redis, counters expire by its own clock; elsewhere they are the in-memory ones',
    },
    async ({ start }) => {
      const store = createMemoryThrottleStore()
      const service = await start({ throttle: { store } })
      await signUp(service)
      const attempts = (count: number) => Array.from({ length: count }, (_, n) => guess(service, n))
      const failed = await Promise.all(attempts(5))
      expect(failed.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401, 401])
      const flood = async (from: number, to: number): Promise<void> => {
        for (let n = from; n < to; n += 1) {
          await store.increment(n % 2 ? `ip:login:192.0.2.${n}` : `login:name:user-${n}`, day)
          if (n % 7 === 0) await store.increment(`login:name:user-${n}`, day)
        }
      }
      await flood(0, 200_000)
      const full = heapInUse()
      await flood(200_000, times({ quick: 400_000, full: 1_000_000 }))
      expect(heapInUse() - full).toBeLessThan(20_000_000)
      expect((await service.send('POST', '/login/', credentials)).statusCode).toBe(429)
    },
  )

  rule(
    'DOS-03',
    {
      tried: 'three hundred sessions of three users that are never ended',
      expected: 'their rows are swept once they have expired',
    },
    async ({ start, wait, sessionRows }) => {
      vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] })
      const service = await start({ session: { absoluteTimeout: day, idleTimeout: day } })
      const names = ['alice', 'bob', 'carol']
      for (const name of names) await signUp(service, name)
      for (let batch = 0; batch < 10; batch += 1) {
        await Promise.all(Array.from({ length: 30 }, (_, n) => logIn(service, names[n % 3])))
      }
      expect(await sessionRows()).toBe(300)
      await wait(day + 1000)
      await vi.advanceTimersByTimeAsync(10 * 60_000)
      await expect.poll(sessionRows).toBe(0)
    },
  )

  rule(
    'DOS-03',
    {
      tried: 'every map, set, queue and waiting line in the sources that outlives a request',
      expected: 'each has a bound, named in the test; the in-memory session store is empty after its sweep',
      on: 'memory',
      because: 'the test reads the sources',
    },
    async () => {
      const found: string[] = []
      const names = readdirSync(`${root}packages`)
        .filter((name) => existsSync(`${root}packages/${name}/src`))
        .flatMap((name) => filesOf(`packages/${name}/src/`))
      for (const path of names) {
        if (/\/(testing|kit|benchmark)\//.test(path)) continue
        for (const [, name, list] of read(path).matchAll(collection)) {
          found.push(`${path.replace('packages/', '').replace('/src/', '/')} ${name ?? list}`)
        }
      }
      expect([...new Set(found)].sort()).toEqual(Object.keys(bounds).sort())

      const store = createMemorySessionStore()
      const before = heapInUse()
      const expiresAt = new Date(Date.now() + 60_000)
      const count = times({ quick: 30_000, full: 100_000 })
      for (let n = 0; n < count; n += 1) {
        await store.create(newSession({ id: `session-${n}`, userId: `user-${n}`, expiresAt }))
      }
      const full = heapInUse()
      expect(await store.deleteExpired(new Date(Date.now() + 61_000))).toBe(count)
      expect(heapInUse() - before).toBeLessThan((full - before) / 5)
    },
  )
})

/** A map, a set or a queue; or a list that starts empty in a function that may be called once for all requests. */
const collection =
  /(\w+)(?:: [^=\n]+)? = (?:\w+\(.*=> )?new (?:Map|Set|PQueue)\b|^ {2}(?:const|let) (\w+): .+\[\] = \[\]/gm

/** What keeps each collection from growing with requests. */
const bounds: Record<string, string> = {
  'accounts/start/assemble.ts invitationTargets': 'those of the features, at the start',
  'hashes/wordpress.ts bytes': 'the sixteen of one hash, within one call',
  'organizations/deletion.ts steps':
    'the organizations of one account, within one deletion: `limits.organizations`',
  'organizations/export-memberships.ts found': 'the organizations of one account, within one call',
  'organizations/invitations/list-member-invitations.ts open': 'one page of invitations, within one call',
  'organizations/invitations/list-own-invitations.ts results': 'one page of invitations, within one call',
  'organizations/membership/list-members.ts members': 'one page of members, within one call',
  'organizations/store/memory-organization-store.ts byId':
    'the organizations themselves; in production it stops the start',
  'organizations/store/memory-organization-store.ts members':
    'the memberships themselves: `limits.members` for each organization',
  'table-stores/organization-store.ts byId': 'one page of memberships, within one call',
  'accounts/adapters/outages.ts chain': 'the causes of one error, within one call',
  'accounts/http/navigation.ts handlers': 'one constraint of the mount, at the start',
  'pages/account/place-rows.ts list': 'the rows of one page',
  'pages/entrance/confirm.ts providers': 'the providers, for one page',
  'pages/frame/compact.ts compacted': 'the scripts of the sources: nothing of a request is in them',
  'pages/frame/policy.ts digests': 'the same scripts, and the styles of the mount and its layout',
  'pages/parts/languages.ts names': 'the languages that the mount offers',
  'accounts/cli/with-email.ts failures': 'CLI only',
  'accounts/cli/with-user.ts found': 'CLI only',
  'accounts/cli/commands/doctor.ts findings': 'CLI only',
  'accounts/cli/after-restore/discard-emails.ts newer': 'CLI only',
  'accounts/cli/doctor/check-users.ts findings': 'CLI only',
  'accounts/events/batch.ts waiting': '10,000 events, then the next are dropped',
  'accounts/events/derive.ts drafts': 'the events of one change, within one call',
  'accounts/events/derive.ts fields': 'the fields of one change, within one call',
  'accounts/events/interest.ts subscribers': 'those of the options and features, at the start',
  'accounts/events/interest.ts wanted': 'one entry for each type of event',
  'accounts/events/refusals.ts counts': '10,000 accounts and actions, then others are not told',
  'accounts/outbox/remover.ts done': '10,000, then the oldest are forgotten',
  'accounts/features/activity/subscriber/activity-writer.ts userIds':
    'the entries of one call: no more than the events that are delivered at once',
  'accounts/features/activity/subscriber/entry-of.ts byOwner': 'a constant list',
  'accounts/features/activity/subscriber/entry-of.ts notTheirs': 'fixed',
  'accounts/features/check-routes.ts places': 'the routes of the features, at the start',
  'accounts/features/invitations/invited/export-invitations.ts found':
    'at most 2,500 invitations, within one call',
  'accounts/features/invitations/invited/export-invitations.ts received':
    'at most 2,000 invitations, within one call',
  'accounts/features/invitations/list-invitations.ts open': 'one page of invitations, within one call',
  'accounts/features/compose.ts cookies': 'the cookies of the features, at the start',
  'kysely/users/user-search.ts found': 'one page of users, during a call',
  'kysely/base/errors.ts denied': 'a fixed list',
  'kysely/base/errors.ts readOnly': 'a fixed list',
  'kysely/base/errors.ts refusals': 'a fixed list',
  'kysely/inspect/privileges.ts lines': 'within one call',
  'kysely/migrate/run-migrations.ts ran': 'the migrations; CLI only',
  'accounts/adapters/describe-error.ts lines': 'within one call',
  'accounts/cli/doctor/check-database.ts warnings': 'CLI only',
  'accounts/cli/doctor/check-users.ts found': 'CLI only',
  'accounts/cli/doctor/check-users.ts others': 'CLI only',
  'accounts/cli/doctor/stored-addresses.ts found': 'a fixed list of causes',
  'accounts/cli/doctor/stored-addresses.ts ids': 'ten',
  'accounts/cli/doctor/stored-addresses.ts keyless': 'addresses without a key, to find equal ones; CLI only',
  'accounts/cli/doctor/check-users.ts roles': 'CLI only: the names of roles in the store',
  'accounts/cli/doctor/start-plugin.ts warnings': 'CLI only',
  'accounts/cli/commands/outbox.ts letters': 'CLI only',
  'accounts/cli/commands/outbox.ts counts': 'CLI only',
  'accounts/cli/import/batches.ts batch': 'CLI only',
  'accounts/cli/import/mail-outcomes.ts outcomes': 'CLI only: the emails under way, four at once',
  'accounts/cli/import/known-columns.ts held': 'CLI only',
  'accounts/copies.ts copies': 'the installed copies of the package',
  'accounts/defaults/memory-activity-store.ts byId':
    'a thousand entries of an account, for 90 days; what is older is removed every ten minutes',
  'accounts/defaults/memory-invitation-store.ts byId':
    'the invitations themselves; in production the app doesn’t start without a store',
  'accounts/defaults/memory-user-store.ts inOrder':
    'the users themselves; in production the app doesn’t start without a store',
  'accounts/throttle/throttle.ts counts': 'within one call',
  'kysely/open/sqlite-changes.ts seen': 'one per question',
  'kysely/open/sqlite-drivers.ts causes': 'within one call',
  'kysely/users/user-batches.ts free': 'within one call',
  'providers/bounded-fetch.ts parts': 'within one call, of bounded length',
  'providers/id-token.ts connections': 'one per client id in an option',
  'providers/issuer-errors.ts words': 'within one call',
  'accounts/users/invitations/accept-along.ts claimed': 'within one call: 21 invitations at most',
  'accounts/users/invitations/ask-about.ts found': 'within one call: 20 invitations at most',
  'accounts/users/ownership/newest-sign-up.ts gone': 'within one call, by fields of a user',
  'accounts/users/ownership/verbs.ts gone': 'the credentials of one account, within one change',
  'accounts/features/second-factor/reset-user-factors.ts gone':
    'the credentials of one account, within one change',
  'accounts/seams/closable.ts names': 'the methods of one store',
  'accounts/seams/closable.ts underWay': 'the running calls of an integrator’s store',
  'accounts/passwords/pepper.ts keys': 'the keys of the option `password.pepper`',
  'accounts/adapters/watch-hasher.ts begun': 'the running hashes, at most the concurrency',
  'accounts/cli/import/known-columns.ts missing': 'the columns of a command; CLI only',
  'accounts/cli/import/mapping.ts no': 'a fixed list',
  'accounts/cli/import/mapping.ts sources': 'the columns of a file',
  'accounts/cli/import/mapping.ts yes': 'a fixed list',
  'accounts/cli/import/batches.ts names': 'one batch; CLI only',
  'accounts/cli/import/batches.ts underWay': 'a few batches; CLI only',
  'accounts/cli/import/identities.ts issuerOf': 'a fixed list and the command line; CLI only',
  'accounts/cli/import/mapping.ts mapped': 'the command line; CLI only',
  'accounts/cli/import/proofs.ts readers': 'the features; CLI only',
  'accounts/features/api-keys/keys/import.ts byId': 'one line of a file; CLI only',
  'accounts/features/api-keys/keys/new-key.ts faults': 'three fields',
  'accounts/features/api-keys/keys/note-use.ts underWay': 'a hundred, until the deadline of a store call',
  'accounts/features/api-keys/settings.ts scopes': 'a hundred, at the start',
  'accounts/tokens/api-key.ts gone': 'the keys of one account',
  'accounts/tokens/api-key.ts identities': 'the keys of one account',
  'accounts/features/second-factor/import/better-auth.ts versions': 'the secrets of another system; CLI only',
  'accounts/features/second-factor/import/codes.ts codes': 'one line of a file; CLI only',
  'accounts/features/second-factor/import/readers.ts apps': 'one line of a file; CLI only',
  'passkeys/columns.ts columns': 'the columns of one row; CLI only',
  'passkeys/import.ts passkeys': 'one line of a file; CLI only',
  'accounts/adapters/deadline.ts waiting': 'removed with its call, at the deadline at the latest',
  'kysely/run/row-cache.ts rows': 'cleared at 5,000 rows',
  'providers/tokens-of.ts underWay': 'the host’s own calls, one per identity, until the provider’s deadline',
  'accounts/defaults/memory-outbox.ts byId':
    'a thousand waiting emails, further ones are dropped, except kinds bounded by a budget; 10,000 events for each subscriber',
  'accounts/defaults/memory-outbox.ts byRealm': 'the same',
  'accounts/defaults/memory-session-store.ts byId': 'swept every ten minutes',
  'accounts/defaults/memory-session-store.ts byUser': 'removed with the last session of its user',
  'accounts/defaults/memory-throttle-store.ts byKey': 'maxKeys, 100,000',
  'accounts/defaults/memory-throttle-store.ts kinds': '100',
  'accounts/defaults/memory-throttle-store.ts heads': 'one per count and window among those keys',
  'accounts/defaults/memory-user-store.ts byId':
    'the users themselves; in production the app doesn’t start without a store',
  'accounts/defaults/memory-user-store.ts idByKey': 'the same',
  'accounts/logins/awaiting-factor.ts names': 'one login',
  'accounts/outbox/poll-times.ts timers': 'one for each twentieth of the next five seconds',
  'accounts/emails/retries.ts obstacles': 'cleared at a thousand',
  'accounts/emails/retries.ts refused': 'three recipients',
  'accounts/outbox/claimer.ts underWay': 'five',
  'accounts/events/handler-calls.ts running': 'five: one for each message under way',
  'accounts/events/split.ts backlogs': 'one for each subscriber',
  'accounts/events/courier.ts lines': 'one for each subscriber, and one that splits',
  'accounts/events/courier.ts to': 'the same',
  'accounts/start/courier-log.ts tellDelay': 'one for each subscriber',
  'accounts/features/compose-subscribers.ts all': 'the same',
  'accounts/features/compose-subscribers.ts types': 'the types of events of the features, at the start',
  'accounts/emails/postman.ts backlogs': 'one for each realm: two',
  'accounts/identifiers/reserved-usernames.ts reservedUsernames': 'a fixed list',
  'accounts/start/plugin.ts operations': 'the routes of a mount, at the start',
  'accounts/start/link-kinds.ts origins': 'the trusted origins, at the start',
  'table-stores/driver-errors.ts codes': 'the codes of one error and its causes',
  'table-stores/driver-errors.ts momentary': 'a fixed list',
  'table-stores/driver-errors.ts uniqueViolations': 'a fixed list',
  'accounts/tokens/vault.ts keys': 'one per secret',
  'kysely/users/identities.ts held': 'the identities of one user',
  'accounts/errors.ts featureErrors': 'the error codes of the features, at the start',
  'accounts/errors.ts featureReasons': 'the reasons of the features, at the start',
  'accounts/features/compose.ts names': 'the features, at the start',
  'accounts/languages/languages.ts byTag': 'the offered languages',
  'accounts/languages/languages.ts matches': 'maxKept, 200 headers of 100 characters',
  'accounts/languages/languages.ts rightToLeft': 'a fixed list',
  'accounts/passwords/lane.ts byAccount': '64 wait of each kind, two of an account; more get 503',
  'accounts/http/move-routes.ts byShape': 'the routes, at the start',
  'accounts/http/move-routes.ts names': 'the routes, at the start',
  'accounts/http/openapi/openapi-errors.ts byStatus': 'the errors of a route, at the start',
  'accounts/http/input/read-body.ts chunks': 'the largest body',
  'accounts/features/staff/find-by-start.ts users': 'one page, during a request',
  'kysely/users/alongside.ts passing': 'constants',
  'accounts/http/guard/throttle-by-ip.ts limiters': 'the budgets',
  'accounts/adapters/scrub.ts seen': 'within one call',
  'accounts/sessions/session-cookie.ts verified': '10,000 with valid signatures, then the oldest is removed',
  'accounts/sessions/session-tokens.ts verified': '10,000 with valid signatures, then the oldest is removed',
  'accounts/http/output/state-header.ts next': 'the parts of one header of at most 4 KiB, during a request',
  'accounts/sessions/session-cap.ts ending': 'users whose sessions over the cap are being ended',
  'accounts/validation.ts byField': 'the faults of one request',
  'kysely/base/errors.ts contended': 'a fixed list',
  'kysely/base/errors.ts duplicate': 'a fixed list',
  'kysely/base/errors.ts locked': 'a fixed list',
  'kysely/base/errors.ts unknownColumn': 'a fixed list',
  'kysely/base/errors.ts unknownTable': 'a fixed list',
  'kysely/columns/names.ts holders': 'within one call, at the start',
  'kysely/open/prepared-names.ts names': '5000 texts of the stores’ statements',
  'kysely/base/errors.ts notPrepared': 'a fixed list',
  'kysely/open/prepared-names.ts prepared': '200 texts',
  'kysely/columns/session-row.ts lists': 'cleared at 100 texts',
  'kysely/columns/renamed-columns.ts columnsByName': 'the columns of a table',
  'kysely/columns/renamed-columns.ts names': 'the columns of a table',
  'kysely/open/sqlite-handle.ts statements': 'cleared when full',
  'kysely/run/turn-batches.ts keys': 'the lookups of one turn, at most 100, until their query begins',
  'kysely/users/user-batches.ts holders': 'within one call',
  'accounts/cli/schema/drizzle.ts functions': 'the types of columns; CLI only',
  'accounts/cli/schema/drizzle.ts used': 'the types of columns; CLI only',
  'kysely/adopt/fitting-forms.ts flags': 'a fixed list',
  'kysely/adopt/unread-columns.ts read': 'the columns of a table; CLI only',
  'kysely/activity/activity-store.ts userIds': 'the entries of one call',
  'kysely/adopt/adopted-columns.ts undecided': 'the columns of a table; CLI only',
  'kysely/adopt/fill-keys.ts faulty': 'rows of a table; CLI only',
  'kysely/adopt/apply-changes.ts refused': 'a batch of 100; CLI only',
  'kysely/adopt/column-choices.ts choices': 'the columns of a table; CLI only',
  'kysely/adopt/dated-flags.ts statements': 'the flags of a user; CLI only',
  'kysely/adopt/sampled-columns.ts held': 'the columns of a table; CLI only',
  'kysely/adopt/survey-columns.ts lines': 'the columns of a table; CLI only',
  'kysely/adopt/fitting-forms.ts times': 'a fixed list',
  'kysely/base/errors.ts outOfTime': 'a fixed list',
  'kysely/base/errors.ts transactionEnded': 'a fixed list',
  'kysely/inspect/inspect-tables.ts faults': 'the columns of a table; CLI only',
  'kysely/inspect/inspect-tables.ts found': 'the columns of a table; CLI only',
  'kysely/inspect/inspect-tables.ts describedNames': 'the columns of a table; CLI only',
  'kysely/inspect/inspect-tables.ts lines': 'the columns of a table; CLI only',
  'kysely/inspect/live-tables.ts byName': 'the indexes of a table; CLI only',
  'kysely/adopt/survey-columns.ts ours': 'the columns of a table; CLI only',
  'kysely/adopt/survey-columns.ts treated': 'a fixed list',
  'kysely/adopt/survey-rows.ts nulls': 'the columns of a table; CLI only',
  'kysely/adopt/survey-rows.ts times': 'the columns of a table; CLI only',
  'kysely/adopt/survey-rows.ts unknown': 'rows of a table; CLI only',
  'kysely/adopt/survey-users.ts columnsByName': 'the columns of a table; CLI only',
  'kysely/users/user-search.ts noTexts': 'a fixed list',
  'kysely/run/statement.ts built': 'the sets of columns that an update changes',
  'nodemailer/mailer.ts underWay': 'as many as the postman sends at a time',
}
