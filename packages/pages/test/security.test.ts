import { createHash } from 'node:crypto'
import { type AddressInfo, connect } from 'node:net'
import { organizations } from '@fastify-accounts/organizations'
import { type PagesOptions, pages } from '@fastify-accounts/pages'
import { passkeys } from '@fastify-accounts/passkeys'
import { type Provider, providers } from '@fastify-accounts/providers'
import { goodPassword, linkTarget, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import {
  type AccountsOptions,
  apiKeys,
  createMemoryActivityStore,
  invitations,
  secondFactor,
} from 'fastify-accounts'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Browser, browser, type Shown } from './pages-app.js'

/** An app with every feature that has pages. */
interface World extends TestApp {
  /** The paths of pages, without parameters. */
  paths: readonly string[]
}

const demo: Provider = {
  ...{ name: 'demo', label: 'Demo', issuer: 'https://demo.example', clientId: 'app', clientSecret: 'x' },
}
const ada = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }

async function worldWith(own: PagesOptions = {}, options: Partial<AccountsOptions> = {}): Promise<World> {
  const paths = new Set<string>()
  const service = await testApp(
    {
      login: { emailCode: true },
      activity: createMemoryActivityStore(),
      features: [
        ...[
          secondFactor(),
          apiKeys({ scopes: ['orders:read'] }),
          invitations(),
          organizations(),
          passkeys(),
          providers([demo]),
        ],
        pages(own),
      ],
      ...options,
    },
    {
      before(app) {
        app.addHook('onRoute', ({ url, config }) => {
          const isPage = (config as { accounts?: { isPage?: boolean } } | undefined)?.accounts?.isPage
          if (isPage && url.endsWith('/') && !url.includes(':')) paths.add(url)
        })
        app.get(
          '/open/',
          { onRequest: (request, reply) => app.accounts.loadUser(request, reply) },
          async () => 'open',
        )
        app.get(
          '/closed/*',
          { onRequest: (request, reply) => app.accounts.requireUser(request, reply) },
          async () => 'in',
        )
      },
    },
  )
  return { ...service, paths: [...paths] }
}

async function loggedIn(world: World, name = 'ada'): Promise<Browser> {
  const visitor = browser(world.app)
  await visitor.open('/login/')
  await visitor.submit('Log in', { username: name, password: goodPassword })
  return visitor
}

const cookiesOf = ({ cookies }: Browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

let world: World
beforeAll(async () => {
  world = await worldWith()
  await world.app.accounts.createUser(ada)
})

/** What a store keeps of Ada, but for when she was here last. */
async function stateOf({ users, sessions }: World): Promise<string> {
  const user = await users.findByUsername('ada')
  return JSON.stringify([user, [...sessions.rows.keys()]])
}

describe('pages', () => {
  it('there are', () => {
    expect(world.paths.length).toBeGreaterThan(20)
  })

  it('refuse the forms of other sites, with nothing done', async () => {
    const visitor = await loggedIn(world)
    const before = await stateOf(world)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', origin: 'https://sub.localhost' },
      { origin: 'null', accept: 'text/html' },
      { origin: 'https://evil.example', accept: 'text/html' },
    ])
      for (const url of world.paths) {
        const response = await world.app.inject({
          method: 'POST',
          url,
          payload: 'username=ada&password=x&log_out=on',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            cookie: cookiesOf(visitor),
            ...headers,
          } as Record<string, string>,
        })
        expect([url, response.statusCode]).toEqual([url, 403])
      }
    expect(await stateOf(world)).toBe(before)
  })

  it('change nothing when they are opened', async () => {
    const visitor = await loggedIn(world)
    const before = await stateOf(world)
    await world.settle()
    const mails = world.mails.length
    for (const url of world.paths)
      for (const method of ['GET', 'HEAD'] as const) {
        const headers = { cookie: cookiesOf(visitor), accept: 'text/html', 'sec-fetch-mode': 'navigate' }
        const { statusCode, body } = await world.app.inject({ method, url, headers })
        expect([url, statusCode < 400], body).toEqual([url, true])
      }
    await world.settle()
    expect(await stateOf(world)).toBe(before)
    expect(world.mails.length).toBe(mails)
  })

  it('have headers against framing, sniffing, caching and scripts of others, and nothing inline', async () => {
    const visitors = [browser(world.app), await loggedIn(world)]
    for (const visitor of visitors)
      for (const url of world.paths) {
        const { status, response, html, text } = await visitor.open(url)
        expect([url, status], text).toEqual([url, 200])
        expectSafe(url, { response, html })
      }
  })

  it('tell password managers whose password is asked, and what each field is', async () => {
    const visitor = await loggedIn(world)
    const seen: string[] = []
    for (const who of [browser(world.app), visitor])
      for (const url of world.paths) {
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

function expectSafe(url: string, { response, html }: Pick<Shown, 'response' | 'html'>): void {
  const { headers } = response
  const policy = String(headers['content-security-policy'])
  expect([url, policy]).toEqual([url, expect.stringContaining("default-src 'none'")])
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  for (const part of ["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"])
    expect(policy.split('; ')).toContain(part)
  expect(headers).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'referrer-policy': 'strict-origin',
  })
  const markup = html.replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, '')
  expect(markup).not.toMatch(/<[^>]*\s(style|on[a-z]+)=/i)
  expect(markup).not.toMatch(/<(?:link|img|script|iframe|use)[^>]*(?:href|src)="(?:https?:)?\/\//i)
  for (const [, source = ''] of html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g))
    expect(policy).toContain(createHash('sha256').update(source).digest('base64'))
}

