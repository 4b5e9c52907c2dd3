import { createHash } from 'node:crypto'
import {
  as,
  cookieOf,
  goodPassword,
  logIn,
  otherPassword,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import type { Service } from './service.js'
import { callsOf, holdNext } from './store-calls.js'
import { appOf, bearer, canRefresh, whoHas, withTokens } from './token-clients.js'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

interface Listed {
  id: string
  name: string | null
  current: boolean
  ip: string | null
  browser: string | null
  system: string | null
}

async function listed({ send }: Service, cookie: string): Promise<Listed[]> {
  const response = await send('GET', '/sessions/', undefined, as(cookie))
  expect(response.statusCode).toBe(200)
  return response.json().results
}
const ownId = async (service: Service, cookie: string) =>
  (await listed(service, cookie)).find(({ current }) => current)?.id ?? ''
const end = ({ send }: Service, id: string, cookie: string) =>
  send('DELETE', `/sessions/${id}`, undefined, as(cookie))

cases('Own sessions', ({ rule, storage }) => {
  rule(
    'OWN-01',
    {
      tried:
        'ending another user’s session: by its id in their list, its row key, its cookie, as staff, and by path traversal',
      expected:
        '404, the other session survives and the store is never told to delete; an anonymous request gets 401',
    },
    async ({ start, sessions }) => {
      const service = await start()
      const bob = await signUp(service, 'bob')
      const { id } = await signUp(service)
      await service.app.accounts.updateUser(id, { isStaff: true })
      const [alice, victim] = [await logIn(service), await logIn(service, 'bob')]
      const value = decodeURIComponent(victim).slice('session='.length)
      const [row] = await sessions.listByUser(bob.id)
      const shown = await ownId(service, victim)
      const calls = callsOf(sessions)
      const names = [
        shown,
        row?.id ?? '',
        value,
        value.split('.')[0] ?? '',
        bob.id,
        shown.toUpperCase(),
        `${shown}%00`,
        `x%2f..%2f${shown}`,
        '*',
        '%25',
        '__proto__',
        "x' OR '1'='1",
      ]
      for (const name of names) {
        const response = await end(service, encodeURI(name), alice)
        expect([name, response.statusCode, response.cookies]).toEqual([name, 404, []])
      }
      const raw = await service.raw(
        `DELETE /sessions/../sessions/${shown} HTTP/1.1\r\nHost: a\r\nCookie: ${alice}\r\nConnection: close\r\n\r\n`,
      )
      expect(raw.statusCode).toBe(404)
      expect((await end(service, shown, 'session=a.b')).json().code).toBe('ACCOUNTS_LOGIN_REQUIRED')
      expect((await service.send('DELETE', `/sessions/${shown}`)).statusCode).toBe(401)
      expect(calls.filter((name) => name.startsWith('delete'))).toEqual([])
      expect(await whoIs(service, victim)).toBe('bob')
      expect((await end(service, shown, victim)).statusCode).toBe(204)
      expect(await whoIs(service, victim)).toBeNull()
    },
  )

  rule(
    'OWN-02',
    {
      tried:
        'the list, searched for usable session data: cookies, their ids, row keys; and its ids used as a cookie',
      expected:
        'none of them; a list id opens nothing and reveals nothing about its key, and each session has its own',
    },
    async ({ start, sessions }) => {
      const service = await start()
      const { id } = await signUp(service)
      await signUp(service, 'bob')
      await logIn(service, 'bob')
      const cookies = [await logIn(service), await logIn(service), await logIn(service)]
      const response = await service.send('GET', '/sessions/', undefined, as(cookies[0] ?? ''))
      const results: Listed[] = response.json().results
      expect(results.map(({ current }) => current).filter(Boolean)).toHaveLength(1)
      expect(new Set(results.map((each) => each.id)).size).toBe(3)
      const keys = [
        'id',
        'created_at',
        'last_seen_at',
        'expires_at',
        'name',
        'browser',
        'system',
        'ip',
        'current',
      ]
      for (const each of results) expect(Object.keys(each).sort()).toEqual(keys.toSorted())
      const values = cookies.map((cookie) => decodeURIComponent(cookie).slice('session='.length))
      const rows = await sessions.listByUser(id)
      const hidden = [
        // Between the base and the signature are counters.
        ...values.flatMap((value) => [value.split('.').at(0) ?? '', value.split('.').at(-1) ?? '']),
        ...rows.map((row) => row.id),
        ...rows.map((row) => createHash('sha256').update(row.id).digest('base64url').slice(0, 22)),
        id,
      ]
      for (const each of hidden) expect(response.body.includes(each)).toBe(false)
      for (const each of results) {
        for (const cookie of [
          `session=${each.id}`,
          `session=${each.id}.${values[0]?.split('.').slice(1).join('.')}`,
        ]) {
          expect(await whoIs(service, cookie)).toBeNull()
        }
      }
    },
  )

  rule(
    'OWN-03',
    {
      tried:
        'logins with a User-Agent of markup, line breaks, directional marks or 8 kB, and with every kind of X-Forwarded-For',
      expected:
        'list and email contain our own words, the list a valid address, the email only a network that isn’t this machine; an untrusted header has no effect',
    },
    async ({ start, users }) => {
      const service = await start({ session: { newDeviceMail: true, ip: 'full' } })
      const email = 'alice@example.org'
      const { id } = await signUp(service, 'alice', { email })
      await service.app.accounts.updateUser(id, { isVerified: true })
      await logIn(service)
      const agents = [
        '<img src=x onerror=alert(1)> Firefox/1 Linux',
        '"><script>Firefox/</script> Windows',
        'Firefox/1 \u202egro.elpmaxe\u202c Linux',
        '\u0000\u2028Firefox/2 {name} {brand} #{7*7} %s Linux',
        `${'Mozilla/5.0 '.repeat(700)}Firefox/1`,
        '=HYPERLINK("//evil.example") Firefox/1 Linux',
      ]
      const forwarded = ['203.0.113.9', '<b>1.2.3.4</b>', '1.2.3.4, 5.6.7.8', 'call +1 900 555', '::1%<i>']
      const body = { username: 'alice', password: goodPassword }
      let cookie = ''
      for (const [at, agent] of agents.entries()) {
        // As UTF-8 bytes, as they would arrive over a socket.
        const headers = {
          'user-agent': Buffer.from(agent).toString('latin1'),
          'x-forwarded-for': forwarded[at % forwarded.length] ?? '',
          forwarded: 'for=203.0.113.9',
          'x-real-ip': '203.0.113.9',
        }
        cookie = cookieOf(await service.send('POST', '/login/', body, { headers }))
      }
      for (const { ip, browser, system } of await listed(service, cookie)) {
        expect(['127.0.0.1', null]).toContain(ip)
        expect(['Firefox', null]).toContain(browser)
        expect(['Linux', 'Windows', null]).toContain(system)
      }
      const lines = `POST /login/ HTTP/1.1\r\nHost: a\r\nUser-Agent: Firefox/1\r\n Bcc: evil@example.com\r\nContent-Type: application/json\r\nContent-Length: ${JSON.stringify(body).length}\r\nConnection: close\r\n\r\n${JSON.stringify(body)}`
      expect((await service.raw(lines)).statusCode).toBe(400)

      const trusting = await start({ session: { ip: 'full' } }, { server: { trustProxy: () => true } })
      for (const [header, shown] of [
        ['203.0.113.9', '203.0.113.9'],
        ['1.2.3.4, 5.6.7.8', '1.2.3.4'],
        ['::1%<i>', '::1'],
        ['<b>1.2.3.4</b>', null],
        ['call +1 900 555', null],
      ] as const) {
        const headers = { 'x-forwarded-for': header, 'user-agent': firefox }
        cookie = cookieOf(await trusting.send('POST', '/login/', body, { headers }))
        const own = (await listed(trusting, cookie)).find(({ current }) => current)
        expect([header, own?.ip]).toEqual([header, shown])
      }
      await service.app.close()
      const mails = service.mails.filter(({ kind }) => kind === 'new-device')
      expect(mails.length).toBeGreaterThan(0)
      for (const { subject, text, html } of mails) {
        for (const each of ['alert(', '<script', 'evil', '\u202e', '900', '203.0.113.9', '#{', '{brand}']) {
          expect(subject + text + html).not.toContain(each)
        }
        expect(text).toMatch(/\nDevice: (unknown|Firefox|Firefox, Linux|Firefox, Windows)\n\n/)
      }
      expect((await users.findById(id))?.isActive).toBe(true)
    },
  )

  storage(
    'OWN-04',
    {
      tried:
        'a session is ended, alone or with all others, while one of its requests is in progress and records its visit',
      expected: '401 from then on: the late visit restores nothing, and no row is left',
    },
    async ({ start, sessions, sessionRows, wait }) => {
      const service = await start()
      await signUp(service)
      const endings: ((own: string, victim: string) => Promise<unknown>)[] = [
        async (own, victim) => end(service, await ownId(service, victim), own),
        (own) => service.send('POST', '/sessions/end-others/', undefined, as(own)),
      ]
      for (const finish of endings) {
        const [own, victim] = [await logIn(service), await logIn(service)]
        // "Last seen" is written once a minute.
        await wait(61_000)
        expect(await whoIs(service, own)).toBe('alice')
        const held = holdNext(sessions, 'touch')
        const visit = whoIs(service, victim)
        await held.reached
        await finish(own, victim)
        held.release()
        expect(await visit).toBe('alice')
        expect(await whoIs(service, victim)).toBeNull()
        expect(await whoIs(service, own)).toBe('alice')
        expect(await sessionRows()).toBe(1)
        await service.send('POST', '/logout/', undefined, as(own))
      }
    },
  )

  rule(
    'OWN-05',
    {
      tried:
        'ending all others: with sessions of other users present, without a live session, and with a body',
      expected:
        'this session and other users’ sessions survive; a dead cookie ends nothing; a field is rejected as unknown',
    },
    async ({ start, sessions }) => {
      const service = await start()
      const { id } = await signUp(service)
      await signUp(service, 'bob')
      const [own, bob] = [await logIn(service), await logIn(service, 'bob')]
      const others = [await logIn(service), await logIn(service)]
      const dead = await logIn(service)
      await service.send('POST', '/logout/', undefined, as(dead))
      const endOthers = (cookie: string, body?: object) =>
        service.send('POST', '/sessions/end-others/', body, as(cookie))
      for (const cookie of [dead, `${own}x`, 'session=a.b']) {
        expect((await endOthers(cookie)).json().code).toBe('ACCOUNTS_LOGIN_REQUIRED')
      }
      expect((await endOthers(own, { except: 'x' })).json().fields).toMatchObject([{ code: 'unknown' }])
      for (const cookie of [own, bob, ...others]) expect(await whoIs(service, cookie)).not.toBeNull()
      expect((await endOthers(own)).statusCode).toBe(204)
      for (const cookie of others) expect(await whoIs(service, cookie)).toBeNull()
      expect([await whoIs(service, own), await whoIs(service, bob)]).toEqual(['alice', 'bob'])
      expect(await sessions.listByUser(id)).toHaveLength(1)
    },
  )

  rule(
    'OWN-06',
    {
      tried:
        'two mounts of the same users, one without tokens: there, the list, the end of a session of tokens, and of all others',
      expected: 'it is in the list of both, and ends where it is ended',
    },
    async ({ start }) => {
      const service = await start(withTokens)
      const plain = await start()
      await signUp(service)
      const cookie = await logIn(plain)
      const app = await appOf(service, 'alice', 'Phone')
      const phone = async () => (await listed(plain, cookie)).find(({ name }) => name === 'Phone')?.id ?? ''
      expect((await listed(plain, cookie)).map(({ current, name }) => [current, name])).toEqual([
        [false, 'Phone'],
        [true, null],
      ])
      expect((await end(plain, await phone(), cookie)).statusCode).toBe(204)
      expect([await whoHas(app), await canRefresh(app)]).toEqual([null, false])
      const another = await appOf(service)
      await plain.send('POST', '/sessions/end-others/', undefined, as(cookie))
      expect([await whoHas(another), await canRefresh(another)]).toEqual([null, false])
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )

  rule(
    'OWN-07',
    {
      tried:
        'a thief with a copy of a session’s tokens or cookie, who reads the list every ten seconds to see when its owner was here',
      expected:
        'of the session that asks, the list tells the time of its own request and an end that never moves',
    },
    async ({ start, wait }) => {
      const service = await start(withTokens)
      await signUp(service)
      await wait(0)
      const owner = await appOf(service)
      const cookie = await logIn(service)
      const thief = owner.copy()
      const stolen = bearer(thief.tokens?.access_token ?? '')
      const ends = new Set<string>()
      for (let round = 0; round < 30; round += 1) {
        await wait(10_000)
        if (round % 7 === 3) {
          expect([await canRefresh(owner), await whoHas(owner)]).toEqual([true, 'alice'])
          expect(await whoIs(service, cookie)).toBe('alice')
        }
        for (const headers of [stolen, { cookie }]) {
          const response = await service.send('GET', '/sessions/', undefined, { headers })
          const own = response.json().results.find(({ current }: Listed) => current)
          expect([round, own.last_seen_at]).toEqual([round, new Date().toISOString()])
          ends.add(own.expires_at)
        }
      }
      expect(ends.size).toBe(2)
    },
  )
})

const minute = 60_000
const confirm = ({ send }: Service, cookie: string, password = goodPassword) =>
  send('POST', '/confirm/', { password }, as(cookie))
/** Whether this session counts as recently confirmed. */
async function isConfirmed({ send }: Service, cookie: string): Promise<boolean> {
  // An invalid address is rejected after this check, so no email is sent.
  const response = await send('POST', '/change-email/', { email: 'nobody' }, as(cookie))
  const { code } = response.json()
  expect(['ACCOUNTS_INVALID_INPUT', 'ACCOUNTS_CONFIRMATION_REQUIRED']).toContain(code)
  return code === 'ACCOUNTS_INVALID_INPUT'
}

cases('Confirming the password', ({ rule, storage }) => {
  storage(
    'CNF-01',
    {
      tried:
        'password guesses from two stolen sessions at once, at both routes that accept it, minute after minute',
      expected:
        'five a minute reach the hasher, across all sessions and both routes, and a hundred a day; login is not blocked',
    },
    async ({ start, wait }) => {
      // Otherwise only two wait, and the third gets 503.
      const service = await start({ throttle: {}, password: { concurrency: 5 } })
      await signUp(service)
      await wait(0)
      const cookies = [await logIn(service), await logIn(service)]
      const guess = (at: number, password = `guess number ${at}`) => {
        const cookie = cookies[at % 2] ?? ''
        if (at % 3 > 0) return confirm(service, cookie, password)
        const choice = { new_password: otherPassword, confirm_password: otherPassword }
        return service.send('POST', '/change-password/', { old_password: password, ...choice }, as(cookie))
      }
      const round = async () => {
        const responses = await Promise.all(Array.from({ length: 8 }, (_, at) => guess(at)))
        return responses.map(({ statusCode }) => statusCode).sort()
      }
      const { verifications } = service.hasher
      const verified = () => service.hasher.verifications - verifications
      for (let rounds = 0; rounds < 20; rounds += 1) {
        expect(await round()).toEqual([...Array(5).fill(400), ...Array(3).fill(429)])
        await wait(minute + 1000)
      }
      expect(verified()).toBe(100)
      const refused = await confirm(service, cookies[0] ?? '')
      expect([refused.statusCode, refused.headers['ratelimit-limit']]).toEqual([429, '100'])
      expect(verified()).toBe(100)
      expect(await whoIs(service, await logIn(service))).toBe('alice')
      await wait(24 * 60 * minute)
      expect((await confirm(service, await logIn(service))).statusCode).toBe(204)
    },
  )

  rule(
    'CNF-02',
    {
      tried:
        'the fifteen minutes after confirmation: in another session of the same user, and extended by visits, failed attempts and profile changes',
      expected: 'it applies only to the session where the password was entered; nothing extends it',
    },
    async ({ start, wait }) => {
      const service = await start()
      await signUp(service)
      await wait(0)
      const [old, other] = [await logIn(service), await logIn(service)]
      await wait(16 * minute)
      for (const cookie of [old, other]) expect(await isConfirmed(service, cookie)).toBe(false)
      const renewed = cookieOf(await confirm(service, old))
      expect(await isConfirmed(service, renewed)).toBe(true)
      expect(await isConfirmed(service, other)).toBe(false)
      for (let passed = 0; passed < 16; passed += 4) {
        await wait(4 * minute)
        expect(await whoIs(service, renewed)).toBe('alice')
        expect((await confirm(service, renewed, 'not the password')).statusCode).toBe(400)
        await service.send('PATCH', '/me/', { username: 'alice' }, as(renewed))
      }
      expect(await isConfirmed(service, renewed)).toBe(false)
      expect((await service.send('DELETE', '/me/', undefined, as(renewed))).json().code).toBe(
        'ACCOUNTS_CONFIRMATION_REQUIRED',
      )
    },
  )

  storage(
    'CNF-03',
    {
      tried:
        'a confirmed session when the password changes elsewhere, when all sessions end during the password check, and with ten concurrent confirmations of one cookie',
      expected:
        'it is over; nothing is confirmed; all ten are one session, of which the two newest cookies are confirmed',
    },
    async ({ start, sessions, sessionRows }) => {
      // Otherwise only two wait, and the third gets 503.
      const service = await start({ password: { concurrency: 10 } })
      const { id } = await signUp(service)
      const confirmed = cookieOf(await confirm(service, await logIn(service)))
      await service.app.accounts.setPassword(id, goodPassword)
      expect(await whoIs(service, confirmed)).toBeNull()
      expect((await confirm(service, confirmed)).statusCode).toBe(401)

      const cookie = await logIn(service)
      const verify = service.hasher.verify
      service.hasher.verify = async (...args) => {
        const right = await verify(...args)
        await service.app.accounts.endUserSessions(id)
        return right
      }
      expect((await confirm(service, cookie)).json().code).toBe('ACCOUNTS_LOGIN_REQUIRED')
      service.hasher.verify = verify
      expect(await sessionRows()).toBe(0)

      const one = await logIn(service)
      const responses = await Promise.all(Array.from({ length: 10 }, () => confirm(service, one)))
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(204))
      const all = await Promise.all(responses.map((response) => isConfirmed(service, cookieOf(response))))
      expect(all.filter(Boolean)).toHaveLength(2)
      expect(await sessions.listByUser(id)).toHaveLength(1)
      await service.send('POST', '/logout/', undefined, as(one))
      const cookies = [one, ...responses.map(cookieOf)]
      expect(await Promise.all(cookies.map((each) => whoIs(service, each)))).toEqual(Array(11).fill(null))
    },
  )
})
