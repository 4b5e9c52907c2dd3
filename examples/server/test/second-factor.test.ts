import { findings, overflows, wcag } from '@fastify-accounts/test-support/axe'
import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { sample } from '@fastify-accounts/test-support/depth'
import { createClient, linkIn, newestMail } from '@fastify-accounts/test-support/example-server/client'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { logIn, password, sees, submit, visit } from './support/browser.js'
import { startService } from './support/service.js'

const here = isChromiumHere()

/** Ada, logged in on her account page, with a confirmed address. */
async function adaLoggedIn(options: BrowserContextOptions = {}): Promise<{ page: Page; url: string }> {
  const { url } = await startService()
  const ada = { username: 'ada', email: 'ada@example.org', password, confirm_password: password }
  const client = createClient(url)
  expect((await client.post('/signup/', ada)).status).toBe(201)
  await client.post('/signup/v/', { email: ada.email })
  const link = linkIn(await newestMail(url, 'verify-email', ada.email))
  expect((await client.get(link, { accept: 'application/json' })).status).toBe(200)
  // Opened after the service, so it closes first.
  const page = await visit(options)
  await logIn(page, url, 'ada')
  return { page, url }
}

/** Turns the app on with the previous time step's code, so the current one can still be used. */
async function turnOn(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  const secret = ((await page.textContent('#factor-key')) ?? '').replaceAll(' ', '')
  await submit(page, { 'Code from the app': codeOf(secret, -1) }, 'Turn it on')
  await sees(page, 'Two-step verification is on.')
  return { secret, codes: await page.locator('#recovery-code-list li').allTextContents() }
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out', exact: true }).first().click()
  await page.waitForURL('**/log-in?logged-out')
}

/** The first step of a login. */
async function givePassword(page: Page): Promise<void> {
  await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
  await sees(page, 'Two-step verification is on for your account.')
}

/** Recovery codes are behind a link. */
async function giveRecoveryCode(page: Page, code: string, button: string): Promise<void> {
  await page.getByRole('button', { name: 'Use a recovery code' }).filter({ visible: true }).click()
  await submit(page, { 'Recovery code': code }, button)
}

describe.skipIf(!here)('the second factor', () => {
  it('can be turned on, is required at login, and can be turned off', { timeout: 120_000 }, async () => {
    const { page, url } = await adaLoggedIn({ acceptDownloads: true })
    const { secret, codes } = await turnOn(page)
    expect([codes.length, new Set(codes).size]).toEqual([10, 10])
    await sees(page, 'You have 10 recovery codes left.')
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const stream = await (await downloading).createReadStream()
    expect((await stream.toArray()).join('')).toBe(`${codes.join('\n')}\n`)

    await logOut(page)
    await givePassword(page)
    expect((await page.request.get(`${url}/me/`)).status()).toBe(401)
    await submit(page, { 'Code from the app': '000000' }, 'Continue')
    await page.locator('#code[aria-invalid]').waitFor()
    await submit(page, { 'Code from the app': codeOf(secret) }, 'Continue')
    await page.waitForURL('**/account')
    // Shown only once.
    await sees(page, 'You have 10 recovery codes left.')
    expect(await page.locator('#recovery-codes').isVisible()).toBe(false)

    await logOut(page)
    await givePassword(page)
    await page.getByRole('button', { name: 'Start again' }).click()
    await givePassword(page)
    await giveRecoveryCode(page, codes[0] ?? '', 'Continue')
    await page.waitForURL('**/account')
    await sees(page, 'You have 9 recovery codes left.')

    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await giveRecoveryCode(page, codes[1] ?? '', 'Confirm')
    await sees(page, 'The old ones no longer work.')
    const fresh = await page.locator('#recovery-code-list li').allTextContents()
    expect(fresh.filter((code) => codes.includes(code))).toEqual([])

    await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
    await giveRecoveryCode(page, fresh[0] ?? '', 'Confirm')
    await sees(page, 'Your authenticator app has been removed.')
    await sees(page, 'Only your password protects your account.')
    await logOut(page)
    await logIn(page, url, 'ada')
  })

  it('can be several named apps, each of which can be renamed and removed', async () => {
    const { page } = await adaLoggedIn()
    const names = () => page.locator('#app-list strong').allTextContents()
    const first = await turnOn(page)
    await expect.poll(names).toEqual(['Authenticator app'])
    await page.getByRole('button', { name: 'Rename Authenticator app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename the authenticator app' })
    await dialog.getByLabel('Name of the app').fill('Old phone')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await sees(page, 'Renamed to Old phone.')

    await page.getByRole('button', { name: 'Add another app' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = ((await page.textContent('#factor-key')) ?? '').replaceAll(' ', '')
    expect(secret).not.toBe(first.secret)
    await page.locator('#new-app-name').fill('Tablet')
    await submit(page, { 'Code from the app': codeOf(secret, -1) }, 'Add it')
    await sees(page, 'The app has been added.')
    await expect.poll(names).toEqual(['Old phone', 'Tablet'])
    await sees(page, 'You have 10 recovery codes left.')

    await page.getByRole('button', { name: 'Remove Old phone' }).click()
    // A code from one app confirms the removal of the other.
    await submit(page, { 'Code from the app': codeOf(secret) }, 'Confirm')
    await sees(page, 'Old phone has been removed.')
    await expect.poll(names).toEqual(['Tablet'])
    await logOut(page)
    await givePassword(page)
    await submit(page, { 'Code from the app': codeOf(first.secret) }, 'Continue')
    await page.locator('#code[aria-invalid]').waitFor()
    await giveRecoveryCode(page, first.codes[0] ?? '', 'Continue')
    await page.waitForURL('**/account')
  })

  it('is skipped on a remembered device, until it is forgotten', { timeout: 120_000 }, async () => {
    const { page, url } = await adaLoggedIn({
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    })
    const { codes } = await turnOn(page)
    expect(await page.locator('#remembered').isVisible()).toBe(false)
    await logOut(page)
    await givePassword(page)
    await page.getByLabel('Don’t ask again on this device for 30 days').check()
    await giveRecoveryCode(page, codes[0] ?? '', 'Continue')
    await page.waitForURL('**/account')

    await logOut(page)
    await logIn(page, url, 'ada')
    await sees(page, 'Remembered devices')
    await page.getByRole('button', { name: 'Forget Chrome on Linux' }).click()
    await sees(page, 'Chrome on Linux will need two-step verification again.')
    expect(await page.locator('#remembered').isVisible()).toBe(false)
    await logOut(page)
    await givePassword(page)
    expect((await page.request.get(`${url}/me/`)).status()).toBe(401)
  })

  it.each(['light', 'dark'] as const)(
    'has pages where axe finds nothing, in %s',
    { timeout: 120_000 },
    async (colorScheme) => {
      const { page } = await adaLoggedIn({ colorScheme })
      const audit = async (name: string): Promise<void> => {
        for (const width of sample(`${name}, ${colorScheme}`, [390, 1280])) {
          await page.setViewportSize({ width, height: 800 })
          expect(await findings(page, [...wcag, 'best-practice']), `${name}, ${width}`).toEqual([])
          expect(await overflows(page), `${name} is wider than its window, ${width}`).toBe(false)
        }
      }
      await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
      await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
      await audit('setup')
      await page.reload()
      await turnOn(page)
      await audit('codes')
      await page.getByRole('button', { name: 'Rename Authenticator app' }).click()
      await page.getByRole('dialog').waitFor()
      await audit('rename')
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
      await page.getByRole('dialog').waitFor()
      await audit('confirm')
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await logOut(page)
      await givePassword(page)
      await audit('step-two')
    },
  )
})