it('leads nowhere but to the site, however `next` is spelled', async () => {
  const evil = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    '/%2f%2fevil.example',
    '/%2Fevil.example',
    '/%252fevil.example',
    '/%5cevil.example',
    '/%255c%255cevil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/%09/evil.example',
    '/%0d%0aset-cookie:a=b',
    'https://evil.example',
    'https:evil.example',
    'HTTP://EVIL.EXAMPLE',
    'http://localhost:3000@evil.example',
    'http://ada@localhost:3000/',
    '//localhost:3000@evil.example/',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/\u0000/evil.example',
    `/${'a'.repeat(5000)}`,
    '',
    '?',
    'evil',
  ]
  for (const next of evil) {
    const visitor = browser(world.app)
    await visitor.open(`/login/?${new URLSearchParams({ next })}`)
    const landed = await visitor.submit('Log in', { username: 'ada', password: goodPassword })
    expect([next, landed.url]).toEqual([next, '/account/'])
    const cookie = cookiesOf(visitor)
    for (const url of [
      `/login/?in=&${new URLSearchParams({ next })}`,
      `/confirm/?${new URLSearchParams({ next })}`,
    ]) {
      const headers = { cookie, accept: 'text/html', 'sec-fetch-mode': 'navigate' }
      const { location = '/' } = (await world.app.inject({ url, headers })).headers
      expect([next, String(location)]).toEqual([next, expect.stringMatching(/^\/(?![/\\])[\x21-\x7e]*$/)])
      expect(new URL(String(location), 'http://localhost').host).toBe('localhost')
    }
  }
  const visitor = browser(world.app)
  const guarded = await visitor.open('/closed//evil.example/%5c?a=%0d%0a')
  expect(guarded.url).toMatch(/^\/login\//)
  const back = await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  expect(new URL(back.url, 'http://localhost').host).toBe('localhost')
})

it('takes no message that it hasn’t sealed, no old one, and no draft of somebody else', async () => {
  const bob = { ...ada, username: 'bob', email: 'bob@example.org' }
  await world.app.accounts.createUser(bob)
  const visitor = await loggedIn(world)
  await visitor.open('/account/profile/')
  for (const [name] of visitor.cookies) if (name.endsWith('session')) visitor.cookies.delete(name)
  const kept = await visitor.submit('Save', { username: 'ada-to-be' })
  expect(kept.url).toMatch(/^\/login\//)
  const flash = visitor.cookies.get('session-flash') ?? ''
  expect(flash.length).toBeGreaterThan(20)
  expect(Buffer.from(flash, 'base64url').toString()).not.toContain('ada-to-be')

  const other = await loggedIn(world, 'bob')
  other.cookies.set('session-flash', flash)
  expect((await other.open('/account/profile/')).html).not.toContain('ada-to-be')
  const own = await loggedIn(world)
  own.cookies.set('session-flash', flash)
  expect((await own.open('/account/profile/')).html).toContain('ada-to-be')

  for (const forged of [
    flash.slice(0, -2),
    `${flash}A`,
    Buffer.from('{"done":{"heading":"Evil","main":"<b>evil</b>"}}').toString('base64url'),
    'x'.repeat(4000),
    '%00',
  ]) {
    own.cookies.set('session-flash', forged)
    expect((await own.open('/done/')).heading).toBe('Done')
  }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 })
  try {
    own.cookies.set('session-flash', flash)
    expect((await own.open('/account/profile/')).html).not.toContain('ada-to-be')
  } finally {
    vi.useRealTimers()
  }
})

