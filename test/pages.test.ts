import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  goodPassword,
  linkPath,
  linkTarget,
  otherPassword,
  type TestApp,
} from '@fastify-accounts/test-support/app'
import { findings, overflows, wcag } from '@fastify-accounts/test-support/axe'
import { complaintsIn, isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import { sample } from '@fastify-accounts/test-support/depth'
import { causes, mailApp, mailKinds } from '@fastify-accounts/test-support/mails'
import { everyFeature } from '@fastify-accounts/test-support/operations'
import { startIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { type AccountsOptions, invitations } from 'fastify-accounts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const here = isChromiumHere()
/** The smallest width that WCAG 2.2 requires (1.4.10), and a desktop window. */
const sizes = { narrow: { width: 320, height: 640 }, wide: { width: 1024, height: 768 } }

let browser: Browser
beforeAll(async () => {
  if (here) browser = await launchChromium()
})
afterAll(() => browser?.close())

/** Starts an app that listens at its `baseUrl`. */
async function listening(options: Partial<AccountsOptions> = {}): Promise<TestApp & { baseUrl: string }> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const baseUrl = `http://localhost:${port}`
  const service = await mailApp({ baseUrl, ...options })
  await service.app.listen({ port, host: 'localhost' })
  return { ...service, baseUrl }
}

/** A page, and every subresource it fetched and browser error it caused. */
interface Watched {
  page: Page
  complaints: string[]
}

async function withPage(
  options: BrowserContextOptions,
  work: (watched: Watched) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options)
  const complaints = complaintsIn(context)
  const page = await context.newPage()
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) complaints.push(`fetched ${request.url()}`)
  })
  try {
    await work({ page, complaints })
  } finally {
    await context.close()
  }
}

/** Presses the only button on a page and waits for the response. */
async function pressButton(page: Page): Promise<void> {
  const responded = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.click('button')
  expect((await responded).status()).toBe(200)
  await page.waitForLoadState()
}

