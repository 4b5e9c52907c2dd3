import { createHash } from 'node:crypto'
import {
  cookieOf,
  goodPassword,
  logIn,
  otherPassword,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { createScryptHasher, type User } from 'fastify-accounts'
import { expect, onTestFinished, vi } from 'vitest'
import { scrypt } from '../../packages/accounts/src/defaults/scrypt-kdf.js'
import { cases } from './catalogue.js'
import { expectAlike } from './responses.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'

const login = (service: Service, username: unknown, password: unknown, headers = {}) =>
  service.send('POST', '/login/', { username, password }, { headers })

/** Writes a hash to the store directly, bypassing the plugin. */
async function plant({ users }: Service, { id }: User, passwordHash: string): Promise<void> {
  const user = await users.findById(id)
  if (!user || !(await users.update(id, { passwordHash }, user.version)))
    throw new Error('the hash was not written')
}

/** A hash in scrypt-kdf's format, with a valid checksum, that demands this much work. */
function hashThatAsksFor({ logN, r, p }: { logN: number; r: number; p: number }): string {
  const bytes = Buffer.alloc(96, 7)
  bytes.write('scrypt\0', 'latin1')
  bytes.writeUInt8(logN, 7)
  bytes.writeUInt32BE(r, 8)
  bytes.writeUInt32BE(p, 12)
  createHash('sha256').update(bytes.subarray(0, 48)).digest().copy(bytes, 48, 0, 16)
  return bytes.toString('base64')
}

/** Watches scrypt until the test ends: `spent` returns the work N·r·p since the last call. */
function watchScrypt(): { spent(): number } {
  const verify = vi.spyOn(scrypt, 'verify')
  const kdf = vi.spyOn(scrypt, 'kdf')
  onTestFinished(() => void vi.restoreAllMocks())
  return {
    spent() {
      const verified = verify.mock.calls.map(([key]) => Buffer.from(key as Uint8Array))
      const works = [
        ...verified.map((key) => 2 ** key.readUInt8(7) * key.readUInt32BE(8) * key.readUInt32BE(12)),
        ...kdf.mock.calls.map(([, { logN, r = 8, p = 1 }]) => 2 ** logN * r * p),
      ]
      verify.mockClear()
      kdf.mockClear()
      return works.reduce((sum, work) => sum + work, 0)
    },
  }
}

/** Captures the log of an app. */
function logbook() {
  const lines: string[] = []
  return {
    text: () => lines.join(''),
    server: { logger: { level: 'trace', stream: { write: (line: string) => void lines.push(line) } } },
  }
}

cases('Login', ({ rule }) => {
  rule(
    'LOG-01',
    {
      tried: 'wrong passwords for a nonexistent name, and for accounts in every state',
      expected: '401, byte-identical, after one hash and the same store query',
    },
    async ({ start, sessionRows }) => {
      const service = await start({ requireEmailConfirmation: true, throttle: {} })
      const states = {
        sound: await signUp(service, 'sound', { email: 'sound@example.org' }),
        unverified: await signUp(service, 'unverified', { email: 'unverified@example.org' }),
        disabled: await signUp(service, 'disabled', { email: 'disabled@example.org' }),
        unusable: await signUp(service, 'unusable', { email: 'unusable@example.org' }),
      }
      await service.app.accounts.updateUser(states.sound.id, { isVerified: true })
      await service.app.accounts.updateUser(states.disabled.id, { isActive: false, isVerified: true })
      await plant(service, states.unusable, '!')

      const unknown = await login(service, 'nobody-here', otherPassword)
      expect(unknown.json()).toMatchObject({ statusCode: 401, code: 'ACCOUNTS_INVALID_CREDENTIALS' })
      // Sign-up emails may still be queued, and sending them also reads the store.
      await service.settle()
      const asked = callsOf(service.users)
      for (const username of ['nobody-here', ...Object.keys(states)]) {
        const before = service.hasher.verifications + service.hasher.hashes
        expectAlike(unknown, await login(service, username, otherPassword))
        expect(service.hasher.verifications + service.hasher.hashes - before).toBe(1)
        expect(asked.splice(0)).toEqual(['findByUsername', 'findByEmail'])
      }
      expectAlike(unknown, await login(service, 'unusable', goodPassword))
      expect(unknown.cookies).toEqual([])
      expect(await sessionRows()).toBe(0)
    },
  )

  rule(
    'LOG-02',
    {
      tried: 'an account with an invalid stored hash: empty, null, truncated, of another kind',
      expected: '401 after hashing a decoy, never 500, and no part of the hash in the log',
    },
    async ({ start, sessionRows }) => {
      const log = logbook()
      const service = await start({}, log)
      const user = await signUp(service)
      const refused = async () => {
        for (const password of [goodPassword, otherPassword]) {
          const before = service.hasher.verifications
          const response = await login(service, 'alice', password)
          expect([response.statusCode, response.json().code]).toEqual([401, 'ACCOUNTS_INVALID_CREDENTIALS'])
          expect(service.hasher.verifications - before).toBe(1)
        }
      }
      const cut = user.passwordHash.slice(0, -4)
      for (const hash of ['!', 'AAAA', 'pbkdf2_sha256$600000$c2FsdA$a2V5', 'x'.repeat(128), cut]) {
        await plant(service, user, hash)
        await refused()
        if (hash.length > 4) expect(log.text()).not.toContain(hash)
      }
      // Our stores never return these; others might.
      const { findByUsername } = service.users
      for (const hash of ['', null]) {
        service.users.findByUsername = async (key) => {
          const found = await findByUsername(key)
          return found && { ...found, passwordHash: hash as string }
        }
        await refused()
      }
      expect(await sessionRows()).toBe(0)
    },
  )

  rule(
    'LOG-03',
    {
      tried: 'a planted, well-formed hash that demands gigabytes or hours',
      expected: '401 at the cost of a decoy; the planted hash is never computed',
    },
    async ({ start }) => {
      const service = await start()
      const user = await signUp(service)
      const verify = vi.spyOn(service.hasher, 'verify')
      const demands = [
        { logN: 20, r: 8, p: 1 },
        { logN: 24, r: 8, p: 1 },
        { logN: 15, r: 8, p: 2 ** 20 },
        { logN: 4, r: 2 ** 20, p: 1 },
      ]
      for (const demand of demands) {
        const planted = hashThatAsksFor(demand)
        await plant(service, user, planted)
        expect((await login(service, 'alice', goodPassword)).statusCode).toBe(401)
        expect(verify.mock.calls.map(([, hash]) => hash === planted)).toEqual([false])
        verify.mockClear()
      }
      // The same format with little work is verified, so the others were rejected for their work.
      const modest = hashThatAsksFor({ logN: 4, r: 1, p: 1 })
      await plant(service, user, modest)
      expect((await login(service, 'alice', goodPassword)).statusCode).toBe(401)
      expect(verify.mock.calls.map(([, hash]) => hash)).toEqual([modest])
    },
  )

  rule(
    'LOG-04',
    {
      tried:
        'wrong passwords for accounts hashed before and after the cost was raised, and for a nonexistent name',
      expected: 'the same work for each; the correct password is rehashed at today’s cost',
    },
    async ({ start }) => {
      const old = createScryptHasher({ logN: 5, r: 8, p: 1 })
      const today = createScryptHasher({ logN: 6, r: 8, p: 3 })
      await signUp(await start({ passwordHasher: old }), 'from-before')
      const service = await start({ passwordHasher: today })
      const user = await signUp(service, 'of-today')
      await login(service, 'nobody-here', otherPassword)

      const work = watchScrypt()
      for (const username of ['nobody-here', 'of-today', 'from-before']) {
        expect((await login(service, username, otherPassword)).statusCode).toBe(401)
        expect([username, work.spent()]).toEqual([username, 2 ** 6 * 8 * 3])
      }

      for (let round = 0; round < 2; round += 1) {
        expect((await login(service, 'from-before', goodPassword)).statusCode).toBe(200)
      }
      const renewed = await service.users.findByUsername('from-before')
      expect(today.needsRehash(renewed?.passwordHash ?? '')).toBe(false)
      const untouched = await service.users.findByUsername('of-today')
      expect(untouched?.passwordHash).toBe(user.passwordHash)
    },
  )

  rule(
    'LOG-05',
    {
      tried: 'numbers, arrays, objects, booleans and null in place of strings, in JSON and in forms',
      expected: '400, and no store is called',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service)
      const asked = callsOf(service.users)
      const before = service.hasher.verifications
      const post = async (payload: string, type = 'application/json') => {
        const headers = { 'content-type': type }
        const response = await service.app.inject({ method: 'POST', url: '/login/', payload, headers })
        expect([payload, response.statusCode]).toEqual([payload, 400])
        expect(response.json().code).toBe('ACCOUNTS_INVALID_INPUT')
        expect(response.cookies).toEqual([])
      }
      for (const value of ['0', '1e400', '["alice"]', '[]', 'true', 'null', '{"$ne":1}', '{}']) {
        await post(`{"username":${value},"password":"${goodPassword}"}`)
        await post(`{"username":"alice","password":${value}}`)
      }
      for (const body of ['[]', '"alice"', 'null', '7', 'true']) await post(body)
      for (const body of ['username=alice&username=alice&password=x', 'username[$ne]=1&password[$ne]=1']) {
        await post(body, 'application/x-www-form-urlencoded')
      }
      expect(asked).toEqual([])
      expect(service.hasher.verifications).toBe(before)
    },
  )

  rule(
    'LOG-06',
    {
      tried: 'an empty, missing or blank password for an account with a blank or unusable hash',
      expected: '400 or 401, and no session',
    },
    async ({ start, sessionRows }) => {
      const service = await start()
      const user = await signUp(service)
      await plant(service, user, '!')
      const { findByUsername } = service.users
      for (const hash of ['!', '', ' ']) {
        service.users.findByUsername = async (key) => {
          const found = await findByUsername(key)
          return found && { ...found, passwordHash: hash }
        }
        for (const [password, status] of [
          ['', 400],
          [undefined, 400],
          [null, 400],
          [' ', 401],
          ['        ', 401],
          [hash || '!', 401],
        ]) {
          const response = await login(service, 'alice', password)
          expect([hash, password, response.statusCode]).toEqual([hash, password, status])
          expect(response.cookies).toEqual([])
        }
      }
      expect(await sessionRows()).toBe(0)
    },
  )

  rule(
    'LOG-08',
    {
      tried: 'a password set as U+00E9, entered as e and U+0301, and the other way round',
      expected: '200: passwords are compared in normalization form C',
    },
    async ({ start }) => {
      const service = await start()
      const spellings = ['caf\u00e9 latte', 'cafe\u0301 latte']
      for (const [index, password] of spellings.entries()) {
        await signUp(service, `user${index}`, { password, confirm_password: password })
        for (const typed of spellings) {
          expect((await login(service, `user${index}`, typed)).statusCode).toBe(200)
        }
        expect((await login(service, `user${index}`, 'cafe latte')).statusCode).toBe(401)
      }
    },
  )

  rule(
    'LOG-09',
    {
      tried: 'passwords with unpaired surrogates, at sign-up and at login',
      expected: '400 both times: otherwise different passwords would hash alike',
    },
    async ({ start, users }) => {
      const service = await start()
      await signUp(service)
      const before = service.hasher.verifications + service.hasher.hashes
      const post = (url: string, payload: string, type: string) =>
        service.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
      for (const surrogate of ['\\ud800', '\\udfff', '\\udfff\\ud800']) {
        const password = `"a perfectly long one ${surrogate}"`
        const creation = `{"username":"bob","password":${password},"confirm_password":${password}}`
        expect((await post('/user/', creation, 'application/json')).statusCode).toBe(400)
        const entry = await post('/login/', `{"username":"alice","password":${password}}`, 'application/json')
        expect(entry.json().fields).toMatchObject([{ field: 'password', code: 'invalid' }])
      }
      const form = 'application/x-www-form-urlencoded'
      for (const bytes of ['%ED%A0%80', '%ED%BF%BF', '%FF']) {
        const password = `a+perfectly+long+one${bytes}`
        const creation = `username=bob&password=${password}&confirm_password=${password}`
        expect((await post('/user/', creation, form)).statusCode).toBe(400)
        expect((await post('/login/', `username=alice&password=${password}`, form)).statusCode).toBe(400)
      }
      expect(await users.findByUsername('bob')).toBeNull()
      expect(service.hasher.verifications + service.hasher.hashes).toBe(before)
    },
  )

  rule(
    'LOG-10',
    {
      tried:
        'fixation: a made-up id, the victim’s old session and the attacker’s own live session in the victim’s browser',
      expected: 'a new id at each login; the presented session is dead, its row gone',
    },
    async ({ start, sessionRows }) => {
      const service = await start()
      await signUp(service, 'alice')
      await signUp(service, 'mallory')
      for (const url of ['/me/', '/reset/d/', '/api-root/']) {
        expect((await service.send('GET', url)).cookies).toEqual([])
      }
      expect((await login(service, 'alice', otherPassword)).cookies).toEqual([])

      for (const cookie of ['session=chosen-by-an-attacker', 'session=chosen.AAAA']) {
        const response = await login(service, 'alice', goodPassword, { cookie })
        expect(cookieOf(response)).not.toContain('chosen')
        expect(await whoIs(service, cookie)).toBeNull()
      }
      await service.app.accounts.endUserSessions((await service.users.findByUsername('alice'))?.id ?? '')

      for (const owner of ['alice', 'mallory']) {
        const brought = await logIn(service, owner)
        const response = await login(service, 'alice', goodPassword, { cookie: brought })
        const fresh = cookieOf(response)
        expect(response.cookies.filter(({ name }) => name === 'session')).toHaveLength(1)
        expect(baseOf(fresh)).not.toBe(baseOf(brought))
        expect(await whoIs(service, brought)).toBeNull()
        expect(await whoIs(service, fresh)).toBe('alice')
        expect(await sessionRows()).toBe(1)
        await service.app.inject({ method: 'POST', url: '/logout/', headers: { cookie: fresh } })
      }
    },
  )

  rule(
    'LOG-12',
    {
      tried: 'redirect targets after login and logout, on other sites, in query, body and headers',
      expected: 'no Location; 400 in a body: there is no such parameter',
    },
    async ({ start, sessionRows }) => {
      const service = await start()
      await signUp(service)
      const body = { username: 'alice', password: goodPassword }
      const places = [
        '//e.com',
        '///e.com',
        'http:///e.com',
        'https://e.com',
        'javascript:alert(1)',
        'https://localhost:3000@e.com',
        '/\\e.com',
      ]
      for (const place of places) {
        for (const name of ['next', 'redirect_to', 'return_url']) {
          const query = `?${name}=${encodeURIComponent(place)}`
          const headers = { accept: 'text/html', referer: place }
          const responses = [
            await service.send('POST', `/login/${query}`, body, { headers }),
            await service.send('POST', `/logout/${query}`, undefined, { headers }),
          ]
          expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 204])
          // CVE-2026-40295: an expired session redirected to the Referer.
          for (const method of ['GET', 'POST'] as const) {
            const over = {
              method,
              url: `/change-password/form/${query}`,
              headers: { ...headers, cookie: 'session=a.b' },
            }
            responses.push(await service.app.inject(over))
            expect(responses.at(-1)?.statusCode).toBe(401)
          }
          for (const response of responses) expect(response.headers).not.toHaveProperty('location')
          const inBody = await service.send('POST', '/login/', { ...body, [name]: place })
          expect([inBody.statusCode, inBody.cookies, inBody.headers.location]).toEqual([400, [], undefined])
        }
      }
      expect(await sessionRows()).toBe(places.length * 3)
    },
  )

  rule(
    'LOG-13',
    {
      tried: 'accounts that may not log in, by every spelling of the name, and by email address',
      expected:
        'each spelling gets the same rejection, and so does the address; one that nobody has proven that of a wrong password',
    },
    async ({ start, sessionRows }) => {
      const service = await start({ requireEmailConfirmation: true })
      const disabled = await signUp(service, 'dora', { email: 'dora@example.org' })
      await service.app.accounts.updateUser(disabled.id, { isVerified: true, isActive: false })
      await signUp(service, 'vera', { email: 'vera@example.org' })
      for (const [name, code] of [
        ['dora', 'ACCOUNTS_DISABLED'],
        ['vera', 'ACCOUNTS_NOT_VERIFIED'],
      ] as const) {
        const plain = await login(service, name, goodPassword)
        expect(plain.json()).toMatchObject({ statusCode: 403, code })
        const wide = name.replace(/./g, (letter) =>
          String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
        )
        for (const spelling of [name.toUpperCase(), `${name[0]?.toUpperCase()}${name.slice(1)}`, wide]) {
          expectAlike(plain, await login(service, spelling, goodPassword))
        }
        const byAddress = name === 'vera' ? await login(service, 'vera@example.org', otherPassword) : plain
        for (const address of [`${name}@example.org`, `${name.toUpperCase()}@Example.org`]) {
          expectAlike(byAddress, await login(service, address, goodPassword))
        }
      }
      expect(await sessionRows()).toBe(0)
    },
  )

  rule(
    'LOG-14',
    {
      tried: 'an unverified account, then a disabled one: wrong password, then the correct one',
      expected: '401 as for any account, then 403 with the state; no session either way',
    },
    async ({ start, sessionRows }) => {
      const service = await start({ requireEmailConfirmation: true })
      const user = await signUp(service, 'alice', { email: 'alice@example.org' })
      const attempts = async () => {
        const wrong = await login(service, 'alice', otherPassword)
        const right = await login(service, 'alice', goodPassword)
        const names = [...wrong.cookies, ...right.cookies].map(({ name }) => name)
        expect(names.filter((name) => name !== 'session-signup')).toEqual([])
        return [wrong, right].map((response) => [response.statusCode, response.json().code])
      }
      const wrong = [401, 'ACCOUNTS_INVALID_CREDENTIALS']
      expect(await attempts()).toEqual([wrong, [403, 'ACCOUNTS_NOT_VERIFIED']])
      await service.app.accounts.updateUser(user.id, { isVerified: true, isActive: false })
      expect(await attempts()).toEqual([wrong, [403, 'ACCOUNTS_DISABLED']])
      expect(await sessionRows()).toBe(0)
      await service.app.accounts.updateUser(user.id, { isActive: true })
      expect((await login(service, 'alice', goodPassword)).statusCode).toBe(200)
    },
  )

  rule(
    'LOG-15',
    {
      tried: 'name and password in the query, by GET, HEAD and POST',
      expected: '405 or 400, no session, and neither value in the log',
    },
    async ({ start, sessionRows }) => {
      const log = logbook()
      const service = await start({}, log)
      await signUp(service, 'alice-in-a-url')
      const query = new URLSearchParams({ username: 'alice-in-a-url', password: goodPassword }).toString()
      for (const [method, status] of [
        ['GET', 405],
        ['HEAD', 405],
        ['POST', 400],
      ] as const) {
        for (const path of ['/login/', '/login']) {
          const response = await service.send(method, `${path}?${query}`)
          expect([method, response.statusCode, response.cookies]).toEqual([method, status, []])
        }
        const absolute = `${method} http://localhost:3000/login/?${query} HTTP/1.1\r\n`
        const response = await service.raw(`${absolute}Host: localhost:3000\r\nConnection: close\r\n\r\n`)
        expect([method, response.statusCode, response.headers['set-cookie']]).toEqual([
          method,
          status,
          undefined,
        ])
      }
      expect(await sessionRows()).toBe(0)
      expect(log.text()).toContain('"method":"GET"')
      for (const value of ['alice-in-a-url', goodPassword, goodPassword.replaceAll(' ', '+')]) {
        expect(log.text()).not.toContain(value)
      }
    },
  )
})

/** The id that a session keeps for all its life, under whatever cookie. */
const baseOf = (cookie: string) => decodeURIComponent(cookie).split('.')[0]
