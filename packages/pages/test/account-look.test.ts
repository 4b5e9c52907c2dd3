import { organizations } from '@fastify-accounts/organizations'
import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { findings, overflows } from '@fastify-accounts/test-support/axe'
import { isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import {
  type AccountsOptions,
  apiKeys,
  createMemoryActivityStore,
  invitations,
  secondFactor,
} from 'fastify-accounts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { pagesApp } from './pages-app.js'

const longName = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten'.slice(0, 60)
const longUsername = 'donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbau-60'

let chromium: Browser | undefined
afterAll(() => chromium?.close())

/** A page of Chromium, on the account page of somebody who has just logged in. */
async function opened(
  options: Partial<AccountsOptions>,
  user: object,
  context: BrowserContextOptions,
): Promise<Page> {
  const { app } = await pagesApp({}, options)
  const ada = { username: 'ada', email: 'ada@example.org', ...user }
  await app.accounts.createUser({ ...ada, password: goodPassword, isVerified: true })
  await app.listen({ port: 0, host: 'localhost' })
  chromium ??= await launchChromium()
  const page = await chromium.newPage({
    ...context,
    baseURL: app.listeningOrigin.replace('127.0.0.1', 'localhost'),
  })
  await page.goto('/account/')
  await page.locator('[name=username]').fill(ada.email)
  await page.locator('[name=password]').fill(goodPassword)
  await Promise.all([page.waitForURL('**/account/'), page.locator('main button[data-kind=primary]').click()])
  return page
}

describe.skipIf(!isChromiumHere())('the account page', () => {
  it('fits a laptop with nothing but a password, and has no primary button', async () => {
    const page = await opened({}, {}, { viewport: { width: 1440, height: 900 } })
    expect(await page.locator('[data-kind=primary]').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(900)
  })

  it('and its pages are for everybody, in 320 pixels, in German and with long names', async () => {
    const fields = {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name' },
        about: { type: 'string', title: 'Über mich', maxLength: 500 },
      },
    } as const
    const page = await opened(
      {
        users: { fields },
        login: { emailCode: true },
        activity: createMemoryActivityStore(),
        features: [
          ...[passkeys(), secondFactor(), invitations(), organizations()],
          apiKeys({ scopes: { read: 'Read' } }),
        ],
      },
      {
        username: longUsername,
        email: `ada@${'long-label.'.repeat(4)}example.org`,
        fields: { name: longName },
      },
      { viewport: { width: 320, height: 700 }, locale: 'de' },
    )
    for (const name of [
      '',
      'profile/',
      'email/',
      'language/',
      'password/',
      'password/remove/',
      'activity/',
      'export/',
      'delete/',
    ]) {
      const path = `/account/${name}`
      await page.goto(path)
      expect(new URL(page.url()).pathname, path).toBe(path)
      expect([path, ...(await findings(page))]).toEqual([path])
      expect([path, await overflows(page)]).toEqual([path, false])
      expect(await page.locator('main [data-kind=primary]').count(), path).toBeLessThanOrEqual(1)
    }
  })
})
