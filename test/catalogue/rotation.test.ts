import { createHmac } from 'node:crypto'
import {
  cookieOf,
  goodPassword,
  logIn,
  secret as older,
  otherPassword,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { createScryptHasher, type PasswordHasher } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { resetLink, verifyLink } from './links.js'
import { change, choice, passwordsThatWork } from './passwords.js'
import type { Service } from './service.js'

const newer = 'bmV3LXNlY3JldC1vZi1lbm91Z2gtYnl0ZXMtZm9yLWEtdGVzdA'
const hour = 3_600_000
const email = 'alice@example.org'

const login = (service: Service, password: string, headers: Record<string, string> = {}) =>
  service.send('POST', '/login/', { username: 'alice', password }, { headers })

/** The device cookie set by a response, as a browser would send it. */
const markOf = (response: Awaited<ReturnType<typeof login>>) => {
  const mark = response.cookies.find(({ name }) => name === 'session-device')
  return mark === undefined ? null : `${mark.name}=${mark.value}`
}

/** The device that a mark names. */
const deviceIn = (mark: string) =>
  Buffer.from(mark.split('=')[1] ?? '', 'base64url')
    .subarray(0, 16)
    .toString('hex')

cases('Rotation of secrets', ({ rule, storage }) => {
  rule(
    'ROT-01',
    {
      tried: 'a cookie signed with the older secret while both are listed, and once only the newer one is',
      expected: 'accepted and re-signed at every route; then the user is logged out, and never 500',
    },
    async ({ start, sessionRows }) => {
      const before = await start({ secret: older })
      // The host loads the user on every request.
      const during = await start(
        { secret: [newer, older] },
        {
          before: (app) =>
            app.addHook('preHandler', (request, reply) => app.accounts.loadUser(request, reply)),
        },
      )
      const after = await start({ secret: newer })
      const { id } = await signUp(before)
      const entry = await login(before, goodPassword)
      const [old, mark] = [cookieOf(entry), markOf(entry) ?? '']

      const me = await during.app.inject({ url: '/me/', headers: { cookie: old } })
      const renewed = cookieOf(me)
      expect([me.statusCode, me.json().username]).toEqual([200, 'alice'])
      expect(renewed).not.toBe(old)
      // Set once, however often the user was loaded.
      expect(me.cookies.map(({ name }) => name)).toEqual(['session'])
      expect(await whoIs(after, renewed)).toBe('alice')
      expect((await after.app.inject({ url: '/me/', headers: { cookie: renewed } })).cookies).toEqual([])
      expect(await whoIs(before, renewed)).toBeNull()
      expect(await sessionRows()).toBe(1)
      // A device that logs in meanwhile stays known: its mark is signed again.
      const signedAgain = markOf(await login(during, goodPassword, { cookie: mark })) ?? ''
      expect(deviceIn(signedAgain)).toBe(deviceIn(mark))
      expect(markOf(await login(after, goodPassword, { cookie: signedAgain }))).toBeNull()
      expect(markOf(await login(after, goodPassword, { cookie: mark }))).not.toBeNull()

      for (const [method, url, status] of [
        ['GET', '/me/', 401],
        ['POST', '/change-password/', 401],
        ['POST', '/logout/', 204],
        ['GET', '/user/', 401],
        ['GET', '/api-root/', 200],
      ] as const) {
        const response = await after.app.inject({ method, url, headers: { cookie: `${old}; ${mark}` } })
        expect([url, response.statusCode]).toEqual([url, status])
      }
      expect(await whoIs(before, old)).toBe('alice')

      // The route sets its own cookie, only once.
      const sets = ({ cookies }: Pick<typeof entry, 'cookies'>) =>
        cookies.filter(({ name }) => name === 'session').map(({ value }) => value === '')
      const again = await login(during, goodPassword, { cookie: old })
      expect([again.statusCode, sets(again)]).toEqual([200, [false]])
      expect(await whoIs(before, old)).toBeNull()
      const captured = await logIn(before)
      const changed = await change(during, captured, otherPassword)
      expect([changed.statusCode, sets(changed)]).toEqual([204, [false]])
      expect(await whoIs(after, cookieOf(changed))).toBe('alice')
      for (const [method, url] of [
        ['POST', '/logout/'],
        ['DELETE', `/user/${id}`],
      ] as const) {
        const left = await logIn(before, 'alice', otherPassword)
        const response = await during.app.inject({ method, url, headers: { cookie: left } })
        expect([response.statusCode, sets(response)]).toEqual([204, [true]])
        expect(await whoIs(before, left)).toBeNull()
      }
    },
  )

  rule(
    'ROT-02',
    {
      tried: 'links signed with the older secret while both are listed, and once only the newer one is',
      expected: 'valid for their lifetime, then 400; new links are signed only with the newer secret',
    },
    async ({ start, users, wait }) => {
      const before = await start({ secret: older })
      const during = await start({ secret: [newer, older] })
      const after = await start({ secret: newer })
      const { id } = await signUp(before, 'alice', { email })
      const looks = async (link: string) => {
        const responses = [before, during, after].map((service) =>
          service.app.inject({ method: link.startsWith('/reset/') ? 'GET' : 'HEAD', url: link }),
        )
        return (await Promise.all(responses)).map(({ statusCode }) => statusCode)
      }
      await wait(0)
      const old = [await resetLink(before, email), await verifyLink(before, email)] as const
      const fresh = [await resetLink(during, email), await verifyLink(during, email)] as const
      for (const link of old) expect(await looks(link)).toEqual([200, 200, 400])
      for (const link of fresh) expect(await looks(link)).toEqual([400, 200, 200])
      expect((await after.send('POST', old[0], choice(otherPassword))).statusCode).toBe(400)
      expect((await after.send('POST', old[1])).statusCode).toBe(400)
      expect(await users.findById(id)).toMatchObject({ isVerified: false, sessionEpoch: 0 })
      expect((await during.send('POST', old[1])).statusCode).toBe(200)
      await wait(hour - 2000)
      expect(await looks(old[0])).toEqual([200, 200, 400])
      await wait(3000)
      expect(await looks(old[0])).toEqual([400, 400, 400])
      const last = await resetLink(before, email)
      expect((await during.send('POST', last, choice(otherPassword))).statusCode).toBe(204)
      expect(await passwordsThatWork(after, [goodPassword, otherPassword], email)).toEqual([otherPassword])
    },
  )

  rule(
    'ROT-04',
    {
      tried: 'an emergency: the secret is replaced and the older one removed',
      expected:
        'every session, device mark and link is dead at once, and stays dead; passwords still log in. `endUserSessions` ends one user’s sessions',
    },
    async ({ start }) => {
      const before = await start({ secret: older })
      const names = ['alice', 'bob', 'carol']
      const stolen: string[] = []
      const links: string[] = []
      for (const name of names) {
        const address = `${name}@example.org`
        const { id } = await signUp(before, name, { email: address })
        stolen.push(await logIn(before, name), await logIn(before, name))
        links.push(await resetLink(before, address), await verifyLink(before, address))
        if (name === 'carol') await before.app.accounts.endUserSessions(id)
      }
      const owners = async (service: Service) => {
        const found = []
        for (const cookie of stolen) found.push(await whoIs(service, cookie))
        return found
      }
      expect(await owners(before)).toEqual(['alice', 'alice', 'bob', 'bob', null, null])

      const after = await start({ secret: newer })
      expect(await owners(after)).toEqual(Array(6).fill(null))
      for (const link of links) {
        const body = link.startsWith('/reset/') ? choice(otherPassword) : undefined
        expect((await after.send('POST', link, body)).statusCode).toBe(400)
      }
      for (const name of names) {
        expect(await whoIs(after, await logIn(after, name))).toBe(name)
      }
      expect(await owners(after)).toEqual(Array(6).fill(null))
    },
  )

  rule(
    'ROT-05',
    {
      tried: 'the cost of scrypt is raised, and later lowered again',
      expected:
        'the password still logs in; it is rehashed at the next login and then left alone; sessions and links survive',
    },
    async ({ start, users }) => {
      const logN = (hash = '') => Buffer.from(hash, 'base64').readUInt8(7)
      const cheap = await start()
      const { id, passwordHash } = await signUp(cheap, 'alice', { email })
      const stored = async () => (await users.findById(id))?.passwordHash ?? ''
      const cookie = await logIn(cheap)
      const link = await resetLink(cheap, email)
      expect([await stored(), logN(passwordHash)]).toEqual([passwordHash, 4])

      const dear = await start({ passwordHasher: createScryptHasher({ logN: 6, r: 1, p: 1 }) })
      expect((await login(dear, otherPassword)).statusCode).toBe(401)
      expect(await stored()).toBe(passwordHash)
      expect((await login(dear, goodPassword)).statusCode).toBe(200)
      const upgraded = await stored()
      expect([upgraded === passwordHash, logN(upgraded)]).toEqual([false, 6])
      expect((await login(dear, goodPassword)).statusCode).toBe(200)
      expect((await login(cheap, goodPassword)).statusCode).toBe(200)
      expect(await stored()).toBe(upgraded)
      expect(await whoIs(dear, cookie)).toBe('alice')
      expect((await dear.send('POST', link, choice(otherPassword))).statusCode).toBe(204)
      expect(logN(await stored())).toBe(6)
    },
  )

  rule(
    'ROT-05',
    {
      tried: 'a pepper, in the integrator’s own hasher, and its replacement',
      expected: 'the password still logs in, and is rehashed with the newer pepper',
    },
    async ({ start, users }) => {
      const unpeppered = await start()
      const first = await start({ passwordHasher: pepperedHasher(['first pepper']) })
      const both = await start({ passwordHasher: pepperedHasher(['second pepper', 'first pepper']) })
      const second = await start({ passwordHasher: pepperedHasher(['second pepper']) })
      const { id } = await signUp(first)
      const candidates = [goodPassword, otherPassword]
      expect(await passwordsThatWork(second, candidates)).toEqual([])
      expect(await passwordsThatWork(unpeppered, candidates)).toEqual([])
      expect(await passwordsThatWork(both, candidates)).toEqual([goodPassword])
      const stored = (await users.findById(id))?.passwordHash
      expect(await passwordsThatWork(both, candidates)).toEqual([goodPassword])
      expect((await users.findById(id))?.passwordHash).toBe(stored)
      expect(await passwordsThatWork(second, candidates)).toEqual([goodPassword])
      expect(await passwordsThatWork(first, candidates)).toEqual([])
    },
  )

  storage(
    'ROT-06',
    {
      tried:
        'password.pepper is set, replaced, and lost: logins with the correct password and a wrong one, twenty concurrently, and a reset',
      expected:
        'older hashes are verified and replaced at login; a peppered hash is useless without its key, and a lost key is 503, never a wrong password; a reset helps',
    },
    async ({ start, users }) => {
      const [first, second] = ['a first pepper, of thirty-two bytes', 'the second pepper, of 32 bytes too']
      const plain = await start()
      const { id } = await signUp(plain, 'alice', { email })
      const stored = async () => (await users.findById(id))?.passwordHash ?? ''
      const candidates = [goodPassword, otherPassword]

      const peppered = await start({ password: { pepper: first } })
      // The queue learns how long a hash takes.
      expect((await login(peppered, otherPassword)).statusCode).toBe(401)
      const guesses = Array.from({ length: 20 }, () => login(peppered, goodPassword))
      expect(new Set((await Promise.all(guesses)).map(({ statusCode }) => statusCode))).toEqual(
        new Set([200]),
      )
      const [, , name, rest = ''] = /^(\$)pepper\$([^$]+)\$(.*)$/s.exec(await stored()) ?? []
      expect(name).toMatch(/^[\w-]{8}$/)
      expect(await Promise.all(candidates.map((each) => plain.hasher.verify(each, rest)))).toEqual([
        false,
        false,
      ])

      // In two steps, so processes that restart one after the other can check each other's hashes.
      const accepting = await start({ password: { pepper: [first, second] } })
      const rotated = await start({ password: { pepper: [second, first] } })
      for (const each of [rotated, accepting, peppered, rotated]) {
        expect(await passwordsThatWork(each, candidates)).toEqual([goodPassword])
      }
      const newest = await stored()
      expect(newest).not.toContain(`$${name}$`)
      const lost = [plain, peppered]
      for (const each of lost) {
        for (const password of candidates) expect((await login(each, password)).statusCode).toBe(503)
      }
      expect(await stored()).toBe(newest)
      expect(
        (await plain.send('POST', await resetLink(plain, email), choice(otherPassword))).statusCode,
      ).toBe(204)
      expect(await passwordsThatWork(plain, candidates)).toEqual([otherPassword])
    },
  )
})

/** As an integrator would write it: hashes with the first pepper, verifies with any, and prefixes the pepper's name. */
function pepperedHasher(peppers: readonly string[]): PasswordHasher {
  const scrypt = createScryptHasher({ logN: 4, r: 1, p: 1 })
  const nameOf = (pepper: string) => createHmac('sha256', pepper).update('name').digest('hex').slice(0, 8)
  const season = (pepper: string, password: string) =>
    createHmac('sha256', pepper).update(password).digest('base64')
  const open = (hash: string) => {
    const [name, rest = ''] = hash.split('$')
    const pepper = peppers.find((each) => nameOf(each) === name)
    return pepper === undefined ? null : { pepper, rest }
  }
  const [newest = ''] = peppers
  return {
    hash: async (password) => `${nameOf(newest)}$${await scrypt.hash(season(newest, password))}`,
    canVerify(hash) {
      const opened = open(hash)
      return opened !== null && scrypt.canVerify(opened.rest)
    },
    async verify(password, hash) {
      const opened = open(hash)
      return opened !== null && scrypt.verify(season(opened.pepper, password), opened.rest)
    },
    needsRehash(hash) {
      const opened = open(hash)
      return opened?.pepper !== newest || scrypt.needsRehash(opened.rest)
    },
  }
}