/** Visits each page in turn, as a person would. */
const journey: Record<string, (service: TestApp & { baseUrl: string }, page: Page) => Promise<unknown>> = {
  async 'the reset form'({ mails, baseUrl, ...service }, page) {
    const mail = await causes['reset-password']({ mails, ...service }, {})
    await page.goto(baseUrl + linkPath(mail))
  },
  async 'the reset form with errors'(_service, page) {
    await page.fill('#new_password', 'harbour1')
    await page.fill('#confirm_password', 'something else')
    await page.press('#confirm_password', 'Enter')
    await page.waitForSelector('[aria-invalid]')
  },
  async 'the password reset'(_service, page) {
    await page.fill('#new_password', otherPassword)
    await page.fill('#confirm_password', otherPassword)
    await page.press('#confirm_password', 'Enter')
    await page.waitForURL('**/reset/d/')
  },
  async 'the change-password page when logged out'({ baseUrl }, page) {
    await page.goto(`${baseUrl}/.well-known/change-password`)
    await page.waitForURL('**/change-password/form/')
  },
  async 'the change-password form'({ baseUrl }, page) {
    // The plugin has no login page, so this sends what the host's page would.
    const response = await page.request.post(`${baseUrl}/login/`, {
      data: { username: 'alice', password: otherPassword },
      headers: { origin: baseUrl },
    })
    expect(response.status()).toBe(200)
    await page.goto(`${baseUrl}/.well-known/change-password`)
    await page.waitForSelector('#old_password')
  },
  async 'the change-password form with errors'(_service, page) {
    await page.fill('#old_password', 'not the password')
    await page.fill('#new_password', goodPassword)
    await page.fill('#confirm_password', goodPassword)
    await page.press('#confirm_password', 'Enter')
    await page.waitForSelector('#old_password[aria-invalid]')
  },
  async 'the password changed'(_service, page) {
    await page.fill('#old_password', otherPassword)
    await page.fill('#new_password', goodPassword)
    await page.fill('#confirm_password', goodPassword)
    const changed = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.press('#confirm_password', 'Enter')
    expect((await changed).status()).toBe(200)
    await page.waitForLoadState()
  },
  async 'the link that reports a login'({ baseUrl, ...service }, page) {
    await page.goto(baseUrl + linkTarget(await causes['new-device'](service, {})))
  },
  async 'the link to a new address'({ baseUrl, ...service }, page) {
    await page.goto(baseUrl + linkTarget(await causes['change-email'](service, {})))
  },
  async 'the address changed'(_service, page) {
    await pressButton(page)
  },
  async 'the link that restores the old address'({ baseUrl, mail }, page) {
    await page.goto(baseUrl + linkTarget(await mail('email-changed')))
  },
  async 'the link that keeps the new address'(_service, page) {
    await page.click('p.hint a')
    await page.waitForURL('**/email/keep/**')
  },
  async 'the link that releases an address'({ mail, baseUrl }, page) {
    const { text } = await mail('change-email')
    const { pathname, search } = new URL(/https?:\/\/\S+\/email\/release\/\S+/.exec(text)?.[0] ?? '')
    await page.goto(baseUrl + pathname + search)
  },
  async 'the address released'(_service, page) {
    await pressButton(page)
  },
  async 'the old address restored'({ baseUrl, mail }, page) {
    await page.goto(baseUrl + linkTarget(await mail('email-changed', 'alice@example.org')))
    await pressButton(page)
  },
  async 'an invalid link'({ baseUrl }, page) {
    await page.goto(`${baseUrl}/reset/x/y/`)
  },
  async 'the address to be confirmed elsewhere'(service, page) {
    await page.goto(service.baseUrl + linkPath(await causes['verify-email'](service, {})))
    await page.waitForSelector('#password')
  },
  async 'the same with a wrong password'(_service, page) {
    await page.fill('#password', otherPassword)
    await page.press('#password', 'Enter')
    await page.waitForSelector('#password[aria-invalid]')
  },
  async 'the same with the form for a new password'(_service, page) {
    await page.click('summary')
    await page.fill('#username', 'bob')
    await page.fill('#new_password', 'harbour1')
    await page.fill('#confirm_password', 'something else')
    await page.press('#confirm_password', 'Enter')
    await page.waitForSelector('#confirm_password[aria-invalid]')
  },
  async 'the button that verifies'({ baseUrl, mail }, page) {
    // Refused, but this browser has shown the password.
    const response = await page.request.post(`${baseUrl}/login/`, {
      data: { username: 'bob', password: goodPassword },
      headers: { origin: baseUrl },
    })
    expect(response.status()).toBe(403)
    await page.goto(baseUrl + linkPath(await mail('verify-email', 'bob@example.org')))
    expect(await page.$('#password')).toBeNull()
  },
  async 'the address verified'(_service, page) {
    await pressButton(page)
  },
  async 'an invitation, with a passkey and a provider as other ways to accept it'(
    { app, baseUrl, mail },
    page,
  ) {
    const email = 'erin@example.org'
    await app.accounts.invite({ email, fields: { city: 'Ulm' }, roles: ['editor'] })
    await page.goto(baseUrl + linkPath(await mail('invitation', email)))
    expect(await page.locator('button:visible').count()).toBe(3)
  },
  async 'the same with a taken name'(_service, page) {
    await page.fill('#username', 'alice')
    await page.fill('#new_password', goodPassword)
    await page.fill('#confirm_password', goodPassword)
    await page.press('#confirm_password', 'Enter')
    await page.waitForSelector('#username[aria-invalid]')
    expect(await page.inputValue('#username')).toBe('alice')
  },
  async 'the same accepted'(_service, page) {
    await page.fill('#username', 'erin')
    await page.fill('#new_password', goodPassword)
    await page.fill('#confirm_password', goodPassword)
    await page.press('#confirm_password', 'Enter')
    await page.waitForSelector('form', { state: 'detached' })
  },
  async 'an invitation of an account that has to log in'({ app, baseUrl, mail }, page) {
    const email = 'erin@example.org'
    await app.accounts.invite({ email, roles: ['editor'] })
    await page.goto(baseUrl + linkPath(await mail('invitation-known', email)))
    expect(await page.$('button')).toBeNull()
  },
  async 'the same logged in'({ baseUrl }, page) {
    await page.request.post(`${baseUrl}/login/`, {
      data: { username: 'erin', password: goodPassword },
      headers: { origin: baseUrl },
    })
    await page.reload()
    await page.waitForSelector('button')
  },
  async 'what the invitation gives added'(_service, page) {
    await pressButton(page)
  },
}

