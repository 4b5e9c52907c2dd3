import { findings, overflows, wcag } from '@fastify-accounts/test-support/axe'
import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { sample } from '@fastify-accounts/test-support/depth'
import { createClient, newestMail } from '@fastify-accounts/test-support/example-server/client'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { logIn, password, sees, submit, visit } from './support/browser.js'
import { startService } from './support/service.js'

const here = isChromiumHere()

/** The minimum in WCAG 2.2 (1.4.10), and a desktop window. */
const sizes = { narrow: { width: 320, height: 640 }, wide: { width: 1024, height: 768 } }

async function signUp(url: string, username: string): Promise<void> {
  const user = { username, email: `${username}@example.org`, password, confirm_password: password }
  expect((await createClient(url).post('/signup/', user)).status).toBe(201)
}

/** Brings a browser to each page in turn, logged in as ada, who is staff. */
const journey: Record<string, (page: Page, url: string) => Promise<unknown>> = {
  home: (page, url) => page.goto(url),
  'log in': (page, url) => page.goto(`${url}/login/`),
  'nothing there': (page, url) => page.goto(`${url}/nowhere`),
  'the commands': (page, url) => page.goto(`${url}/start`),
  account: (page, url) => logIn(page, url, 'ada'),
  'home, logged in': (page, url) => page.goto(url),
  async users(page, url) {
    await page.goto(`${url}/users`)
    await page.locator('.user-email', { hasText: 'grace@example.org' }).waitFor()
  },
  async 'users, one disabled'(page) {
    await page.locator('summary', { hasText: 'grace' }).click()
    await page.getByRole('button', { name: 'Disable grace' }).click()
    await sees(page, 'grace is disabled and logged out.')
    await sees(page, 'Disabled')
  },
  async 'users, one about to be deleted'(page) {
    await page.getByRole('button', { name: 'Enable grace' }).click()
    await sees(page, 'grace is enabled.')
    await page.getByRole('button', { name: 'Delete grace' }).click()
    await page.getByRole('dialog').waitFor()
  },
  async 'users, one kept after all'(page) {
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Delete grace' }).waitFor()
  },
  async 'users, one about to be added'(page) {
    await page.getByRole('button', { name: 'Add a user' }).click()
    await page.getByRole('dialog').waitFor()
  },
  async mailbox(page, url) {
    await createClient(url).post('/forgot/', { email: 'ada@example.org' })
    await newestMail(url, 'reset-password', 'ada@example.org')
    await page.goto(`${url}/dev/mailbox`)
    await page.locator('.unread').first().waitFor()
  },
  async 'a mail'(page) {
    await page.locator('.list a', { hasText: 'Reset your password' }).first().click()
    await page.frameLocator('iframe').getByRole('link').first().waitFor()
  },
  async 'a mail as text'(page) {
    await page.getByRole('link', { name: 'Text', exact: true }).click()
    await page.locator('pre a').first().waitFor()
  },
}

