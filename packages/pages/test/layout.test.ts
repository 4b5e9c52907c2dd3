import { createHash } from 'node:crypto'
import { pages } from '@fastify-accounts/pages'
import { goodPassword, signUp } from '@fastify-accounts/test-support/app'
import { englishTexts } from '@fastify-accounts/test-support/english-texts'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import { type AccountsOptions, apiKeys, secondFactor } from 'fastify-accounts'
import { inkOn } from 'fastify-accounts/features'
import { describe, expect, it } from 'vitest'
import { styleOf } from '../src/frame/style.js'
import type { LayoutParts } from '../src/index.js'
import { browser, later, pagesApp } from './pages-app.js'

const lose = (): never => {
  throw new Error('lost')
}

const ownStyle = 'header { color: teal }'

/** These texts as those of another language. */
const marked = (texts: object): object =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? `¡${text}` : marked(text)]),
  )

/** The frame of a site: its header, its style, and a script where that may be. */
const ours = ({
  kind,
  title,
  language,
  direction,
  head,
  main,
  user,
  ...more
}: LayoutParts): string => `<!doctype html>
<html lang="${language}" dir="${direction}">
<head><title>${title.replace(/</g, '&lt;')}</title>${head}
<link rel="stylesheet" href="/site.css"><style>${ownStyle}</style>
${kind === 'link' ? '' : '<script src="/site.js"></script>'}</head>
<body><header>Our site${user === null ? '' : ` <b>${user.name}</b>`} ${more.account}</header>${main}
<footer>${more.links} ${more.languages}</footer></body>
</html>`

const policyOf = (response: { headers: Record<string, unknown> }): Record<string, string> =>
  Object.fromEntries(
    String(response.headers['content-security-policy'])
      .split('; ')
      .map((each) => [each.split(' ')[0], each]),
  )

