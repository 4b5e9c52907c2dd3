import { passkeys } from '@fastify-accounts/passkeys'
import { providers } from '@fastify-accounts/providers'
import { goodPassword, linkPath } from '@fastify-accounts/test-support/app'
import { findings, overflows } from '@fastify-accounts/test-support/axe'
import { complaintsIn, isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import { onSomePort } from '@fastify-accounts/test-support/some-port'
import { apiKeys, invitations, secondFactor } from 'fastify-accounts'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { pagesApp } from './pages-app.js'

const list = '/account/passkeys/'

let shared: Promise<Browser> | undefined
afterAll(async () => (await shared)?.close())

/** A browser on a device with an authenticator that verifies its owner. Complaints in its console fail the test. */
async function device() {
  shared ??= launchChromium()
  const context = await (await shared).newContext({
    locale: 'en-GB',
    viewport: { width: 320, height: 700 },
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  })
  const complaints = complaintsIn(context)
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  // Nobody chooses a suggestion where a test clicks.
  await page.addInitScript(`if (sessionStorage.getItem('clicks'))
    PublicKeyCredential.isConditionalMediationAvailable = async () => false`)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  return { page, cdp, authenticatorId: await authenticator(cdp) }
}

async function authenticator(cdp: CDPSession, bare = false): Promise<string> {
  const verifies = { hasResidentKey: !bare, hasUserVerification: !bare, isUserVerified: !bare }
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: bare ? 'u2f' : 'ctap2', transport: bare ? 'usb' : 'internal' },
      ...{ ...verifies, automaticPresenceSimulation: true },
    },
  })
  return authenticatorId
}

/** Nobody goes there. */
const demo = {
  name: 'demo',
  label: 'Demo',
  issuer: 'http://127.0.0.1:1',
  clientId: 'app',
  clientSecret: 'secret',
}

/** An app where passkeys work, with ada, who has a password. */
async function service() {
  return onSomePort(async (port) => {
    const origin = `http://localhost:${port}`
    const { app, mail } = await pagesApp(
      {},
      {
        baseUrl: origin,
        features: [
          passkeys(),
          secondFactor(),
          apiKeys({ scopes: ['orders:read'] }),
          invitations(),
          providers([demo]),
        ],
      },
    )
    await app.listen({ port, host: 'localhost' })
    const email = 'ada@example.org'
    await app.accounts.createUser({ username: 'ada', password: goodPassword, email, isVerified: true })
    return { origin, app, mail }
  })
}

const sees = (page: Page, text: string | RegExp) =>
  page.getByText(text).filter({ visible: true }).first().waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const at = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)

async function logIn(page: Page, origin: string, next: string): Promise<void> {
  await page.goto(`${origin}/login/?${new URLSearchParams({ next })}`)
  await page.locator('[name=username]').fill('ada')
  await page.locator('[name=password]').fill(goodPassword)
  await press(page, 'Log in')
}

