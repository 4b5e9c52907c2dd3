import { createHash } from 'node:crypto'
import { organizations } from '@fastify-accounts/organizations'
import { pages } from '@fastify-accounts/pages'
import { passkeys } from '@fastify-accounts/passkeys'
import { type Provider, providers } from '@fastify-accounts/providers'
import { goodPassword, linkTarget, otherPassword } from '@fastify-accounts/test-support/app'
import { type Browser, browser, type Shown } from '@fastify-accounts/test-support/page-browser'
import {
  type AccountsOptions,
  apiKeys,
  createMemoryActivityStore,
  invitations,
  secondFactor,
} from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { resetLink } from './links.js'
import type { Scene, Service } from './service.js'

/** An app with every feature that has pages. */
interface Site extends Service {
  /** The paths of its pages, without parameters. */
  paths: readonly string[]
}

const demo: Provider = {
  ...{ name: 'demo', label: 'Demo', issuer: 'https://demo.example', clientId: 'app', clientSecret: 'x' },
}
const ada = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }
const bob = { ...ada, username: 'bob', email: 'bob@example.org' }

async function startOn(
  { start, organizations: store }: Pick<Scene, 'start' | 'organizations'>,
  { hasPages = true, ...options }: Partial<AccountsOptions> & { hasPages?: boolean } = {},
): Promise<Site> {
  const paths = new Set<string>()
  const features = [
    ...[secondFactor(), apiKeys({ scopes: ['orders:read'] }), invitations(), organizations({ store })],
    ...[passkeys(), providers([demo]), ...(hasPages ? [pages()] : [])],
  ]
  const service = await start(
    { login: { emailCode: true }, activity: createMemoryActivityStore(), features, ...options },
    {
      before(app) {
        app.addHook('onRoute', ({ url, config }) => {
          const isPage = (config as { accounts?: { isPage?: boolean } } | undefined)?.accounts?.isPage
          if (isPage && url.endsWith('/') && !url.includes(':')) paths.add(url)
        })
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

async function loggedIn({ app }: Site, username = 'ada'): Promise<Browser> {
  const visitor = browser(app)
  await visitor.open('/login/')
  await visitor.submit('Log in', { username, password: goodPassword })
  return visitor
}

const cookiesOf = ({ cookies }: Browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** The name of who is logged in. */
async function whoIsIn({ app }: Site, visitor: Browser): Promise<string | null> {
  const me = await app.inject({ url: '/me/', headers: { cookie: cookiesOf(visitor) } })
  return me.statusCode === 200 ? me.json().username : null
}

/** A form that a browser sends, perhaps from another site, to any path. */
function postForm({ app }: Site, visitor: Browser, url: string, payload = '', headers: object = {}) {
  return app.inject({
    ...{ method: 'POST', url, payload },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: cookiesOf(visitor),
      ...headers,
    },
  })
}

const navigation = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }

const programs = [{}, { accept: '*/*' }, { accept: 'application/json' }]
/** The last one is a script that asks for a page. */
const notBrowsers = [...programs, { accept: 'text/html', 'sec-fetch-mode': 'cors' }]

/** Headers of a form that another site sends. */
const otherSites = [
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', origin: 'https://sub.localhost' },
  { origin: 'null', accept: 'text/html' },
  { origin: 'https://evil.example', accept: 'text/html' },
]

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

cases('Pages', ({ rule }) => {
  rule(
    'PAG-01',
    {
      tried: 'opening a guarded route of the app as a stranger: as a navigation, as a script, as a program',
      expected:
        'a navigation is led to log in, with nothing of the route; all others get the same 401 as ever',
    },
    async ({ start, organizations }) => {
      const site = await startOn({ start, organizations })
      const led = await site.app.inject({ url: '/closed/a?b=c', headers: navigation })
      expect(led).toMatchObject({ statusCode: 303, body: '' })
      expect(led.headers.location).toBe('/login/?next=%2Fclosed%2Fa%3Fb%3Dc')
      expect(led.headers['cache-control']).toBe('no-store')
      const methods = ['GET', 'POST'] as const
      for (const headers of notBrowsers) {
        const refused = await site.app.inject({ url: '/closed/a', headers })
        expect(refused.json()).toMatchObject({ statusCode: 401, code: 'ACCOUNTS_LOGIN_REQUIRED' })
        for (const method of methods) {
          const me = await site.app.inject({ method, url: method === 'GET' ? '/me/' : '/confirm/', headers })
          expect([headers, method, me.statusCode]).not.toEqual([headers, method, 303])
        }
      }
    },
  )

  rule(
    'PAG-02',
    {
      tried:
        'a login with `next` set to another site, in every spelling, and a guarded path that reads like a host',
      expected: 'a path of this site, or the account page',
    },
    async ({ start, organizations }) => {
      const site = await startOn({ start, organizations })
      await site.app.accounts.createUser(ada)
      for (const next of evil) {
        const visitor = browser(site.app)
        await visitor.open(`/login/?${new URLSearchParams({ next })}`)
        const landed = await visitor.submit('Log in', { username: 'ada', password: goodPassword })
        expect([next, landed.url]).toEqual([next, '/account/'])
        const cookie = cookiesOf(visitor)
        for (const path of ['/login/?in=&', '/confirm/?']) {
          const url = path + new URLSearchParams({ next })
          const { location = '/' } = (await site.app.inject({ url, headers: { cookie, ...navigation } }))
            .headers
          expect([next, String(location)]).toEqual([next, expect.stringMatching(/^\/(?![/\\])[\x21-\x7e]*$/)])
          expect(new URL(String(location), 'http://localhost').host).toBe('localhost')
        }
      }
      const visitor = browser(site.app)
      const guarded = await visitor.open('/closed//evil.example/%5c?a=%0d%0a')
      expect(guarded.url).toMatch(/^\/login\//)
      const back = await visitor.submit('Log in', { username: 'ada', password: goodPassword })
      expect(new URL(back.url, 'http://localhost').host).toBe('localhost')
    },
  )

  rule(
    'PAG-03',
    {
      tried:
        'the form of another site, of a subdomain and of a sandboxed frame, to every page, with the cookies of a user',
      expected: '403, and nothing is done',
    },
    async ({ start, organizations, users }) => {
      const site = await startOn({ start, organizations })
      await site.app.accounts.createUser(ada)
      const visitor = await loggedIn(site)
      expect(site.paths.length).toBeGreaterThan(20)
      const before = JSON.stringify(await users.findByUsername('ada'))
      for (const headers of otherSites)
        for (const url of site.paths) {
          const payload = 'username=ada&password=x&log_out=on'
          const { statusCode } = await postForm(site, visitor, url, payload, headers)
          expect([url, statusCode]).toEqual([url, 403])
        }
      expect(JSON.stringify(await users.findByUsername('ada'))).toBe(before)
      expect(await whoIsIn(site, visitor)).toBe('ada')
    },
  )

  rule(
    'PAG-04',
    {
      tried:
        'messages and drafts in a cookie: forged, cut, of somebody else, and put back after a quarter of an hour',
      expected: 'nobody sees words that were not sealed for them here, and the cookie can’t be read',
    },
    async ({ start, organizations, wait }) => {
      const site = await startOn({ start, organizations })
      for (const each of [ada, bob]) await site.app.accounts.createUser(each)
      const visitor = await loggedIn(site)
      await visitor.open('/account/profile/')
      visitor.cookies.delete('session')
      const kept = await visitor.submit('Save', { username: 'ada-to-be' })
      expect(kept.url).toMatch(/^\/login\//)
      const flash = visitor.cookies.get('session-flash') ?? ''
      expect(flash.length).toBeGreaterThan(20)
      expect(Buffer.from(flash, 'base64url').toString()).not.toContain('ada-to-be')

      const other = await loggedIn(site, 'bob')
      other.cookies.set('session-flash', flash)
      expect((await other.open('/account/profile/')).html).not.toContain('ada-to-be')
      const own = await loggedIn(site)
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
      await wait(16 * 60_000)
      own.cookies.set('session-flash', flash)
      expect((await own.open('/account/profile/')).html).not.toContain('ada-to-be')
    },
  )

  rule(
    'PAG-05',
    {
      tried:
        'every page, as a stranger and logged in: in a frame, from a cache, and with scripts or styles of others',
      expected:
        'a Content-Security-Policy with hashes of our own scripts and nothing from elsewhere, no frames, no-store, no inline handler or style',
    },
    async ({ start, organizations }) => {
      const site = await startOn({ start, organizations })
      await site.app.accounts.createUser(ada)
      for (const visitor of [browser(site.app), await loggedIn(site)])
        for (const url of site.paths) {
          const shown = await visitor.open(url)
          expect([url, shown.status], shown.text).toEqual([url, 200])
          expectSafe(url, shown)
        }
    },
  )

  rule(
    'PAG-06',
    {
      tried:
        'a verification link of a sign-up: in the browser of somebody who signed up a stranger, in another one, while another account is logged in, and used again in the browser of its sign-up, after a logout and after a reset',
      expected:
        'only the request that verifies the address logs in, in the browser that signed up; nobody else, and never again',
    },
    async ({ start, organizations }) => {
      const site = await startOn({ start, organizations }, { requireEmailConfirmation: true })
      const signUp = async (visitor: Browser, username: string): Promise<string> => {
        const email = `${username}@example.org`
        await visitor.open('/signup/')
        await visitor.submit('Create account', { username, email, password: goodPassword })
        return linkTarget(await site.mail('verify-email', email))
      }
      const [attacker, victim] = [browser(site.app), browser(site.app)]
      await victim.open(await signUp(attacker, 'eve'))
      const owned = await victim.submit('Set password and confirm', {
        username: 'victim',
        new_password: otherPassword,
      })
      expect(owned.url).toBe('/done/')
      expect([await whoIsIn(site, victim), await whoIsIn(site, attacker)]).toEqual([null, null])

      await site.app.accounts.createUser(ada)
      const shared = browser(site.app)
      const ofMax = await signUp(shared, 'max')
      await shared.open('/login/')
      await shared.submit('Log in', { username: 'ada', password: goodPassword })
      await shared.open(ofMax)
      await shared.submit('Confirm')
      expect(await whoIsIn(site, shared)).toBe('ada')

      const maker = browser(site.app)
      const link = await signUp(maker, 'zoe')
      await maker.open(link)
      const early = cookiesOf(maker)
      await maker.submit('Confirm')
      expect(await whoIsIn(site, maker)).toBe('zoe')
      await maker.open('/logout/')
      await maker.submit('Log out')
      const useAgain = async (): Promise<void> => {
        for (const cookie of [cookiesOf(maker), early, ''])
          for (const method of ['POST', 'GET'] as const) {
            const headers = { ...navigation, cookie, 'content-type': 'application/x-www-form-urlencoded' }
            const { cookies } = await site.app.inject({ method, url: link, headers, payload: '' })
            expect(cookies.filter(({ name, value }) => name === 'session' && value !== '')).toEqual([])
          }
      }
      await useAgain()
      const reset = await resetLink(site, 'zoe@example.org')
      const passwords = { new_password: otherPassword, confirm_password: otherPassword }
      expect((await site.send('POST', reset, passwords)).statusCode).toBe(204)
      await useAgain()
    },
  )

  rule(
    'PAG-07',
    {
      tried:
        'an API key that a page has just made: its cookie in a later login of the same person, and in that of another',
      expected: 'shown again to the login that made it, and to no other',
    },
    async ({ start, organizations, log, wait }) => {
      const site = await startOn({ start, organizations })
      for (const each of [ada, bob]) await site.app.accounts.createUser(each)
      const visitor = await loggedIn(site)
      await visitor.open('/account/api-keys/new/')
      const made = await visitor.submit('Create key', { name: 'Backup', 'scope.orders:read': 'on' })
      const [key = ''] = /<code>([^<]{20,})<\/code>/.exec(made.html)?.slice(1) ?? []
      expect(key).not.toBe('')
      expect(log.text()).not.toContain(key)
      expect((await visitor.reload()).html).toContain(key)
      const kept = visitor.cookies.get('session-once') ?? ''
      expect(kept).not.toBe('')
      await wait(1000)
      for (const username of ['ada', 'bob']) {
        const later = await loggedIn(site, username)
        later.cookies.set('session-once', kept)
        expect((await later.open(made.url)).html).not.toContain(key)
      }
    },
  )

  rule(
    'PAG-08',
    {
      tried: 'requests of programs to the path of every page, with `pages()` and without',
      expected: 'the same status, type and body',
    },
    async ({ start, organizations }) => {
      const site = await startOn({ start, organizations })
      const bare = await startOn({ start, organizations }, { hasPages: false })
      for (const url of site.paths)
        for (const method of ['GET', 'POST'] as const)
          for (const headers of programs) {
            const responses = await Promise.all(
              [site, bare].map(({ app }) =>
                app.inject({ method, url, headers, ...(method === 'POST' && { payload: {} }) }),
              ),
            )
            const [withPages, without] = responses.map(({ statusCode, headers: sent, body }) => [
              ...[method, url, statusCode, sent['content-type'], body],
            ])
            expect(withPages).toEqual(without)
          }
    },
  )

  rule(
    'PAG-09',
    {
      tried:
        'the message after a form, which names an address, in the same browser: without a login, in that of another account, and in a later one of the same',
      expected: 'only who has sent the form reads it',
    },
    async ({ start, organizations }) => {
      const site = await startOn({ start, organizations })
      for (const each of [ada, bob]) await site.app.accounts.createUser(each)
      const visitor = await loggedIn(site)
      const email = 'private@example.org'
      const sent = await postForm(site, visitor, '/account/email/', `email=${email}`, navigation)
      expect(sent).toMatchObject({ statusCode: 303, headers: { location: '/account/' } })
      const { value: flash = '' } = sent.cookies.find(({ name }) => name === 'session-flash') ?? {}
      expect(flash).not.toBe('')
      const others: [Browser, string][] = [
        [browser(site.app), '/login/'],
        [browser(site.app), '/logged-out/'],
        [await loggedIn(site, 'bob'), '/account/'],
        [await loggedIn(site, 'bob'), '/account/devices/'],
      ]
      for (const [other, url] of others) {
        other.cookies.set('session-flash', flash)
        const shown = await other.open(url)
        expect([url, shown.status, shown.text.includes(email)]).toEqual([url, 200, false])
        expect(other.cookies.has('session-flash')).toBe(false)
      }
      const own = await loggedIn(site)
      own.cookies.set('session-flash', flash)
      expect((await own.open('/account/devices/')).text).toContain(email)
    },
  )

  rule(
    'PAG-10',
    {
      tried: 'a link to confirm that names the same proofs a thousand times',
      expected: 'a page as long as with each of them once, as each link of it carries them all',
    },
    async ({ start, organizations, wait }) => {
      const site = await startOn({ start, organizations })
      await site.app.accounts.createUser(ada)
      const visitor = await loggedIn(site)
      await wait(61 * 60_000)
      const each = 'totp,passkey,recovery-code'
      const [once, often] = [
        await visitor.open(`/confirm/?factors=${each}`),
        await visitor.open(`/confirm/?factors=${each}${',passkey,recovery-code'.repeat(500)}`),
      ]
      expect([once.heading, often.heading]).toEqual(['Confirm it’s you', 'Confirm it’s you'])
      // The switch of languages leads back to the whole URL.
      const bodyOf = ({ html }: Shown) => /<main[\s\S]*<\/main>/.exec(html)?.[0]
      expect(bodyOf(once)).toContain('Use a recovery code')
      expect(bodyOf(often)).toBe(bodyOf(once))
    },
  )

  rule(
    'PAG-11',
    {
      tried:
        'a used link to change the address, by somebody who still has it after another change, with guesses of the new address in its query',
      expected: 'the same page for a right guess, a wrong one and the link’s own address',
    },
    async ({ start, organizations }) => {
      const site = await startOn({ start, organizations })
      await site.app.accounts.createUser(ada)
      const visitor = await loggedIn(site)
      const links: string[] = []
      for (const email of ['former@example.org', 'newest@example.org']) {
        await visitor.open('/account/email/')
        await visitor.submit('Change email', { email })
        const link = linkTarget(await site.mail('change-email', email))
        links.push(link)
        await visitor.open(link)
        expect((await visitor.submit('Use this address')).url).toBe('/done/')
      }
      const [former = ''] = links
      const stranger = browser(site.app)
      const shown = []
      for (const guess of ['former', 'newest', 'another']) {
        const link = former.replace('former', guess)
        const { status, html } = await stranger.open(link)
        const sent = await postForm(site, stranger, link, '', navigation)
        shown.push([status, html, sent.statusCode, sent.body])
      }
      const [own, right, wrong] = shown
      expect(own?.[0]).toBe(400)
      expect(right).toEqual(wrong)
      expect(own).toEqual(wrong)
    },
  )
})

function expectSafe(url: string, { response, html }: Shown): void {
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
