import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import { onSomePort } from '@fastify-accounts/test-support/some-port'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { pagesApp } from './pages-app.js'

let shared: Promise<Browser> | undefined
afterAll(async () => (await shared)?.close())

/** An app with ada, and a browser that logs every request. It keeps pages that somebody goes back to, as people's do. */
async function visit() {
  const { app, origin } = await onSomePort(async (port) => {
    const origin = `http://localhost:${port}`
    const { app } = await pagesApp({}, { baseUrl: origin })
    await app.accounts.createUser({ username: 'ada', password: goodPassword, email: 'ada@example.org' })
    await app.listen({ port, host: 'localhost' })
    return { app, origin }
  })
  shared ??= launchChromium([], ['--disable-back-forward-cache'])
  const context = await (await shared).newContext({ locale: 'en' })
  onTestFinished(async () => {
    await context.close()
    await app.close()
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const requests: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  return { page, origin, requests }
}

async function logIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/account/`)
  await page.fill('[name=username]', 'ada')
  await page.fill('[name=password]', goodPassword)
  await page.click('button:text-is("Log in")')
  await page.waitForURL(`${origin}/account/`)
}

describe.skipIf(!isChromiumHere())('in Chromium', () => {
  it('the back button shows no account once somebody has logged out, and nothing comes from elsewhere', async () => {
    const { page, origin, requests } = await visit()
    await logIn(page, origin)
    expect(await page.textContent('main')).toContain('ada@example.org')
    await page.goto(`${origin}/account/profile/`)
    await page.goto(`${origin}/logout/`)
    await page.click('main button:text-is("Log out")')
    await page.waitForURL(`${origin}/logged-out/`)
    for (const [steps, path] of [
      [-2, '/account/profile/'],
      [-1, '/account/'],
    ] as const) {
      await page.evaluate(`history.go(${steps})`)
      // Whether the browser restores the page or asks for it anew.
      await page.waitForURL(`${origin}/login/?${new URLSearchParams({ next: path })}`)
      expect(await page.textContent('body')).not.toContain('ada')
    }
    expect(requests.length).toBeGreaterThan(5)
    expect([...new Set(requests.map((url) => new URL(url).origin))]).toEqual([origin])
  })

  it('other sites can neither frame a page nor send its form', async () => {
    const { page, origin } = await visit()
    await logIn(page, origin)
    const evil = createServer((request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(
        request.url === '/frame'
          ? `<iframe src="${origin}/account/"></iframe>`
          : `<form method="post" action="${origin}/logout/"><button>Win a prize</button></form>`,
      )
    })
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void evil.close())
    const site = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`
    await page.goto(`${site}/frame`)
    const framed = page.frames().find((frame) => frame !== page.mainFrame())
    expect(await framed?.content()).not.toContain('ada@example.org')
    await page.goto(`${site}/form`)
    await page.click('button')
    await page.waitForURL(`${origin}/logout/`)
    expect(await page.textContent('h1')).not.toBe('You’re logged out')
    await page.goto(`${origin}/account/`)
    expect(await page.textContent('main')).toContain('ada@example.org')
  })
})