async function logOut(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/logout/`)
  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
  await at(page, '/logged-out/')
}

/** An account whose passkey is all that it has, as an app of one page makes it. */
const signUpWithPasskey = (page: Page, user: object) =>
  page.evaluate(`(async (account) => {
    const post = async (path, body) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
    }
    const options = await post('/signup/passkey/options/', account)
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const response = (await navigator.credentials.create({ publicKey })).toJSON()
    await post('/signup/passkey/', { ...account, response })
    await post('/user/v/', { email: account.email })
  })(${JSON.stringify(user)})`)

describe.skipIf(!isChromiumHere())('passkeys', () => {
  it('are added, suggested, used by a button, confirm, and are forgotten with their removal', async () => {
    const { origin } = await service()
    const own = await device()
    const { page, cdp } = own
    await logIn(page, origin, list)
    await sees(page, 'You haven’t added a passkey yet.')
    await press(page, 'Add a passkey')
    await sees(page, 'Passkey added. You can log in with it now.')
    await sees(page, 'Chrome, Linux')

    // The authenticator acts as somebody who chooses the suggestion.
    await logOut(page, origin)
    await page.goto(`${origin}/login/?next=${list}`)
    await at(page, list)
    await sees(page, /Last used/)
    await press(page, 'Add a passkey')
    await sees(page, 'This device already has a passkey for your account.')

    await logOut(page, origin)
    await page.evaluate('sessionStorage.setItem("clicks", "1")')
    await page.goto(`${origin}/login/?next=${list}`)
    await press(page, 'Use a passkey')
    await at(page, list)

    await logOut(page, origin)
    await logIn(page, origin, list)
    await at(page, list)
    await page.getByRole('link', { name: 'Rename: Chrome, Linux' }).click()
    await page.getByLabel('Name').fill('My <phone>')
    await press(page, 'Save')
    // A password alone doesn't remove a passkey.
    await page.getByRole('link', { name: 'Remove: My <phone>' }).click()
    await at(page, '/confirm/')
    await press(page, 'Use a passkey')
    await page.getByRole('heading', { name: 'Remove “My <phone>”?' }).waitFor()
    await page.waitForFunction('sessionStorage.getItem("accounts-passkey-removed")')
    await press(page, 'Remove passkey')
    await sees(page, 'Passkey removed.')
    await expect.poll(async () => (await cdp.send('WebAuthn.getCredentials', own)).credentials).toEqual([])
  })

  it('are a second step, which a security key without a PIN can be', async () => {
    const { origin } = await service()
    const { page, cdp, authenticatorId } = await device()
    await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    await authenticator(cdp, true)
    await logIn(page, origin, '/account/two-step/')
    await page.getByRole('link', { name: 'Turn on: Passkeys and security keys' }).click()
    await press(page, 'Add and turn on')
    await at(page, '/account/recovery-codes/')
    await sees(page, 'Two-step verification is on.')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('recovery-codes-localhost.txt')
    await press(page, 'I’ve saved them')
    await sees(page, '10 codes left')

    await logOut(page, origin)
    await logIn(page, origin, list)
    await at(page, '/login/second-factor/')
    await press(page, 'Use a passkey or security key')
    await at(page, list)
    await sees(page, 'Only for two-step verification')
  })

  it('have pages, as other ways do, that pass axe in 320 pixels', async () => {
    const { origin } = await service()
    const { page } = await device()
    const audit = async (heading: string) => {
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      expect([heading, ...(await findings(page))]).toEqual([heading])
      expect([heading, await overflows(page)]).toEqual([heading, false])
      const primary = await page.locator('main [data-kind=primary]:visible').count()
      expect([heading, primary <= 1]).toEqual([heading, true])
    }
    await logIn(page, origin, list)
    await press(page, 'Add a passkey')
    await sees(page, 'Passkey added.')
    await audit('Passkeys')
    await page.getByRole('link', { name: 'Rename: Chrome, Linux' }).click()
    await audit('Rename “Chrome, Linux”')
    await page.goto(`${origin}${list}`)
    await page.getByRole('link', { name: 'Remove: Chrome, Linux' }).click()
    await press(page, 'Use a passkey')
    await audit('Remove “Chrome, Linux”?')
    await page.goto(`${origin}/account/two-step/`)
    await audit('Two-step verification')
    await press(page, 'Set up an app')
    await audit('Scan the QR code')
    const secret = (await page.locator('#key').textContent()) ?? ''
    await press(page, 'Continue')
    await audit('Enter the code')
    await page.getByLabel('Code from the app').fill(codeOf(secret.replaceAll(' ', '')))
    await press(page, 'Turn on')
    await audit('Recovery codes')
    await press(page, 'I’ve saved them')
    await sees(page, '10 codes left')
    await audit('Two-step verification')
    await page.getByRole('link', { name: 'Turn on: Passkeys and security keys' }).click()
    await press(page, 'Use a passkey')
    await audit('Two-step verification with a passkey')
    for (const [path, heading] of [
      ['recovery-codes/', 'Recovery codes'],
      ['devices/', 'Devices'],
      ['logins/', 'Linked logins'],
      ['api-keys/', 'API keys'],
      ['api-keys/new/', 'Create an API key'],
    ] as const) {
      await page.goto(`${origin}/account/${path}`)
      await audit(heading)
    }
    await page.getByLabel('Name').fill('Reports')
    await press(page, 'Create key')
    await audit('Your new API key')
  })

  it('accept an invitation, and confirm an address in another browser', async () => {
    const { origin, app, mail } = await service()
    const { page, cdp, authenticatorId } = await device()
    await app.accounts.invite({ email: 'gus@example.org' })
    await page.goto(origin + linkPath(await mail('invitation', 'gus@example.org')))
    await page.locator('[name=username]').fill('gus')
    await press(page, 'Create a passkey instead')
    await sees(page, 'Your account')
    await page.getByRole('link', { name: /^Continue to / }).click()
    await at(page, '/account/')

    await page.context().clearCookies()
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    await page.evaluate('sessionStorage.setItem("clicks", "1")')
    await page.goto(`${origin}/login/`)
    await signUpWithPasskey(page, { username: 'eve', email: 'eve@example.org' })
    await page.context().clearCookies()
    await page.goto(origin + linkPath(await mail('verify-email', 'eve@example.org')))
    await press(page, 'Confirm with passkey')
    await sees(page, 'Your email address is confirmed')
    await page.getByRole('link', { name: 'Log in' }).click()
    await press(page, 'Use a passkey')
    await at(page, '/account/')
  })

  it('are added without asking after a login with a password', async () => {
    const { origin } = await service()
    const { page } = await device()
    // As a password manager does that has just filled in the password. Virtual authenticators can't.
    await page.addInitScript(`{
      const { create } = CredentialsContainer.prototype
      PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: true })
      navigator.credentials.create = ({ publicKey, mediation }) => {
        if (mediation !== 'conditional') throw new Error('it asks')
        return create.call(navigator.credentials, { publicKey })
      }
    }`)
    const added = page.waitForResponse(
      (response) => response.url() === `${origin}/passkeys/` && response.request().method() === 'POST',
    )
    await logIn(page, origin, '/account/')
    expect((await added).status()).toBe(201)
    await page.goto(origin + list)
    await sees(page, 'Chrome, Linux')
  })
})
