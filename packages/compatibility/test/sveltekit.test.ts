import { execFileSync, spawn } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { blocksOf } from '@fastify-accounts/test-support/blocks'
import { isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import { bin, makeProject } from '@fastify-accounts/test-support/cli'
import { openDoor } from '@fastify-accounts/test-support/door'
import { onSomePort } from '@fastify-accounts/test-support/some-port'
import { root } from '@fastify-accounts/test-support/source'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts, { type AuditEvent, createScryptHasher, type Mail } from 'fastify-accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { isInstalled } from './support/installed.js'

/** The front-end of docs/guides/sveltekit.md. */
const folder = fileURLToPath(new URL('../sveltekit', import.meta.url))
const password = 'seven green lanterns'
/** A visitor as identified by the proxy in front of the front-end. */
const visitor = { 'x-forwarded-for': '203.0.113.7' }

/** The code block of the page that contains a text. */
function pieceWith(text: string): string {
  const piece = blocksOf('docs/guides/sveltekit.md').find(({ code }) => code.includes(text))
  if (piece === undefined) throw new Error(`the page has no ${text}`)
  return piece.code.trim()
}

/** Runs a line of the page in a shell. `end` also kills whatever it started. */
function start(line: string, cwd: string, env: Record<string, string> = {}) {
  const child = spawn('sh', ['-c', line], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data))
  const { pid } = child
  if (pid === undefined) throw new Error('there is no sh')
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL')
  }
  /** Polls until it is there; rejects with what it said if it has ended. */
  const until = async (isThere: () => Promise<boolean>): Promise<void> => {
    while (!(await isThere().catch(() => false))) {
      if (child.exitCode !== null) throw new Error(`${line} ended: ${said}`)
      await sleep(200)
    }
  }
  return { until, end }
}

const isHere = isInstalled(folder, '@sveltejs/kit') && isChromiumHere()