describe('layout', () => {
  it('draws each page in the frame of the site, whose scripts run but on pages of links', async () => {
    const world = await pagesApp({ layout: ours })
    await signUp(world, 'ada')
    const visitor = browser(world.app)
    const login = await visitor.open('/login/')
    expect(login.text).toContain('Our site')
    expect(login.html).toContain('<main data-page="login"')
    const policy = policyOf(login.response)
    const digest = createHash('sha256').update(ownStyle).digest('base64')
    expect(policy['style-src']).toContain(`'sha256-${digest}' 'self'`)
    expect(policy['script-src']).toMatch(/ 'self'$/)
    const link = await visitor.open('/reset/an-invalid-token/')
    expect(link.text).toContain('Our site')
    expect(policyOf(link.response)['script-src']).not.toContain('self')
  })

  it('loses nothing that our own frame has: logging out, links of the site, languages', async () => {
    const brand = { footer: 'Acme Inc', links: { privacy: '/privacy', terms: '/terms', imprint: '/imprint' } }
    const world = await pagesApp({ layout: ours }, { brand })
    await signUp(world, 'ada')
    const visitor = browser(world.app)
    const login = await visitor.open('/login/')
    expect(login.text).not.toContain('Log out')
    expect(login.text).toContain('Acme Inc Privacy Terms Imprint')
    await visitor.submit('Log in', { username: 'ada', password: goodPassword })
    expect(visitor.page.url).toBe('/account/')
    await visitor.submit('Deutsch')
    expect([visitor.page.url, visitor.page.text.includes('Datenschutz')]).toEqual(['/account/', true])
    expect((await visitor.open('/reset/an-invalid-token/')).html).not.toMatch(/action="[^"]*logout/)
    await visitor.open('/account/')
    await visitor.submit('Abmelden')
    expect(visitor.page.url).toBe('/logged-out/')
  })

  it('runs no script of the site where an account shows a secret or asks for a code', async () => {
    const features = [secondFactor(), apiKeys({ scopes: ['orders:read'] })]
    const world = await pagesApp({ layout: ours }, { features })
    await signUp(world, 'ada')
    const visitor = browser(world.app)
    await visitor.open('/account/api-keys/new/')
    await visitor.submit('Log in', { username: 'ada', password: goodPassword })
    const seen = [await visitor.submit('Create key', { name: 'Reports' })]
    expect((await visitor.open('/account/')).html).toContain('/site.js')
    await visitor.open('/account/two-step/app/')
    seen.push(await visitor.submit('Continue'))
    const [, secret = ''] = /<code>([A-Z2-7 ]+)<\/code>/.exec(visitor.page.html) ?? []
    seen.push(await visitor.submit('Continue'))
    const code = codeOf(secret.replaceAll(' ', ''), -1)
    seen.push(await visitor.submit('Turn on', { code }))
    later(20)
    seen.push(await visitor.open('/confirm/?by=totp'))
    expect(seen.map(({ html }) => /data-page="([^"]*)" data-kind="([^"]*)"/.exec(html)?.slice(1))).toEqual([
      ['account-api-keys-created', 'account'],
      ['account-two-step-app', 'account'],
      ['account-two-step-code', 'account'],
      ['account-recovery-codes', 'account'],
      ['confirm', 'form'],
    ])
    for (const { url, html, response } of seen) {
      expect([url, html]).toEqual([url, expect.stringContaining('Our site')])
      expect([url, html]).toEqual([url, expect.not.stringContaining('/site.js')])
      expect(policyOf(response)['script-src']).not.toContain('self')
    }
  })

  it.each<[string, (parts: LayoutParts) => unknown, RegExp]>([
    ['without main', ({ head }) => head, /must return a text with head and main in it, for the kind form/],
    ['asynchronous', async ({ head, main }) => head + main, /must return a text/],
    [
      'with a script',
      (parts) => `${ours({ ...parts, kind: 'form' })}`,
      /must have no script on pages of the kind link/,
    ],
    ['with a handler', ({ head, main }) => `${head}<body onload="x()">${main}`, /no event handler/],
    [
      'with a handler after a slash',
      ({ head, main }) => `${head}<svg/onload=x()>${main}`,
      /no event handler/,
    ],
    ['with a base', ({ head, main }) => `${head}<base href="/x/">${main}`, /no <base>/],
    [
      'that moves on',
      ({ head, main }) => `${head}<meta content="0;url=/" http-equiv=refresh>${main}`,
      /refresh/,
    ],
    [
      'with a foreign form',
      ({ head, main }) => `${head}<form action="https://else.example/">${main}`,
      /sends elsewhere/,
    ],
    [
      'with a foreign button',
      ({ head, main }) => `${head}<button formaction=//else.example>${main}`,
      /sends elsewhere/,
    ],
    [
      'that fails',
      () => {
        throw new Error('no user')
      },
      /failed for the kind form, without a user: Error: no user/,
    ],
  ])('stops the start if it is one %s', async (_, layout, message) => {
    await expect(pagesApp({ layout: layout as typeof ours })).rejects.toThrow(message)
  })

  it('stops the start if it is no function', async () => {
    await expect(pagesApp({ layout: '<main>' as never })).rejects.toThrow(
      '@fastify-accounts/pages: layout must be a function',
    )
  })

  it.each<[string, () => string, string]>([
    ['fails', lose, 'Error: lost'],
    ['leaves the page out', () => '<main></main>', 'head or main is missing in what it returned'],
  ])(
    'shows a page in the plugin’s own frame if it %s later, and logs that once a minute',
    async (_, draw, reason) => {
      let isBroken = false
      const lines: string[] = []
      const layout = (parts: LayoutParts): string => {
        return isBroken ? draw() : ours(parts)
      }
      const world = await pagesApp({ layout }, {}, (app) => {
        app.log.warn = ((_: object, text: string) => lines.push(text)) as never
      })
      isBroken = true
      const visitor = browser(world.app)
      for (const path of ['/login/', '/logged-out/']) {
        const { status, text } = await visitor.open(path)
        expect([status, text.includes('Our site')]).toEqual([200, false])
      }
      expect(lines.filter((line) => line.includes('layout failed'))).toEqual([
        expect.stringMatching(new RegExp(`own frame: ${reason} `)),
      ])
    },
  )
})

