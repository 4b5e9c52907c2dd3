import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import { createAccountsClient, unwrap } from '@fastify-accounts/client'
import { isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import { root } from '@fastify-accounts/test-support/source'
import Fastify from 'fastify'
import accounts, { type AccountsOptions, createScryptHasher, type Mail } from 'fastify-accounts'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const guide = readFileSync(new URL('../../../docs/guides/single-page-app.md', import.meta.url), 'utf8')
/** The guide's app. */
const folder = fileURLToPath(new URL('../single-page-app', import.meta.url))
const page = 'https://app.example.org'
const password = 'seven green lanterns'

/** The guide's settings for @fastify/cors. */
function corsOf(text: string): FastifyCorsOptions {
  const [, settings = ''] = /register\(fastifyCors, (\{.*?\n\})\)/s.exec(text) ?? []
  return new Function('origins', `return ${settings}`)([page])
}

async function startService(cors: FastifyCorsOptions, options: Partial<AccountsOptions>): Promise<string> {
  const app = Fastify()
  onTestFinished(() => app.close())
  await app.register(fastifyCors, cors)
  await app.register(accounts, {
    secret: 'a test needs no better secret than this one',
    baseUrl: 'http://localhost:3000',
    users: true,
    passwordHasher: createScryptHasher({ logN: 4, r: 1, p: 1 }),
    mailer: { send: async () => {} },
    ...options,
  })
  return app.listen({ port: 0, host: '127.0.0.1' })
}

/** A browser showing the page: it sends preflights, hides what CORS doesn't allow, and keeps cookies. */
function browserFetch(shown = page): typeof fetch {
  let cookie = ''
  return async (input, init = {}) => {
    const { method = 'GET' } = init
    const headers = new Headers(init.headers)
    const allowed = (response: Response) =>
      response.headers.get('access-control-allow-origin') === shown &&
      response.headers.get('access-control-allow-credentials') === 'true'
    if (method === 'PATCH' || method === 'DELETE' || headers.has('content-type')) {
      const asked = await fetch(input, {
        method: 'OPTIONS',
        headers: {
          origin: shown,
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type',
        },
      })
      const methods = asked.headers.get('access-control-allow-methods')?.split(', ') ?? []
      if (!asked.ok || !allowed(asked) || !['GET', 'HEAD', 'POST', ...methods].includes(method)) {
        throw new TypeError('rejected in the preflight')
      }
    }
    headers.set('origin', shown)
    headers.set('sec-fetch-site', 'same-site')
    if (cookie !== '') headers.set('cookie', cookie)
    const response = await fetch(input, { ...init, headers })
    const [set] = response.headers.getSetCookie()
    if (set !== undefined) cookie = set.split(';')[0] ?? ''
    if (!allowed(response)) throw new TypeError('hidden by CORS')
    const exposed = response.headers.get('access-control-expose-headers') ?? ''
    if (!/retry-after/i.test(exposed)) response.headers.delete('retry-after')
    return response
  }
}

const clientOf = (baseUrl: string) => createAccountsClient({ baseUrl, fetch: browserFetch() })

describe('docs/guides/single-page-app.md', () => {
  const cors = corsOf(guide)

  it('lets an app on another origin log in, and change and delete its account', async () => {
    const client = clientOf(await startService(cors, { trustedOrigins: [page] }))
    await client.signUp({ username: 'ada', password, confirm_password: password }).then(unwrap)
    await client.logIn({ username: 'ada', password }).then(unwrap)
    expect(await client.updateMe({ username: 'augusta' }).then(unwrap)).toMatchObject({ username: 'augusta' })
    expect(await client.deleteMe()).toMatchObject({ ok: true, status: 204 })
    expect(await client.showMe()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
  })

  it('lets the app see when to retry', async () => {
    const limits = { login: { max: 1, window: 60_000 } }
    const client = clientOf(await startService(cors, { trustedOrigins: [page], throttle: { limits } }))
    const login = () => client.logIn({ username: 'ada', password })
    await login()
    const refused = await login()
    expect(refused).toMatchObject({ error: { code: 'ACCOUNTS_THROTTLED' } })
    expect(refused.ok ? 0 : refused.error.retryAfter).toBeGreaterThan(0)
  })

  it('reports what goes wrong without each setting', async () => {
    const untrusted = clientOf(await startService(cors, {}))
    expect(await untrusted.logIn({ username: 'ada', password })).toMatchObject({
      error: { code: 'ACCOUNTS_CROSS_SITE' },
    })
    const { methods: _, ...withoutMethods } = cors
    const client = clientOf(await startService(withoutMethods, { trustedOrigins: [page] }))
    expect(await client.updateMe({})).toMatchObject({ error: { code: 'NETWORK_ERROR' } })
    const { credentials: __, ...withoutCredentials } = cors
    const hidden = clientOf(await startService(withoutCredentials, { trustedOrigins: [page] }))
    expect(await hidden.showMe()).toMatchObject({ error: { code: 'NETWORK_ERROR' } })
  })
})

/** The guide's `links.pages` option. */
function pagesOf(text: string, app: string): Record<string, string> {
  const [, pages = ''] = /pages: (\{.*?\n {4}\})/s.exec(text) ?? []
  return new Function(`return ${pages.replaceAll(page, app)}`)()
}

/** The app's bundled script, for a service on another origin. */
async function bundle(service: string): Promise<string> {
  const client = fileURLToPath(new URL('../../client/src/', import.meta.url))
  const built = await rolldown({
    input: `${folder}/app.ts`,
    resolve: {
      alias: {
        '@fastify-accounts/client/links': `${client}links.ts`,
        '@fastify-accounts/client': `${client}index.ts`,
      },
    },
  })
  const { output } = await built.generate({ format: 'esm' })
  return output[0].code.replaceAll('https://api.example.org', service)
}

describe.skipIf(!isChromiumHere())('the app of docs/guides/single-page-app.md, in a browser', () => {
  const mails: Mail[] = []
  /** The path of every request to the app's own server. */
  const asked: string[] = []
  const service = Fastify()
  const site = Fastify()
  const portOf = (app: typeof site) => (app.server.address() as AddressInfo).port
  let app = ''
  let api = ''

  beforeAll(async () => {
    site.get('/*', async ({ url }, reply) => {
      asked.push(url)
      const isScript = url === '/app.js'
      reply.type(isScript ? 'text/javascript' : 'text/html')
      return isScript ? bundle(api) : readFileSync(`${folder}/index.html`)
    })
    await site.listen({ port: 0, host: '127.0.0.1' })
    app = `http://localhost:${portOf(site)}`
    await service.register(fastifyCors, { ...corsOf(guide), origin: [app] })
    await service.register(accounts, {
      secret: 'a test needs no better secret than this one',
      baseUrl: 'http://localhost:3000',
      trustedOrigins: [app],
      users: { variant: 'signup' },
      requireEmailConfirmation: true,
      links: { pages: pagesOf(guide, app) },
      passwordHasher: createScryptHasher({ logN: 4, r: 1, p: 1 }),
      mailer: { send: async (mail) => void mails.push(mail) },
    })
    await service.listen({ port: 0, host: '127.0.0.1' })
    api = `http://localhost:${portOf(service)}`
  })
  afterAll(() => Promise.all([site.close(), service.close()]))

  /** The links in the latest email of a kind, once it has arrived. */
  async function linksOf(kind: Mail['kind']): Promise<string[]> {
    const newest = () => mails.findLast((mail) => mail.kind === kind)
    await expect.poll(newest).toBeDefined()
    const links = [...(newest()?.text ?? '').matchAll(/https?:\/\/\S+/g)].map(([url]) => url)
    mails.length = 0
    for (const url of links) expect(url).toMatch(new RegExp(`^${app}/[a-z-]+#uid64=[^&]+&token=[^&]{40,}`))
    return links
  }

  async function send(tab: Page, button: string, fields: Record<string, string> = {}): Promise<void> {
    for (const [label, value] of Object.entries(fields))
      await tab.getByLabel(label, { exact: true }).fill(value)
    await tab.getByRole('button', { name: button }).click()
  }

  const says = (tab: Page, text: string) => tab.getByRole('status').getByText(text).waitFor()

  it('compiles', () => {
    const tsc = `${root}node_modules/typescript/bin/tsc`
    expect(execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })).toBe('')
  })

  it('covers sign-up, each link and a new password, and reveals no token to its server', async () => {
    const browser = await launchChromium()
    try {
      const tab = await browser.newPage({ locale: 'en' })
      const verified = async () => (await service.accounts.findUser({ username: 'ada' }))?.isVerified

      await tab.goto(`${app}/signup`)
      await send(tab, 'Sign up', {
        Username: 'ada',
        'Email address': 'ada@example.org',
        Password: password,
        'The same again': password,
      })
      await says(tab, 'Check your inbox')
      const [verify = ''] = await linksOf('verify-email')
      await tab.goto(verify)
      await tab.getByRole('button', { name: 'Confirm' }).waitFor()
      expect([tab.url(), await verified()]).toEqual([`${app}/verify`, false])
      await send(tab, 'Confirm', { 'The password of your account': password })
      await says(tab, 'Your address is confirmed')
      expect(await verified()).toBe(true)

      await tab.goto(`${app}/`)
      await send(tab, 'Log in', { 'Username or email address': 'ada', Password: password })
      await says(tab, 'You’re logged in')
      await tab.goto(`${app}/forgot`)
      await send(tab, 'Email me a link', { 'Email address': 'ada@example.org' })
      await says(tab, 'we’ve emailed a link')
      const [reset = ''] = await linksOf('reset-password')
      await tab.goto(reset)
      const second = 'nine red balloons'
      await send(tab, 'Save password', { 'New password': second, 'The same again': `${second}!` })
      await tab
        .getByRole('alert')
        .getByText(/password/)
        .waitFor()
      await send(tab, 'Save password', { 'New password': second, 'The same again': second })
      await says(tab, 'Your password has been changed')
      // In the same tab: only the part after the # differs.
      await tab.goto(reset)
      await tab.getByRole('alert').getByText(/link/).waitFor()
      expect(tab.url()).toBe(`${app}/reset`)

      const elsewhere = createAccountsClient({ baseUrl: api, fetch: browserFetch(app) })
      await elsewhere.logIn({ username: 'ada', password: second }).then(unwrap)
      await tab.goto((await linksOf('new-device'))[0] ?? '')
      await tab.getByRole('button', { name: 'Secure my account' }).waitFor()
      await elsewhere.changeEmail({ email: 'ada+new@example.net' }).then(unwrap)
      const [confirm = '', release = ''] = await linksOf('change-email')
      await tab.goto(confirm)
      await tab.getByRole('heading', { name: 'Change your address to ada+new@example.net?' }).waitFor()
      await send(tab, 'Change address')
      await says(tab, 'Your address has been changed')
      const [undo = ''] = await linksOf('email-changed')
      await tab.goto(release)
      await tab.getByRole('button', { name: 'Remove address' }).waitFor()
      await tab.goto(undo)
      await send(tab, 'Change it back')
      await says(tab, 'Your address is back')
      const [choose = ''] = await linksOf('choose-password')
      expect(await elsewhere.showMe()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
      await tab.goto(choose)
      await send(tab, 'Save password', { 'New password': password, 'The same again': password })
      await says(tab, 'Your password has been changed')
      await tab.goto(`${app}/`)
      await send(tab, 'Log in', { 'Username or email address': 'ada@example.org', Password: password })
      await says(tab, 'You’re logged in')

      expect(new Set(asked.filter((url) => !/^\/favicon/.test(url)))).toEqual(
        new Set(
          ['/', '/app.js', '/signup', '/forgot'].concat(
            ...Object.values(pagesOf(guide, app)).map((url) => new URL(url).pathname),
          ),
        ),
      )
    } finally {
      await browser.close()
    }
  })
})
