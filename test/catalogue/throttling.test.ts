import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  baseUrl,
  cheapHasher,
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  secret,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { times } from '@fastify-accounts/test-support/depth'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import accounts, { type AccountsOptions, createMemoryThrottleStore } from 'fastify-accounts'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { cases } from './catalogue.js'
import { logbook } from './logbook.js'
import type { Errand, Outcome, tasks } from './other-process.js'
import { expectAlike } from './responses.js'
import type { Service } from './service.js'

const minute = 60_000
const email = 'alice@example.org'
const passwords = { new_password: otherPassword, confirm_password: otherPassword }

/** A distinct IP address per number. */
const addressOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`

/** A login as a given user from a given IP address. */
function logInFrom(
  service: Service,
  { username = 'alice', password = goodPassword, address = '127.0.0.1', headers = {} } = {},
) {
  return service.send('POST', '/login/', { username, password }, { remoteAddress: address, headers })
}
const guess = (service: Service, given: Parameters<typeof logInFrom>[1] = {}) =>
  logInFrom(service, { password: 'not the password', ...given })

/** Concurrent guesses, each from its own IP address; counts the status codes. */
async function guesses(service: Service, count: number, username = 'alice'): Promise<Record<number, number>> {
  const responses = await Promise.all(
    Array.from({ length: count }, (_, index) => guess(service, { username, address: addressOf(index) })),
  )
  return tally(responses.map(({ statusCode }) => statusCode))
}

function tally(statusCodes: number[]): Record<number, number> {
  const counted: Record<number, number> = {}
  for (const each of statusCodes) counted[each] = (counted[each] ?? 0) + 1
  return counted
}

/** The device cookie in the response to a login or reset. */
function deviceOf(response: Awaited<ReturnType<typeof logInFrom>>): { cookie: string } {
  const found = response.cookies.find(({ name }) => name === 'session-device')
  if (!found) throw new Error('the response sets no device cookie')
  return { cookie: `session-device=${found.value}` }
}

let processes: Processes<keyof typeof tasks, Errand>
beforeAll(async () => {
  processes = await startProcesses(new URL('other-process.ts', import.meta.url), 2)
})
afterAll(() => processes.stop())
afterEach(() => vi.unstubAllEnvs())

cases('Throttling', ({ rule, storage }) => {
  rule(
    'THR-01',
    {
      tried:
        'a stolen session that renames the account between wrong passwords, each from a different address',
      expected: 'one budget for the account, whatever its name; the owner’s reset link clears it',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      await signUp(service, 'kim', { email })
      const headers = { cookie: await logIn(service, 'kim') }
      const statuses = []
      for (let attempts = 0; attempts < 8; attempts += 1) {
        const username = `kim${attempts}`
        const renamed = await service.send('PATCH', '/me/', { username }, { headers })
        expect(renamed.statusCode).toBe(200)
        statuses.push((await guess(service, { username, address: addressOf(attempts) })).statusCode)
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
      await service.send('POST', '/forgot/', { email })
      const link = linkPath(await service.mail('reset-password', email))
      expect((await service.send('POST', link, passwords)).statusCode).toBe(204)
      const back = { username: 'kim7', password: otherPassword, address: addressOf(9) }
      expect((await logInFrom(service, back)).statusCode).toBe(200)
    },
  )

  rule(
    'THR-01',
    {
      tried:
        'five wrong passwords from five addresses in five spellings, then the correct one; an unknown name',
      expected:
        'the sixth attempt is 429 with Retry-After and nothing is hashed, known or unknown alike; five minutes later the password works',
    },
    async ({ start, wait }) => {
      const service = await start({ throttle: {} })
      await signUp(service, 'kim')
      await wait(0)
      const blocked = []
      for (const name of ['kim', 'kam']) {
        const wide = name.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))
        const spellings = [name, name.toUpperCase(), wide, `\u212a${name.slice(1)}`, `K${name.slice(1)}`]
        for (const [index, username] of spellings.entries()) {
          const response = await guess(service, { username, address: addressOf(index) })
          expect([username, response.statusCode]).toEqual([username, 401])
        }
        const before = service.hasher.verifications
        for (const username of spellings) {
          const response = await logInFrom(service, { username, address: '10.9.9.9' })
          expect(response.json()).toMatchObject({ statusCode: 429, code: 'ACCOUNTS_THROTTLED' })
          expect(response.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0' })
          expect(Number(response.headers['retry-after'])).toBeGreaterThan(290)
          expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(300)
          expect(response.cookies).toEqual([])
          blocked.push(response)
        }
        expect(service.hasher.verifications).toBe(before)
      }
      const [first, ...others] = blocked
      if (first) expectAlike(first, ...others)
      await wait(5 * minute + 1000)
      expect((await logInFrom(service, { username: 'kim' })).statusCode).toBe(200)
      expect((await guess(service, { username: 'kam' })).statusCode).toBe(401)
    },
  )

  storage(
    'THR-01',
    {
      tried: '200 concurrent guesses at one account, from as many addresses',
      expected: 'exactly five reach the hasher',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      await signUp(service)
      for (const username of ['alice', 'nobody-here']) {
        const before = service.hasher.verifications
        expect(await guesses(service, 200, username)).toEqual({ 401: 5, 429: 195 })
        expect(service.hasher.verifications - before).toBe(5)
      }
    },
  )

  rule(
    'THR-01',
    {
      tried: '100 guesses pipelined on one socket, before the first response',
      expected: 'exactly five reach the hasher; all get a response',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      await signUp(service)
      const body = '{"username":"alice","password":"not the password"}'
      const one = (end: string) =>
        `POST /login/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${end}\r\n${body}`
      const before = service.hasher.verifications
      const { statusCode, body: rest } = await service.raw(one('').repeat(99) + one('Connection: close\r\n'))
      const statuses = [...rest.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => Number(match[1]))
      expect(tally([statusCode, ...statuses])).toEqual({ 401: 5, 429: 95 })
      expect(service.hasher.verifications - before).toBe(5)
    },
  )

  storage(
    'THR-01',
    {
      tried: '200 concurrent guesses at one account, half of them in another process',
      expected: 'exactly five reach a hasher, in both processes together',
      on: 'PostgreSQL + Redis',
      because: 'The other stores count separately in each process; docs/warnings.md warns about it.',
    },
    async ({ start, place, prefix }) => {
      if (!place) throw new Error('the ground has no place')
      await signUp(await start())
      const outcomes = await processes.race<Outcome>('send', {
        place,
        prefix,
        options: {},
        requests: Array.from({ length: 100 }, (_, index) => ({
          method: 'POST',
          url: '/login/',
          remoteAddress: addressOf(index),
          payload: { username: 'alice', password: 'not the password' },
        })),
      })
      expect(tally(outcomes.flatMap(({ statusCodes }) => statusCodes))).toEqual({ 401: 5, 429: 195 })
      expect(outcomes.reduce((sum, { verifications }) => sum + verifications, 0)).toBe(5)
    },
  )

  storage(
    'THR-01',
    {
      tried:
        'eight guesses at once, on a known device and in a session, while one password is hashed at a time and two of the account wait',
      expected:
        'those that got a 503 without a check don’t count: after the others, as many are checked as the limit leaves',
    },
    async ({ start }) => {
      let open = (): void => {}
      const gate = new Promise<void>((resolve) => {
        open = resolve
      })
      const hasher = cheapHasher()
      const { verify } = hasher
      let isHeld = false
      let verifications = 0
      hasher.verify = async (...args) => {
        verifications += 1
        if (isHeld) await gate
        return verify(...args)
      }
      const service = await start({
        throttle: {},
        passwordHasher: hasher,
        password: { concurrency: 1 },
        adapterTimeout: 10 * minute,
      })
      await signUp(service, 'alice')
      await signUp(service, 'bob')
      const device = deviceOf(await logInFrom(service))
      const session = { cookie: await logIn(service, 'bob') }
      const attempts = [
        () => guess(service, { headers: device }),
        () => service.send('POST', '/confirm/', { password: 'a wrong one' }, { headers: session }),
      ]
      isHeld = true
      verifications = 0
      const responses = attempts.flatMap((send) => Array.from({ length: 8 }, send))
      let responded = 0
      for (const each of responses) each.then(() => (responded += 1))
      // One is hashed, and two of each account wait.
      await expect.poll(() => responded).toBe(16 - 5)
      open()
      const counts = tally((await Promise.all(responses)).map(({ statusCode }) => statusCode))
      expect(Object.keys(counts)).toEqual(expect.arrayContaining(['503']))
      for (const send of attempts) for (let n = 0; n < 5; n += 1) await send()
      expect(verifications).toBe(5 + 5)
    },
  )

  rule(
    'THR-02',
    {
      tried: 'one address that attempts a thousand accounts, sequentially and concurrently',
      expected:
        '30 a minute are served, with the remaining count in RateLimit headers; other addresses are served',
    },
    async ({ start, wait }) => {
      const service = await start({ throttle: {} })
      await signUp(service)
      await wait(0)
      const accounts = times({ quick: 200, full: 1000 })
      for (let index = 0; index < accounts; index += 1) {
        const response = await guess(service, { username: `user${index}` })
        expect([index, response.statusCode]).toEqual([index, index < 30 ? 401 : 429])
        expect(response.headers).toMatchObject({
          'ratelimit-limit': '30',
          'ratelimit-remaining': String(Math.max(0, 29 - index)),
        })
        if (index >= 30) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      }
      expect((await logInFrom(service)).statusCode).toBe(429)
      expect((await logInFrom(service, { address: '10.0.0.1' })).statusCode).toBe(200)
      await wait(minute + 1000)
      const responses = await Promise.all(
        Array.from({ length: 40 }, (_, index) => guess(service, { username: `other${index}` })),
      )
      expect(tally(responses.map(({ statusCode }) => statusCode))).toEqual({ 401: 30, 429: 10 })
    },
  )

  rule(
    'THR-13',
    {
      tried:
        'sixty accounts at one address that submit their own passwords on the three routes for it, all concurrently',
      expected:
        '30 a minute across all routes reach the hasher, the others get 429; other addresses are served',
    },
    async ({ start, wait }) => {
      const service = await start({ throttle: {} })
      const cookies: string[] = []
      for (let index = 0; index < 60; index += 1) {
        const from = { remoteAddress: addressOf(index) }
        const user = { username: `user${index}`, password: goodPassword }
        await service.send('POST', '/user/', { ...user, confirm_password: goodPassword }, from)
        cookies.push(cookieOf(await service.send('POST', '/login/', user, from)))
      }
      await wait(0)
      const forms: [path: string, body: object][] = [
        ['/confirm/', { password: 'a wrong one' }],
        ['/change-password/', { old_password: 'a wrong one', ...passwords }],
        ['/change-password/form/', { old_password: 'a wrong one', ...passwords }],
      ]
      const give = (index: number, remoteAddress = '10.9.9.9') => {
        const [path, body] = forms[index % 3] ?? ['', {}]
        return service.send('POST', path, body, { headers: { cookie: cookies[index] }, remoteAddress })
      }
      const before = service.hasher.verifications
      const responses = await Promise.all(Array.from({ length: 60 }, (_, index) => give(index)))
      expect(tally(responses.map(({ statusCode }) => statusCode))).toEqual({ 400: 30, 429: 30 })
      expect(service.hasher.verifications - before).toBe(30)
      for (const response of responses.filter(({ statusCode }) => statusCode === 429)) {
        expect(response.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '0' })
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      }
      expect((await give(0, '10.0.0.1')).statusCode).toBe(400)
      await wait(minute + 1000)
      expect((await give(1)).statusCode).toBe(400)
    },
  )

  const forwarded = (index: number) => ({
    'x-forwarded-for': addressOf(index),
    forwarded: `for=${addressOf(index)}`,
    'x-real-ip': addressOf(index),
    'cf-connecting-ip': addressOf(index),
    'x-client-ip': addressOf(index),
    'true-client-ip': addressOf(index),
  })

  rule(
    'THR-03',
    {
      tried:
        'a new address in X-Forwarded-For, Forwarded, X-Real-IP and the like with each attempt, no proxy trusted',
      expected: 'one budget: the headers are ignored',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      for (let index = 0; index < 31; index += 1) {
        const response = await guess(service, { username: `user${index}`, headers: forwarded(index) })
        expect([index, response.statusCode]).toEqual([index, index < 30 ? 401 : 429])
      }
    },
  )

  rule(
    'THR-03',
    {
      tried:
        'the same with a proxy trusted by its address: through it, bypassing it, and with forged hops before its own',
      expected:
        'the address that the proxy names is counted, whatever the client put before it; clients that bypass it are counted by the socket',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} }, { server: { trustProxy: ['10.1.1.1'] } })
      const left = async (address: string, chain: string) => {
        const headers = { 'x-forwarded-for': chain, 'x-real-ip': '10.8.8.8' }
        return Number((await guess(service, { address, headers })).headers['ratelimit-remaining'])
      }
      await service.app.accounts.createUser({ username: 'alice', password: goodPassword })
      expect(await left('10.1.1.1', '192.0.2.1')).toBe(29)
      expect(await left('10.1.1.1', '192.0.2.2')).toBe(29)
      expect(await left('10.1.1.1', '198.51.100.1, 192.0.2.1')).toBe(28)
      expect(await left('10.1.1.1', '198.51.100.2, 10.1.1.1, 192.0.2.1')).toBe(27)
      expect(await left('10.6.6.6', '192.0.2.3')).toBe(29)
      // That was the account's fifth failure: from here on its own limit would block it, so raise that limit.
      const over = { limits: { loginAccount: { max: 100, window: minute } } }
      const lasting = await start({ throttle: over }, { server: { trustProxy: ['10.1.1.1'] } })
      for (let index = 0; index < 29; index += 1) {
        const headers = forwarded(index)
        expect((await guess(lasting, { address: '10.6.6.6', headers })).statusCode).toBe(401)
      }
      expect((await guess(lasting, { address: '10.6.6.6', headers: forwarded(99) })).statusCode).toBe(429)
    },
  )

  rule(
    'THR-03',
    {
      tried:
        '`trustProxy: true`, which lets the client choose the address that counts, or a number, which trusts no proxy',
      expected: 'a warning at startup that says so; the limit by account holds',
      on: 'memory',
      because: 'It concerns startup.',
    },
    async ({ start }) => {
      const warnings = { true: 'ACCOUNTS_WARN_TRUST_PROXY', 1: 'ACCOUNTS_WARN_PROXY_NUMBER' }
      for (const trustProxy of [true, 1] as true[]) {
        const log = logbook('warn')
        const service = await start({ throttle: {} }, { server: { ...log.server, trustProxy } })
        expect(log.codes()).toContain(warnings[`${trustProxy}`])
        const codes = []
        for (let index = 0; index < 40; index += 1) {
          const username = `target${trustProxy}`
          codes.push((await guess(service, { username, headers: forwarded(index) })).statusCode)
        }
        expect(tally(codes)).toEqual({ 401: 5, 429: 35 })
      }
    },
  )

  rule(
    'THR-03',
    {
      tried: 'clients without any address, over a Unix socket, also with headers that name one',
      expected: 'one budget for all of them, never none',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      const folder = await mkdtemp(join(tmpdir(), 'accounts-'))
      try {
        const socketPath = join(folder, 'http.sock')
        service.app.server.listen(socketPath)
        await once(service.app.server, 'listening')
        const codes = []
        for (let index = 0; index < 31; index += 1) {
          const request = httpRequest({
            socketPath,
            method: 'POST',
            path: '/login/',
            agent: false,
            headers: { 'content-type': 'application/json', ...forwarded(index) },
          })
          request.end(JSON.stringify({ username: `user${index}`, password: 'not the password' }))
          const [response] = (await once(request, 'response')) as [IncomingMessage]
          response.resume()
          await once(response, 'end')
          codes.push(response.statusCode ?? 0)
        }
        expect(tally(codes)).toEqual({ 401: 30, 429: 1 })
        await service.app.close()
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  )

  rule(
    'THR-03',
    {
      tried:
        'a proxy that writes a port after the client’s address, a different one each time, or something that is not an address',
      expected:
        'one budget for the address whatever the port, one for all without an address, with a warning; audit and sessions have only the address',
    },
    async ({ start }) => {
      const log = logbook('warn')
      const trusted = { server: { ...log.server, trustProxy: ['10.1.1.1'] } }
      const service = await start({ throttle: {}, session: { ip: 'full' } }, trusted)
      const user = await signUp(service)
      const ips: (string | null)[] = []
      service.app.accounts.events.on('audit', ({ ip }) => void ips.push(ip))
      let attempts = 0
      const left = async (chain: string) => {
        attempts += 1
        const headers = { 'x-forwarded-for': chain }
        const response = await guess(service, { username: `user${attempts}`, address: '10.1.1.1', headers })
        return [response.statusCode, Number(response.headers['ratelimit-remaining'])]
      }
      for (let index = 0; index < 60; index += 1) {
        const expected = index < 30 ? [401, 29 - index] : [429, 0]
        expect(await left(`192.0.2.1:${40_000 + index}`)).toEqual(expected)
      }
      expect(await left('192.0.2.2')).toEqual([401, 29])
      const buckets = [
        ['192.0.2.2:1', '::ffff:192.0.2.2', '[::ffff:192.0.2.2]:443'],
        ['2001:db8::1', '[2001:db8::1]:1', '[2001:db8::2]:2', '[2001:db8::3]'],
      ]
      for (const [at, addresses] of buckets.entries()) {
        for (const [index, address] of addresses.entries()) {
          expect([address, await left(address)]).toEqual([address, [401, 29 - index - (at === 0 ? 1 : 0)]])
        }
      }
      await service.settle()
      expect(new Set(ips)).toEqual(
        new Set(['192.0.2.1', '192.0.2.2', '::ffff:192.0.2.2', '2001:db8::1', '2001:db8::2', '2001:db8::3']),
      )
      const headers = { 'x-forwarded-for': '192.0.2.7:50123' }
      expect((await logInFrom(service, { address: '10.1.1.1', headers })).statusCode).toBe(200)
      expect((await service.sessions.listByUser(user.id)).map(({ details }) => details?.ip)).toEqual([
        '192.0.2.7',
      ])
      expect(log.codes()).not.toContain('ACCOUNTS_WARN_NO_ADDRESS')

      for (const [index, odd] of ['unknown', '_hidden', '192.0.2.1:', '192.0.2.999:1', '[::1'].entries()) {
        expect([odd, await left(odd)]).toEqual([odd, [401, 29 - index]])
      }
      expect(log.codes().filter((code) => code === 'ACCOUNTS_WARN_NO_ADDRESS')).toHaveLength(1)
    },
  )

  rule(
    'THR-14',
    {
      tried:
        'two realms of one app sharing a counter store; in one, the budgets of a client, a name and an address are used up',
      expected:
        'the other realm still responds and sends email; two mounts of the same users share each budget',
    },
    async ({ start, users, throttle }) => {
      const mails: string[] = []
      const service = await start(
        { throttle: {} },
        {
          async before(app) {
            const shared = {
              secret,
              baseUrl,
              users: true,
              passwordHasher: cheapHasher(),
              mailer: { send: async ({ kind }: { kind: string }) => void mails.push(kind) },
              throttle: { store: throttle },
            }
            await app.register(accounts, {
              ...shared,
              prefix: '/b',
              session: { cookieName: 'b' },
              decorateAs: { instance: 'b', request: 'bUser' },
            })
            await app.register(accounts, {
              ...shared,
              userStore: users,
              prefix: '/again',
              decorateAs: { instance: 'again', request: 'againUser' },
            })
          },
        },
      )
      const { send } = service
      await signUp(service, 'alice', { email })
      const body = { username: 'alice', password: goodPassword, confirm_password: goodPassword, email }
      expect((await send('POST', '/b/signup/', body)).statusCode).toBe(201)
      for (let at = 0; at < 6; at += 1) await guess(service, { address: addressOf(at) })
      for (let at = 0; at < 20; at += 1) await send('POST', '/forgot/', { email })
      const login = (prefix: string) =>
        send(
          'POST',
          `${prefix}/login/`,
          { username: 'alice', password: goodPassword },
          { remoteAddress: '10.9.9.9' },
        )
      expect((await login('')).statusCode).toBe(429)
      expect((await login('/again')).statusCode).toBe(429)
      expect((await login('/b')).statusCode).toBe(200)
      expect((await send('POST', '/forgot/', { email })).statusCode).toBe(429)
      expect((await send('POST', '/again/forgot/', { email })).statusCode).toBe(429)
      expect((await send('POST', '/b/forgot/', { email })).statusCode).toBe(202)
      await expect.poll(() => mails).toContain('reset-password')
    },
  )

  rule(
    'THR-04',
    {
      tried:
        'addresses within one /64 in every spelling; IPv4 addresses, plain and mapped into IPv6 in every form',
      expected:
        'one budget for a /64, one for each IPv4 address however it is written, and none shared by two of them',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      let attempts = 0
      const left = async (address: string) => {
        attempts += 1
        const response = await guess(service, { username: `user${attempts}`, address })
        expect([address, response.statusCode]).toEqual([address, 401])
        return Number(response.headers['ratelimit-remaining'])
      }
      const buckets = [
        [
          '2001:db8::1',
          '2001:DB8:0:0:1::2',
          '2001:0db8:0000:0000:ffff:ffff:ffff:ffff',
          '2001:db8::ffff:3',
          '2001:db8:0:0::',
        ],
        ['2001:db8:0:1::1', '2001:db8:0:1:ffff::1'],
        ['10.1.2.3', '::ffff:10.1.2.3', '::FFFF:10.1.2.3', '::ffff:0a01:0203', '0:0:0:0:0:ffff:10.1.2.3'],
        ['10.1.2.4', '::ffff:10.1.2.4', '0000:0000:0000:0000:0000:ffff:0a01:0204'],
        ['::1'],
        ['127.0.0.1', '::ffff:127.0.0.1'],
      ]
      for (const addresses of buckets) {
        for (const [index, address] of addresses.entries()) {
          expect([address, await left(address)]).toEqual([address, 29 - index])
        }
      }
    },
  )

  rule(
    'THR-15',
    {
      tried:
        'three thousand uses of links, each from its own IPv6 network, between guesses at one account, so the counters are full',
      expected: 'only counters of client addresses make room: the sixth guess gets 429',
      on: 'memory',
      because: 'other stores drop nothing that hasn’t expired',
    },
    async ({ start }) => {
      const service = await start({ throttle: { store: createMemoryThrottleStore({ maxKeys: 300 }) } })
      await signUp(service)
      const statuses = []
      for (let round = 0; round < 6; round += 1) {
        statuses.push((await guess(service, { address: addressOf(round) })).statusCode)
        const flood = Array.from({ length: 500 }, (_, n) =>
          service.app.inject({ url: '/reset/a/b/', remoteAddress: `2001:db8:${round}${n}::1` }),
        )
        await Promise.all(flood)
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    },
  )

  rule(
    'THR-16',
    {
      tried:
        'uses of links from one /64 far beyond its limit, then from many /64s of its /48, and from another /48',
      expected:
        'a /48 has ten times the limit of a /64, of which what exceeds the limit of a /64 uses nothing; other networks are served',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      const uses = async (address: string, count: number) => {
        const statuses = []
        for (let n = 0; n < count; n += 1) {
          const response = await service.send('GET', '/reset/a/b/', undefined, { remoteAddress: address })
          statuses.push(response.statusCode)
        }
        return tally(statuses)
      }
      expect(await uses('2001:db8:1::1', 250)).toEqual({ 400: 20, 429: 230 })
      for (let n = 1; n < 10; n += 1) expect(await uses(`2001:db8:1:${n}::1`, 20)).toEqual({ 400: 20 })
      expect(await uses('2001:db8:1:ffff::1', 1)).toEqual({ 429: 1 })
      expect(await uses('2001:db8:2::1', 1)).toEqual({ 400: 1 })
      expect(await uses('192.0.2.1', 1)).toEqual({ 400: 1 })
    },
  )

  rule(
    'THR-17',
    {
      tried:
        'sixty people at one address on devices known to their accounts, who mistype their passwords, log in and forget them within a minute; then strangers there',
      expected:
        'none of the sixty is rejected; the strangers have 30 logins a minute, as without them, and each response says what was left when its request came',
    },
    async ({ start, wait }) => {
      const service = await start({ throttle: {} })
      const people: { username: string; headers: { cookie: string } }[] = []
      for (let index = 0; index < 60; index += 1) {
        const username = `user${index}`
        const address = addressOf(index)
        const body = { username, password: goodPassword, confirm_password: goodPassword }
        const at = { email: `${username}@example.org` }
        await service.send('POST', '/user/', { ...body, ...at }, { remoteAddress: address })
        people.push({ username, headers: deviceOf(await logInFrom(service, { username, address })) })
      }
      await wait(0)
      const office = '10.9.9.9'
      for (const { username, headers } of people) {
        const given = { username, headers, address: office }
        const wrong = await guess(service, given)
        const right = await logInFrom(service, given)
        const forgot = await service.send(
          'POST',
          '/forgot/',
          { email: `${username}@example.org` },
          { remoteAddress: office, headers },
        )
        expect([username, wrong.statusCode, right.statusCode, forgot.statusCode]).toEqual([
          username,
          401,
          200,
          202,
        ])
        expect(Number(wrong.headers['ratelimit-remaining'])).toBeLessThan(30)
        await service.settle()
      }
      const statuses = []
      for (let n = 0; n < 31; n += 1)
        statuses.push((await guess(service, { username: `nobody${n}`, address: office })).statusCode)
      expect(tally(statuses)).toEqual({ 401: 30, 429: 1 })
    },
  )

  rule(
    'THR-17',
    {
      tried:
        'an attacker with a device known to an account of their own: guesses at an account, and at names that nobody has, with its cookie; then endless logins to their own account',
      expected:
        'the cookie lifts no limit: 30 guesses a minute, whose responses don’t tell who has an account; ten logins to the own account, then 30 more',
    },
    async ({ start, wait }) => {
      const service = await start({ throttle: {} })
      await signUp(service, 'alice', { email })
      await signUp(service, 'mallory')
      const headers = deviceOf(await logInFrom(service, { username: 'mallory', address: '10.0.0.1' }))
      await wait(0)
      let offices = 0
      /** Sixty logins from an address of their own, as what each response says. */
      const attempts = async (login: typeof guess, nameOf: (n: number) => string) => {
        offices += 1
        const address = `10.1.0.${offices}`
        const said = []
        for (let n = 0; n < 60; n += 1) {
          const response = await login(service, { headers, address, username: nameOf(n) })
          const { 'ratelimit-limit': limit, 'ratelimit-remaining': left } = response.headers
          said.push({ status: response.statusCode, limit, left })
          await service.settle()
        }
        return said
      }
      const statuses = (said: { status: number }[]) => tally(said.map(({ status }) => status))
      expect(await attempts(guess, () => 'alice')).toEqual(await attempts(guess, () => 'nobody'))
      const strangers = await attempts(guess, (n) => `nobody${n}`)
      expect(statuses(strangers)).toEqual({ 401: 30, 429: 30 })
      expect(strangers.map(({ left }) => left)).toEqual(
        Array.from({ length: 60 }, (_, n) => String(Math.max(0, 29 - n))),
      )
      expect(statuses(await attempts(logInFrom, () => 'mallory'))).toEqual({ 200: 40, 429: 20 })
    },
  )

  rule(
    'THR-07',
    {
      tried: 'an attacker logging in to their own account between guesses at another',
      expected:
        'that clears the counter of the attacker’s own account, not the victim’s, and not the address’s',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      await signUp(service, 'alice')
      await signUp(service, 'mallory')
      const left = []
      for (let round = 0; round < 5; round += 1) {
        expect((await guess(service)).statusCode).toBe(401)
        const own = await logInFrom(service, { username: 'mallory' })
        expect(own.statusCode).toBe(200)
        left.push(own.headers['ratelimit-remaining'])
      }
      expect(left).toEqual(['28', '26', '24', '22', '20'])
      expect((await guess(service)).statusCode).toBe(429)
      for (let round = 0; round < 4; round += 1) await guess(service, { username: 'mallory' })
      expect((await logInFrom(service, { username: 'mallory' })).statusCode).toBe(200)
      const cleared = { username: 'mallory', address: '10.0.0.1' }
      for (let round = 0; round < 5; round += 1) {
        expect((await guess(service, cleared)).statusCode).toBe(401)
      }
      expect((await guess(service, cleared)).statusCode).toBe(429)
    },
  )

  rule(
    'THR-08',
    {
      tried: 'a thousand guesses at an account whose owner is logged in, and wants to log in elsewhere',
      expected:
        'the session survives; the emailed link gets the owner in at once, on a device that guesses no longer affect; without it, waiting does',
    },
    async ({ start, wait }) => {
      const service = await start({ throttle: {} })
      await signUp(service, 'alice', { email })
      const cookie = await logIn(service)
      await wait(0)
      for (let batch = 0; batch < 10; batch += 1) await guesses(service, 100)
      expect(await whoIs(service, cookie)).toBe('alice')
      expect((await logInFrom(service)).statusCode).toBe(429)

      await service.send('POST', '/forgot/', { email })
      const done = await service.send('POST', linkPath(await service.mail('reset-password')), passwords)
      expect(done.statusCode).toBe(204)
      expect((await logInFrom(service, { password: otherPassword })).statusCode).toBe(200)

      await guesses(service, 100)
      expect((await logInFrom(service, { password: otherPassword })).statusCode).toBe(429)
      const headers = deviceOf(done)
      expect((await logInFrom(service, { password: otherPassword, headers })).statusCode).toBe(200)
      await wait(5 * minute + 1000)
      expect((await logInFrom(service, { password: otherPassword })).statusCode).toBe(200)
    },
  )

  rule(
    'THR-08',
    {
      tried: 'logging in from a previously used device while others guess; guessing with its cookie',
      expected:
        'it has five attempts of its own; its cookie is worthless for another account, forged, or once the password has changed',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      const user = await signUp(service, 'alice')
      await signUp(service, 'bob')
      const headers = deviceOf(await logInFrom(service))
      const spare = deviceOf(await logInFrom(service))
      const bobs = deviceOf(await logInFrom(service, { username: 'bob' }))
      await guesses(service, 10)
      await guesses(service, 10, 'bob')
      expect((await logInFrom(service)).statusCode).toBe(429)
      const forged = { cookie: `session-device=${Buffer.alloc(48, 7).toString('base64url')}` }
      const flipped = { cookie: headers.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) }
      const cut = { cookie: headers.cookie.slice(0, -4) }
      for (const brought of [bobs, forged, flipped, cut]) {
        expect((await logInFrom(service, { headers: brought })).statusCode).toBe(429)
      }
      expect((await logInFrom(service, { username: 'bob', headers })).statusCode).toBe(429)

      const known = await logInFrom(service, { headers })
      expect([known.statusCode, known.cookies.map(({ name }) => name)]).toEqual([200, ['session']])
      expect((await logInFrom(service)).statusCode).toBe(429)
      for (let round = 0; round < 5; round += 1) {
        expect((await guess(service, { headers, address: addressOf(round) })).statusCode).toBe(401)
      }
      expect((await logInFrom(service, { headers, address: '10.0.1.1' })).statusCode).toBe(429)

      expect((await logInFrom(service, { headers: spare, address: '10.0.1.2' })).statusCode).toBe(200)
      await service.app.accounts.setPassword(user.id, otherPassword)
      await guesses(service, 10)
      const late = { password: otherPassword, headers: spare, address: '10.0.1.3' }
      expect((await logInFrom(service, late)).statusCode).toBe(429)
    },
  )

  rule(
    'THR-09',
    {
      tried: 'thousands of other names and addresses, to evict the victim’s counter',
      expected: 'the victim’s counter stays; in memory the others are evicted',
      on: ['memory', 'PostgreSQL + Redis'],
      because: 'These are the two places that count attempts.',
    },
    async ({ start, prefix }) => {
      const small = prefix === undefined && { store: createMemoryThrottleStore({ maxKeys: 1000 }) }
      const service = await start({ throttle: { ...small } })
      await signUp(service)
      expect(await guesses(service, 6)).toEqual({ 401: 5, 429: 1 })
      const batches = times({ quick: 25, full: 200 })
      for (let batch = 0; batch < batches; batch += 1) {
        const names = Array.from({ length: 50 }, (_, index) => batch * 50 + index)
        await Promise.all(
          names.map((index) =>
            guess(service, { username: `flood${index}`, address: addressOf(index + 256) }),
          ),
        )
      }
      expect((await logInFrom(service, { address: '10.200.0.1' })).statusCode).toBe(429)
      expect((await logInFrom(service, { username: 'ALICE', address: '10.200.0.2' })).statusCode).toBe(429)
      if (small) expect(await guesses(service, 6, 'flood0')).toEqual({ 401: 5, 429: 1 })
    },
  )

  rule(
    'THR-10',
    {
      tried:
        'a new user and token in the path of a link with each attempt, by every method, in both spellings of the path',
      expected: '20 a minute per address, whatever the link; other addresses are served',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      for (const paths of [
        (index: number) => `/reset/${Buffer.from(`user${index}`).toString('base64url')}/tok${index}/`,
        (index: number) => `/${index % 2 ? 'user' : 'signup'}/v/dQ${index}/tok${index}/`,
      ]) {
        const codes = []
        for (let index = 0; index < 30; index += 1) {
          const method = (['GET', 'POST', 'HEAD'] as const)[index % 3] ?? 'GET'
          const path = index % 2 ? paths(index) : paths(index).slice(0, -1)
          codes.push((await service.send(method, path, method === 'POST' ? {} : undefined)).statusCode)
        }
        expect(tally(codes)).toEqual({ 400: 20, 429: 10 })
        const elsewhere = await service.send('GET', paths(31), undefined, { remoteAddress: '10.0.0.1' })
        expect(elsewhere.statusCode).toBe(400)
      }
    },
  )

  rule(
    'THR-10',
    {
      tried: 'requesting reset and verification emails, for a new address with each attempt',
      expected: '20 a minute per network address, both variants together',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      for (const urls of [
        ['/forgot/', '/forgot'],
        ['/user/v/', '/signup/v/'],
      ]) {
        const codes = []
        for (let index = 0; index < 25; index += 1) {
          const body = { email: `user${index}@example.org` }
          codes.push((await service.send('POST', urls[index % 2] ?? '', body)).statusCode)
        }
        expect(tally(codes)).toEqual({ 202: 20, 429: 5 })
      }
    },
  )

  storage(
    'THR-11',
    {
      tried:
        'guessing the old password at /change-password/, from two sessions, sequentially and concurrently',
      expected:
        'five attempts a minute per user, then 429 even with the correct one; the budget is separate, so neither this nor guessing at login locks the other',
    },
    async ({ start, wait }) => {
      // Otherwise only two wait, and the third gets 503.
      const service = await start({ throttle: {}, password: { concurrency: 5 } })
      await signUp(service)
      const cookies = [await logIn(service), await logIn(service)]
      await wait(0)
      const change = (old_password: string, index: number) =>
        service.send(
          'POST',
          '/change-password/',
          { old_password, ...passwords },
          { headers: { cookie: cookies[index % 2] }, remoteAddress: addressOf(index) },
        )
      await guesses(service, 10)
      const before = service.hasher.verifications
      const responses = await Promise.all(
        Array.from({ length: 60 }, (_, index) => change('a wrong one', index)),
      )
      expect(tally(responses.map(({ statusCode }) => statusCode))).toEqual({ 400: 5, 429: 55 })
      expect(service.hasher.verifications - before).toBe(5)
      const over = await change(goodPassword, 0)
      expect(over.json()).toMatchObject({ statusCode: 429, code: 'ACCOUNTS_THROTTLED' })
      expect(over.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0' })
      for (const cookie of cookies) expect(await whoIs(service, cookie)).toBe('alice')
      await wait(minute + 1000)
      expect((await change(goodPassword, 0)).statusCode).toBe(204)
    },
  )

  rule(
    'THR-12',
    {
      tried:
        'every limited route while attempts cannot be counted: the store rejects calls, then stops responding',
      expected:
        '503 with Retry-After, nothing is hashed, written or emailed; logged-in users stay logged in; then everything works again',
    },
    async ({ start, users, throttle, sessionRows }) => {
      const service = await start({ throttle: {}, adapterTimeout: 3000 })
      await signUp(service, 'alice', { email })
      const cookie = await logIn(service)
      const rows = await sessionRows()
      const { increment } = throttle
      const work = () => service.hasher.hashes + service.hasher.verifications
      const before = work()
      for (const broken of [
        () => Promise.reject(new Error('the counters are away')),
        () => new Promise<never>(() => {}),
        () => {
          throw new Error('thrown at once')
        },
      ]) {
        throttle.increment = broken
        const requests = [
          ['POST', '/login/', { username: 'alice', password: goodPassword }],
          ['POST', '/forgot/', { email }],
          ['GET', '/reset/dQ/tok/'],
          ['POST', '/reset/dQ/tok/', passwords],
          ['POST', '/change-password/', { old_password: goodPassword, ...passwords }],
          ['POST', '/user/', { username: 'bob', password: goodPassword, confirm_password: goodPassword }],
          ['POST', '/user/v/', { email }],
          ['GET', '/user/v/dQ/tok/'],
        ] as const
        const ask = async ([method, url, body]: (typeof requests)[number]) => {
          const response = await service.send(method, url, body, { headers: { cookie } })
          expect([url, response.statusCode]).toEqual([url, 503])
          expect(response.json().code).toBe('ACCOUNTS_UNAVAILABLE')
          expect(response.headers['retry-after']).toBe('5')
          expect(response.body).not.toMatch(/away|thrown|increment/)
        }
        await Promise.all(requests.map(ask))
      }
      expect(work()).toBe(before)
      expect(await users.findByUsername('bob')).toBeNull()
      expect(await sessionRows()).toBe(rows)
      expect(service.mails).toEqual([])
      expect(await whoIs(service, cookie)).toBe('alice')
      throttle.increment = increment
      expect((await logInFrom(service)).statusCode).toBe(200)
    },
  )

  rule(
    'THR-12',
    {
      tried:
        'several processes that count in their own memory, as indicated by node:cluster, WEB_CONCURRENCY or pm2',
      expected:
        'a warning at startup that says by how many times every limit is multiplied; none if they share a store',
      on: ['memory', 'PostgreSQL + Redis'],
      because: 'These are the two places that count attempts.',
    },
    async ({ start, throttle }) => {
      const warnings = async (options: Partial<AccountsOptions>) => {
        const log = logbook('warn')
        await start(options, log)
        return log.codes().filter((code) => code !== 'ACCOUNTS_WARN_ENUMERATION')
      }
      for (const [name, value] of [
        ['WEB_CONCURRENCY', '4'],
        ['NODE_APP_INSTANCE', '1'],
      ] as const) {
        vi.stubEnv(name, value)
        const inMemory = { throttle: { store: undefined } } as unknown as Partial<AccountsOptions>
        expect(await warnings(inMemory)).toEqual(['ACCOUNTS_WARN_MEMORY_COUNTERS'])
        expect(await warnings({ throttle: { store: throttle } })).toEqual([])
        vi.unstubAllEnvs()
      }
    },
  )
})
