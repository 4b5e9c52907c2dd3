import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { testApp } from '@fastify-accounts/test-support/app'
import { blocksOf } from '@fastify-accounts/test-support/blocks'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isCaddyHere, startCaddy } from './support/caddy.js'
import { certificateFor, isNginxHere, startPlainNginx } from './support/nginx.js'

const withNginx = isNginxHere()
const withCaddy = isCaddyHere()

type TrustProxies = (...proxies: string[][]) => (address: string, hop: number) => boolean

/** The code of the page that contains this. */
function sample(part: string): string {
  const [found, ...others] = blocksOf('docs/guides/proxy.md').filter(({ code }) => code.includes(part))
  expect([found?.code, others]).toEqual([expect.any(String), []])
  return found?.code ?? ''
}

function replaced(text: string, ...places: [string, string][]): string {
  return places.reduce((changed, [place, here]) => {
    expect(changed).toContain(place)
    return changed.replaceAll(place, here)
  }, text)
}

let trustProxies: TrustProxies
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-trust-'))
  const file = join(folder, 'trust-proxies.mjs')
  await writeFile(file, sample('export function trustProxies'))
  ;({ trustProxies } = await import(/* @vite-ignore */ pathToFileURL(file).href))
  await rm(folder, { recursive: true })
})

async function shell(commands: string): Promise<string> {
  return (await promisify(execFile)('bash', ['-ec', commands])).stdout
}

async function start(
  trustProxy: NonNullable<FastifyServerOptions['trustProxy']>,
  options = {},
): Promise<{ app: FastifyInstance; port: () => Promise<number> }> {
  const { app } = await testApp(options, {
    server: { trustProxy },
    before(host) {
      host.get('/whoami', async ({ ip }) => ({ ip }))
    },
  })
  onTestFinished(() => app.close())
  const port = async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    return (app.server.address() as AddressInfo).port
  }
  return { app, port }
}

interface Received {
  body: Record<string, unknown>
  headers: Record<string, string | string[] | undefined>
}

/** @param at a port of this machine, or the path of a Unix socket */
function get(at: number | string, path: string, headers: Record<string, string> = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const place = typeof at === 'number' ? { host: '127.0.0.1', port: at } : { socketPath: at }
    const sent = request({ ...place, path, headers, agent: false }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      resolve({ body: JSON.parse(text), headers: response.headers })
    })
    sent.on('error', reject).end()
  })
}

describe('trustProxy as docs/guides/proxy.md describes it', () => {
  const cdn = ['173.245.48.0/20', '2a06:98c0::/29']
  const ipOf = async (
    trustProxy: NonNullable<FastifyServerOptions['trustProxy']>,
    remoteAddress: string,
    forwarded: string,
  ) => {
    const app = Fastify({ trustProxy })
    app.get('/whoami', async ({ ip }) => ({ ip }))
    const response = await app.inject({
      url: '/whoami',
      remoteAddress,
      headers: { 'x-forwarded-for': forwarded, 'cf-connecting-ip': '203.0.113.9' },
    })
    return response.json().ip
  }

  test('the last address counts that no listed proxy has', async () => {
    expect(await ipOf(['10.0.1.0/24'], '10.0.1.7', '203.0.113.9, 192.0.2.1')).toBe('192.0.2.1')
    expect(await ipOf(['10.0.1.0/24'], '10.0.1.7', '203.0.113.9, 192.0.2.1:567')).toBe('192.0.2.1:567')
    expect(await ipOf(['10.0.1.0/24'], '192.0.2.1', '203.0.113.9')).toBe('192.0.2.1')
    expect(await ipOf(true, '10.0.1.7', '203.0.113.9, 192.0.2.1')).toBe('203.0.113.9')
    expect(await ipOf(1 as unknown as true, '10.0.1.7', '203.0.113.9, 192.0.2.1')).toBe('10.0.1.7')
  })

  test("a list of a CDN's ranges lets a program there choose its address, and trustProxies doesn't", async () => {
    const byProgram = ['173.245.48.5', '203.0.113.9, 2a06:98c0:3600::103'] as const
    expect(await ipOf(cdn, ...byProgram)).toBe('203.0.113.9')
    expect(await ipOf(trustProxies(cdn), ...byProgram)).toBe('2a06:98c0:3600::103')
  })

  test('trustProxies trusts one proxy of each list, nearest first', async () => {
    const one = trustProxies(cdn)
    expect(await ipOf(trustProxies(['10.0.1.7', '2001:db8::1']), '10.0.1.7', '192.0.2.1')).toBe('192.0.2.1')
    expect(await ipOf(trustProxies(['10.0.1.7']), '10.0.1.8', '192.0.2.1')).toBe('10.0.1.8')
    expect(await ipOf(one, '173.245.48.5', '203.0.113.9, 192.0.2.1')).toBe('192.0.2.1')
    expect(await ipOf(one, '::ffff:173.245.48.5', '203.0.113.9, 192.0.2.1')).toBe('192.0.2.1')
    expect(await ipOf(one, '2a06:98c0::5', '2001:db8::1')).toBe('2001:db8::1')
    expect(await ipOf(one, '192.0.2.1', '203.0.113.9')).toBe('192.0.2.1')
    expect(await ipOf(one, '173.245.48.5', 'unknown')).toBe('unknown')
    const two = trustProxies(['10.0.1.0/24'], cdn)
    expect(await ipOf(two, '10.0.1.7', '203.0.113.9, 192.0.2.1, 173.245.48.5')).toBe('192.0.2.1')
    expect(await ipOf(two, '10.0.1.7', '203.0.113.9, 192.0.2.1')).toBe('192.0.2.1')
    expect(await ipOf(two, '10.0.1.7', '203.0.113.9, unknown')).toBe('unknown')
    expect(await ipOf(two, '173.245.48.5', '192.0.2.1, 173.245.48.5')).toBe('173.245.48.5')
    expect(one(undefined as unknown as string, 0)).toBe(false)
  })
})

