import { logIn, signUp } from '@fastify-accounts/test-support/app'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { expectAlike } from './responses.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'

const show = (service: Service, pk: string, cookie?: string) =>
  service.app.inject({ url: `/user/${pk}`, headers: cookie === undefined ? {} : { cookie } })
const missing = '01890a5d-ac96-774b-bcce-b302099a8057'

cases('Show', ({ rule }) => {
  rule(
    'SHW-01',
    {
      tried:
        'the path of another user, of a deleted one and of a nonexistent one, if the policy shows users only themselves',
      expected: '404, byte-identical after the same store queries',
    },
    async ({ start, users, sessions }) => {
      const service = await start({ authorize: { showUser: (actor, target) => actor.id === target.id } })
      const own = await signUp(service, 'alice', { email: 'alice@example.org' })
      const other = await signUp(service, 'bob')
      const gone = await signUp(service, 'carol')
      await users.delete(gone.id)
      const cookie = await logIn(service)
      const asked = callsOf(users)
      const hidden = []
      for (const pk of [missing, gone.id, other.id]) {
        hidden.push(await show(service, pk, cookie))
        expect(asked.splice(0)).toEqual(sessions.withUsers ? ['findById'] : ['findById', 'findById'])
      }
      const [first, ...others] = hidden
      if (!first) throw new Error('there is no response')
      expect(first.json()).toMatchObject({ statusCode: 404, code: 'ACCOUNTS_NOT_FOUND' })
      expectAlike(first, ...others)
      expect((await show(service, own.id, cookie)).json().email).toBe('alice@example.org')
    },
  )

  rule(
    'SHW-01',
    {
      tried:
        'the same with the default policy, which shows id and username to anyone logged in; and as an anonymous visitor',
      expected:
        '200 with these two; 404 alike for deleted and nonexistent users; 401 alike for anonymous visitors, whichever user is requested',
    },
    async ({ start, users }) => {
      const service = await start()
      await signUp(service, 'alice')
      const other = await signUp(service, 'bob', { email: 'bob@example.org' })
      const gone = await signUp(service, 'carol')
      const goneCookie = await logIn(service, 'carol')
      await users.delete(gone.id)
      const cookie = await logIn(service)
      expect((await show(service, other.id, cookie)).json()).toEqual({ id: other.id, username: 'bob' })
      const none = await show(service, missing, cookie)
      expect(none.statusCode).toBe(404)
      expectAlike(none, await show(service, gone.id, cookie))
      const stranger = await show(service, missing)
      expect(stranger.json()).toMatchObject({ statusCode: 401, code: 'ACCOUNTS_LOGIN_REQUIRED' })
      expectAlike(stranger, await show(service, other.id), await show(service, gone.id, goneCookie))
    },
  )

  rule(
    'SHW-01',
    {
      tried:
        'an id in another spelling: other case, spaces, NUL, slashes, quotes, wildcards, another type, kilobytes',
      expected: '404, never 500: an id has only one form',
    },
    async ({ start }) => {
      const service = await start()
      const other = await signUp(service, 'bob')
      await signUp(service, 'alice')
      const cookie = await logIn(service)
      for (const pk of [
        other.id.toUpperCase(),
        other.id.replaceAll('-', ''),
        `{${other.id}}`,
        `${other.id}%20`,
        `%20${other.id}`,
        `${other.id}%00`,
        `${other.id}'`,
        '%25',
        '_'.repeat(36),
        '%00',
        'a%2Fb',
        '0',
        '-1',
        'null',
        '%F0%9F%90%AE',
        '1%20or%201=1',
        'x'.repeat(100),
      ]) {
        for (const url of [pk, `${pk}/`]) {
          const response = await show(service, url, cookie)
          expect([url, response.statusCode, response.json().code]).toEqual([url, 404, 'ACCOUNTS_NOT_FOUND'])
        }
      }
      for (const pk of ['%00', '%2e%2e', '..%2f..', 'a%2Fb', `${other.id}%00`, `${other.id.toUpperCase()}`]) {
        const { statusCode } = await service.raw(
          `GET /user/${pk} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
        )
        expect([pk, statusCode]).toEqual([pk, 404])
      }
      for (const pk of ['%ED%A0%80', '%FF', '%zz', 'x'.repeat(5000)]) {
        const { statusCode } = await show(service, pk, cookie)
        expect([pk.slice(0, 20), [400, 404, 414].includes(statusCode)]).toEqual([pk.slice(0, 20), true])
      }
      expect((await show(service, other.id, cookie)).statusCode).toBe(200)
    },
  )
})
