import { gzipSync } from 'node:zlib'
import { browser, goodPassword, linkPath, logIn, signUp, whoIs } from '@fastify-accounts/test-support/app'
import { errorTable, frameworkErrors } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { openPostPaths } from './routes.js'
import type { Service } from './service.js'

const json = 'Content-Type: application/json'
const credentials = JSON.stringify({ username: 'alice', password: goodPassword })

/** Sends a raw POST; adds Content-Length unless `headers` already frame the body. */
function post(service: Service, path: string, headers: string[], body: string | Buffer) {
  const framed = headers.some((each) => /^(content-length|transfer-encoding):/i.test(each))
  const length = framed ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const head = [`POST ${path} HTTP/1.1`, 'Host: a', ...headers, ...length, 'Connection: close', '', ''].join(
    '\r\n',
  )
  return service.raw(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]))
}
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** Expects that the process still serves, and that no unexpected user or session exists. */
async function expectUnharmed(
  service: Service,
  sessions: number,
  rows: () => Promise<number>,
): Promise<void> {
  expect(await rows()).toBe(sessions)
  expect(await service.users.list({ limit: 9 })).toHaveLength(1)
  expect(await whoIs(service, await logIn(service))).toBe('alice')
}

cases('Malformed requests', ({ rule }) => {
  rule(
    'INP-01',
    {
      tried:
        'content types with tabs, spaces, garbage, parameters, other charsets, other suffixes, kilobytes, and none',
      expected:
        'no body passes unvalidated: 400 if the type is JSON after all, otherwise 415; the process survives',
    },
    async ({ start, sessionRows }) => {
      const service = await start()
      await signUp(service)
      const faulty = '{"username":0,"password":["x"],"extra":{"$ne":1}}'
      const types: [type: string, read: boolean][] = [
        ['application/json', true],
        ['APPLICATION/JSON', true],
        [' application/json', true],
        ['\tapplication/json\t', true],
        ['application/json;', true],
        ['application/json; garbage', true],
        ['application/json; charset=utf-16', true],
        ['application/json; charset=utf-8; charset=utf-16', true],
        ['application/json; charset="utf-8', true],
        [`application/json; x=${'y'.repeat(4000)}`, true],
        ['application/json\ta', false],
        ['application/json garbage', false],
        ['application/json,text/plain', false],
        ['application/json+json', false],
        ['application/vnd.api+json', false],
        ['application/jsonp', false],
        ['application/', false],
        ['application/*', false],
        ['*/*', false],
        ['"application/json"', false],
        ['json', false],
        ['y'.repeat(4000), false],
        [';', false],
        ['\xe9', false],
        ['', false],
      ]
      for (const path of ['/login/', '/user/', '/forgot/']) {
        for (const [type, read] of types) {
          const response = await post(service, path, [`Content-Type: ${type}`], faulty)
          expect([path, type, response.statusCode]).toEqual([path, type, read ? 400 : 415])
          if (read) expect(JSON.parse(response.body).code).toBe('ACCOUNTS_INVALID_INPUT')
        }
        expect((await post(service, path, [], faulty)).statusCode).toBe(415)
        const twice = await post(service, path, ['Content-Type: text/plain', json], faulty)
        expect([400, 415]).toContain(twice.statusCode)
        const wide = await post(
          service,
          path,
          [`${json}; charset=utf-16`],
          Buffer.from(credentials, 'utf16le'),
        )
        expect(wide.statusCode).toBe(400)
      }
      await expectUnharmed(service, 0, sessionRows)
    },
  )

  rule(
    'INP-03',
    {
      tried:
        'bodies that are deep, wide, truncated, compressed, followed by garbage or not JSON at all, at every route',
      expected: '400, or 413 above 16 KiB, for each; never 500',
    },
    async ({ start, sessionRows }) => {
      const service = await start()
      await signUp(service)
      const wide = (keys: number) => `{${Array.from({ length: keys }, (_, index) => `"k${index}":1`).join()}}`
      const bodies: [string | Buffer, number][] = [
        ['['.repeat(100_000), 413],
        ['['.repeat(15_000), 400],
        [`${'['.repeat(8000)}${']'.repeat(8000)}`, 400],
        [`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, 413],
        [`${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}`, 400],
        [wide(90_000), 413],
        [wide(1500), 400],
        [`${credentials}garbage`, 400],
        [`${credentials}${credentials}`, 400],
        [credentials.slice(0, -1), 400],
        ['{"username":"alice","username":["alice"]}', 400],
        ["{'username':'alice'}", 400],
        ['{"x":}', 400],
        ['{', 400],
        ['NaN', 400],
        ['-', 400],
        ['1e99999', 400],
        ['undefined', 400],
        ['\0', 400],
        ['"', 400],
        [gzipSync(credentials), 400],
        [Buffer.from('{"username":"alice","password":"longenough\xff"}', 'latin1'), 400],
        [Buffer.from(`\ufeff${credentials}`), 400],
        ['{"__proto__":{"x":1}}', 400],
      ]
      // Routes that require a login reject it for the missing login first.
      for (const url of await openPostPaths(service)) {
        for (const [payload, status] of bodies) {
          const headers = { 'content-type': 'application/json' }
          const response = await service.app.inject({ method: 'POST', url, payload, headers })
          const shown = [url, payload.toString().slice(0, 30), response.statusCode]
          expect(shown).toEqual([url, payload.toString().slice(0, 30), status])
          if (status === 400) expect(response.json().code).toBe('ACCOUNTS_INVALID_INPUT')
        }
      }
      const gzip = [json, 'Content-Encoding: gzip']
      expect((await post(service, '/login/', gzip, gzipSync(credentials))).statusCode).toBe(400)
      const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024, '['))
      expect((await post(service, '/login/', gzip, bomb)).statusCode).toBe(400)
      await expectUnharmed(service, 0, sessionRows)
    },
  )

  rule(
    'INP-03',
    {
      tried: 'forms with thousands of fields, brackets, duplicate fields and broken escapes, at every route',
      expected: '400, or 413 above 16 KiB; two passwords are never merged into one',
    },
    async ({ start, sessionRows }) => {
      const service = await start()
      await signUp(service)
      const bytes = Buffer.concat([
        Buffer.from('username=alice&password=longenough'),
        Buffer.from([0xff, 0xfe]),
      ])
      const bodies: [string | Buffer, number][] = [
        [`${'a=1&'.repeat(90_000)}`, 413],
        [`${'a=1&'.repeat(4000)}`, 400],
        [Array.from({ length: 2000 }, (_, index) => `k${index}=1`).join('&'), 400],
        [`a${'[a]'.repeat(5000)}=1`, 400],
        ['&'.repeat(16_000), 400],
        ['='.repeat(16_000), 400],
        ['username=alice&username=bob&password=x&email=a', 400],
        ['username[]=alice&password[]=x', 400],
        ['username=alice&password=longenough%ff', 400],
        ['username=alice&password=longenough%zz', 400],
        ['username=alice&password=longenough%', 400],
        [bytes, 400],
        ['%', 400],
        [gzipSync('username=alice'), 400],
      ]
      for (const url of await openPostPaths(service)) {
        if (url === '/logout/' || url.includes('/tok/')) continue
        for (const [payload, status] of bodies) {
          const headers = { 'content-type': 'application/x-www-form-urlencoded' }
          const response = await service.app.inject({ method: 'POST', url, payload, headers })
          const shown = [url, payload.toString().slice(0, 40), response.statusCode]
          expect(shown).toEqual([url, payload.toString().slice(0, 40), status])
        }
      }
      await expectUnharmed(service, 0, sessionRows)
    },
  )

  rule(
    'INP-05',
    {
      tried:
        'Expect, a cookie of 17 kB, hundreds and thousands of headers, control characters in them, no Host, two Hosts',
      expected: 'valid HTTP gets a response, the rest gets 400, 417 or 431; the process survives',
    },
    async ({ start, sessionRows }) => {
      const service = await start()
      await signUp(service)
      const many = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: y`)
      const goOn = await post(service, '/login/', [json, 'Expect: 100-continue'], credentials)
      expect([goOn.statusCode, goOn.body.slice(0, 15)]).toEqual([100, 'HTTP/1.1 200 OK'])
      for (const [headers, status] of [
        [['Expect: nonsense'], 417],
        [[`Cookie: session=${'a'.repeat(17_000)}`], 431],
        [[`X-Long: ${'a'.repeat(17_000)}`], 431],
        [many(200), 200],
        [many(3000), 431],
        [['Cookie: a=\0b'], 400],
        [['X-A: \x01'], 400],
        [['X A: b'], 400],
        [[': b'], 400],
        [['X-A: b\nX-B: c'], 400],
        [['Host: b'], 400],
        [['hOST: localhost'], 400],
        [['Upgrade: websocket'], 200],
        [['X-Forwarded-Host: evil.example', 'Forwarded: host=evil.example'], 200],
      ] as const) {
        const response = await post(service, '/login/', [json, ...headers], credentials)
        expect([headers.slice(0, 2), response.statusCode]).toEqual([headers.slice(0, 2), status])
      }
      const hostless = await service.raw('GET /me/ HTTP/1.1\r\nConnection: close\r\n\r\n')
      expect(hostless.statusCode).toBe(400)
      expect((await service.raw('GET /me/ HTTP/9.9\r\nHost: a\r\n\r\n')).statusCode).toBe(400)
      expect((await service.raw('\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03')).statusCode).toBe(400)
      expect((await service.raw(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)).statusCode).toBe(
        431,
      )
      await expectUnharmed(service, 4, sessionRows)
    },
  )

  rule(
    'INP-05',
    {
      tried:
        'requests hidden in the body of another: two lengths, length and chunks, false chunk sizes; trailers with a cookie',
      expected: '400, and the hidden request does not run; trailers don’t count as headers',
    },
    async ({ start, sessionRows, users }) => {
      const service = await start()
      const user = await signUp(service)
      const cookie = await logIn(service)
      const hidden = `DELETE /user/${user.id} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`
      for (const framing of [
        ['Content-Length: 2', 'Transfer-Encoding: chunked'],
        ['Transfer-Encoding: chunked', 'Content-Length: 2'],
        ['Transfer-Encoding: chunked, identity'],
        ['Transfer-Encoding: xchunked'],
        ['Transfer-Encoding : chunked'],
        ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
        ['Content-Length: 2', 'Content-Length: 3'],
        ['Content-Length: +2'],
        ['Content-Length: -2'],
        ['Content-Length: 2, 3'],
        ['Content-Length: 0x2'],
      ]) {
        const response = await post(service, '/logout/', [json, ...framing], `0\r\n\r\n${hidden}`)
        expect([framing, response.statusCode]).toEqual([framing, 400])
        expect(response.body).not.toContain('HTTP/1.1')
      }
      for (const chunks of [
        'zz\r\n{}\r\n0\r\n\r\n',
        '-1\r\n{}\r\n0\r\n\r\n',
        '2;a\nb\r\n{}\r\n0\r\n\r\n',
        'fffffffffffffffff\r\n{}',
      ]) {
        const response = await post(
          service,
          '/logout/',
          [json, 'Transfer-Encoding: chunked'],
          chunks + hidden,
        )
        expect([chunks, response.statusCode]).toEqual([chunks, 400])
      }
      expect(await users.findById(user.id)).not.toBeNull()

      const trailers = `0\r\nCookie: ${cookie}\r\nSec-Fetch-Site: cross-site\r\nContent-Type: text/plain\r\n\r\n`
      const framing = ['Transfer-Encoding: chunked', 'Trailer: Cookie, Sec-Fetch-Site, Content-Type']
      const login = await post(service, '/login/', [json, ...framing], chunk(credentials) + trailers)
      expect(login.statusCode).toBe(200)
      const passwords = { new_password: 'another good one', confirm_password: 'another good one' }
      const change = chunk(JSON.stringify({ old_password: goodPassword, ...passwords }))
      const anonymous = await post(service, '/change-password/', [json, ...framing], change + trailers)
      expect(anonymous.statusCode).toBe(401)
      expect(await whoIs(service, cookie)).toBe('alice')
      await expectUnharmed(service, 2, sessionRows)
    },
  )

  rule(
    'INP-06',
    {
      tried:
        'links with malformed percent signs and overlong tokens, as JSON and as a page, in three languages; the host has set `frameworkErrors` (docs/deployment.md)',
      expected:
        'Fastify’s status and code, no part of the path, no-store and nosniff; a browser gets a page in its language',
    },
    async ({ start, log }) => {
      const service = await start({ brand: { name: 'Lanterns' } }, { server: { frameworkErrors } })
      await signUp(service, 'alice', { email: 'alice@example.org' })
      await service.send('POST', '/forgot/', { email: 'alice@example.org' })
      const link = linkPath(await service.mail('reset-password'))
      const token = link.split('/').at(-2) ?? ''
      for (const [url, status, code] of [
        [link.replace(token, `${token}%zz`), 400, 'FST_ERR_BAD_URL'],
        [link.replace(token, `%E0%A4%Axy${token}`), 400, 'FST_ERR_BAD_URL'],
        [link.replace(token, `${token}${'a'.repeat(101)}`), 414, 'FST_ERR_MAX_PARAM_LENGTH'],
      ] as const) {
        for (const method of ['GET', 'POST', 'DELETE'] as const) {
          const json = await service.app.inject({ method, url })
          expect([url, json.statusCode, json.json().code]).toEqual([url, status, code])
          expect(json.json()).toEqual({
            statusCode: status,
            code,
            error: expect.any(String),
            message: errorTable.ACCOUNTS_INVALID_LINK[1],
          })
          for (const language of ['en', 'de', 'fr']) {
            const headers = { ...browser, 'accept-language': language }
            const page = await service.app.inject({ method, url, headers })
            expect([page.statusCode, page.headers['content-language']]).toEqual([status, language])
            expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
            expect(page.headers['content-security-policy']).toContain("default-src 'none'")
            expect(page.body).toContain('Lanterns')
            for (const response of [json, page]) {
              expect(response.headers).toMatchObject({
                'cache-control': 'no-store',
                'x-content-type-options': 'nosniff',
              })
              expect(response.body).not.toContain(token.slice(0, 20))
            }
          }
        }
      }
      expect(log.text()).not.toContain(token)
    },
  )
})