test('a function trusts the proxy at the other end of a Unix socket', async () => {
  const { app } = await start((_address, hop) => hop === 0)
  const folder = await mkdtemp(join(tmpdir(), 'accounts-socket-'))
  const socketPath = await app.listen({ path: join(folder, 'app.sock') })
  const { body } = await get(socketPath, '/whoami', { 'x-forwarded-for': '203.0.113.9, 192.0.2.1' })
  expect(body).toEqual({ ip: '192.0.2.1' })
  await rm(folder, { recursive: true })
})

test("Cloudflare's lists are fetched into one file", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-ranges-'))
  // The lists end without a line break.
  const curl = `curl() { printf '%s' "of $2"; }`
  const printed = await shell(`cd ${folder}\n${curl}\n${sample('> cloudflare.txt')}cat cloudflare.txt`)
  expect(printed).toBe('of https://www.cloudflare.com/ips-v4\nof https://www.cloudflare.com/ips-v6\n')
  await rm(folder, { recursive: true })
})

const forged = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' }

describe.skipIf(!withNginx)('nginx as docs/guides/proxy.md configures it', () => {
  async function startNginx(port: number, before = '', server = sample('server_name')): Promise<number> {
    const { certificate, key } = await certificateFor('accounts.example.org')
    const nginx = await startPlainNginx(({ http, https }) =>
      before.concat(
        // The test's requests come over http.
        replaced(
          server,
          ['listen 443 ssl;', `listen 127.0.0.1:${https} ssl; listen 127.0.0.1:${http};`],
          ['127.0.0.1:3000', `127.0.0.1:${port}`],
          ['/etc/nginx/certificates/accounts.pem', certificate],
          ['/etc/nginx/certificates/accounts.key', key],
        ),
      ),
    )
    onTestFinished(nginx.stop)
    return nginx.http
  }

  test("replaces the client's own header", async () => {
    const { port } = await start('127.0.0.1')
    const nginx = await startNginx(await port())
    expect((await get(nginx, '/whoami', forged)).body).toEqual({ ip: '127.0.0.1' })
    const asked = replaced(sample('curl -H'), ['https://accounts.example.org', `http://127.0.0.1:${nginx}`])
    expect(await shell(asked.replaceAll('curl', 'curl -s -w "\\n"'))).toBe('{"ip":"127.0.0.1"}\n'.repeat(2))
    const { headers } = await get(nginx, '/api-root/')
    expect(headers['cache-control']).toBe('no-store')
  })

  test("takes the client's address from Cloudflare only", async () => {
    const { port } = await start('127.0.0.1')
    const behind = await port()
    const byCloudflare = { 'cf-connecting-ip': '192.0.2.1', ...forged }
    for (const [range, ip] of [
      ['127.0.0.1', '192.0.2.1'],
      ['198.51.100.0/24', '127.0.0.1'],
    ] as const) {
      const before = replaced(sample('real_ip_header'), ['173.245.48.0/20', range])
      expect((await get(await startNginx(behind, before), '/whoami', byCloudflare)).body).toEqual({ ip })
    }
  })

  test('removes a prefix that is in baseUrl', async () => {
    const baseUrl = 'https://accounts.example.org/accounts'
    const { port } = await start('127.0.0.1', { baseUrl })
    const server = sample('server_name').replace(/location \/ \{.*?\n\t\}/s, sample('location /accounts/'))
    const nginx = await startNginx(await port(), '', server)
    const { body } = await get(nginx, '/accounts/api-root/')
    const links = JSON.stringify(body)
    expect(links).toContain(`${baseUrl}/login/`)
    expect(links).not.toContain('/accounts/accounts/')
  })
})

describe.skipIf(!withCaddy)('Caddy as docs/guides/proxy.md configures it', () => {
  async function startBehind(port: number, caddyfile: string): Promise<number> {
    const caddy = await startCaddy(
      replaced(caddyfile, ['accounts.example.org', '{$ADDRESS}'], ['127.0.0.1:3000', `127.0.0.1:${port}`]),
      (here) => ({ ADDRESS: `http://127.0.0.1:${here}` }),
    )
    onTestFinished(caddy.stop)
    return caddy.port
  }

  test("replaces the client's own header", async () => {
    const { port } = await start('127.0.0.1')
    const caddy = await startBehind(await port(), sample('reverse_proxy 127.0.0.1:3000\n'))
    expect((await get(caddy, '/whoami', forged)).body).toEqual({ ip: '127.0.0.1' })
  })

  test("keeps Cloudflare's header, and nobody else's", async () => {
    const byCloudflare = { 'x-forwarded-for': '203.0.113.9, 192.0.2.1' }
    for (const [range, ip] of [
      ['127.0.0.1/32', '192.0.2.1'],
      ['198.51.100.0/24', '127.0.0.1'],
    ] as const) {
      const { port } = await start(trustProxies(['127.0.0.1/32'], ['127.0.0.1/32']))
      const caddyfile = replaced(sample('trusted_proxies'), ['173.245.48.0/20', range])
      expect((await get(await startBehind(await port(), caddyfile), '/whoami', byCloudflare)).body).toEqual({
        ip,
      })
    }
  })
})
