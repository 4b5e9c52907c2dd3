import {
  browser,
  cookieOf,
  goodPassword,
  linkTarget,
  logIn,
  otherPassword,
  secret,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import type { InjectOptions } from 'fastify'
import { afterAll, expect, vi } from 'vitest'
import { cases } from './catalogue.js'
import { forgedLink, partsOf, releaseLink, resetLink, verifyLink } from './links.js'
import type { Errand, Outcome, tasks } from './other-process.js'
import { change, choice, passwordsThatWork } from './passwords.js'
import { expectAlike } from './responses.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'

const minute = 60_000
const hour = 60 * minute
const email = 'alice@example.org'

const forgot = (service: Service, address: unknown = email, extra: InjectOptions = {}) =>
  service.send('POST', '/forgot/', { email: address }, extra)
const reset = (service: Service, link: string, password = otherPassword) =>
  service.send('POST', link, choice(password))

let processes: Promise<Processes<keyof typeof tasks, Errand>> | undefined
afterAll(async () => (await processes)?.stop())

cases('Reset', ({ rule, storage }) => {
  rule(
    'RST-01',
    {
      tried: 'requesting a reset for an unknown address, and for those of accounts in every state',
      expected:
        '202, byte-identical, after one store query and no hashing; an email to each active account, even if the address is unverified or the password unusable',
    },
    async ({ start, users }) => {
      const service = await start({ throttle: {} })
      const states = ['sound', 'unverified', 'disabled', 'unusable']
      for (const name of states) {
        const { id, version } = await signUp(service, name, { email: `${name}@example.org` })
        if (name === 'unusable') await users.update(id, { passwordHash: '!' }, version)
        const flags = { isVerified: name !== 'unverified', isActive: name !== 'disabled' }
        await service.app.accounts.updateUser(id, flags)
      }
      const unknown = await forgot(service, 'nobody@example.org')
      expect([unknown.statusCode, unknown.cookies]).toEqual([202, []])
      const hashed = service.hasher.hashes + service.hasher.verifications
      const asked = callsOf(users)
      for (const name of ['nobody', ...states]) {
        const response = await forgot(service, `${name}@example.org`)
        expectAlike(unknown, response)
        // After the response, the user is looked up by address once more, whether or not there is one.
        expect(new Set(asked.splice(0))).toEqual(new Set(['findByEmail']))
      }
      expect(service.hasher.hashes + service.hasher.verifications).toBe(hashed)
      // An SQL outbox keeps unsent emails for the next process when the app closes.
      await service.settle()
      await service.app.close()
      expect(service.mails.map(({ kind, to }) => [kind, to.name, to.address]).toSorted()).toEqual([
        ['reset-password', 'sound', 'sound@example.org'],
        ['reset-password', 'unusable', 'unusable@example.org'],
        ['reset-password', 'unverified', 'unverified@example.org'],
      ])
    },
  )

  rule(
    'RST-02',
    {
      tried: 'a mailer that throws, rejects or never responds',
      expected:
        'the response is the one for an unknown address; after the last attempt, an event and a log line, without address or link',
    },
    async ({ start }) => {
      vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
      const { id } = await signUp(await start({ adapterTimeout: 10 * minute }), 'alice', { email })
      const refusal = (): never => {
        throw new Error('connect ECONNREFUSED')
      }
      for (const deliver of [refusal, async () => refusal(), () => new Promise<void>(() => {})]) {
        const lines: string[] = []
        let attempts = 0
        const logger = { stream: { write: (line: string) => lines.push(line) } }
        const send = () => {
          attempts += 1
          return deliver()
        }
        // Each attempt looks up the user, and the store runs in real time.
        const options = { mailer: { send }, throttle: {}, adapterTimeout: 10 * minute }
        const service = await start(options, { server: { logger } })
        const failures: unknown[] = []
        service.app.accounts.events.on('mail-failed', ({ kind, userId }) => failures.push([kind, userId]))
        expectAlike(await forgot(service, 'nobody@example.org'), await forgot(service))
        await expect.poll(() => attempts).toBe(1)
        await expect
          .poll(async () => {
            await vi.advanceTimersByTimeAsync(10_000)
            return failures
          })
          .toEqual([['reset-password', id]])
        expect(attempts).toBe(4)
        expect(lines.join('')).toContain('gave up on an email')
        expect(lines.join('')).not.toMatch(/alice@|\/reset\/\w/)
      }
    },
  )

  rule(
    'RST-03',
    {
      tried: 'an attacker’s Host, X-Forwarded-Host and Forwarded, and a full URL as target, as raw bytes',
      expected: 'the link is built from `baseUrl`, or 400 or 404 and no email',
    },
    async ({ start }) => {
      for (const trustProxy of [false, true]) {
        const service = await start({ baseUrl: 'https://example.org/base' }, { server: { trustProxy } })
        if (!trustProxy) await signUp(service, 'alice', { email })
        const body = JSON.stringify({ email })
        const rest = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
        const proxied = 'X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: http'
        for (const [target, headers, status] of [
          ['/forgot/', 'Host: evil.example', 202],
          ['/forgot/', `Host: example.org\r\n${proxied}\r\nForwarded: host=evil.example`, 202],
          ['/forgot/', 'Host: example.org\r\nX-Original-URL: http://evil.example/', 202],
          ['/forgot/', 'Host: www.example:dr.frankenstein@evil.example', 202],
          ['/forgot/', 'Host: example.org\r\nHost: evil.example', 400],
          ['/forgot/', 'Host: example.org/evil.example?', 202],
          ['/forgot/', 'Host: ', 202],
          ['/forgot/', 'X-No: host', 400],
          ['http://evil.example/forgot/', 'Host: example.org', 202],
          ['http://evil.example/forgot/', 'Host: evil.example', 202],
          ['//evil.example/forgot/', 'Host: example.org', 404],
        ] as const) {
          const before = service.mails.length
          const response = await service.raw(`POST ${target} HTTP/1.1\r\n${headers}\r\n${rest}`)
          expect([target, headers, response.statusCode]).toEqual([target, headers, status])
          if (status === 202) await expect.poll(() => service.mails.length).toBe(before + 1)
        }
        await service.app.close()
        expect(service.mails).toHaveLength(8)
        for (const { subject, text, html } of service.mails) {
          expect(text).toContain('\nhttps://example.org/base/reset/')
          expect(subject + text + html).not.toMatch(/evil|http:/)
        }
      }
    },
  )

  rule(
    'RST-04',
    {
      tried: 'several addresses in one field: lists, duplicate fields, commas and semicolons',
      expected: '400, the store is not called, no email',
    },
    async ({ start, users }) => {
      const service = await start()
      await signUp(service, 'alice', { email })
      await signUp(service, 'eve', { email: 'eve@example.com' })
      const asked = callsOf(users)
      const refused = async (payload: string, type: string) => {
        const headers = { 'content-type': type }
        const response = await service.app.inject({ method: 'POST', url: '/forgot/', payload, headers })
        expect([payload, response.statusCode]).toEqual([payload, 400])
        expect(response.json().code).toBe('ACCOUNTS_INVALID_INPUT')
      }
      for (const several of [
        [email, 'eve@example.com'],
        [email],
        { 0: email, 1: 'eve@example.com' },
        `${email},eve@example.com`,
        `${email}, eve@example.com`,
        `${email}; eve@example.com`,
        `${email} eve@example.com`,
        `${email}\teve@example.com`,
        `${email}|eve@example.com`,
        `Alice <${email}>, eve@example.com`,
        `<${email}>`,
        `"${email}" eve@example.com`,
        `team:${email},eve@example.com;`,
        `alice@example.org@example.com`,
        `eve@example.com\u0000${email}`,
        `alice＠example.org`,
      ]) {
        await refused(JSON.stringify({ email: several }), 'application/json')
      }
      const encoded = [encodeURIComponent(email), 'eve%40example.com'] as const
      for (const payload of [
        `email=${encoded[0]}&email=${encoded[1]}`,
        `email[]=${encoded[0]}&email[]=${encoded[1]}`,
        `email[0]=${encoded[0]}`,
        `email=${encoded[0]}%2C${encoded[1]}`,
        `email=${encoded[0]}%00${encoded[1]}`,
      ]) {
        await refused(payload, 'application/x-www-form-urlencoded')
      }
      expect(asked).toEqual([])
      await service.app.close()
      expect(service.mails).toEqual([])
    },
  )

  storage(
    'RST-05',
    {
      tried: 'an address that looks like a stored one: dotless ı, accents, a Kelvin sign, full width',
      expected:
        'no email, or one to the stored address: only case is ignored, and differences between letters that Unicode considers equivalent',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service, 'mike', { email: 'Mike@Example.org' })
      await signUp(service, 'strasse', { email: 'mike@strasse.example' })
      for (const [spelled, status, mails] of [
        ['mike@example.org', 202, 1],
        ['MIKE@EXAMPLE.ORG', 202, 1],
        [' \tmike@example.org\r\n', 202, 1],
        ['mi\u212ae@example.org', 202, 1],
        ['m\u0131ke@example.org', 202, 0],
        ['M\u0130KE@EXAMPLE.ORG', 202, 0],
        ['m\u00edke@example.org', 202, 0],
        ['mi\u0301ke@example.org', 202, 0],
        ['mike@ex\u00e1mple.org', 202, 0],
        ['mike@ex\u0430mple.org', 202, 0],
        ['mike@stra\u00dfe.example', 202, 0],
        ['\uff4dike@example.org', 400, 0],
        ['mike@\uff45xample.org', 400, 0],
        ['mike@example\u3002org', 400, 0],
        ['mike@example.org.', 400, 0],
        ['mi\u00adke@example.org', 400, 0],
        ['mi\u200bke@example.org', 400, 0],
      ] as const) {
        const response = await forgot(service, spelled)
        expect([spelled, response.statusCode]).toEqual([spelled, status])
        await expect.poll(() => service.mails.length).toBe(mails)
        const to = service.mails.splice(0).map((mail) => mail.to.address)
        expect([spelled, to]).toEqual([spelled, Array(mails).fill('Mike@Example.org')])
      }
      await service.app.close()
      expect(service.mails).toEqual([])
    },
  )

  storage(
    'RST-07',
    {
      tried: 'line breaks and NUL in the address, and in the username behind the plugin’s back',
      expected: '400 and no email; a mailer gets name and address separately, each on one line',
    },
    async ({ start, users }) => {
      const subjectOf = ({ username }: { username: string | null }) => ({
        subject: `${username}`,
        text: '',
        html: '',
      })
      for (const emails of [{}, { 'reset-password': subjectOf }]) {
        const service = await start({ emails })
        for (const address of [
          `${email}\r\nBcc: eve@example.com`,
          `${email}\nBcc: eve@example.com`,
          `${email}\r`,
          `Bcc: eve@example.com\r\n${email}`,
          `${email}\0`,
          `al\0ice@example.org`,
          `${email}\u2028Bcc: eve@example.com`,
        ]) {
          const response = await forgot(service, address)
          // Whitespace around an address is trimmed.
          const isTrimmed = address.trim() === email
          expect([address, response.statusCode]).toEqual([address, isTrimmed ? 202 : 400])
        }
        // The user is looked up just before the email is sent.
        await service.settle()
        const name = 'alice\r\nBcc: eve@example.com'
        await expect(signUp(service, name, { email })).rejects.toThrow('ACCOUNTS_INVALID_INPUT')
        const { id, version } = await signUp(service, 'alice', { email })
        // Only a proven address gets a name that looks like a link, without what would make it one.
        await users.update(id, { username: name, isVerified: true }, version)
        await forgot(service)
        await service.app.close()
        expect(service.mails).toHaveLength(1)
        const [mail] = service.mails
        expect(mail?.to).toEqual({ name: 'alice Bcc: eve＠example․com', address: email })
        expect(mail?.subject).not.toMatch(/[\r\n]/)
        await users.delete(id)
      }
    },
  )

  rule(
    'RST-08',
    {
      tried:
        'another recipient besides the victim’s address: in extra fields, a duplicate key, the query, headers',
      expected: '400, or one email to the stored address; never one to the other',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service, 'alice', { email })
      await signUp(service, 'eve', { email: 'eve@example.com' })
      const other = 'eve@example.com'
      for (const field of ['to', 'email2', 'cc', 'bcc', 'user_email', 'username', 'reply_to']) {
        const response = await service.send('POST', '/forgot/', { email, [field]: other })
        expect([response.statusCode, response.json().fields]).toMatchObject([
          400,
          [{ field, code: 'unknown' }],
        ])
      }
      const swapped = await service.send('POST', '/forgot/', { username: 'alice', email: other })
      expect(swapped.statusCode).toBe(400)

      const cookie = await logIn(service, 'eve')
      const query = `?email=${other}&to=${other}`
      const headers = { cookie, to: other, 'reply-to': other, 'x-forwarded-for': other }
      expect((await service.send('POST', `/forgot/${query}`, { email }, { headers })).statusCode).toBe(202)
      const doubled = { payload: `{"email":"nobody@example.com","email":"${email}"}` }
      const type = { 'content-type': 'application/json' }
      const response = await service.app.inject({
        method: 'POST',
        url: '/forgot/',
        ...doubled,
        headers: type,
      })
      expect(response.statusCode).toBe(202)
      await service.app.close()
      expect(service.mails.map(({ to }) => to)).toEqual(Array(2).fill({ name: 'alice', address: email }))
      for (const { subject, text, html } of service.mails) {
        expect(subject + text + html).not.toContain(other)
      }
    },
  )

  rule(
    'RST-09',
    {
      tried: 'a scanner follows the link five times by GET and HEAD, as a browser and as a program',
      expected: 'nothing changes, and the POST afterwards works',
    },
    async ({ start, users }) => {
      const service = await start()
      const { id } = await signUp(service, 'alice', { email })
      const link = await resetLink(service, email)
      const before = await users.findById(id)
      for (let round = 0; round < 5; round += 1) {
        for (const method of ['GET', 'HEAD'] as const) {
          for (const headers of [{}, browser]) {
            const response = await service.app.inject({ method, url: link, headers })
            expect([response.statusCode, response.cookies]).toEqual([200, []])
          }
        }
      }
      expect(await users.findById(id)).toEqual(before)
      expect((await reset(service, link)).statusCode).toBe(204)
    },
  )

  rule(
    'RST-10',
    {
      tried: 'the link used twice in a row',
      expected: '400 the second time, and the first password is kept',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service, 'alice', { email })
      const link = await resetLink(service, email)
      expect((await reset(service, link)).statusCode).toBe(204)
      const uses = [await reset(service, link, 'the second new password'), await service.send('GET', link)]
      for (const response of uses) {
        expect(response.json()).toMatchObject({ statusCode: 400, code: 'ACCOUNTS_INVALID_LINK' })
      }
      const candidates = [goodPassword, otherPassword, 'the second new password']
      expect(await passwordsThatWork(service, candidates, email)).toEqual([otherPassword])
    },
  )

  storage(
    'RST-11',
    {
      tried: 'the link used twenty times concurrently, with twenty passwords, in one process',
      expected: 'one 204 and nineteen 400; the winner’s password logs in, no other; one notice is emailed',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service, 'alice', { email })
      const link = await resetLink(service, email)
      const passwords = Array.from({ length: 20 }, (_, index) => `password number ${index} of twenty`)
      const responses = await Promise.all(passwords.map((password) => reset(service, link, password)))
      const winners = passwords.filter((_, index) => responses[index]?.statusCode === 204)
      expect(winners).toHaveLength(1)
      expect(responses.filter(({ statusCode }) => statusCode === 400)).toHaveLength(19)
      expect(await passwordsThatWork(service, [goodPassword, ...passwords], email)).toEqual(winners)
      await service.app.close()
      expect(service.mails.map(({ kind }) => kind)).toEqual(['reset-password', 'password-changed'])
    },
  )

  storage(
    'RST-11',
    {
      tried: 'the same in two processes',
      expected: 'the same',
      on: ['SQLite', 'PostgreSQL', 'PostgreSQL + Redis', 'MariaDB'],
      because: 'no other process can reach the memory',
    },
    async ({ start, place, prefix }) => {
      if (place === undefined) throw new Error('the ground has no place')
      const service = await start()
      await signUp(service, 'alice', { email })
      const link = await resetLink(service, email)
      const passwords = Array.from({ length: 10 }, (_, index) => `number ${index} of ten passwords`)
      const requests = passwords.map((password) => ({
        method: 'POST' as const,
        url: link,
        payload: choice(password),
      }))
      processes ??= startProcesses(new URL('other-process.ts', import.meta.url), 2)
      const uses = await (await processes).race<Outcome>('send', { place, prefix, options: {}, requests })
      const statusCodes = uses.flatMap((each) => each.statusCodes)
      expect(statusCodes.toSorted()).toEqual([204, ...Array(19).fill(400)])
      const winner = passwords[statusCodes.indexOf(204) % passwords.length]
      expect(await passwordsThatWork(service, [goodPassword, ...passwords], email)).toEqual([winner])
      expect(uses.map(({ mails }) => mails).toSorted()).toEqual([0, 1])
    },
  )

  storage(
    'RST-12',
    {
      tried:
        'the link in its last second, one second later, and by a clock that is more than a minute behind',
      expected: '200, then 400; a link from the future is 400 beyond a minute of clock skew',
    },
    async ({ start, wait }) => {
      const service = await start({ links: { resetLifetime: hour } })
      await signUp(service, 'alice', { email })
      // Tokens have whole seconds.
      await wait(1000 - (Date.now() % 1000))
      vi.setSystemTime(Math.floor(Date.now() / 1000) * 1000)
      const link = await resetLink(service, email)
      const look = async (milliseconds: number) => {
        await wait(milliseconds)
        return (await service.send('GET', link)).statusCode
      }
      expect(await look(hour)).toBe(200)
      expect(await look(1000)).toBe(400)
      expect((await reset(service, link)).statusCode).toBe(400)
      expect(await look(-hour - 1000 - minute)).toBe(200)
      expect(await look(-1000)).toBe(400)
      expect((await reset(service, link)).statusCode).toBe(400)
      await wait(minute)
      expect((await reset(service, link)).statusCode).toBe(204)
    },
  )

  rule(
    'RST-13',
    {
      tried:
        'a token under another user’s id, at the other kind of link, and in a service with another secret, `baseUrl` or prefix',
      expected: '400, byte-identical to the response for a malformed token; nothing changes',
    },
    async ({ start, users }) => {
      const service = await start()
      const ids = [
        (await signUp(service, 'alice', { email })).id,
        (await signUp(service, 'bob', { email: 'bob@example.org' })).id,
      ]
      const link = await resetLink(service, email)
      const verify = await verifyLink(service, email)
      const bobs = await resetLink(service, 'bob@example.org')
      const before = await Promise.all(ids.map(users.findById))
      const bad = [await service.send('GET', '/reset/x/x/'), await reset(service, '/reset/x/x/')] as const
      const uses: [Service, string][] = [
        [service, forgedLink(link, { uid64: partsOf(bobs).uid64 })],
        [service, forgedLink(bobs, { uid64: partsOf(link).uid64 })],
        [service, forgedLink(link, { token: partsOf(verify).token })],
        [await start({ secret: `${secret}x` }), link],
        [await start({ baseUrl: 'http://localhost:3001' }), link],
        [await start({ prefix: '/v2' }), `/v2${link}`],
        [await start({ auth: { prefix: '/v2' } }), `/v2${link}`],
      ]
      for (const [where, path] of uses) {
        expectAlike(bad[0], await where.send('GET', path))
        expectAlike(bad[1], await reset(where, path))
      }
      const unverified = await service.send('POST', forgedLink(verify, { token: partsOf(link).token }))
      expect([unverified.statusCode, unverified.body]).toEqual([400, bad[1].body])
      expect(await Promise.all(ids.map(users.findById))).toEqual(before)
      expect((await reset(service, link)).statusCode).toBe(204)
    },
  )

  rule(
    'RST-14',
    {
      tried:
        'ids that are invalid, too long, percent-encoded, or spelled differently in base64url, as raw bytes',
      expected:
        'the response to a bad token; if Fastify’s router itself can’t parse it, its 400 or 414. The store is not called',
    },
    async ({ start, users }) => {
      const service = await start()
      await signUp(service, 'alice', { email })
      const link = await resetLink(service, email)
      const { uid64, token } = partsOf(link)
      const asked = callsOf(users)
      const get = (path: string) =>
        service.raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      const bad = await get(forgedLink(link, { token: 'x' }))
      expect(bad.statusCode).toBe(400)
      const strangers = ['', '0', '-1', '99999999999999999999', 'MQ', 'MR', 'null', '%00', '%20', 'a%2Fb']
      const dots = ['..', '%2e%2e', '%2e%2e%2fuser', '.', '*', ':uid64', '$ne', '__proto__', 'x'.repeat(100)]
      const spellings = [
        ...['=', '%3D', '!!', '%0A', 'A', '.', '%E2%80%8B', '%2F', '+'].map((end) => uid64 + end),
        ...[`%20${uid64}`, uid64.slice(0, -1), `${uid64.slice(0, -1)}n`, uid64.toLowerCase()],
        Buffer.from(Buffer.from(uid64, 'base64url').toString().toUpperCase()).toString('base64url'),
        Buffer.from(uid64, 'base64url').toString(),
      ]
      for (const id of [...strangers, ...dots, ...spellings]) {
        const { statusCode, body } = await get(`/reset/${id}/${token}/`)
        expect([id, statusCode, body]).toEqual([id, bad.statusCode, bad.body])
      }
      for (const [id, status] of [
        ['%zz', 400],
        ['%FF', 400],
        ['%ED%A0%80', 400],
        ['x'.repeat(101), 414],
        ['x'.repeat(10_000), 414],
      ] as const) {
        expect((await get(`/reset/${id}/${token}/`)).statusCode).toBe(status)
      }
      expect(asked).toEqual([])
      expect((await get(link)).statusCode).toBe(200)
    },
  )

  rule(
    'RST-15',
    {
      tried:
        'tokens that are empty, truncated, longer, changed in any character, in other alphabets or too long',
      expected:
        '400, one response for all, which doesn’t repeat the token; beyond 100 characters 414 from Fastify’s router. The store is not called',
    },
    async ({ start, users }) => {
      const service = await start()
      await signUp(service, 'alice', { email })
      const link = await resetLink(service, email)
      const { token } = partsOf(link)
      const flipped = [...token].map(
        (sign, at) => token.slice(0, at) + (sign === 'A' ? 'B' : 'A') + token.slice(at + 1),
      )
      const others = ['', 'null', 'undefined', 'true', '[]', '%5B%5D', '0', 'a%2Fb', 'x'.repeat(100)]
      const spellings = ['A', '=', '%3D', '%00', '%0A', '.', ';x', '%2F', '~'].map((end) => token + end)
      const cut = [1, 2, 10, 40, 86].map((length) => token.slice(0, length))
      const asked = callsOf(users)
      const bad = [await service.send('GET', forgedLink(link, { token: 'x' }))] as const
      expect(bad[0].statusCode).toBe(400)
      for (const each of [...flipped, ...others, ...spellings, ...cut, token.toLowerCase()]) {
        const path = forgedLink(link, { token: each })
        const response = await service.send('GET', path)
        if (response.body !== bad[0].body) expect([each, response.body]).toEqual([each, bad[0].body])
        expectAlike(bad[0], response)
        const used = await reset(service, path)
        expect([each, used.statusCode, used.body]).toEqual([each, 400, bad[0].body])
      }
      for (const path of [link.slice(0, -1 - token.length), `/reset/${token}/`, '/reset//']) {
        expectAlike(bad[0], await service.send('GET', path))
      }
      const overlong = await reset(service, forgedLink(link, { token: `${token}${'A'.repeat(14)}` }))
      expect(overlong.statusCode).toBe(414)
      for (const field of ['token', 'token[]', 'uid64']) {
        const body = { ...choice(otherPassword), [field]: token }
        expect((await service.send('POST', forgedLink(link, { token: 'x' }), body)).statusCode).toBe(400)
      }
      expect(asked).toEqual([])
      expect(await passwordsThatWork(service, [goodPassword, otherPassword])).toEqual([goodPassword])
    },
  )

  rule(
    'RST-16',
    {
      tried:
        'a link from before a password change, another reset, a change of address, a disabling or a deletion',
      expected: '400, and nothing changes',
    },
    async ({ start, users }) => {
      const service = await start()
      const actions: Record<string, (id: string) => Promise<unknown>> = {
        'a change of password': async () =>
          change(service, await logIn(service), 'the password of the change'),
        'another reset': async () =>
          reset(service, await resetLink(service, email), 'the password of another reset'),
        'a password that the host sets': (id) =>
          service.app.accounts.setPassword(id, 'the password of the host'),
        'a new address': async (id) => {
          const moved = { email: 'new@example.org', emailKey: 'new@example.org' }
          await users.update(id, moved, (await users.findById(id))?.version ?? 0)
        },
        disabling: (id) => service.app.accounts.updateUser(id, { isActive: false }),
        'disabling, and enabling again': async (id) => {
          await service.app.accounts.updateUser(id, { isActive: false })
          await service.app.accounts.updateUser(id, { isActive: true })
        },
        deletion: (id) => service.app.accounts.deleteUser(id),
      }
      for (const [name, action] of Object.entries(actions)) {
        const { id } = await signUp(service, 'alice', { email })
        const link = await resetLink(service, email)
        expect([name, (await service.send('GET', link)).statusCode]).toEqual([name, 200])
        await action(id)
        const after = await users.findById(id)
        for (const response of [await service.send('GET', link), await reset(service, link)]) {
          expect([name, response.statusCode, response.json().code]).toEqual([
            name,
            400,
            'ACCOUNTS_INVALID_LINK',
          ])
        }
        expect(await users.findById(id)).toEqual(after)
        await users.delete(id)
      }
    },
  )

  rule(
    'RST-17',
    {
      tried: 'passwords that are rejected, then a valid one',
      expected: '400 with each error at its field, and the link stays valid: then 204',
    },
    async ({ start, users }) => {
      const service = await start()
      const { id } = await signUp(service, 'alice', { email })
      const link = await resetLink(service, email)
      const before = await users.findById(id)
      for (const [body, faults] of [
        [choice('short'), { new_password: 'too_short' }],
        [choice('password123'), { new_password: 'too_common' }],
        [choice(email), { new_password: 'too_common' }],
        [choice('x'.repeat(257)), { new_password: 'too_long' }],
        [{ ...choice(otherPassword), confirm_password: 'another' }, { confirm_password: 'mismatch' }],
        [{}, { new_password: 'required', confirm_password: 'required' }],
        [{ ...choice(otherPassword), old_password: goodPassword }, { old_password: 'unknown' }],
      ] as const) {
        const response = await service.send('POST', link, body)
        expect([response.statusCode, response.json().code]).toEqual([400, 'ACCOUNTS_INVALID_INPUT'])
        const fields: { field: string; code: string }[] = response.json().fields
        expect(Object.fromEntries(fields.map(({ field, code }) => [field, code]))).toEqual(faults)
      }
      expect(await users.findById(id)).toEqual(before)
      expect((await reset(service, link)).statusCode).toBe(204)
      expect(await passwordsThatWork(service, [goodPassword, otherPassword], email)).toEqual([otherPassword])
    },
  )

  rule(
    'RST-18',
    {
      tried: 'a reset of an account that is logged in elsewhere and locked by failed logins',
      expected:
        'every session is dead, nobody is logged in, the failure count is cleared, and a notice without secrets is emailed',
    },
    async ({ start, sessionRows }) => {
      const service = await start({ throttle: {} })
      await signUp(service, 'alice', { email })
      const cookies = [await logIn(service), await logIn(service)]
      for (let round = 0; round < 5; round += 1) {
        expect(await passwordsThatWork(service, ['wrong password'])).toEqual([])
      }
      await expect(passwordsThatWork(service, [goodPassword])).rejects.toThrow('429')
      const link = await resetLink(service, email)
      const response = await service.app.inject({
        method: 'POST',
        url: link,
        payload: choice(otherPassword),
        headers: { cookie: cookies[0] },
      })
      expect([response.statusCode, response.body]).toEqual([204, ''])
      expect(response.cookies.map(({ name }) => name)).toEqual(['session-device'])
      expect(() => cookieOf(response)).toThrow()
      for (const cookie of cookies) expect(await whoIs(service, cookie)).toBeNull()
      expect(await sessionRows()).toBe(0)
      expect(await passwordsThatWork(service, [goodPassword, otherPassword], email)).toEqual([otherPassword])
      await service.app.close()
      const notices = service.mails.filter(({ kind }) => kind === 'password-changed')
      expect(notices.map(({ to }) => to)).toEqual([{ name: 'alice', address: email }])
      for (const { subject, text, html } of notices) {
        expect(subject + text + html).not.toMatch(/staple gun|correct horse/)
        expect(text.match(/https?:\/\/\S+/g)).toEqual([expect.stringContaining('/not-me/')])
        expect(text).not.toContain(partsOf(link).token)
      }
    },
  )

  rule(
    'RST-20',
    {
      tried:
        'leaking the token through a Referer, a cache, a frame or another site, from every response of the link',
      expected:
        '`no-store`; other sites see at most the origin of the address; no frame, script or resource; no response repeats the token, and a browser ends at an address without it',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service, 'alice', { email })
      const link = await resetLink(service, email)
      const form = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }
      const post = (payload: string) =>
        service.app.inject({ method: 'POST', url: link, headers: form, payload })
      const chosen = new URLSearchParams(choice(otherPassword)).toString()
      const responses = {
        json: await service.send('GET', link),
        page: await service.send('GET', link, undefined, { headers: browser }),
        faults: await post('new_password=short&confirm_password=other'),
        done: await post(chosen),
        dead: await service.send('GET', link, undefined, { headers: browser }),
        deadJson: await reset(service, link),
        landing: await service.send('GET', '/reset/d/', undefined, { headers: browser }),
      }
      const statuses = Object.values(responses).map(({ statusCode }) => statusCode)
      expect(statuses).toEqual([200, 200, 400, 303, 400, 400, 200])
      expect(responses.done.headers.location).toBe('/reset/d/')
      for (const { headers, body } of Object.values(responses)) {
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'referrer-policy': 'strict-origin',
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
        })
        expect(headers['content-security-policy']).toMatch(
          /^default-src 'none'; style-src 'sha256-[^ ]+'; form/,
        )
        expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
        expect(body).not.toContain(partsOf(link).token)
        expect(body).not.toMatch(/https?:|<script|<img|<link|src=|href=|url\(|@import/)
      }
      expect(responses.page.body).toContain('<form method="post">')
    },
  )

  rule(
    'RST-21',
    {
      tried: 'two links requested, the older or the newer one used first',
      expected: 'both are valid until one is used, then both are dead',
    },
    async ({ start, wait }) => {
      const service = await start()
      await signUp(service, 'alice', { email })
      for (const first of [0, 1]) {
        const links = [await resetLink(service, email)]
        await wait(minute)
        links.push(await resetLink(service, email))
        expect(links[0]).not.toBe(links[1])
        for (const link of links) expect((await service.send('GET', link)).statusCode).toBe(200)
        expect((await reset(service, links[first] ?? '')).statusCode).toBe(204)
        for (const link of links) {
          expect((await reset(service, link, 'another new password')).statusCode).toBe(400)
        }
        expect(await passwordsThatWork(service, [otherPassword, 'another new password'], email)).toEqual([
          otherPassword,
        ])
      }
    },
  )

  rule(
    'RST-22',
    {
      tried:
        'a thousand requests for one account within an hour, in many spellings, from a thousand addresses',
      expected: '202, identical each time, and five emails; after the hour the next one goes out',
    },
    async ({ start, wait }) => {
      const service = await start({ throttle: {} })
      const { id } = await signUp(service, 'alice', { email })
      await service.app.accounts.updateUser(id, { isVerified: true })
      await signUp(service, 'bob', { email: 'bob@example.org' })
      const spellings = [
        email,
        'ALICE@EXAMPLE.ORG',
        ' alice@example.org',
        'Alice@Example.Org\t',
        '\nalicE@example.org',
      ]
      const ask = (at: number) =>
        forgot(service, spellings[at % 5], { remoteAddress: `10.0.${at >> 8}.${at & 255}` })
      const first = await ask(0)
      for (let at = 1; at < 1000; at += 1) expectAlike(first, await ask(at))
      const to = () => service.mails.map((mail) => mail.to.address)
      await expect.poll(to).toEqual(Array(5).fill(email))
      await service.settle()
      await wait(hour - minute)
      await ask(1000)
      await forgot(service, 'bob@example.org')
      await expect.poll(to).toEqual([...Array(5).fill(email), 'bob@example.org'])
      await service.settle()
      await wait(2 * minute)
      await ask(1001)
      await expect.poll(to).toHaveLength(7)
      await service.app.close()
      expect(to().at(-1)).toBe(email)
    },
  )

  rule(
    'RST-23',
    {
      tried:
        'an account that someone else created beforehand with the victim’s address, with sessions, a known device and links to other addresses in reserve; the victim signs up, is notified of it, and resets the password',
      expected:
        'the owner of the mailbox has the account: every earlier session, device, password and link is dead, and verifying alone logs nobody in',
    },
    async ({ start, users, sessions }) => {
      // GHSA-qq9h-g4jm-xgf3, and the classes of Sudhodanan and Paverd's "Pre-hijacked accounts" (USENIX 2022).
      const open = await start({ session: { newDeviceMail: true } })
      const { id } = await signUp(open, 'mallory', { email })
      const login = await open.send('POST', '/login/', { username: 'mallory', password: goodPassword })
      const kept = cookieOf(login)
      const device = login.cookies.find(({ name }) => name.endsWith('-device'))
      await open.send(
        'POST',
        '/change-email/',
        { email: 'mallory@example.com' },
        { headers: { cookie: kept } },
      )
      const links = [linkTarget(await open.mail('change-email', 'mallory@example.com'))]

      // From here on the owner of the mailbox acts, on a service that requires address confirmation.
      const service = await start({ requireEmailConfirmation: true, throttle: {} })
      const signup = { username: 'alice', password: otherPassword, confirm_password: otherPassword, email }
      expect((await service.send('POST', '/signup/', signup)).statusCode).toBe(202)
      expect((await service.mail('verify-email', email)).text).toContain('mallory')
      const verified = await service.send('POST', await verifyLink(service, email))
      expect([verified.statusCode, verified.cookies]).toEqual([200, []])
      links.push(await resetLink(service, email))
      const third = 'a third password'
      expect((await reset(service, await resetLink(service, email), third)).statusCode).toBe(204)

      expect(await sessions.listByUser(id)).toEqual([])
      expect(await whoIs(service, kept)).toBeNull()
      for (const link of links) {
        const body = link.startsWith('/reset/') ? choice(otherPassword) : undefined
        expect((await service.send('POST', link, body)).json().code).toBe('ACCOUNTS_INVALID_LINK')
      }
      expect(await passwordsThatWork(service, [goodPassword, otherPassword, third], 'mallory')).toEqual([
        third,
      ])
      // The device is no longer known: its guesses count with everyone else's.
      const headers = { cookie: `${device?.name}=${device?.value}` }
      const guess = () =>
        service.send('POST', '/login/', { username: 'mallory', password: goodPassword }, { headers })
      const statuses = []
      for (let count = 0; count < 6; count += 1) statuses.push((await guess()).statusCode)
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
      const stranger = { username: 'mallory', password: third }
      expect((await service.send('POST', '/login/', stranger)).statusCode).toBe(429)
      expect(await users.findById(id)).toMatchObject({ email, isVerified: true })
    },
  )

  rule(
    'RST-23',
    {
      tried:
        'an account that someone else moved to the victim’s address, which the victim confirmed by a click, and claimed by a reset later; the same account given away or sold; and someone at an unattended browser who wants to move it',
      expected:
        'a move requires a recent password; for a week the previous mailbox can take the account back, even if the password is reset meanwhile, unless that mailbox ends it; the owner of the new address can take it off the account, before and after the reset, and sign up with it',
    },
    async ({ start, users, wait }) => {
      const service = await start()
      const theirs = 'mallory@example.com'
      const { id } = await signUp(service, 'mallory', { email: theirs })
      await service.app.accounts.updateUser(id, { isVerified: true })
      await wait(0)
      const late = { headers: { cookie: await logIn(service, 'mallory') } }
      await wait(16 * 60_000)
      const stale = await service.send('POST', '/change-email/', { email }, late)
      expect(stale.json()).toMatchObject({ statusCode: 403, code: 'ACCOUNTS_CONFIRMATION_REQUIRED' })

      /** Moves the account to the address, whose owner then claims it by a reset. */
      const moveAndClaim = async () => {
        service.mails.splice(0)
        const headers = { cookie: await logIn(service, 'mallory') }
        expect((await service.send('POST', '/change-email/', { email }, { headers })).statusCode).toBe(202)
        const mail = await service.mail('change-email', email)
        expect((await service.send('POST', linkTarget(mail))).statusCode).toBe(200)
        expect((await reset(service, await resetLink(service, email), otherPassword)).statusCode).toBe(204)
        expect(await whoIs(service, headers.cookie)).toBeNull()
        return { release: releaseLink(mail), undo: linkTarget(await service.mail('email-changed', theirs)) }
      }

      // The undo link works even after the reset: the service can't tell this from a thief claiming a stolen account.
      const { undo } = await moveAndClaim()
      expect((await service.send('POST', undo)).statusCode).toBe(200)
      expect(await users.findById(id)).toMatchObject({ email: theirs })
      const back = linkTarget(await service.mail('choose-password', theirs))
      expect((await reset(service, back, goodPassword)).statusCode).toBe(204)

      // The owner of the address can release it instead, even after the reset.
      const { release } = await moveAndClaim()
      expect((await service.send('POST', release)).statusCode).toBe(200)
      expect(await users.findById(id)).toMatchObject({ email: null })
      await signUp(service, 'alice', { email })
      await service.app.accounts.deleteUser((await users.findByEmail(email))?.id ?? '')

      // Given away or sold: the previous mailbox invalidates its own undo link.
      const undoOfRelease = linkTarget(await service.mail('email-changed', theirs))
      expect((await service.send('POST', undoOfRelease)).statusCode).toBe(200)
      const again = linkTarget(await service.mail('choose-password', theirs))
      expect((await reset(service, again, goodPassword)).statusCode).toBe(204)
      const sold = await moveAndClaim()
      const keep = sold.undo.replace('/email/undo/', '/email/keep/')
      expect((await service.send('POST', keep)).statusCode).toBe(200)
      expect((await service.send('POST', sold.undo)).json().code).toBe('ACCOUNTS_INVALID_LINK')
      expect(await passwordsThatWork(service, [goodPassword, otherPassword], 'mallory')).toEqual([
        otherPassword,
      ])
    },
  )
})
