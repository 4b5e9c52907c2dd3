import {
  cheapHasher,
  goodPassword,
  secret as older,
  otherPassword,
  signUp,
} from '@fastify-accounts/test-support/app'
import { tokenClient } from '@fastify-accounts/test-support/tokens'
import type { FastifyInstance } from 'fastify'
import type { PasswordHasher } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { choice } from './passwords.js'
import { alone, appAt, appOf, bearer, day, minute, password, whoHas, withTokens } from './token-clients.js'

const newer = 'bmV3LXNlY3JldC1vZi1lbm91Z2gtYnl0ZXMtZm9yLWEtdGVzdA'
const year = 365 * 24 * 3600

const changed = { old_password: goodPassword, ...choice(otherPassword) }

/** A login that the app vouches for. */
function hostLogin(app: FastifyInstance): void {
  app.post<{ Body: { id: string } }>('/host/login', async (request, reply) => {
    const { tokens } = await app.accounts.logIn(request, reply, request.body.id, { methods: ['pwd'] })
    return { tokens }
  })
}

cases('Tokens', ({ rule, storage }) => {
  rule(
    'TOK-36',
    {
      tried:
        'without refresh tokens: a login, one by the app itself, a confirmation, a change of password; a page of another origin that reads the response; a refresh, and a refresh token of before in each header',
      expected:
        'each response has one access token until the absolute end, in the body and in a header that pages may read; there is no refresh, and a refresh token counts as absent',
    },
    async ({ start }) => {
      const service = await start(alone, { before: hostLogin })
      const { id } = await signUp(service)
      const app = tokenClient(service)
      const earlier: string[] = []
      for (const [url, body] of [
        ['/login/', password()],
        ['/host/login', { id }],
        ['/confirm/', { password: goodPassword }],
        ['/change-password/', changed],
      ] as const) {
        const response = await app.send('POST', url, body)
        const { tokens: delivered } = response.json()
        const one = { access_token: expect.stringMatching(/^fat_/), token_type: 'Bearer' }
        expect(delivered).toEqual({ ...one, expires_in: expect.any(Number) })
        expect(delivered.expires_in).toBeGreaterThan(year - 60)
        expect(delivered.expires_in).toBeLessThanOrEqual(year)
        expect(earlier).not.toContain(delivered.access_token)
        earlier.push(delivered.access_token)
        const { headers } = response
        expect(headers['accounts-access-token']).toBe(delivered.access_token)
        expect(String(headers['access-control-expose-headers']).split(', ')).toContain(
          'Accounts-Access-Token',
        )
        expect([headers['cache-control'], headers['set-cookie']]).toEqual(['no-store', undefined])
      }
      expect(await whoHas(app)).toBe('alice')
      const read = await app.send('GET', '/me/')
      expect(read.headers['accounts-access-token']).toBeUndefined()

      const before = `far_${app.tokens?.access_token.slice(4)}`
      expect((await app.refresh(before)).statusCode).toBe(404)
      const visit = await service.send('GET', '/api-root/', undefined, { headers: bearer(before) })
      expect([visit.statusCode, visit.headers['www-authenticate']]).toEqual([200, undefined])
      const me = await service.send('GET', '/me/', undefined, { headers: { 'accounts-refresh': before } })
      expect(me.statusCode).toBe(401)
    },
  )

  rule(
    'TOK-37',
    {
      tried:
        'without refresh tokens: the token from before a confirmation, at once and a minute after the new one’s first use; its copy confirms, visits and logs out, and confirms with a password that is still being checked by then; one from before a change of password',
      expected:
        'good for 30 to 60 seconds, then 401 and nothing else, but a logout; the session and its newest token go on, and nobody is told; the change ends all others at once',
    },
    async ({ start, wait }) => {
      const hasher = cheapHasher()
      let whileChecking = async () => {}
      const verify: PasswordHasher['verify'] = async (...given) => {
        await whileChecking()
        return hasher.verify(...given)
      }
      const service = await start({ ...alone, passwordHasher: { ...hasher, verify } })
      await signUp(service)
      const slow = await appOf(service)
      const slowThief = slow.copy()
      await slow.send('POST', '/confirm/', { password: goodPassword })
      whileChecking = async () => {
        expect(await whoHas(slow)).toBe('alice')
        await wait(minute)
      }
      const confirmed = await slowThief.send('POST', '/confirm/', { password: goodPassword })
      expect([confirmed.statusCode, confirmed.headers['accounts-access-token']]).toEqual([401, undefined])
      expect(await whoHas(slow)).toBe('alice')
      whileChecking = async () => {}

      const app = await appOf(service)
      const [thief, late] = [app.copy(), app.copy()]
      await app.send('POST', '/confirm/', { password: goodPassword })
      // The new one may have been lost: until it is used, nothing ends.
      await wait(day)
      expect(await whoHas(thief)).toBe('alice')
      expect(await whoHas(app)).toBe('alice')
      await wait(29_000)
      expect(await whoHas(thief)).toBe('alice')
      await wait(31_000)
      for (const attempt of [
        () => thief.send('GET', '/me/'),
        () => thief.send('POST', '/confirm/', { password: goodPassword }),
        () => thief.send('POST', '/change-password/', changed),
      ]) {
        const { statusCode, headers } = await attempt()
        expect([statusCode, headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"'])
        expect(headers['accounts-access-token']).toBeUndefined()
      }
      expect(await whoHas(app)).toBe('alice')

      const other = await appOf(service)
      const stolen = app.copy()
      expect((await app.send('POST', '/change-password/', changed)).statusCode).toBe(200)
      for (const each of [other, stolen, thief]) expect(await whoHas(each)).toBeNull()
      expect((await late.send('POST', '/logout/')).statusCode).toBe(204)
      expect(await whoHas(app)).toBe('alice')

      const old = app.copy()
      await app.send('POST', '/confirm/', { password: otherPassword })
      expect(await whoHas(app)).toBe('alice')
      await wait(2 * minute)
      expect(await whoHas(old)).toBeNull()
      expect((await old.send('POST', '/logout/')).statusCode).toBe(204)
      expect(await whoHas(app)).toBeNull()
      await service.settle()
      expect(service.mails.filter(({ kind }) => kind === 'token-reused')).toEqual([])
    },
  )

  storage(
    'TOK-38',
    {
      tried:
        'without refresh tokens: a token that is used every 59 days, one that nobody uses for 60, and one used until a year has passed; the list of sessions on the way',
      expected:
        'use prolongs a session, nothing its absolute end; its owner’s list tells the token when that is, and no time that moves',
    },
    async ({ start, wait, prefix }) => {
      const service = await start(alone)
      await signUp(service)
      await wait(0)
      const left = prefix === undefined ? 1000 : minute
      const [app, unused] = [await appOf(service), await appOf(service)]
      const ownEnd = async () => {
        const { results } = (await app.send('GET', '/sessions/')).json()
        return results.find(({ current }: { current: boolean }) => current).expires_at
      }
      const end = await ownEnd()
      await wait(59 * day)
      expect([await whoHas(app), await ownEnd()]).toEqual(['alice', end])
      await wait(day + left)
      expect([await whoHas(unused), await whoHas(app)]).toEqual([null, 'alice'])
      for (let passed = 60; passed + 59 < 365; passed += 59) {
        await wait(59 * day)
        expect([passed, await whoHas(app), await ownEnd()]).toEqual([passed, 'alice', end])
      }
      await wait(10 * day - 2 * left)
      expect(await whoHas(app)).toBe('alice')
      await wait(2 * left)
      expect(await whoHas(app)).toBeNull()
    },
  )

  rule(
    'TOK-39',
    {
      tried:
        'without refresh tokens: a token that the older secret has signed, while both are listed and once only the newer is; a confirmation on the way; and the same of a service that began or ceased to have refresh tokens',
      expected:
        'good as long as its secret is listed; only a confirmation, a change or a login gives one that the newer has signed; a token of the other mode is worth nothing',
    },
    async ({ start }) => {
      const before = await start({ ...alone, secret: older })
      const during = await start({ ...alone, secret: [newer, older] })
      const after = await start({ ...alone, secret: newer })
      await signUp(before)
      const [still, app] = [await appOf(before), await appOf(before)]
      const visited = appAt(during, still)
      const visit = await visited.send('GET', '/me/')
      expect([visit.statusCode, visit.headers['accounts-access-token']]).toEqual([200, undefined])
      const confirming = appAt(during, app)
      expect((await confirming.send('POST', '/confirm/', { password: goodPassword })).statusCode).toBe(200)
      expect([await whoHas(appAt(after, visited)), await whoHas(appAt(after, confirming))]).toEqual([
        null,
        'alice',
      ])

      const refreshing = await start({ ...withTokens, secret: older })
      const there = await appOf(refreshing)
      expect([await whoHas(appAt(refreshing, still)), await whoHas(appAt(before, there))]).toEqual([
        null,
        null,
      ])
      expect((await appAt(refreshing, still).send('POST', '/logout/')).statusCode).toBe(204)
      expect([await whoHas(still), await whoHas(there)]).toEqual(['alice', 'alice'])
    },
  )
})
