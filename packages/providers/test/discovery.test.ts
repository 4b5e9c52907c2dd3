import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { type DemoApp, demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { afterEach, describe, expect, it, vi } from 'vitest'

const minute = 60_000
/** Milliseconds, on a busy machine. */
const patience = 60_000
const document = '/.well-known/openid-configuration'

afterEach(() => vi.useRealTimers())

const pass = (milliseconds: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
}

/** Where a login begins: the path of the provider. */
async function begin({ send }: DemoApp): Promise<string> {
  const response = await send('POST', '/login/with/demo/', {})
  return response.statusCode === 200 ? new URL(response.json().location).pathname : response.body
}

describe('a discovery document older than an hour', () => {
  it('stays in use while one request for the next one hangs, until that is here', async () => {
    // Longer than this test: a request that waited for the document would get no response.
    const service = await demoApp({}, { adapterTimeout: 10 * minute })
    const { issuer } = service
    expect(await begin(service)).toBe('/authorize')
    const hanging: ServerResponse[] = []
    issuer.twist.discovery = (response) => void hanging.push(response)
    pass(60 * minute)
    for (let n = 0; n < 5; n += 1) expect(await begin(service)).toBe('/authorize')
    await vi.waitUntil(() => hanging.length > 0, patience)
    expect(issuer.asked.get(document)).toBe(2)
    const moved = { ...issuer.metadata, authorization_endpoint: `${issuer.url}/moved` }
    const [response] = hanging as [ServerResponse]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(moved))
    await vi.waitUntil(async () => (await begin(service)) === '/moved', patience)
    expect(issuer.asked.get(document)).toBe(2)
  })

  it('stays in use if the next one cannot be had or is of another issuer, which is tried each minute', async () => {
    const service = await demoApp()
    const { issuer } = service
    await begin(service)
    const failures: ((response: ServerResponse) => void)[] = [
      (response) => void response.writeHead(500).end(),
      (response) => {
        const foreign = { ...issuer.metadata, issuer: 'https://evil.example' }
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(foreign))
      },
    ]
    let ended = 0
    for (const fail of failures) {
      issuer.twist.discovery = (response) => {
        response.on('finish', () => (ended += 1))
        fail(response)
      }
      // The first request may find the one before still in progress.
      await vi.waitUntil(async () => {
        pass(60 * minute)
        expect(await begin(service)).toBe('/authorize')
        return ended > 0
      }, patience)
      ended = 0
    }
    delete issuer.twist.discovery
    issuer.metadata.authorization_endpoint = `${issuer.url}/moved`
    await vi.waitUntil(async () => {
      pass(minute)
      return (await begin(service)) === '/moved'
    }, patience)
  })
})

describe('a discovery document of another issuer', () => {
  it.each([
    ['with a slash at the end', (url: string) => `${url}/realm/`],
    ['on an internal host', () => 'http://keycloak:8080/realm'],
    ['of someone else', () => 'https://evil.example'],
  ])('%s is an error of the set-up: 500, and the log has both', async (_, other) => {
    const lines: string[] = []
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const service = await demoApp({}, {}, { server: { logger: { level: 'error', stream } } })
    const { issuer } = service
    const announced = other(issuer.url)
    issuer.metadata.issuer = announced
    const response = await service.send('POST', '/login/with/demo/', {})
    expect(refusalOf(response)).toEqual([500, 'ACCOUNTS_PROVIDER_MISCONFIGURED'])
    expect(response.json()).toMatchObject({ provider: 'Demo', message: expect.stringContaining('Demo') })
    expect(response.body).not.toContain(announced)
    const [line = '', ...others] = lines
    expect(others).toEqual([])
    expect(line).toContain(`demo.issuer is ${issuer.url}, but its discovery document says ${announced}`)
    issuer.metadata.issuer = issuer.url
    expect(await begin(service)).toBe('/authorize')
  })
})

it.each([
  ['longer than 512 KiB', (response: ServerResponse) => response.end(`"${'x'.repeat(512 * 1024)}"`)],
  ['empty', (response: ServerResponse) => response.writeHead(204).end()],
])('a discovery document that is %s is an outage', async (_, respond) => {
  const service = await demoApp()
  service.issuer.twist.discovery = (response) => void respond(response)
  const response = await service.send('POST', '/login/with/demo/', {})
  expect(refusalOf(response)).toEqual([503, 'ACCOUNTS_PROVIDER_UNAVAILABLE'])
})

it('sends no code to an endpoint without https', async () => {
  const service = await demoApp({ authoritativeFor: true })
  service.issuer.metadata.token_endpoint = 'http://192.0.2.1/token'
  const response = await visitor(service).logInWith({ sub: 'ada', email: 'ada@example.org' })
  expect(refusalOf(response)).toEqual([503, 'ACCOUNTS_PROVIDER_UNAVAILABLE'])
})
