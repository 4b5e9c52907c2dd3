import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import {
  goodPassword,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isNginxHere, type Nginx, startNginx } from './support/nginx.js'

// To the browser, `service.test` and `evil.test` are different sites; `app.service.test` is same-site with the first.
const site = 'https://service.test'
const elsewhere = 'https://evil.test'
const neighbor = 'https://app.service.test'
const email = 'alice@example.org'

/** A page that submits a form to the service as soon as it loads, as any other site could. */
const trap = (action: string, fields: Record<string, string>) =>
  `<form method="post" action="${site}${action}">${Object.entries(fields)
    .map(([name, value]) => `<input name="${name}" value="${value}">`)
    .join('')}</form><script>document.forms[0].submit()</script>`
const choice = { new_password: otherPassword, confirm_password: otherPassword }
const traps = {
  'login.html': trap('/login/', { username: 'mallory', password: goodPassword }),
  'logout.html': trap('/logout/', {}),
  'password.html': trap('/change-password/form/', { old_password: goodPassword, ...choice }),
  'confirm.html': trap('/confirm/', { password: goodPassword }),
  'others.html': trap('/sessions/end-others/', {}),
  'email.html': trap('/change-email/', { email: 'mallory@example.com' }),
  'signup.html': trap('/signup/', {
    username: 'puppet',
    password: goodPassword,
    confirm_password: goodPassword,
  }),
  'empty.html': '<title>Elsewhere</title>',
}

const here = [isChromiumHere(), isNginxHere()].every(Boolean)

/** A request as the service saw it. */
interface Seen {
  url: string
  method: string
  cookie: string | undefined
  fetchSite: unknown
  ip: string
  protocol: string
}

let service: TestApp
let nginx: Nginx
let browser: Browser
let seen: Seen[]

beforeAll(async () => {
  if (!here) return
  service = await testApp(
    {
      baseUrl: site,
      session: { newDeviceMail: true },
      throttle: { limits: { login: { max: 60, window: 60_000 } } },
    },
    {
      server: { trustProxy: '127.0.0.1' },
      before(app) {
        app.addHook('onRequest', async ({ url, method, headers, ip, protocol }) => {
          seen.push({
            url,
            method,
            cookie: headers.cookie,
            fetchSite: headers['sec-fetch-site'],
            ip,
            protocol,
          })
        })
        // A page of the host to send requests from.
        app.get('/home', (_request, reply) => reply.type('text/html').send('<title>Home</title>'))
      },
    },
  )
  seen = []
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  nginx = await startNginx({
    'service.test': { proxyTo: port },
    'evil.test': { pages: traps },
    'app.service.test': { pages: traps },
  })
  browser = await launchChromium(nginx.chromiumArgs)
  const { id } = await signUp(service, 'alice', { email })
  await service.app.accounts.updateUser(id, { isVerified: true })
  await signUp(service, 'mallory', { email: 'mallory@example.com' })
})
afterAll(async () => {
  await browser?.close()
  await nginx?.stop()
  await service?.app.close()
})
beforeEach(() => {
  seen = []
})

