import { createHmac, randomBytes } from 'node:crypto'
import {
  as,
  cookieOf,
  goodPassword,
  logIn,
  otherPassword,
  secret,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { deriveKeys } from 'fastify-accounts/features'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { change, choice } from './passwords.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'
import { appAt, appOf, bearer, isIn, minute, whoHas, withTokens } from './token-clients.js'

const confirm = ({ send }: Service, cookie: string) =>
  send('POST', '/confirm/', { password: goodPassword }, as(cookie))

/** What a cookie says, without its signature: base, generation, epoch, whether a factor was given, confirmation. */
const partsOf = (cookie: string): string[] =>
  decodeURIComponent(cookie).slice('session='.length).split('.').slice(0, -1)

/** A cookie with a signature made with the secret, as @fastify/cookie makes it. */
function signed(parts: readonly (string | number)[], name = 'session'): string {
  const [key] = deriveKeys([secret], `session-cookie:${name}`)
  const text = parts.join('.')
  const mac = createHmac('sha256', key).update(text).digest('base64').replace(/=+$/, '')
  return `session=${encodeURIComponent(`${text}.${mac}`)}`
}

/** Whether a cookie proves a recent login: an invalid address is rejected after this check. */
async function isRecent({ send }: Service, cookie: string): Promise<boolean> {
  const response = await send('POST', '/change-email/', { email: 'nobody' }, as(cookie))
  return response.json().code === 'ACCOUNTS_INVALID_INPUT'
}

cases('Sessions', ({ rule, storage }) => {
  rule(
    'SES-18',
    {
      tried:
        'a live session’s cookie with another generation, epoch, factor or confirmation and the signature it has; signed for another realm; and with the secret, but the key of the row or made-up ids in place of its own',
      expected: 'nobody is logged in, and the store is asked only where the signature is right',
    },
    async ({ start, sessions }) => {
      const service = await start()
      const { id } = await signUp(service)
      const cookie = await logIn(service)
      const [row] = await sessions.listByUser(id)
      const [base = '', ...counters] = partsOf(cookie)
      // So the forgery itself is right.
      expect(await whoIs(service, signed([base, ...counters]))).toBe('alice')
      const calls = [callsOf(sessions), sessions.withUsers ? callsOf(sessions.withUsers) : []]
      const signature = decodeURIComponent(cookie).split('.').at(-1)
      const forged = counters.flatMap((_, at) =>
        ['1', '99', '-1', '', 'NaN'].map((value) => [base, ...counters.with(at, value), signature]),
      )
      for (const parts of [...forged, [base, signature], [base, ...counters, '0', signature]])
        expect([parts, await whoIs(service, `session=${parts.join('.')}`)]).toEqual([parts, null])
      expect(await whoIs(service, signed([base, ...counters], 'staff'))).toBeNull()
      expect(calls.flat()).toEqual([])
      for (const each of [row?.id ?? '', randomBytes(24).toString('base64url'), ''])
        expect(await whoIs(service, signed([each, ...counters]))).toBeNull()
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )

  rule(
    'SES-18',
    {
      tried:
        'the text of a cookie as an access or refresh token, in each header, and those of tokens as a cookie and as each other, with the prefixes exchanged',
      expected: 'each is worth something only as what it was delivered as',
    },
    async ({ start }) => {
      const service = await start(withTokens)
      await signUp(service)
      const cookie = await logIn(service)
      const app = await appOf(service)
      const { access_token: access, refresh_token: refresh = '' } = app.tokens
      const texts = [decodeURIComponent(cookie).slice('session='.length), access.slice(4), refresh.slice(4)]
      const [cookieText = ''] = texts
      for (const each of texts) {
        for (const wrong of [`fat_${each}`, `far_${each}`].filter((it) => it !== access && it !== refresh)) {
          const { statusCode } = await service.send('GET', '/me/', undefined, { headers: bearer(wrong) })
          const refreshed = await service.send('POST', '/tokens/refresh/', { refresh_token: wrong })
          expect([wrong, statusCode, refreshed.statusCode]).toEqual([wrong, 401, 401])
          await service.send('POST', '/tokens/revoke/', { token: wrong })
          await service.send('POST', '/logout/', undefined, { headers: bearer(wrong) })
        }
        if (each === cookieText) continue
        for (const wrong of [each, `fat_${each}`, `far_${each}`]) {
          expect(await whoIs(service, `session=${encodeURIComponent(wrong)}`)).toBeNull()
          await service.send('POST', '/logout/', undefined, as(`session=${encodeURIComponent(wrong)}`))
        }
      }
      expect([await whoIs(service, cookie), await isIn(app)]).toEqual(['alice', true])
    },
  )

  rule(
    'SES-19',
    {
      tried:
        'all cookies and tokens that a session has had before its owner changed the password with it: to read, to refresh, to log out and to revoke',
      expected:
        '401; they end nothing, nobody is told of a reuse, no cookie is cleared, and the session goes on',
    },
    async ({ start, wait }) => {
      const service = await start(withTokens)
      await signUp(service, 'alice', { email: 'alice@example.org' })
      await wait(0)
      const cookies = [await logIn(service)]
      for (let round = 0; round < 2; round += 1)
        cookies.push(cookieOf(await confirm(service, cookies[round] ?? '')))
      const own = cookieOf(await change(service, cookies.at(-1) ?? '', otherPassword))
      expect(await whoIs(service, own)).toBe('alice')
      for (const cookie of cookies) {
        const { statusCode, cookies: set } = await service.send('GET', '/me/', undefined, as(cookie))
        expect([statusCode, set]).toEqual([401, []])
        await service.send('POST', '/logout/', undefined, as(cookie))
      }
      expect(await whoIs(service, own)).toBe('alice')

      await signUp(service, 'bob', { email: 'bob@example.org' })
      const app = await appOf(service, 'bob')
      const old = [app.copy()]
      for (let round = 0; round < 2; round += 1) {
        await app.refresh()
        expect(await whoHas(app)).toBe('bob')
        await wait(minute)
        old.push(app.copy())
      }
      await app.send('POST', '/change-password/', { old_password: goodPassword, ...choice(otherPassword) })
      for (const each of old) {
        expect(await isIn(each.copy())).toBe(false)
        await each.send('POST', '/logout/')
        for (const token of [each.tokens?.access_token, each.tokens?.refresh_token])
          await service.send('POST', '/tokens/revoke/', { token })
      }
      expect(await isIn(app)).toBe(true)
      await service.settle()
      expect(service.mails.filter(({ kind }) => kind === 'token-reused')).toEqual([])
    },
  )

  storage(
    'SES-20',
    {
      tried:
        'a session’s row put back to what it was before two confirmations, and before a new password, as by a restored backup: with the cookies from before and after',
      expected:
        'the newest cookie goes on, and those before it end ten seconds later; nobody is confirmed by what the row no longer knows; of another epoch none is good',
    },
    async ({ start, sessions, wait }) => {
      const service = await start()
      const { id } = await signUp(service)
      await wait(0)
      const first = await logIn(service)
      await wait(16 * minute)
      expect(await whoIs(service, first)).toBe('alice')
      const [backup] = await sessions.listByUser(id)
      if (backup === undefined) throw new Error('there is no session')
      const restore = async () => {
        await sessions.delete(backup.id)
        await sessions.create(backup)
      }
      const second = cookieOf(await confirm(service, first))
      const newest = cookieOf(await confirm(service, second))
      const users = () => Promise.all([first, second, newest].map((each) => whoIs(service, each)))
      await restore()
      expect(await whoIs(service, newest)).toBe('alice')
      expect(await Promise.all([first, second, newest].map((each) => isRecent(service, each)))).toEqual([
        false,
        false,
        false,
      ])
      expect(await users()).toEqual(['alice', 'alice', 'alice'])
      await wait(11_000)
      expect(await users()).toEqual([null, null, 'alice'])
      const next = cookieOf(await confirm(service, newest))
      expect([await isRecent(service, next), await isRecent(service, newest)]).toEqual([true, false])

      const changed = cookieOf(await change(service, next, otherPassword))
      await restore()
      expect([await whoIs(service, next), await whoIs(service, changed), ...(await users())]).toEqual(
        Array(5).fill(null),
      )
    },
  )

  rule(
    'SES-21',
    {
      tried:
        'sessions that a process of the version before has stored in a rolling upgrade, with the cookie and the tokens that it gave: to read, to refresh, to log in again, in the list and in the number of sessions',
      expected:
        '401 and no reuse, and a login works; they are in the list, can be ended there, and end with the password',
    },
    async ({ start, sessions }) => {
      const service = await start(withTokens)
      const { id } = await signUp(service, 'alice', { email: 'alice@example.org' })
      const own = await logIn(service)
      const app = await appOf(service)
      // The rows have what its columns say, and the defaults of those that it doesn't know.
      const [base, ...counters] = partsOf(own)
      const rows = await sessions.listByUser(id)
      for (const row of rows) {
        await sessions.delete(row.id)
        await sessions.create({ ...row, generation: 3, seenGeneration: 3, details: null })
      }
      const old = signed([base ?? ''])
      expect(await whoIs(service, old)).toBeNull()
      const [tokenBase] = app.tokens.access_token.slice(4).split('.')
      const spelled = (kind: 'access' | 'refresh', ...parts: (string | number)[]) => {
        const [key] = deriveKeys([secret], `${kind}-token:session`)
        const body = parts.join('.')
        const mac = createHmac('sha256', key).update(body).digest('base64url')
        return `${kind === 'access' ? 'fat_' : 'far_'}${body}.${mac}`
      }
      const last = appAt(service, {
        ...app,
        tokens: {
          ...app.tokens,
          access_token: spelled('access', tokenBase ?? '', 3, 0, 0, Date.now() + minute),
          refresh_token: spelled('refresh', tokenBase ?? '', 3, 0, 0),
        },
      })
      expect(await isIn(last)).toBe(false)
      const fresh = cookieOf(
        await service.send('POST', '/login/', { username: 'alice', password: goodPassword }, as(old)),
      )
      const list = async () =>
        (await service.send('GET', '/sessions/', undefined, as(fresh))).json().results as {
          id: string
          current: boolean
        }[]
      const listed = await list()
      expect(listed).toHaveLength(3)
      const other = listed.find(({ current }) => !current)
      expect((await service.send('DELETE', `/sessions/${other?.id}`, undefined, as(fresh))).statusCode).toBe(
        204,
      )
      expect(await list()).toHaveLength(2)
      await change(service, fresh, otherPassword)
      expect(await sessions.listByUser(id)).toHaveLength(1)
      // A claim of today to such a row is good, so it is the spelling that ends them.
      expect(counters).toEqual(['0', '0', '0', '0'])
      await service.settle()
      expect(service.mails.filter(({ kind }) => kind === 'token-reused')).toEqual([])
    },
  )
})
