import { organizations } from '@fastify-accounts/organizations'
import { passkeys } from '@fastify-accounts/passkeys'
import { providers } from '@fastify-accounts/providers'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { apiKeys, createMemoryActivityStore, invitations, secondFactor } from 'fastify-accounts'
import { expect, it } from 'vitest'
import { script } from '../src/frame/script.js'
import { styleOf } from '../src/frame/style.js'
import { browser, pagesApp } from './pages-app.js'

/** Bytes of a page with its style, and of the script and the style that all have. */
const heaviest = { page: 20_000, script: 2500, style: 11_000 }

const isPage = (config: unknown): boolean =>
  (config as { accounts?: { isPage?: boolean } } | undefined)?.accounts?.isPage === true

it.each(['en', 'de', 'fr'])(
  'has pages below 20 kB with their style, with every feature, in %s',
  async (tag) => {
    const paths = new Set<string>()
    const issuer = 'http://localhost:1'
    const { app } = await pagesApp(
      {},
      {
        features: [
          ...[secondFactor(), passkeys(), invitations(), organizations()],
          apiKeys({ scopes: ['orders:read', 'orders:write'] }),
          providers(['one', 'two'].map((name) => ({ name, label: name, issuer, clientId: name }))),
        ],
        activity: createMemoryActivityStore(),
        login: { emailCode: true },
        brand: { name: 'Acme', footer: 'Acme Inc', links: { privacy: '/p', terms: '/t', imprint: '/i' } },
        languages: { offered: [tag, ...['en', 'de', 'fr'].filter((each) => each !== tag)] },
      },
      (host) => {
        host.addHook('onRoute', ({ url, method, config }) => {
          if (isPage(config) && [method].flat().includes('GET') && url.endsWith('/')) paths.add(url)
        })
      },
    )
    const user = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }
    await app.accounts.createUser(user)
    const sizes: Record<string, number> = {}
    const visitor = browser(app)
    async function weigh(path: string): Promise<void> {
      const { html, url } = await visitor.open(path)
      sizes[url] = Buffer.byteLength(html)
    }
    const fixed = [...paths].filter((path) => !path.includes(':'))
    for (const path of fixed) await weigh(path)
    await visitor.open('/login/')
    await visitor.submit({ en: 'Log in', de: 'Anmelden', fr: 'Se connecter' }[tag] ?? '', {
      username: 'ada',
      password: goodPassword,
    })
    const { html } = await visitor.open('/account/organizations/new/')
    const button = /data-kind="primary"[^>]*>([^<]*)</.exec(html)?.[1] ?? ''
    const { url } = await visitor.submit(button, { name: 'Acme', slug: 'acme' })
    for (const path of [...fixed, ...['', 'members/', 'invitations/', 'settings/'].map((each) => url + each)])
      await weigh(path)
    expect(Object.entries(sizes).filter(([, size]) => size >= heaviest.page)).toEqual([])
    expect(Object.keys(sizes).length).toBeGreaterThan(50)
  },
)

it('has a small script and style', () => {
  expect(Buffer.byteLength(script)).toBeLessThan(heaviest.script)
  const style = styleOf({ color: '#1d4ed8', scheme: 'auto' } as never)
  expect(Buffer.byteLength(style)).toBeLessThan(heaviest.style)
})