describe.skipIf(!here)('in a browser', () => {
  // The colors: one invisible on white, one invisible on black, one with little contrast to either ink. At quick depth
  // axe checks each page and mail in only one of these.
  const looks = [
    { tag: 'en', scheme: 'light', color: '#fff200' },
    { tag: 'de', scheme: 'dark', color: '#14110f' },
    { tag: 'fr', scheme: 'light', color: '#767676' },
    { tag: 'en', scheme: 'dark', color: '#767676' },
  ] as const

  test.each(looks)('axe finds nothing on any page, in $tag, $scheme, with $color', async (look) => {
    const { tag, scheme, color } = look
    const service = await listening({
      brand: { name: 'Harbour Lanterns', url: '/app', color, footer: '1 Harbour Street' },
      users: { fields: { type: 'object', properties: { city: { type: 'string' } } } },
      roles: { editor: ['posts:write'] },
      features: await everyFeature(),
    })
    try {
      const options = { locale: tag, colorScheme: scheme, viewport: sizes.narrow }
      await withPage(options, async ({ page, complaints }) => {
        for (const [name, reach] of Object.entries(journey)) {
          await reach(service, page)
          expect(await page.getAttribute('html', 'lang'), name).toBe(tag)
          if (!sample(name, looks).includes(look)) continue
          expect(await findings(page, [...wcag, 'best-practice']), name).toEqual([])
          expect(await overflows(page), `${name} is wider than 320 px`).toBe(false)
          await page.setViewportSize(sizes.wide)
          expect(await findings(page, wcag), name).toEqual([])
          await page.setViewportSize(sizes.narrow)
        }
        expect(complaints).toEqual([])
      })
    } finally {
      await service.app.close()
    }
  })

  test.each(looks)('axe finds nothing in any mail, in $tag, $scheme, with $color', async (look) => {
    const { tag, scheme, color } = look
    const brand = { name: 'Harbour Lanterns', color, footer: '1 Harbour Street' }
    await withPage({ colorScheme: scheme, viewport: sizes.narrow }, async ({ page, complaints }) => {
      for (const kind of mailKinds) {
        if (!sample(kind, looks).includes(look)) continue
        const mail = await causes[kind](await mailApp({ brand }), { 'accept-language': tag })
        await page.setContent(mail.html)
        expect(await findings(page, wcag), kind).toEqual([])
        expect(await overflows(page), `${kind} is wider than 320 px`).toBe(false)
        const ink = 'getComputedStyle(document.querySelector("h1")).color'
        expect(await page.evaluate(ink)).toBe(scheme === 'dark' ? 'rgb(242, 242, 242)' : 'rgb(26, 26, 26)')
      }
      expect(complaints).toEqual([])
    })
  })

  test('a password can be reset with only the keyboard, without JavaScript', async () => {
    const service = await listening()
    try {
      const mail = await causes['reset-password'](service, {})
      await withPage({ javaScriptEnabled: false }, async ({ page }) => {
        const type = async (text: string) => {
          await page.keyboard.press('Tab')
          await page.keyboard.type(text)
        }
        await page.goto(service.baseUrl + linkPath(mail))
        await type(otherPassword)
        await type('something else')
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await page.waitForSelector('#confirm_password[aria-invalid]')
        expect(await page.title()).toMatch(/^Error: Choose a new password/)
        await type(otherPassword)
        await type(otherPassword)
        await page.keyboard.press('Enter')
        await page.waitForURL('**/reset/d/')
        expect(await page.textContent('h1')).toBe('Your password has been changed')
      })
      const login = await service.send('POST', '/login/', { username: 'alice', password: otherPassword })
      expect(login.statusCode).toBe(200)
    } finally {
      await service.app.close()
    }
  })

  test('an address is confirmed elsewhere without JavaScript: with the password, or with a new one', async () => {
    const service = await listening()
    try {
      for (const isMaker of [true, false]) {
        const link = service.baseUrl + linkPath(await causes['verify-email'](service, {}))
        await withPage({ javaScriptEnabled: false }, async ({ page }) => {
          await page.goto(link)
          expect(await page.textContent('h1')).toBe('Confirm bob@example.org')
          if (isMaker) {
            await page.fill('#password', goodPassword)
            await page.press('#password', 'Enter')
          } else {
            expect(await page.isVisible('#new_password')).toBe(false)
            await page.click('summary')
            // A stranger may have chosen the name, so it is asked for again.
            await page.fill('#username', 'bob')
            await page.fill('#new_password', otherPassword)
            await page.fill('#confirm_password', otherPassword)
            await page.press('#confirm_password', 'Enter')
          }
          await page.getByRole('heading', { name: 'Your email address is confirmed' }).waitFor()
        })
        const password = isMaker ? goodPassword : otherPassword
        const login = await service.send('POST', '/login/', { username: 'bob', password })
        expect(login.statusCode).toBe(200)
        await service.app.accounts.deleteUser(login.json().id)
        service.mails.splice(0)
      }
    } finally {
      await service.app.close()
    }
  })

  test('a button on the page of an invitation leads to a provider, which the policy of its forms names nowhere', async () => {
    const { url: issuer } = await startIssuer()
    // Otherwise the compiler would add its names to the types of the whole program.
    const name: string = '@fastify-accounts/providers'
    const { providers } = await import(name)
    const demo = { name: 'demo', label: 'Demo', issuer, clientId: 'app', clientSecret: 'secret' }
    const service = await listening({ features: [invitations(), providers([demo])] })
    try {
      await service.app.accounts.invite({ email: 'erin@example.org' })
      const link = service.baseUrl + linkPath(await service.mail('invitation', 'erin@example.org'))
      await withPage({ javaScriptEnabled: false }, async ({ page }) => {
        await page.goto(link)
        await page.getByRole('button', { name: 'Continue with Demo' }).click()
        await page.waitForURL((url) => url.href.startsWith(issuer))
      })
    } finally {
      await service.app.close()
    }
  })

  test('the focus is visible', async () => {
    const service = await listening({ brand: { color: '#ffffff' } })
    try {
      const mail = await causes['reset-password'](service, {})
      await withPage({ colorScheme: 'light' }, async ({ page }) => {
        await page.goto(service.baseUrl + linkPath(mail))
        for (const expected of ['new_password', 'confirm_password', '']) {
          await page.keyboard.press('Tab')
          const [id, outline] = (await page.evaluate(
            '[document.activeElement.id, getComputedStyle(document.activeElement).outline]',
          )) as string[]
          expect([id, outline]).toEqual([expected, 'rgb(26, 26, 26) solid 3px'])
        }
      })
    } finally {
      await service.app.close()
    }
  })
})