it('shows what is shown once only in the login in which it was made, and forgets it with that', async () => {
  async function withKey(): Promise<Browser> {
    const visitor = await loggedIn(world)
    await visitor.open('/account/api-keys/new/')
    await visitor.submit('Create key', { name: 'Reports' })
    expect((await visitor.reload()).heading).toBe('Your new API key')
    return visitor
  }
  const closed = await withKey()
  closed.cookies.delete('session')
  await closed.open('/account/api-keys/created/')
  const later = await closed.submit('Log in', { username: 'ada', password: goodPassword })
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
  const visitor = await loggedIn(world)
  for (const name of ['flash', 'return', 'once']) visitor.cookies.set(`session-${name}`, 'x')
  const ask = async (method: 'GET' | 'HEAD', url: string, more: Record<string, string> = {}) => {
    const cookie = cookiesOf(visitor)
    const headers = { cookie, accept: 'text/html', 'sec-fetch-mode': 'navigate', ...more }
    return (await world.app.inject({ method, url, headers })).headers['set-cookie']
  }
  for (const url of [...world.paths, '/login/?in=email-code']) {
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

it('logs in with a confirmation only the browser that signed up, and nobody else', async () => {
  const service = await worldWith({}, { requireEmailConfirmation: true })
  const attacker = browser(service.app)
  await attacker.open('/signup/')
  await attacker.submit('Create account', {
    username: 'eve',
    email: 'victim@example.org',
    password: goodPassword,
  })
  const path = linkTarget(await service.mail('verify-email', 'victim@example.org'))
  const victim = browser(service.app)
  await victim.open(path)
  const kept = await victim.submit('Set password and confirm', {
    username: 'victim',
    new_password: 'another good password',
  })
  expect(kept.url).toBe('/done/')
  expect((await victim.open('/closed/')).url).toMatch(/^\/login\//)
  expect((await attacker.open('/closed/')).url).toMatch(/^\/login\//)

  await service.app.accounts.createUser({ ...ada })
  const maker = browser(service.app)
  await maker.open('/signup/')
  await maker.submit('Create account', { username: 'max', email: 'max@example.org', password: goodPassword })
  await maker.open('/login/')
  await maker.submit('Log in', { username: 'ada', password: goodPassword })
  await maker.open(linkTarget(await service.mail('verify-email', 'max@example.org')))
  await maker.submit('Confirm')
  const me = await service.app.inject({ url: '/me/', headers: { cookie: cookiesOf(maker) } })
  expect(me.json().username).toBe('ada')
})

it('shows every name as text', async () => {
  const evil = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
  const service = await worldWith({}, { brand: { name: evil, footer: evil } })
  const { id } = await service.app.accounts.createUser(ada)
  const visitor = await loggedIn(service).catch(() => null)
  const user = await service.users.findById(id)
  await service.users.update(id, { username: evil, usernameKey: 'x' } as object, user?.version ?? 0)
  for (const each of [browser(service.app), ...(visitor ? [visitor] : [])])
    for (const url of service.paths) {
      const { html, status, response } = await each.open(
        `${url}?next=${encodeURIComponent(`/${evil}`)}&email=${encodeURIComponent(evil)}&by=${encodeURIComponent(evil)}`,
      )
      expect([url, status < 500]).toEqual([url, true])
      const isPage = String(response.headers['content-type']).startsWith('text/html')
      expect([url, isPage && /<img src=x|<script>alert/.test(html)]).toEqual([url, false])
    }
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
