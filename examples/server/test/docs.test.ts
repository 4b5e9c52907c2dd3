import { holdClock } from '@fastify-accounts/testing'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { mountDocs } from '../src/docs.js'
import { startService } from './support/service.js'

it('serves the OpenAPI document of its routes, and a page that loads only its own scripts and styles', async () => {
  const { url } = await startService()
  const document = (await (await fetch(`${url}/docs/json`)).json()) as {
    openapi: string
    servers: object[]
    paths: object
  }
  const index = (await (await fetch(`${url}/api-root/`)).json()) as Record<string, { href: string }>
  const paths = Object.values(index).map(({ href }) => href.slice(url.length))
  expect(Object.keys(document.paths).sort()).toEqual([...new Set(paths)].sort())
  expect([document.openapi, document.servers]).toEqual(['3.1.0', [{ url }]])

  const page = await fetch(`${url}/docs`)
  expect(page.status).toBe(200)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  const html = await page.text()
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file)
  expect(files.length).toBeGreaterThan(4)
  for (const path of ['/docs', '/docs/json', ...files]) {
    const { status, headers } = await fetch(`${url}${path}`)
    expect([path, status, headers.get('x-content-type-options')]).toEqual([path, 200, 'nosniff'])
  }
  expect(html).not.toMatch(/<style|style=|<script>/)
})

it('writes the document out once, and serves an address sixty times a minute', async () => {
  // A second that passes between the requests would shorten what is left to wait.
  const clock = holdClock()
  onTestFinished(() => clock.release())
  const app = Fastify()
  await mountDocs(app, { baseUrl: 'http://localhost:3000', throttle: true })
  app.get('/hello', { schema: { tags: ['greetings'] } }, () => 'hello')
  const { swagger } = app
  let written = 0
  app.swagger = ((options?: { yaml: true }) => {
    written += 1
    return options === undefined ? swagger() : swagger(options)
  }) as typeof swagger
  const ask = (remoteAddress: string) => app.inject({ url: '/docs/json', remoteAddress })
  const responses = []
  for (let count = 0; count < 61; count += 1) responses.push(await ask('192.0.2.1'))
  const [first, ...others] = responses
  expect(first?.json().paths).toHaveProperty('/hello')
  expect(first?.headers['content-type']).toBe('application/json; charset=utf-8')
  for (const response of others.slice(0, -1)) expect(response.body).toBe(first?.body)
  expect([others.at(-1)?.statusCode, others.at(-1)?.headers['retry-after']]).toEqual([429, '60'])
  expect((await ask('192.0.2.2')).statusCode).toBe(200)
  expect((await app.inject({ url: '/docs', remoteAddress: '192.0.2.1' })).statusCode).toBe(429)
  expect(written).toBe(1)
  await app.close()
})