describe.skipIf(!isHere)('docs/guides/sveltekit.md', () => {
  let service: FastifyInstance
  let front: string
  const mails: Mail[] = []
  const audited: AuditEvent[] = []
  const ends: (() => unknown)[] = []

  beforeAll(async () => {
    execFileSync(process.execPath, [`${folder}/node_modules/vite/bin/vite.js`, 'build'], {
      cwd: folder,
      stdio: 'pipe',
    })
    const door = await openDoor()
    front = `http://127.0.0.1:${door.port}`
    service = Fastify({ trustProxy: '127.0.0.1' })
    await service.register(accounts, {
      secret: 'a test needs no better secret than this one',
      baseUrl: front,
      prefix: '/accounts',
      users: true,
      passwordHasher: createScryptHasher({ logN: 4, r: 1, p: 1 }),
      mailer: { send: async (mail) => void mails.push(mail) },
    })
    service.accounts.events.on('audit', (event) => audited.push(event))
    const address = await service.listen({ port: 0, host: '127.0.0.1' })
    await service.accounts.createUser({
      username: 'ada',
      email: 'ada@example.org',
      password,
      isVerified: true,
    })
    const line = pieceWith('node build')
      .replace('https://example.org', front)
      .replace('http://127.0.0.1:3000', address)
    ends.push(() => service.close(), door.close)
    const env = { HOST: '127.0.0.1', ADDRESS_HEADER: 'x-forwarded-for', XFF_DEPTH: '1' }
    await onSomePort(async (port) => {
      const server = start(line.replace('8080', `${port}`), folder, env)
      ends.unshift(server.end)
      await server.until(async () => (await fetch(`http://127.0.0.1:${port}`)).status > 0)
      door.leadTo(port)
    })
  })

  afterAll(async () => {
    for (const end of ends) await end()
  })

  it('runs in development with the two lines of the page', async () => {
    const door = await openDoor()
    onTestFinished(door.close)
    const address = `http://127.0.0.1:${door.port}`
    await onSomePort(async (port) => {
      const here = (text: string) => text.replaceAll('3000', `${port + 1}`)
      const project = makeProject({
        'package.json': '{"type":"module"}',
        'service.js': here(pieceWith('const app = Fastify(')),
        'node_modules/.bin/fastify-accounts': `#!/bin/sh\nexec node ${bin} "$@"\n`,
      })
      chmodSync(join(project, 'node_modules/.bin/fastify-accounts'), 0o755)
      const [serviceLine = '', frontLine = ''] = here(pieceWith('npm run dev')).split('\n')
      const service = start(serviceLine, project, { PUBLIC_URL: address })
      const front = start(`${frontLine} -- --host 127.0.0.1 --port ${port} --strictPort`, folder)
      onTestFinished(service.end)
      onTestFinished(front.end)
      door.leadTo(port)
      // Through the front-end, to make sure that both are up.
      const isThere = async () => (await fetch(`${address}/accounts/api-root/`)).status === 200
      await Promise.all([service.until(isThere), front.until(isThere)])
    })
    const signup = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ada', password, confirm_password: password }),
    }
    expect((await fetch(`${address}/accounts/signup/`, signup)).status).toBe(201)
    const login = await fetch(`${address}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        origin: address,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ username: 'ada', password }),
    })
    expect([login.status, login.headers.get('set-cookie')]).toEqual([303, expect.stringMatching(/^session=/)])
  })

  it('compiles', () => {
    const tsc = `${root}node_modules/typescript/bin/tsc`
    expect(execFileSync(process.execPath, [tsc, '-p', folder, '--noEmit'], { encoding: 'utf8' })).toBe('')
  })

  it.each([true, false])(
    'logs in, greets on a server-rendered page, and logs out; scripts: %s',
    async (scripts) => {
      const browser = await launchChromium()
      try {
        const context = await browser.newContext({ javaScriptEnabled: scripts, extraHTTPHeaders: visitor })
        const page = await context.newPage()
        await page.goto(front)
        expect(page.url()).toBe(`${front}/login`)
        const logIn = async (word: string) => {
          await page.getByLabel('Name').fill('ada')
          await page.getByLabel('Password').fill(word)
          await page.getByRole('button', { name: 'Log in' }).click()
        }
        await logIn('wrong')
        await page.getByRole('alert').waitFor()
        expect(await page.getByLabel('Name').inputValue()).toBe('ada')
        await logIn(password)
        await page.getByRole('heading', { name: 'Hello ada' }).waitFor()
        const session = (await context.cookies()).find(({ name }) => name === 'session')
        expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })

        const html = await context.request.get(front).then((response) => response.text())
        expect(html).toContain('<h1>Hello ada</h1>')
        await page.getByRole('button', { name: 'Log out' }).click()
        await page.getByRole('heading', { name: 'Log in' }).waitFor()
        await page.goto(front)
        expect(page.url()).toBe(`${front}/login`)
        const stolen = await fetch(front, {
          redirect: 'manual',
          headers: { ...visitor, cookie: `session=${session?.value}` },
        })
        expect(stolen.headers.get('location')).toBe('/login')
      } finally {
        await browser.close()
      }
    },
  )

  it('signs up, and reports errors', async () => {
    const browser = await launchChromium()
    try {
      const page = await browser.newPage({ extraHTTPHeaders: visitor })
      await page.goto(`${front}/login`)
      await page.getByRole('link', { name: 'Sign up' }).click()
      await page.waitForURL(`${front}/signup`)
      // Nothing typed before the page's scripts have loaded gets lost.
      await page.route(/\.js$/, async (route) => {
        await sleep(500)
        await route.continue()
      })
      await page.goto(`${front}/signup`, { waitUntil: 'commit' })
      await page.getByLabel('Name').fill('grace')
      await page.waitForLoadState('networkidle')
      expect(await page.getByLabel('Name').inputValue()).toBe('grace')
      const signUp = async (word: string) => {
        await page.getByLabel('Name').fill('grace')
        await page.getByLabel('E-mail').fill('grace@example.org')
        await page.getByLabel('Password').fill(word)
        await page.getByRole('button', { name: 'Sign up' }).click()
      }
      await signUp('short')
      expect(await page.getByRole('alert').first().textContent()).toMatch(/^password: /)
      await signUp(password)
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
    } finally {
      await browser.close()
    }
    expect(await service.accounts.findUser({ username: 'grace' })).toMatchObject({
      email: 'grace@example.org',
    })
  })

  it('passes queries on to the service', async () => {
    const login = await fetch(`${front}/accounts/login/`, {
      method: 'POST',
      headers: { ...visitor, 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ada', password }),
    })
    const cookie = login.headers.getSetCookie().map((line) => line.split(';')[0])
    const headers = { ...visitor, cookie: cookie.join('; ') }
    await service.accounts.createUser({ username: 'babbage', password })
    const found = await fetch(`${front}/people?search=bab`, { headers })
    expect(await found.json()).toEqual(['babbage'])
  })

  it("lets the service apply rate limits by the visitor's address", () => {
    const logins = audited.filter(({ action }) => action === 'login')
    expect(logins.length).toBeGreaterThan(0)
    expect(new Set(logins.map(({ ip }) => ip))).toEqual(new Set(['203.0.113.7']))
  })

  it('rejects cross-site requests to its own forms and to proxied paths', async () => {
    const form = await fetch(`${front}/login`, {
      method: 'POST',
      headers: {
        ...visitor,
        origin: 'https://evil.example',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ username: 'ada', password }),
    })
    expect(form.status).toBe(403)
    const json = await fetch(`${front}/accounts/login/`, {
      method: 'POST',
      headers: { ...visitor, 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ada', password }),
    })
    expect([json.status, await json.json()]).toMatchObject([403, { code: 'ACCOUNTS_CROSS_SITE' }])
  })

  it('shows the pages behind emailed links, and sets a new password on one', async () => {
    await fetch(`${front}/accounts/forgot/`, {
      method: 'POST',
      headers: { ...visitor, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.org' }),
    })
    await expect.poll(() => mails.map(({ kind }) => kind)).toContain('reset-password')
    const link = /http:\S+\/accounts\/reset\/\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? ''
    expect(link.startsWith(front)).toBe(true)
    const browser = await launchChromium()
    try {
      const page = await browser.newPage({ extraHTTPHeaders: visitor })
      await page.goto(link)
      for (const field of await page.locator('input[type=password]').all())
        await field.fill('eleven blue kettles')
      await page.locator('form button').click()
      await page.waitForURL(`${front}/accounts/reset/d/`)
    } finally {
      await browser.close()
    }
    const login = await service.inject({
      method: 'POST',
      url: '/accounts/login/',
      payload: { username: 'ada', password: 'eleven blue kettles' },
    })
    expect(login.statusCode).toBe(200)
  })

  it('returns 503 while the service is down, without treating anyone as logged out', async () => {
    await service.close()
    const response = await fetch(front, {
      redirect: 'manual',
      headers: { ...visitor, cookie: 'session=x.y' },
    })
    expect(response.status).toBe(503)
  })
})