describe('the look', () => {
  it('takes one style sheet of the site itself, and allows exactly that', async () => {
    const { app } = await pagesApp({}, { brand: { stylesheet: '/look.css?v=1' } })
    const { response, html } = await browser(app).open('/login/')
    expect(html).toContain('href="http://localhost:3000/look.css?v=1"')
    expect(policyOf(response)['style-src']).toMatch(
      /^style-src 'sha256-\S+ http:\/\/localhost:3000\/look\.css$/,
    )
    await expect(pagesApp({}, { brand: { stylesheet: 'https://else.example/a.css' } })).rejects.toThrow(
      '@fastify-accounts/pages: brand.stylesheet must be a path of the site, got https://else.example/a.css',
    )
  })

  it('shows the logo of the scheme, from the site alone, or else the name', async () => {
    const [own, dark] = ['http://localhost:3000/logo.svg', 'http://localhost:3000/dark.svg']
    const elsewhere = 'https://cdn.example/logo.svg'
    const name = '<bdi>Acme</bdi>'
    const picture = (src: string, source = '') => `<picture>${source}<img src="${src}" alt="Acme"></picture>`
    const forDark = `<source srcset="${dark}" media="(prefers-color-scheme: dark)">`
    const table: [Partial<AccountsOptions['brand']>, string][] = [
      [{}, name],
      [{ logo: own }, picture(own)],
      [{ logo: own, darkLogo: dark }, picture(own, forDark)],
      [{ logo: own, darkLogo: own }, picture(own)],
      [{ logo: own, darkLogo: dark, scheme: 'dark' }, picture(dark)],
      [{ logo: own, darkLogo: dark, scheme: 'light' }, picture(own)],
      [{ logo: own, scheme: 'dark' }, picture(own)],
      [{ logo: own, darkLogo: elsewhere }, picture(own)],
      [{ logo: elsewhere, darkLogo: dark, scheme: 'dark' }, picture(dark)],
      [{ logo: elsewhere, darkLogo: dark, scheme: 'light' }, name],
      [{ logo: elsewhere }, name],
    ]
    for (const [brand, shown] of table) {
      const { app } = await pagesApp({}, { brand: { name: 'Acme', ...brand } })
      const { html, response } = await browser(app).open('/login/')
      const scheme = brand?.scheme ?? 'light dark'
      expect([brand, html]).toEqual([brand, expect.stringContaining(`<div data-part="site">${shown}</div>`)])
      expect([brand, html]).toEqual([brand, expect.stringContaining(`color-scheme:${scheme};`)])
      expect(policyOf(response)['img-src']).toBe("img-src 'self' data:")
    }
    const { app } = await pagesApp({}, { brand: { name: 'Acme', url: '/shop/' } })
    expect((await browser(app).open('/login/')).html).toMatch(/<a href="[^"]*\/shop\/"><bdi>Acme<\/bdi><\/a>/)
  })

  it('is in one layer, and each of its selectors is within :where()', () => {
    const css = styleOf({ color: '#1d4ed8', scheme: 'auto' } as never)
    expect(css).toMatch(/^@layer accounts\{/)
    const selectors = [...css.matchAll(/(?<=^|[{};])([^{};@]+)\{/g)].map(([, each = '']) => each)
    const isWeightless = (selector: string): boolean =>
      selector.replace(/:where\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|::[\w-]+|[&>, ]/g, '') === ''
    const plain = selectors.filter((each) => !isWeightless(each) && each !== 'to')
    expect(plain).toEqual([])
    expect(new Set(css.match(/--accounts-[\w-]+(?=:)/g))).toHaveLength(14)
  })

  it('has a text on buttons that is readable on any color', () => {
    for (let red = 0; red < 256; red += 51)
      for (let green = 0; green < 256; green += 51)
        for (let blue = 0; blue < 256; blue += 51) {
          const color = `#${[red, green, blue].map((each) => each.toString(16).padStart(2, '0')).join('')}`
          expect(styleOf({ color, scheme: 'auto' } as never)).toContain(
            `--accounts-on-accent:${inkOn(color)}`,
          )
        }
  })

  it('is written from right to left in such a language, whose name keeps that in the switch', async () => {
    const { app } = await pagesApp({}, { languages: { texts: { ar: englishTexts() } } })
    const english = await browser(app).open('/logged-out/')
    expect(english.html).toContain('<html lang="en" dir="ltr">')
    expect(english.html).toMatch(/<span lang="ar" dir="rtl"><button[^>]*>العربية</)
    expect(english.html).toMatch(/<span lang="de"><button/)
    const visitor = browser(app)
    await visitor.open('/logged-out/')
    const arabic = await visitor.submit('العربية')
    expect(arabic.html).toContain('<html lang="ar" dir="rtl">')
    expect(arabic.html).toMatch(/<span lang="ar"><button/)
    expect(arabic.html).toMatch(/<span lang="de" dir="ltr"><button/)
  })

  it('shows English where a language of the app lacks texts of pages, and warns once', async () => {
    const lines: string[] = []
    const texts = englishTexts()
    const { app } = await pagesApp({}, { languages: { texts: { es: texts } } }, (host) => {
      host.log.warn = ((_: object, text: string) => lines.push(text)) as never
    })
    const { html, heading } = await browser(app, { 'accept-language': 'es' }).open('/logged-out/')
    expect(html).toContain('<html lang="es" dir="ltr">')
    expect(heading).toBe('You’re logged out')
    expect(lines.filter((line) => /languages\.texts\.es lacks \d+ texts of pages/.test(line))).toHaveLength(1)

    const all = englishTexts([pages()]) as { pages: object }
    const whole = { ...all, pages: marked(all.pages) }
    const spanish = await pagesApp({}, { languages: { texts: { es: whole } } }, (host) => {
      host.log.warn = ((_: object, text: string) => lines.push(text)) as never
    })
    const page = await browser(spanish.app, { 'accept-language': 'es' }).open('/logged-out/')
    expect(page.heading).toBe('¡You’re logged out')
    expect(lines.filter((line) => line.includes('texts of pages'))).toHaveLength(1)
  })
})
