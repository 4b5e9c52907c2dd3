import { type AddressInfo, connect } from 'node:net'
import type { PagesOptions } from '@fastify-accounts/pages'
import { providers } from '@fastify-accounts/providers'
import { goodPassword, type TestApp } from '@fastify-accounts/test-support/app'
import type { AccountsOptions } from 'fastify-accounts'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createAll, demo, everyFeature, isPage, linksOf } from './every-feature.js'
import { type Browser, browser, pagesApp, type Shown } from './pages-app.js'
import { pathOf } from './walk.js'

/** An app with every feature that has pages. */
interface World extends TestApp {
  /** The paths of pages, as routes. */
  routes: readonly string[]
}

async function worldWith(own: PagesOptions = {}, options: Partial<AccountsOptions> = {}): Promise<World> {
  const routes = new Set<string>()
  const every = everyFeature()
  const features = [...(every.features ?? []), providers([demo])]
  const service = await pagesApp(own, { ...every, features, ...options }, (app) =>
    app.addHook('onRoute', ({ url, config }) => {
      if (isPage(config) && url.endsWith('/')) routes.add(url)
    }),
  )
  return { ...service, routes: [...routes] }
}

/** The paths of all pages, those with an id as Ada's links lead there. */
async function pathsIn({ routes }: World, visitor: Browser): Promise<string[]> {
  const fixed = routes.filter((route) => !route.includes(':'))
  const withId = routes.filter((route) => route.includes(':'))
  const paths = new Set(fixed)
  const routeOf = (path: string) =>
    withId.find((route) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
  for (const path of paths) {
    const page = await visitor.open(path)
    expect([path, page.url]).toEqual([path, expect.not.stringMatching(/^\/confirm\/./)])
    for (const to of linksOf(page).map(pathOf)) if (routeOf(to)) paths.add(to)
  }
  expect(withId.filter((route) => ![...paths].some((path) => routeOf(path) === route))).toEqual([])
  return [...paths]
}

const cookiesOf = ({ cookies }: Browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

let world: World
/** Ada's, at the beginning. */
let cookies: ReadonlyMap<string, string>
let paths: readonly string[]
beforeAll(async () => {
  world = await worldWith()
  cookies = await createAll(world)
  await world.app.accounts.createUser({ username: 'dan', password: goodPassword })
  paths = await pathsIn(world, adasBrowser())
})

const adasBrowser = (): Browser => browserWith(world, cookies)

function browserWith({ app }: World, cookies: ReadonlyMap<string, string>): Browser {
  const visitor = browser(app)
  for (const [name, value] of cookies) visitor.cookies.set(name, value)
  return visitor
}

/** Of somebody without a second factor. */
async function dansBrowser(): Promise<Browser> {
  const visitor = browser(world.app)
  await visitor.open('/login/')
  await visitor.submit('Log in', { username: 'dan', password: goodPassword })
  return visitor
}

/** What a store keeps of Ada, but for when she was here last. */
async function stateOf({ users, sessions }: World): Promise<string> {
  const user = await users.findByUsername('ada')
  return JSON.stringify([user, [...sessions.rows.keys()]])
}

describe('pages', () => {
  it('there are', () => {
    expect(paths.length).toBeGreaterThan(40)
  })

  it('change nothing when they are opened', async () => {
    const visitor = adasBrowser()
    const before = await stateOf(world)
    await world.settle()
    const mails = world.mails.length
    for (const url of paths)
      for (const method of ['GET', 'HEAD'] as const) {
        const headers = { cookie: cookiesOf(visitor), accept: 'text/html', 'sec-fetch-mode': 'navigate' }
        const { statusCode, body } = await world.app.inject({ method, url, headers })
        expect([url, statusCode < 400], body).toEqual([url, true])
      }
    await world.settle()
    expect(await stateOf(world)).toBe(before)
    expect(world.mails.length).toBe(mails)
  })

  it('tell password managers whose password is asked, and what each field is', async () => {
    const visitor = adasBrowser()
    const seen: string[] = []
    for (const who of [browser(world.app), visitor])
      for (const url of paths) {
        const { html } = await who.open(url)
        for (const [form] of html.matchAll(/<form[\s\S]*?<\/form>/g)) {
          const secrets = [...form.matchAll(/<input[^>]*type="password"[^>]*>/g)].map(([input]) => input)
          if (secrets.length === 0) continue
          seen.push(url)
          expect([url, /autocomplete="(username|email)( webauthn)?"/.test(form)]).toEqual([url, true])
          for (const input of secrets)
            expect([url, input]).toEqual([
              url,
              expect.stringMatching(/autocomplete="(current|new)-password"/),
            ])
        }
        for (const [input, name] of html.matchAll(/<input[^>]*name="([^"]*code)"[^>]*>/g))
          if (!/type="hidden"/.test(input) && !/recovery|postal/.test(name ?? ''))
            expect([url, input]).toEqual([url, expect.stringContaining('autocomplete="one-time-code"')])
      }
    expect(seen).toContain('/account/password/')
  })
})

it('shows what is shown once only in the login in which it was made, and forgets it with that', async () => {
  async function withKey(): Promise<Browser> {
    const visitor = await dansBrowser()
    await visitor.open('/account/api-keys/new/')
    await visitor.submit('Create key', { name: 'Reports' })
    expect((await visitor.reload()).heading).toBe('Your new API key')
    return visitor
  }
  const closed = await withKey()
  closed.cookies.delete('session')
  await closed.open('/account/api-keys/created/')
  const later = await closed.submit('Log in', { username: 'dan', password: goodPassword })
  expect(closed.cookies.has('session-once')).toBe(true)
  expect(later.url).toBe('/account/api-keys/')

  const visitor = await withKey()
  visitor.cookies.set('session-flash', 'x')
  await visitor.open('/logout/')
  visitor.cookies.set('session-flash', 'x')
  await visitor.submit('Log out')
  expect([...visitor.cookies.keys()].filter((name) => /once|flash/.test(name))).toEqual([])
})

it('uses nothing up for a request that only looks ahead', async () => {
  const visitor = adasBrowser()
  for (const name of ['flash', 'return', 'once']) visitor.cookies.set(`session-${name}`, 'x')
  const ask = async (method: 'GET' | 'HEAD', url: string, more: Record<string, string> = {}) => {
    const cookie = cookiesOf(visitor)
    const headers = { cookie, accept: 'text/html', 'sec-fetch-mode': 'navigate', ...more }
    return (await world.app.inject({ method, url, headers })).headers['set-cookie']
  }
  for (const url of [...paths, '/login/?in=email-code']) {
    expect([url, await ask('HEAD', url)]).toEqual([url, undefined])
    expect([url, await ask('GET', url, { 'sec-purpose': 'prefetch;prerender' })]).toEqual([url, undefined])
  }
  expect(String(await ask('GET', '/done/'))).toMatch(/session-flash=;.*session-return=x/)
  expect(String(await ask('GET', '/login/?in=email-code'))).toContain('session-way=email-code')
})

it('leads back to its own pages whatever origin the request line has', async () => {
  const { app } = await worldWith()
  onTestFinished(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const raw = (line: string, more: string, body = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      const chunks: string[] = []
      socket.on('data', (chunk) => chunks.push(String(chunk)))
      socket.on('close', () => resolve(chunks.join('')))
      socket.on('error', reject)
      socket.end(
        `${line} HTTP/1.1\r\nHost: localhost:3000\r\nConnection: close\r\nAccept: text/html\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: same-origin\r\n${more}\r\n${body}`,
      )
    })
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n'
  const sent = await raw('POST http://evil.example/signup/sent/?to=x', form, 'a=b')
  expect(sent).toMatch(/^HTTP\/1.1 303 [\s\S]*\r\nlocation: \/signup\/sent\/\?to=x\r\n/i)
  const page = await raw('GET http://evil.example/login/?a=b', '')
  expect(page).toContain('value="/login/?a=b"')
  expect(page).not.toContain('evil.example')
})

it('keeps a language that is offered, and nothing else of what is sent as one', async () => {
  for (const language of ['xx', 'en\r\nset-cookie: a=b', 'de; domain=evil', '*', '']) {
    const visitor = browser(world.app)
    const payload = new URLSearchParams({ language, next: '//evil.example' }).toString()
    const response = await world.app.inject({
      ...{ method: 'POST', url: '/language/', payload },
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    })
    expect(response.statusCode).toBe(303)
    expect(response.headers['set-cookie']).toBeUndefined()
    expect(response.headers.location).toBe('/account/')
    visitor.cookies.set('session-language', encodeURIComponent(language))
    expect((await visitor.open('/login/')).html).toContain('<html lang="en"')
  }
  const german = browser(world.app)
  german.cookies.set('session-language', 'de')
  expect((await german.open('/login/')).html).toContain('<html lang="de"')
})

it('shows every name as text', async () => {
  const evil = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
  const query = new URLSearchParams({ next: `/${evil}`, email: evil, by: evil })
  const service = await worldWith({}, { brand: { name: evil, footer: evil } })
  const mine = await createAll(service, evil)
  const own = await pathsIn(service, browserWith(service, mine))
  for (const name of ['ada', 'ben']) {
    const user = await service.users.findByUsername(name)
    await service.users.update(user?.id ?? '', { username: evil, usernameKey: name }, user?.version ?? 0)
  }
  const adas = browserWith(service, mine)
  const withName = new Set<string>()
  for (const each of [browser(service.app), adas])
    for (const url of own) {
      const { html, text, status, response } = await each.open(`${url}?${query}`)
      expect([url, status < 500]).toEqual([url, true])
      if (!String(response.headers['content-type']).startsWith('text/html')) continue
      expect([url, /<img src=x|<script>alert/.test(html)]).toEqual([url, false])
      if (each === adas && text.includes(evil)) withName.add(url)
    }
  expect([...withName].filter((url) => url.startsWith('/account/')).length).toBeGreaterThan(20)
})

it('refuses a layout with scripts on pages of links, with one line', async () => {
  const layout: PagesOptions['layout'] = ({ head, main }) =>
    `<!doctype html><html><head>${head}</head><body>${main}<script src="/track.js"></script></body></html>`
  await expect(worldWith({ layout })).rejects.toThrow(/^@fastify-accounts\/pages: layout [^\n]*$/)
  const fine: PagesOptions['layout'] = (parts) =>
    `<!doctype html><html><head>${parts.head}</head><body>${parts.main}${parts.kind === 'link' ? '' : '<script src="/own.js"></script>'}</body></html>`
  const service = await worldWith({ layout: fine })
  const visitor = browser(service.app)
  expect(scriptsOf(await visitor.open('/login/'))).toContain("'self'")
  for (const url of ['/not-me/YQ/x/', '/reset/YQ/x/', '/done/'])
    expect([url, scriptsOf(await visitor.open(url))]).toEqual([url, expect.not.stringContaining("'self'")])
  await visitor.open('/forgot/')
  const reset = await visitor.submit('Send email', { email: 'ada@example.org' })
  await visitor.open('/login/code/')
  const code = await visitor.submit('Email me a code', { email: 'ada@example.org' })
  for (const shown of [reset, code])
    expect([shown.url, scriptsOf(shown)]).toEqual([shown.url, expect.not.stringContaining("'self'")])
})

const scriptsOf = ({ response }: Shown): string =>
  /script-src ([^;]*)/.exec(String(response.headers['content-security-policy']))?.[1] ?? ''