async function inBrowser(
  work: (page: Page, context: BrowserContext) => Promise<void>,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<void> {
  const context = await browser.newContext(options)
  try {
    await work(await context.newPage(), context)
  } finally {
    await context.close()
  }
}

/** The response that a script on the page gets; `null` if the browser blocks it. */
const fetchIn = (
  page: Page,
  url: string,
  init: object = {},
): Promise<{ status: number; type: string } | null> =>
  page.evaluate(
    async ([target, given]) => {
      try {
        const { status, type } = await fetch(target as string, given as RequestInit)
        return { status, type }
      } catch {
        return null
      }
    },
    [url, init] as const,
  )
const json = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Logs in from a page on the same origin. */
async function logIn(page: Page, password = goodPassword): Promise<void> {
  await page.goto(`${site}/home`)
  expect(await fetchIn(page, '/login/', json({ username: 'alice', password }))).toMatchObject({ status: 200 })
  seen = []
}
async function isAlice(page: Page): Promise<boolean> {
  await page.goto(`${site}/home`)
  return (await fetchIn(page, '/me/'))?.status === 200
}
const names = async (context: BrowserContext) => (await context.cookies()).map(({ name }) => name).sort()

describe.skipIf(!here)('over https, behind nginx', () => {
  test('cookies are __Host-, Secure, HttpOnly, SameSite=Lax and host-only, and invisible to scripts', async () => {
    await inBrowser(async (page, context) => {
      await logIn(page)
      const cookies = (await context.cookies()).sort((one, other) => one.name.localeCompare(other.name))
      const attributes = { domain: 'service.test', path: '/', httpOnly: true, secure: true, sameSite: 'Lax' }
      expect(cookies).toMatchObject([
        { name: '__Host-session', expires: -1, ...attributes },
        { name: '__Host-session-device', expires: expect.any(Number), ...attributes },
      ])
      expect(await page.evaluate('document.cookie')).toBe('')
      expect(await isAlice(page)).toBe(true)
      expect(seen.at(-1)).toMatchObject({ protocol: 'https', fetchSite: 'same-origin', ip: '127.0.0.1' })
      // The device stays known after a logout.
      expect(await fetchIn(page, '/logout/', { method: 'POST' })).toMatchObject({ status: 204 })
      await expect.poll(() => names(context)).toEqual(['__Host-session-device'])
    })
  })

  test('over http the browser sends and keeps no cookies, and login is refused', async () => {
    await inBrowser(async (page, context) => {
      await logIn(page)
      const before = await context.cookies()
      await page.goto('http://service.test/home')
      expect(seen.find(({ url }) => url === '/home')).toMatchObject({ protocol: 'http', cookie: undefined })
      expect(await fetchIn(page, '/me/')).toMatchObject({ status: 401 })
      const login = json({ username: 'mallory', password: goodPassword })
      expect(await fetchIn(page, '/login/', login)).toMatchObject({ status: 403 })
      expect(await context.cookies()).toEqual(before)
      // Even if the service accepts the login, the browser rejects its Secure cookies.
      await page.setExtraHTTPHeaders({ 'sec-fetch-site': 'same-origin' })
      await fetchIn(page, '/login/', login)
      expect(await context.cookies()).toEqual(before)
    })
  })

  test('a sibling subdomain cannot plant or shadow the cookie', async () => {
    await inBrowser(async (page, context) => {
      await logIn(page)
      await page.goto(`${neighbor}/empty.html`)
      for (const name of ['__Host-session', '__Host-session-device', 'session']) {
        await page.evaluate(`document.cookie = '${name}=planted; Domain=service.test; Path=/; Secure'`)
      }
      expect(await isAlice(page)).toBe(true)
      const planted = (await context.cookies(site)).filter(({ value }) => value === 'planted')
      // The service ignores the name without the prefix.
      expect(planted.map(({ name }) => name)).toEqual(['session'])
    })
  })

  test('rate limits use the IP address that nginx saw, not headers from the client', async () => {
    const statuses = async (localAddress: string, count: number) => {
      const found = []
      for (let at = 0; at < count; at += 1) {
        found.push(
          await logInFrom(localAddress, {
            'x-forwarded-for': `203.0.113.${at}`,
            forwarded: `for=192.0.2.${at}`,
          }),
        )
      }
      return found
    }
    expect(await statuses('127.0.0.21', 62)).toEqual([...Array(60).fill(401), 429, 429])
    expect(await statuses('127.0.0.22', 2)).toEqual([401, 401])
    expect(new Set(seen.map(({ ip }) => ip))).toEqual(new Set(['127.0.0.21', '127.0.0.22']))
  })

  // The browser withholds the cookie from cross-site requests. It sends it same-site, where the service must refuse.
  describe.each([
    [elsewhere, 'cross-site', false],
    [neighbor, 'same-site', true],
  ] as const)('from %s', (origin, fetchSite, sendsCookie) => {
    const expectHarmless = async (page: Page) => {
      expect(await isAlice(page)).toBe(true)
      expect(
        (await service.send('POST', '/login/', { username: 'alice', password: otherPassword })).statusCode,
      ).toBe(401)
      expect(await service.users.findByUsername('puppet')).toBeNull()
      expect(service.mails.filter(({ kind }) => kind === 'change-email')).toEqual([])
    }

    test('a form changes nothing: no login, logout, sign-up, password or email change', async () => {
      await inBrowser(async (page) => {
        await logIn(page)
        for (const name of Object.keys(traps).filter((each) => each !== 'empty.html')) {
          seen = []
          const posted = page.waitForResponse((response) => response.request().method() === 'POST')
          await page.goto(`${origin}/${name}`)
          expect([name, (await posted).status()]).toEqual([name, 403])
          const request = seen.find(({ method }) => method === 'POST')
          expect([name, request?.fetchSite, request?.cookie !== undefined]).toEqual([
            name,
            fetchSite,
            sendsCookie,
          ])
        }
        await expectHarmless(page)
      })
    })

    test('a form cannot log the user in to another account', async () => {
      await inBrowser(async (page, context) => {
        const posted = page.waitForResponse((response) => response.request().method() === 'POST')
        await page.goto(`${origin}/login.html`)
        expect((await posted).status()).toBe(403)
        expect(await names(context)).toEqual([])
      })
    })

    test('a script reads nothing and changes nothing, with credentials, in every mode', async () => {
      await inBrowser(async (page) => {
        await logIn(page)
        await page.goto(`${origin}/empty.html`)
        seen = []
        const credentials = { credentials: 'include' }
        for (const path of ['/me/', '/sessions/', '/user/', '/api-root/']) {
          expect([path, await fetchIn(page, site + path, credentials)]).toEqual([path, null])
        }
        expect(await fetchIn(page, `${site}/me/`, { ...credentials, mode: 'no-cors' })).toMatchObject({
          type: 'opaque',
        })
        for (const path of ['/logout/', '/sessions/end-others/', '/change-password/', '/login/']) {
          const form = { ...credentials, method: 'POST', body: new URLSearchParams(choice).toString() }
          const headers = { 'content-type': 'application/x-www-form-urlencoded' }
          expect(await fetchIn(page, site + path, { ...form, headers })).toBeNull()
          expect(await fetchIn(page, site + path, { ...form, headers, mode: 'no-cors' })).toMatchObject({
            type: 'opaque',
          })
          expect(await fetchIn(page, site + path, { ...credentials, ...json(choice) })).toBeNull()
          await page.evaluate(`navigator.sendBeacon('${site + path}', new URLSearchParams({ a: 'b' }))`)
        }
        for (const method of ['DELETE', 'PATCH']) {
          expect(await fetchIn(page, `${site}/me/`, { ...credentials, method })).toBeNull()
        }
        // Methods that need a CORS preflight were never sent.
        expect(seen.filter(({ method }) => method === 'DELETE' || method === 'PATCH')).toEqual([])
        expect(seen.some(({ method }) => method === 'POST')).toBe(true)
        await expectHarmless(page)
      })
    })

    test('no page of the service can be framed', async () => {
      await inBrowser(async (page) => {
        await logIn(page)
        await service.send('POST', '/forgot/', { email })
        const link = new URL(/https:\/\/\S+/.exec((await service.mail('reset-password')).text)?.[0] ?? '')
        for (const path of [link.pathname, '/reset/d/', '/change-password/form/', '/reset/x/y/']) {
          await page.goto(`${origin}/empty.html`)
          const refused = page.waitForEvent('console', (message) => /frame/i.test(message.text()))
          const responded = page.waitForResponse(site + path)
          await page.evaluate(
            `document.body.append(Object.assign(document.createElement('iframe'), { src: '${site + path}' }))`,
          )
          expect((await responded).headers()['content-security-policy']).toContain("frame-ancestors 'none'")
          await refused
          await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
        }
      })
    })
  })

  test('every link in a mail works without JavaScript', async () => {
    await inBrowser(
      async (page) => {
        const requests: Request[] = []
        page.on('request', (each) => requests.push(each))
        const open = async (mail: { text: string }) => page.goto(/https:\/\/\S+/.exec(mail.text)?.[0] ?? '')
        const press = async () => {
          const responded = page.waitForResponse((response) => response.request().method() === 'POST')
          await page.locator('button:visible').press('Enter')
          expect((await responded).status()).toBeLessThan(400)
          await page.waitForLoadState()
        }
        const fill = async (password: string) => {
          for (const field of ['new', 'confirm']) await page.fill(`#${field}_password`, password)
          await press()
        }
        const bob = 'bob@example.org'
        const user = () => service.users.findByUsername('bob')
        const logInElsewhere = async (password: string) =>
          (await service.send('POST', '/login/', { username: 'bob', password })).cookies.find(({ name }) =>
            name.endsWith('-session'),
          )

        await signUp(service, 'bob', { email: bob })
        await service.send('POST', '/user/v/', { email: bob })
        await open(await service.mail('verify-email', bob))
        expect((await user())?.isVerified).toBe(false)
        // This browser hasn't signed up.
        await page.fill('#password', goodPassword)
        await press()
        expect((await user())?.isVerified).toBe(true)

        await service.send('POST', '/forgot/', { email: bob })
        await open(await service.mail('reset-password', bob))
        await fill('a second password')
        expect(page.url()).toBe(`${site}/reset/d/`)

        await logInElsewhere('a second password')
        const session = await logInElsewhere('a second password')
        await open(await service.mail('new-device', bob))
        await press()
        const login = { username: 'bob', password: 'a second password' }
        expect((await service.send('POST', '/login/', login)).statusCode).toBe(401)
        await open(await service.mail('choose-password', bob))
        await fill('a third password')

        const renewed = await logInElsewhere('a third password')
        expect(renewed?.value).not.toBe(session?.value)
        const headers = { cookie: `${renewed?.name}=${encodeURIComponent(renewed?.value ?? '')}` }
        const moved = 'bob@example.net'
        expect((await service.send('POST', '/change-email/', { email: moved }, { headers })).statusCode).toBe(
          202,
        )
        await open(await service.mail('change-email', moved))
        await press()
        expect((await user())?.email).toBe(moved)
        service.mails.splice(
          0,
          service.mails.length,
          ...service.mails.filter(({ kind }) => kind === 'email-changed'),
        )
        await open(await service.mail('email-changed', bob))
        await press()
        expect((await user())?.email).toBe(bob)
        await open(await service.mail('choose-password', bob))
        await fill('a fourth password')
        expect(await logInElsewhere('a fourth password')).toBeDefined()

        expect(requests.filter((each) => !each.isNavigationRequest()).map((each) => each.url())).toEqual([])
      },
      { javaScriptEnabled: false },
    )
  })
})

/** Sends a login with a wrong password from a loopback address, and returns the status. */
function logInFrom(localAddress: string, headers: Record<string, string>): Promise<number | undefined> {
  const target = {
    host: '127.0.0.1',
    port: nginx.port.https,
    servername: 'service.test',
    ca: nginx.certificate,
  }
  const given = { ...headers, host: 'service.test', 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    request({ ...target, method: 'POST', path: '/login/', localAddress, headers: given }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
      .on('error', reject)
      .end(JSON.stringify({ username: `nobody${localAddress}${Math.random()}`, password: otherPassword }))
  })
}
