import { findings, overflows, wcag } from '@fastify-accounts/test-support/axe'
import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { sample } from '@fastify-accounts/test-support/depth'
import { createClient, linkIn, newestMail } from '@fastify-accounts/test-support/example-server/client'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { logIn, password, sees, submit, visit } from './support/browser.js'
import { startService } from './support/service.js'

const here = isChromiumHere()

interface Device {
  page: Page
  cdp: CDPSession
  authenticatorId: string
}

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

/** A browser on a device with an authenticator that verifies its owner. */
async function device(options: BrowserContextOptions = {}): Promise<Device> {
  const page = await visit({ userAgent, ...options })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  return { page, cdp, authenticatorId: await authenticator(cdp) }
}

async function authenticator(cdp: CDPSession): Promise<string> {
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}

/** Whether the user responds to the authenticator, for autofill and for buttons. */
async function touches(
  { cdp, authenticatorId }: Pick<Device, 'cdp' | 'authenticatorId'>,
  enabled: boolean,
): Promise<void> {
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
}

const ada = { username: 'ada', email: 'ada@example.org' }

async function signUp(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sign-up`)
  await submit(page, { Username: ada.username, 'Email address': ada.email }, 'Sign up with a passkey')
  await page.waitForURL('**/account')
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out', exact: true }).first().click()
  await page.waitForURL('**/log-in?logged-out')
}

/** Ada with a password and a confirmed address, logged in on her account page. */
async function adaWithPassword(options: BrowserContextOptions = {}): Promise<Device & { url: string }> {
  const { url } = await startService()
  const client = createClient(url)
  await client.post('/signup/', { ...ada, password, confirm_password: password })
  await client.post('/signup/v/', { email: ada.email })
  const link = linkIn(await newestMail(url, 'verify-email', ada.email))
  expect((await client.get(link, { accept: 'application/json' })).status).toBe(200)
  const own = await device(options)
  await logIn(own.page, url, 'ada')
  return { ...own, url }
}

const names = (page: Page): Promise<string[]> =>
  page.locator('#passkey-list .device-name strong').allTextContents()

describe.skipIf(!here)('passkeys', () => {
  it('sign a user up, and log them in without a username', { timeout: 120_000 }, async () => {
    const { url } = await startService()
    const { page } = await device()
    // A browser without autofill suggestions.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
    await signUp(page, url)
    await sees(page, 'Chrome, Linux')
    await sees(page, 'Your account has no password.')

    await logOut(page)
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await page.waitForURL('**/account')
    await sees(page, 'last used just now')
    expect((await page.request.get(`${url}/me/`)).status()).toBe(200)
  })

  it('are suggested in the username field', async () => {
    const { url } = await startService()
    const { page } = await device()
    await signUp(page, url)
    // The authenticator acts as a user who chooses the suggestion.
    await page.getByRole('button', { name: 'Log out', exact: true }).first().click()
    await page.waitForURL('**/account')
    await sees(page, 'last used just now')
    expect(await page.getByRole('button', { name: 'Log out', exact: true }).count()).toBe(1)
  })

  it('can be added, renamed and removed, except the only way to log in', { timeout: 120_000 }, async () => {
    const { url } = await startService()
    const own = await device()
    const { page, cdp } = own
    await signUp(page, url)
    const add = page.getByRole('button', { name: 'Add a passkey' })
    await add.click()
    await sees(page, 'This device already has a passkey for your account.')

    // Replace the authenticator with another one.
    const { credentials } = await cdp.send('WebAuthn.getCredentials', own)
    await cdp.send('WebAuthn.removeVirtualAuthenticator', own)
    const second = await authenticator(cdp)
    await add.click()
    await sees(page, 'Your passkey has been added.')
    expect(await names(page)).toEqual(['Chrome, Linux', 'Chrome, Linux'])

    await page.getByRole('button', { name: 'Rename' }).nth(1).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Chrome, Linux')
    const dialog = page.getByRole('dialog', { name: 'Rename the passkey' })
    await page.getByLabel('Name', { exact: true }).fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('#passkey-name[aria-invalid]').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('My <phone>')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await sees(page, 'Renamed to My <phone>.')
    expect(await names(page)).toEqual(['Chrome, Linux', 'My <phone>'])

    await page.getByRole('button', { name: 'Remove My <phone>' }).click()
    await page.getByRole('button', { name: 'Keep it' }).filter({ visible: true }).click()
    expect(await names(page)).toHaveLength(2)
    await page.getByRole('button', { name: 'Remove My <phone>' }).click()
    await page.getByRole('button', { name: 'Remove it' }).click()
    await sees(page, 'My <phone> has been removed.')
    expect(await names(page)).toEqual(['Chrome, Linux'])
    // The page told the browser to forget it.
    await expect
      .poll(async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId: second })).credentials)
      .toEqual([])

    await page.getByRole('button', { name: 'Remove Chrome, Linux' }).click()
    await page.getByRole('button', { name: 'Remove it' }).click()
    await sees(page, 'This is the only way to log in to your account.')
    expect(credentials).toHaveLength(1)
  })

  it('show a message when the request is canceled', async () => {
    const { url } = await startService()
    const { page, cdp, authenticatorId } = await device()
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.goto(`${url}/sign-up`)
    await submit(page, { Username: 'Ada', 'Email address': 'nowhere' }, 'Sign up with a passkey')
    await page.locator('#email[aria-invalid]').waitFor()
    await submit(page, { 'Email address': ada.email }, 'Sign up with a passkey')
    await sees(page, 'No passkey was used: the request was canceled, timed out, or found no passkey.')
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await page.getByRole('button', { name: 'Sign up with a passkey' }).click()
    await page.waitForURL('**/account')
  })

  it('replace the password, which can be set again', { timeout: 120_000 }, async () => {
    const { page, url } = await adaWithPassword()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await sees(page, 'Your passkey has been added.')
    await page.getByRole('button', { name: 'Remove password' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
    await sees(page, 'Your password has been removed.')
    const refused = await createClient(url).post('/login/', { username: 'ada', password })
    expect(refused.status).toBe(401)
    await submit(page, { 'New password': `${password} again` }, 'Set password')
    await sees(page, 'Your password has been set.')
    const login = await createClient(url).post('/login/', { username: 'ada', password: `${password} again` })
    expect(login.status).toBe(200)
  })

  it('are required after the password if their owner chooses so', { timeout: 120_000 }, async () => {
    const own = await adaWithPassword()
    const { page, url } = own
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await sees(page, 'Your passkey has been added.')
    await page.getByRole('button', { name: 'Require a passkey after the password' }).click()
    // The password alone isn't enough.
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Use a passkey' }).waitFor()
    expect(await dialog.getByLabel('Password').isVisible()).toBe(false)
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await sees(page, 'We’ll now ask for a passkey after your password.')
    expect(await page.locator('#recovery-code-list li').count()).toBe(10)

    await touches(own, false)
    await logOut(page)
    await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
    await sees(page, 'Two-step verification is on for your account.')
    expect((await page.request.get(`${url}/me/`)).status()).toBe(401)
    // It has no app, so no field for codes; recovery codes are behind a link.
    const offered = page.locator('#second-step').locator('input:visible:not([type=checkbox]), button:visible')
    const labels = async () => (await offered.allTextContents()).map((text) => text.trim())
    expect(await labels()).toEqual(['Use a passkey or security key', 'Use a recovery code', 'Start again'])
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await submit(page, { 'Recovery code': 'AAAA-BBBB-CCCC-DDDD' }, 'Continue')
    await page.locator('#recovery-code[aria-invalid]').waitFor()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    expect(await labels()).toEqual(['Use a passkey or security key', 'Use a recovery code', 'Start again'])
    await touches(own, true)
    await page.getByLabel('Don’t ask again on this device for 30 days').check()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL('**/account')
    await sees(page, 'You have 10 recovery codes left.')

    await page.getByRole('button', { name: 'Stop requiring a passkey' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
    await sees(page, 'We’ll no longer ask for a passkey after your password.')
    expect((await createClient(url).post('/login/', { username: 'ada', password })).status).toBe(200)
  })
  it('can be a security key without a PIN, as a second factor only', async () => {
    const { page, url, ...own } = await adaWithPassword()
    // Replace the device with one that stores no passkeys and can't verify its user.
    await own.cdp.send('WebAuthn.removeVirtualAuthenticator', own)
    const { authenticatorId } = await own.cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'u2f',
        transport: 'usb',
        hasResidentKey: false,
        hasUserVerification: false,
        automaticPresenceSimulation: true,
      },
    })
    await page.getByRole('button', { name: 'Add a security key' }).click()
    await sees(page, 'Your security key has been added.')
    expect(await page.locator('#recovery-code-list li').count()).toBe(10)
    await sees(page, 'Two-step verification only')
    await sees(page, 'On: a passkey or security key. You have 10 recovery codes left.')

    await touches({ cdp: own.cdp, authenticatorId }, false)
    await logOut(page)
    await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
    await sees(page, 'Two-step verification is on for your account.')
    expect((await page.request.get(`${url}/me/`)).status()).toBe(401)
    await touches({ cdp: own.cdp, authenticatorId }, true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL('**/account')
    await sees(page, 'You have 10 recovery codes left.')
  })

  it('come before the code of an app if the account has both', async () => {
    const { page, url, ...own } = await adaWithPassword()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = ((await page.textContent('#factor-key')) ?? '').replaceAll(' ', '')
    await submit(page, { 'Code from the app': codeOf(secret, -1) }, 'Turn it on')
    await sees(page, 'Two-step verification is on.')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await sees(page, 'Your passkey has been added.')
    await page.getByRole('button', { name: 'Require a passkey after the password' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
    await sees(page, 'We’ll now ask for a passkey after your password.')

    await touches(own, false)
    await logOut(page)
    await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
    const form = page.locator('#second-step')
    const offered = async () =>
      (await form.locator('button:visible').allTextContents()).map((text) => text.trim())
    await expect
      .poll(offered)
      .toEqual([
        'Use a passkey or security key',
        'Use a code from your authenticator app',
        'Use a recovery code',
        'Start again',
      ])
    expect(await form.getByRole('textbox').count()).toBe(0)
    await page.getByRole('button', { name: 'Use a code from your authenticator app' }).click()
    expect(await offered()).toEqual([
      'Continue',
      'Use a passkey or security key',
      'Use a recovery code',
      'Start again',
    ])
    await submit(page, { 'Code from the app': codeOf(secret) }, 'Continue')
    await page.waitForURL('**/account')
    expect((await page.request.get(`${url}/me/`)).status()).toBe(200)
  })

  it('cannot be a security key until the address is confirmed', async () => {
    const { url } = await startService()
    await createClient(url).post('/signup/', { ...ada, password, confirm_password: password })
    const { page } = await device()
    await logIn(page, url, 'ada')
    await page.getByRole('button', { name: 'Add a security key' }).click()
    await sees(page, 'Confirm your email address first.')
    expect(await names(page)).toEqual([])
    // There's no other way to log in: emailed codes require a confirmed address.
    expect(await page.getByRole('button', { name: 'Remove password' }).count()).toBe(0)
  })

  it.each(['light', 'dark'] as const)(
    'have pages that pass axe in %s mode',
    { timeout: 120_000 },
    async (colorScheme) => {
      const { url } = await startService()
      const { page } = await device({ colorScheme })
      const audit = async (name: string): Promise<void> => {
        for (const width of sample(`${name}, ${colorScheme}`, [320, 1280])) {
          await page.setViewportSize({ width, height: 800 })
          expect(await findings(page, [...wcag, 'best-practice']), `${name}, ${width}`).toEqual([])
          expect(await overflows(page), `${name} is wider than its window, ${width}`).toBe(false)
        }
      }
      await signUp(page, url)
      await sees(page, 'Chrome, Linux')
      await audit('list')
      await page.getByRole('button', { name: 'Rename' }).click()
      await page.getByRole('dialog').waitFor()
      await audit('rename')
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Remove Chrome, Linux' }).click()
      await page.getByRole('dialog').waitFor()
      await page.getByRole('button', { name: 'Remove it' }).click()
      await sees(page, 'This is the only way to log in to your account.')
      await audit('remove')
    },
  )

  it('are unavailable under an IP address, and the page says why', async () => {
    const { url } = await startService({ HOST: '127.0.0.1' })
    const page = await visit()
    const here = url.replace('localhost', '127.0.0.1')
    await createClient(here).post('/signup/', { ...ada, password, confirm_password: password })
    await logIn(page, here, 'ada')
    await sees(page, `This app is served at ${here}, where browsers don’t support passkeys.`)
    expect((await page.request.post(`${here}/login/passkey/options/`)).status()).toBe(404)
    await logOut(page)
    expect(await page.getByRole('button', { name: 'Log in with a passkey' }).count()).toBe(0)
  })

  it('say where they work, on a page at another URL', async () => {
    const { url } = await startService()
    const page = await visit()
    await page.goto(`${url.replace('localhost', '127.0.0.1')}/log-in`)
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await sees(page, `Passkeys don’t work at this address. Open the app at ${url}.`)
  })
})

it('password managers find the page where passkeys are added and managed', async () => {
  const { url } = await startService()
  const client = createClient(url)
  await client.post('/signup/', { ...ada, password, confirm_password: password })
  await client.post('/login/', { username: 'ada', password })
  const response = await client.get('/.well-known/passkey-endpoints')
  const { enroll, manage } = (await response.json()) as { enroll: string; manage: string }
  for (const page of [enroll, manage]) {
    const { origin, hash } = new URL(page)
    const html = await (await client.get(page)).text()
    expect([origin, html.includes(`id="${hash.slice(1)}"`)]).toEqual([url, true])
  }
})
