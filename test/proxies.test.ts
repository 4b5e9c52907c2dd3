import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { testApp } from '@fastify-accounts/test-support/app'
import { read } from '@fastify-accounts/test-support/source'
import type { FastifyInstance } from 'fastify'
import { frameworkErrors, lingeringClose } from 'fastify-accounts'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { isCaddyHere, startCaddy } from './support/caddy.js'
import { certificateFor, isNginxHere, startPlainNginx } from './support/nginx.js'

const withNginx = isNginxHere()
const withCaddy = isCaddyHere()

/** Services of the last `startTwo`. */
let services: FastifyInstance[] = []

/** The requests to /held that no service has responded to yet. */
const held = new Set<() => void>()
afterEach(() => release())

function release(): void {
  for (const respond of held) respond()
  held.clear()
}

/** Starts two services configured as in docs/guides/proxy.md, and returns their ports. */
async function startTwo(): Promise<[number, number]> {
  services = []
  const start = async (): Promise<number> => {
    const { app } = await testApp(
      {},
      {
        server: { trustProxy: '127.0.0.1', frameworkErrors },
        before(host) {
          host.addHook('onRequest', lingeringClose)
          host.get('/healthz', async () => ({ ok: true }))
          host.get('/held', async () => {
            await new Promise<void>((respond) => held.add(respond))
            return { ok: true }
          })
          // Stands for whatever a client may do to make a process drop the connection of the proxy.
          host.all('/broken', (request, reply) => {
            reply.hijack()
            request.raw.socket.destroy()
          })
        },
      },
    )
    services.push(app)
    onTestFinished(() => app.close())
    await app.listen({ port: 0, host: '127.0.0.1' })
    return (app.server.address() as AddressInfo).port
  }
  return [await start(), await start()]
}

interface Asked {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/** Sends a request to the proxy, and resolves to the status, or 0 without a response. */
type Ask = (asked: Asked) => Promise<number>

function askOn(port: number, options: { servername?: string } = {}): Ask {
  const send = options.servername === undefined ? requestHttp : requestHttps
  return ({ body = '', headers, ...asked }) =>
    new Promise((resolve) => {
      const sent = send(
        {
          host: '127.0.0.1',
          port,
          agent: false,
          rejectUnauthorized: false,
          ...options,
          ...asked,
          headers: {
            ...(options.servername && { host: options.servername }),
            ...headers,
            'content-length': Buffer.byteLength(body),
          },
        },
        (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        },
      )
      sent.on('error', () => resolve(0))
      sent.end(body)
    })
}

const json = { 'content-type': 'application/json' }
// Just below the default limit of nginx, 1 MiB.
const large = JSON.stringify({ username: 'x'.repeat(1_000_000) })

/** Requests whose body isn't read, rejected at different stages. */
const nuisances: [where: string, status: number, asked: Asked][] = [
  ['above the limit of the route', 413, { method: 'POST', path: '/login/', headers: json }],
  ['without a login', 401, { method: 'POST', path: '/change-email/', headers: json }],
  ['with a wrong method', 405, { method: 'PUT', path: '/login/', headers: json }],
  [
    'from another site',
    403,
    { method: 'POST', path: '/login/', headers: { ...json, 'sec-fetch-site': 'cross-site' } },
  ],
  [
    'of an unsupported type',
    415,
    { method: 'POST', path: '/login/', headers: { 'content-type': 'text/plain' } },
  ],
  ['with a method that has no body', 200, { method: 'GET', path: '/api-root/' }],
  ['to an unknown path', 404, { method: 'POST', path: '/nothing/', headers: { 'content-type': 'text/x' } }],
  ['to a malformed path', 400, { method: 'POST', path: '/%zz', headers: json }],
]

/** Attacks of one client that need neither a login nor a large body. */
const attacks: [name: string, asked: Asked][] = [
  ['a connection that a process drops', { path: '/broken' }],
  ['the same, after a body', { method: 'POST', path: '/broken', headers: json, body: '{}' }],
  [
    'headers of 28 KB, with a body',
    {
      method: 'POST',
      path: '/login/',
      headers: {
        ...json,
        ...Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`x-${n}`, 'y'.repeat(7000)])),
      },
      body: 'z'.repeat(30_000),
    },
  ],
]

