import { expect, it } from 'vitest'
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
  for (const file of files) expect([file, (await fetch(`${url}${file}`)).status]).toEqual([file, 200])
  expect(html).not.toMatch(/<style|style=|<script>/)
})
