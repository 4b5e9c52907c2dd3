import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { createClient, linkIn, newestMail } from '@fastify-accounts/test-support/example-server/client'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { logIn, password, sees, submit, visit } from './support/browser.js'
import { startService } from './support/service.js'

const email = 'ada@example.org'

/** Ada, logged in on her account page, with a confirmed address. */
async function adaLoggedIn(environment = {}): Promise<{ page: Page; url: string }> {
  const { url } = await startService(environment)
  const client = createClient(url)
  const ada = { username: 'ada', email, password, confirm_password: password }
  expect((await client.post('/signup/', ada)).status).toBe(201)
  await client.post('/signup/v/', { email })
  const link = linkIn(await newestMail(url, 'verify-email', email))
  expect((await client.get(link, { accept: 'application/json' })).status).toBe(200)
  const page = await visit()
  await logIn(page, url, 'ada')
  return { page, url }
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL('**/logged-out/')
}

const whoIs = async (page: Page, url: string): Promise<string> =>
  (await (await page.request.get(`${url}/me/`)).json()).username

describe.skipIf(!isChromiumHere())('the library’s pages in the frame of the example', () => {
  it('turn on two-step verification, which the next login asks for', async () => {
    const { page, url } = await adaLoggedIn()
    await page.goto(`${url}/account/two-step/`)
    await page.getByRole('button', { name: 'Set up an app' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = ((await page.locator('main code').first().textContent()) ?? '').replaceAll(' ', '')
    await page.getByRole('button', { name: 'Continue' }).click()
    // Not that of the step before, which a busy machine may let pass.
    const used = codeOf(secret)
    await submit(page, { 'Code from the app': used }, 'Turn on')
    await sees(page, 'Save these codes.')
    await page.getByRole('button', { name: 'I’ve saved them' }).click()
    await sees(page, '10 codes left')

    await logOut(page)
    await page.goto(`${url}/login/`)
    await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
    await page.getByRole('heading', { name: 'Two-step verification' }).waitFor()
    expect((await page.request.get(`${url}/me/`)).status()).toBe(401)
    await expect.poll(() => codeOf(secret)).not.toBe(used)
    await submit(page, { 'Code from your authenticator app': codeOf(secret) }, 'Continue')
    await page.waitForURL('**/account/')
    expect(await whoIs(page, url)).toBe('ada')
  })

  it('add a passkey, which logs in', async () => {
    const { page, url } = await adaLoggedIn()
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      },
    })
    // Password managers find the page.
    const found = await (await page.request.get(`${url}/.well-known/passkey-endpoints`)).json()
    await page.goto(found.enroll)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await sees(page, 'Passkey added.')
    await logOut(page)
    await page.goto(`${url}/login/`)
    // Suggested at once: the authenticator confirms without a person.
    await page.waitForURL('**/account/')
    expect(await whoIs(page, url)).toBe('ada')
  })

  it('log in with an emailed code, which the mailbox shows', async () => {
    const { page, url } = await adaLoggedIn()
    await logOut(page)
    await page.goto(`${url}/login/`)
    await page.getByLabel('Username or email address').fill(email)
    await page.getByRole('button', { name: 'Email me a code' }).click()
    await sees(page, 'a code is on its way')
    const { text } = await newestMail(url, 'login-code', email)
    await submit(page, { Code: /\w{4}-\w{4}/.exec(text)?.[0] ?? '' }, 'Log in')
    await page.waitForURL('**/account/')
    expect(await whoIs(page, url)).toBe('ada')
  })

  it('sign somebody up with another provider, and link it to an account', async () => {
    const { page, url } = await adaLoggedIn({ PROVIDERS: 'demo' })
    const newcomer = await visit()
    await newcomer.goto(`${url}/signup/`)
    await newcomer.getByRole('button', { name: 'Continue with Demo' }).click()
    await submit(newcomer, { 'Email address': 'lin@example.com' }, 'Continue')
    await newcomer.waitForURL('**/account/')
    expect(await whoIs(newcomer, url)).toBe('lin')

    await page.goto(`${url}/account/logins/`)
    await page.getByRole('button', { name: 'Link Demo' }).click()
    await page.getByRole('heading', { name: 'Log in to Demo' }).waitFor()
    await submit(page, { 'Email address': 'ada@example.com' }, 'Continue')
    await sees(page, 'is linked. You can log in with it now.')
    await logOut(page)
    await page.goto(`${url}/login/`)
    await page.getByRole('button', { name: 'Continue with Demo' }).click()
    await submit(page, { 'Email address': 'ada@example.com' }, 'Continue')
    await page.waitForURL('**/account/')
    expect(await whoIs(page, url)).toBe('ada')
  })

  it('create an API key for the app’s own routes', async () => {
    const { page, url } = await adaLoggedIn()
    await page.goto(`${url}/account/api-keys/`)
    await page.getByRole('link', { name: 'Create an API key' }).click()
    await page.getByLabel('Read your username and display name').check()
    await submit(page, { Name: 'CI' }, 'Create key')
    await page.getByRole('heading', { name: 'Your new API key' }).waitFor()
    const key = await page.getByRole('main').locator('code', { hasText: /^fa_/ }).first().textContent()
    const ask = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    expect(await (await ask('/api/profile')).json()).toEqual({ username: 'ada', display_name: null })
    expect((await ask('/api/email')).status).toBe(403)
  })

  it('create an organization, whose projects are behind a guard of the app', async () => {
    const { page, url } = await adaLoggedIn()
    await page.goto(url)
    await page.getByRole('link', { name: 'Your organizations' }).click()
    await page.getByRole('link', { name: 'Create organization' }).click()
    await submit(page, { Name: 'Acme', 'Short name': 'acme' }, 'Create organization')
    await sees(page, 'Acme was created.')
    const projects = await page.request.get(`${url}/api/organizations/acme/projects`)
    expect(await projects.json()).toMatchObject({ organization: 'acme', may_write: true })
  })
})
