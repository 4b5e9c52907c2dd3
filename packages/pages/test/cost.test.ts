import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { apiKeys, createMemoryActivityStore, secondFactor } from 'fastify-accounts'
import { expect, it } from 'vitest'
import { script } from '../src/frame/script.js'
import { styleOf } from '../src/frame/style.js'
import { browser, pagesApp } from './pages-app.js'

/** Bytes of a page with its style, and of the script that all have. */
const heaviest = { page: 20_000, script: 5000, style: 12_500 }

it('has pages below 20 kB with their style', async () => {
  const { app } = await pagesApp(
    {},
    {
      features: [secondFactor(), passkeys(), apiKeys({ scopes: ['orders:read'] })],
      activity: createMemoryActivityStore(),
      login: { emailCode: true },
      brand: { name: 'Acme', footer: 'Acme Inc', links: { privacy: '/p', terms: '/t', imprint: '/i' } },
    },
  )
  const user = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }
  await app.accounts.createUser(user)
  const visitor = browser(app)
  const sizes: Record<string, number> = {}
  async function weigh(path: string): Promise<void> {
    const { status, html, url } = await visitor.open(path)
    expect([path, status]).toEqual([path, 200])
    sizes[url] = Buffer.byteLength(html)
  }
  for (const path of ['/login/', '/login/code/', '/signup/', '/forgot/', '/done/', '/logged-out/'])
    await weigh(path)
  await visitor.open('/login/')
  await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  for (const path of ['', 'email/', 'password/', 'activity/', 'export/', 'language/', 'delete/'])
    await weigh(`/account/${path}`)
  const tooHeavy = Object.entries(sizes).filter(([, size]) => size >= heaviest.page)
  expect(tooHeavy).toEqual([])
  expect(Object.keys(sizes).length).toBeGreaterThan(10)
  expect(Buffer.byteLength(script)).toBeLessThan(heaviest.script)
  expect(Buffer.byteLength(styleOf({ color: '#1d4ed8', scheme: 'auto' } as never))).toBeLessThan(
    heaviest.style,
  )
})