describe.skipIf(!here)('the pages of the app', () => {
  it.each(['light', 'dark'] as const)('pass the axe checks in %s mode', async (colorScheme) => {
    const service = await startService()
    const { url } = service
    for (const username of ['ada', 'grace']) await signUp(url, username)
    await service.makeStaff('ada')
    await createClient(url).post('/login/', { username: 'ada', password })
    const page = await visit({ colorScheme, viewport: sizes.narrow })
    for (const [name, reach] of Object.entries(journey)) {
      await reach(page, url)
      // Its elements may be there before its styles.
      await page.waitForLoadState()
      for (const [size, viewport] of sample(`${name}, ${colorScheme}`, Object.entries(sizes))) {
        await page.setViewportSize(viewport)
        expect(await findings(page, [...wcag, 'best-practice']), `${name}, ${size}`).toEqual([])
        expect(await overflows(page), `${name} is wider than its window, ${size}`).toBe(false)
      }
      await page.setViewportSize(sizes.narrow)
      const ids: string[] = await page.evaluate('[...document.querySelectorAll("[id]")].map(({ id }) => id)')
      expect(ids, name).toEqual([...new Set(ids)])
    }
  })

  it('let staff delete a user, and fit the header links into one row of a narrow window', async () => {
    const service = await startService()
    const { url } = service
    for (const username of ['ada', 'grace']) await signUp(url, username)
    await service.makeStaff('ada')
    const page = await visit({ viewport: sizes.narrow })
    await logIn(page, url, 'ada')
    await page.goto(`${url}/users`)
    const places = await page
      .locator('header li a')
      .evaluateAll((links) => links.map((link) => link.offsetTop))
    expect([places.length, new Set(places).size]).toEqual([4, 1])
    await page.locator('summary', { hasText: 'grace' }).click()
    await page.getByRole('button', { name: 'Delete grace' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click()
    await sees(page, 'grace is deleted.')
    expect(await page.locator('summary', { hasText: 'grace' }).count()).toBe(0)
    const login = await createClient(url).post('/login/', { username: 'grace', password })
    expect(login.status).toBe(401)
  })

  it('load /docs without browser errors', async () => {
    const { url } = await startService()
    const page = await visit()
    await page.goto(`${url}/docs`)
    await page.getByText('The example server of fastify-accounts').waitFor()
  })

  it('work below a path, behind a proxy that strips it', async () => {
    const { createServer, request } = await import('node:http')
    const proxy = createServer((incoming, outgoing) => {
      const { method, headers } = incoming
      const path = (incoming.url ?? '').replace(/^\/accounts(?=\/)/, '')
      const onward = request(new URL(path, service.url), { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      })
      // The service closes idle connections.
      onward.on('error', () => outgoing.destroy())
      incoming.pipe(onward)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const address = proxy.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const base = `http://127.0.0.1:${address.port}/accounts`
    const service = await startService({ BASE_URL: base })
    try {
      const page = await visit()
      await page.goto(`${base}/`)
      await page.getByRole('link', { name: 'Create an account' }).click()
      await submit(
        page,
        { Username: 'ada', 'Email address (optional)': 'ada@example.org', Password: password },
        'Create account',
      )
      await page.waitForURL(`${base}/account/`)
      await page.getByRole('link', { name: 'Mailbox' }).click()
      await page.waitForURL(`${base}/dev/mailbox`)
      await page.goto(`${base}/nowhere/at/all`)
      await page.getByRole('link', { name: 'Back to the app' }).click()
      await page.getByRole('heading', { name: 'Hello ada' }).waitFor()
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.waitForURL(`${base}/logged-out/`)
      // Wait for the scripts' requests before closing the connections below.
      await page.waitForLoadState('networkidle')
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  })
})

describe.skipIf(!here)('the mailbox', () => {
  it('shows new emails, and which ones were read', async () => {
    const { url } = await startService()
    await signUp(url, 'ada')
    const page = await visit()
    await page.goto(`${url}/dev/mailbox`)
    await sees(page, 'No emails yet.')
    await createClient(url).post('/forgot/', { email: 'ada@example.org' })
    // Without reloading the page.
    await page.locator('.unread', { hasText: 'ada@example.org' }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^Mailbox \(1\)/)
    expect(await page.textContent('[role=status]')).toMatch(
      /^New email: Unread: Reset your password|^New email: /,
    )
    await page.locator('.unread').click()
    await page.frameLocator('iframe').getByRole('link').first().waitFor()
    expect(await page.locator('.unread').count()).toBe(0)
    expect(await page.locator('.list [aria-current]').count()).toBe(1)
    await page.getByRole('link', { name: 'Text', exact: true }).click()
    const opened = page.context().waitForEvent('page')
    await page.locator('pre a').first().click()
    await (await opened).getByRole('heading', { name: /password/ }).waitFor()
    await page.goBack()
    await page.goBack()
    await page.waitForURL(`${url}/dev/mailbox`)
  })

  it('is absent with SMTP_URL', async () => {
    const { url } = await startService({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'accounts@example.org' })
    const page = await visit()
    await page.goto(`${url}/login/`)
    expect(await page.getByRole('link', { name: 'Mailbox' }).count()).toBe(0)
    for (const path of ['mailbox', 'mailbox.json', 'mailbox/newest', 'mailbox/1']) {
      expect((await fetch(`${url}/dev/${path}`)).status).toBe(404)
    }
  })
})