/** A body that is not what its headers say, over a socket of its own; resolves when the proxy has closed it. */
async function sendMalformed(port: number, name = '127.0.0.1', tls = false): Promise<void> {
  for (const body of ['ZZ\r\n{}\r\n', `2;x=${'y'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, '2\r\n{}XX0\r\n\r\n']) {
    const socket = tls
      ? connectTls({ port, host: '127.0.0.1', servername: name, rejectUnauthorized: false })
      : connect(port, '127.0.0.1')
    const closed = once(socket, 'close')
    socket.on('error', () => {})
    socket.resume()
    socket.write(
      `POST /login/ HTTP/1.1\r\nhost: ${name}\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${body}`,
    )
    socket.setTimeout(5000, () => socket.destroy())
    await closed
  }
}

/** Holds so many requests open at the services; their statuses come once they are released. */
async function hold(ask: Ask, count: number, headers = {}): Promise<Promise<number>[]> {
  const before = held.size
  const asked = Array.from({ length: count }, () => ask({ path: '/held', headers }))
  await expect.poll(() => held.size).toBe(before + count)
  return asked
}

/** Nobody else notices attacks, nor that one of the two services ends. */
async function expectToServe(ask: Ask, malformed: () => Promise<void>): Promise<void> {
  const others = async () => [
    await ask({ path: '/api-root/' }),
    await ask({ method: 'POST', path: '/logout/', headers: json, body: '{}' }),
  ]
  const before = await others()
  expect(before[0]).toBe(200)
  for (let round = 0; round < 3; round += 1) {
    for (const [name, asked] of attacks) {
      await ask(asked)
      expect([name, await others()]).toEqual([name, before])
    }
    await malformed()
    expect(await others()).toEqual(before)
  }
  await services[0]?.close()
  // A request on a connection that was just closed may fail once.
  await expect.poll(others).toEqual(before)
  for (let round = 0; round < 10; round += 1) expect(await others()).toEqual(before)
}

/** Counts the statuses of other clients' requests, two after each large body. */
async function othersDuring(ask: Ask, nuisance: Asked): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (let round = 0; round < 23; round += 1) {
    await ask({ body: large, ...nuisance })
    const statuses = await Promise.all([1, 2].map(() => ask({ path: '/api-root/' })))
    for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

describe.skipIf(!withNginx)('behind nginx, which drops a server after one failed attempt', () => {
  const servers = (ports: readonly number[]) => ports.map((port) => `server 127.0.0.1:${port};`).join(' ')

  const settings: [name: string, upstream: string, location: string][] = [
    ['its defaults', '', ''],
    [
      'keep-alive connections and unbuffered bodies',
      'keepalive 8;',
      'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_request_buffering off;',
    ],
  ]
  describe.each(settings)('with %s', (_, upstream, location) => {
    test.each(nuisances)('large bodies %s do not affect other clients', async (_where, status, nuisance) => {
      const two = servers(await startTwo())
      const nginx = await startPlainNginx(
        ({ http }) => `upstream service { ${two} ${upstream} }
        server { listen 127.0.0.1:${http}; location / { proxy_pass http://service; ${location} } }`,
      )
      onTestFinished(nginx.stop)
      const ask = askOn(nginx.http)
      expect(await othersDuring(ask, nuisance)).toEqual({ 200: 46 })
      expect(await ask({ ...nuisance, body: large })).toBe(status)
    })
  })

  /** nginx with the configuration of the example, in front of two services. */
  async function startExample(more = '') {
    const name = 'accounts.example.org'
    const { certificate, key } = await certificateFor(name)
    const [one, other] = await startTwo()
    const places = ({ http, https }: { http: number; https: number }): [string, string][] => [
      ['accounts-1:3000', `127.0.0.1:${one}`],
      ['accounts-2:3000', `127.0.0.1:${other}`],
      ['listen 80', `listen 127.0.0.1:${http}`],
      ['listen 443', `listen 127.0.0.1:${https}`],
      ['/etc/nginx/certificates/accounts.pem', certificate],
      ['/etc/nginx/certificates/accounts.key', key],
      ['/var/log/nginx/accounts.log accounts', `${certificate}.access.log accounts`],
      ['/var/log/nginx/accounts-error.log', `${certificate}.error.log`],
    ]
    const { http, https, stop } = await startPlainNginx((port) =>
      places(port).reduce((sites, [place, here]) => {
        expect(sites).toContain(place)
        return sites.replace(place, here)
      }, more + read('examples/server/nginx.conf')),
    )
    onTestFinished(stop)
    return { name, http, https, ask: askOn(https, { servername: name }), log: `${certificate}.access.log` }
  }

  test('the configuration of the example works, and rejects large bodies itself', async () => {
    const { name, http, https, ask, log: file } = await startExample()
    for (const [where, , nuisance] of nuisances) {
      expect([where, await othersDuring(ask, nuisance)]).toEqual([where, { 200: 46 }])
      // nginx rejects a malformed path first.
      const status = nuisance.path === '/%zz' ? 400 : 413
      expect([where, await ask({ ...nuisance, body: large })]).toEqual([where, status])
    }
    // Valid requests pass, and the token in a path isn't logged.
    expect(await ask({ method: 'POST', path: '/login/', headers: json, body: '{}' })).toBe(400)
    expect(await ask({ path: '/reset/dQ/a-token-of-a-link/' })).toBe(400)
    const log = () => readFileSync(file, 'utf8')
    await expect.poll(log).toContain(' GET 400 ')
    expect(log()).not.toContain('a-token')
    expect(await askOn(http)({ path: '/' })).toBe(308)
    await expectToServe(ask, () => sendMalformed(https, name, true))
  })

  test('the configuration of the example limits the requests of one client at a time', async () => {
    // The test says whose a request is.
    const { ask } = await startExample('set_real_ip_from 127.0.0.1; real_ip_header x-client;')
    const from = (client: string) => ({ 'x-client': client })
    const status = (client: string) => ask({ path: '/api-root/', headers: from(client) })
    const fill = async (...clients: string[]) => {
      const all = []
      for (const client of clients) all.push(...(await hold(ask, 64 / clients.length, from(client))))
      return all
    }
    for (const [clients, refused, others] of [
      [['192.0.2.1'], '192.0.2.1', ['192.0.2.2', '2001:db8:1:2::7', '::1']],
      [['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:ff::1'], '2001:db8:1:2::7', ['2001:db8:1:3::7', '192.0.2.1']],
    ] as const) {
      const waiting = await fill(...clients)
      expect([refused, await status(refused)]).toEqual([refused, 429])
      for (const client of others) expect([client, await status(client)]).toEqual([client, 200])
      release()
      expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]))
      expect(await status(refused)).toBe(200)
    }
  })
})

describe.skipIf(!withCaddy)('behind Caddy, which drops a server after one failed attempt', () => {
  /** Caddy with the configuration of the example, in front of two services. */
  async function startExample(changed: [string, string][] = []) {
    const [one, other] = await startTwo()
    let caddyfile = read('examples/server/Caddyfile')
    const upstreams = ['accounts-1:3000 accounts-2:3000', `127.0.0.1:${one} 127.0.0.1:${other}`] as const
    for (const [place, here] of [upstreams, ...changed]) {
      expect(caddyfile).toContain(place)
      caddyfile = caddyfile.replace(place, here)
    }
    const { port, stop } = await startCaddy(caddyfile, (here) => ({ BASE_URL: `http://127.0.0.1:${here}` }))
    onTestFinished(stop)
    return { port, ask: askOn(port) }
  }

  test('the configuration of the example works: neither large bodies nor attacks affect other clients', async () => {
    const { port, ask } = await startExample()
    for (const [where, status, nuisance] of nuisances) {
      // Caddy rejects a malformed path first, and resets the connection of a client that is still sending.
      const request = { ...nuisance, body: nuisance.path === '/%zz' ? '' : large }
      expect([where, await othersDuring(ask, request)]).toEqual([where, { 200: 46 }])
      expect([where, await ask(request)]).toEqual([where, status])
    }
    await expectToServe(ask, () => sendMalformed(port))
  })

  test('the configuration of the example limits the requests that a process has at a time', async () => {
    const { ask } = await startExample([['unhealthy_request_count 10000', 'unhealthy_request_count 4']])
    const status = () => ask({ path: '/api-root/' })
    const waiting = await hold(ask, 7)
    expect(await status()).toBe(200)
    waiting.push(...(await hold(ask, 1)))
    expect(await status()).toBe(503)
    release()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]))
    expect(await status()).toBe(200)
  })
})
