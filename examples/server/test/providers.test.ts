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

/** The app, and the demo provider. */
const startDemo = () => startService({ PROVIDERS: 'demo' })

async function goToDemo(page: Page, url: string, from = 'log-in'): Promise<void> {
  await page.goto(`${url}/${from}`)
  await page.getByRole('button', { name: 'Continue with Demo' }).click()
  await page.getByRole('heading', { name: 'Log in to Demo' }).waitFor()
}

async function logInAtDemo(page: Page, email: string): Promise<void> {
  // The account page, which may have led here, also has an email field.
  await page.getByRole('heading', { name: 'Log in to Demo' }).waitFor()
  await submit(page, { 'Email address': email }, 'Continue')
}

async function enter(page: Page, url: string, email: string, from?: string): Promise<void> {
  await goToDemo(page, url, from)
  await logInAtDemo(page, email)
  await page.waitForURL('**/account')
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out', exact: true }).first().click()
  await page.waitForURL('**/log-in?logged-out')
}

/** Grace, whose account has a password, logged in on her account page. */
async function graceLoggedIn(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const grace = { username: 'grace', email: 'grace@example.org', password, confirm_password: password }
  expect((await createClient(url).post('/signup/', grace)).status).toBe(201)
  const page = await visit(options)
  await logIn(page, url, 'grace')
  return page
}

async function confirmAddress(url: string, email: string): Promise<void> {
  const client = createClient(url)
  await client.post('/signup/v/', { email })
  const link = linkIn(await newestMail(url, 'verify-email', email))
  expect((await client.get(link, { accept: 'application/json' })).status).toBe(200)
}

async function link(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Link Demo' }).click()
  await page.getByRole('heading', { name: 'Log in to Demo' }).waitFor()
  await logInAtDemo(page, email)
  await page.waitForURL('**/account#identities')
  await page.getByRole('button', { name: `Unlink Demo ${email}` }).waitFor()
}

const whoIs = async (page: Page, url: string): Promise<string> =>
  (await (await page.request.get(`${url}/me/`)).json()).username

describe.skipIf(!here)('another provider', () => {
  it('signs a user up, and logs them in again', async () => {
    const { url } = await startDemo()
    const page = await visit()
    await enter(page, url, 'ada@example.com', 'sign-up')
    expect(await page.inputValue('#username')).toBe('ada')
    await sees(page, 'Your account has no password.')
    await page.getByRole('button', { name: 'Unlink Demo ada@example.com' }).waitFor()
    const { id } = await (await page.request.get(`${url}/me/`)).json()
    await logOut(page)
    await enter(page, url, 'ada@example.com')
    expect((await (await page.request.get(`${url}/me/`)).json()).id).toBe(id)
    await sees(page, 'last used just now')

    // The login leads to the page requested before it.
    await logOut(page)
    await page.goto(`${url}/users`)
    await page.waitForURL('**/log-in?next=users')
    await page.getByRole('button', { name: 'Continue with Demo' }).click()
    const sentOn = page.waitForRequest(`${url}/users`)
    await logInAtDemo(page, 'ada@example.com')
    await sentOn
    await page.waitForURL('**/account')
  })

  it('can be left with its cancel button and the back button', async () => {
    const { url } = await startDemo()
    const page = await visit()
    await goToDemo(page, url)
    await logInAtDemo(page, 'nowhere')
    await sees(page, 'Enter a valid email address')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await sees(page, 'The login with Demo was canceled.')
    await page.getByRole('link', { name: 'Continue to Example App' }).click()
    await page.waitForURL('**/log-in?next=account')

    await page.getByRole('button', { name: 'Continue with Demo' }).click()
    await page.getByRole('heading', { name: 'Log in to Demo' }).waitFor()
    await page.goBack()
    await page.waitForURL('**/log-in?next=account')
    await page.getByRole('button', { name: 'Continue with Demo' }).click()
    await page.getByRole('heading', { name: 'Log in to Demo' }).waitFor()
    await logInAtDemo(page, 'ada@example.com')
    await page.waitForURL('**/account')

    // Back at the provider, where the login has ended.
    await page.goBack()
    await page.getByRole('heading', { name: 'This page has expired' }).waitFor()
    await page.getByRole('link', { name: 'Back to Example App' }).click()
    await page.waitForURL('**/account')
    expect(await whoIs(page, url)).toBe('ada')
  })

  it('works in two tabs at the same time', async () => {
    const { url } = await startDemo()
    const one = await visit()
    const other = await one.context().newPage()
    await goToDemo(one, url)
    await goToDemo(other, url)
    await logInAtDemo(other, 'grace@example.com')
    await other.waitForURL('**/account')
    await logInAtDemo(one, 'ada@example.com')
    await one.waitForURL('**/account')
    // One browser has one session: the later login's.
    expect([await whoIs(one, url), await whoIs(other, url)]).toEqual(['ada', 'ada'])
  })

  it('has addresses verified by email unless it is authoritative for them', async () => {
    const { url } = await startDemo()
    const page = await visit()
    await goToDemo(page, url)
    await logInAtDemo(page, 'ada@elsewhere.test')
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    const { text } = await newestMail(url, 'identity-sign-up', 'ada@elsewhere.test')
    await page.goto(/http:\S+\/confirm\/\S+/.exec(text)?.[0] ?? '')
    await page.getByRole('button', { name: 'Finish signing up' }).click()
    await page.waitForURL('**/account')
    expect(await page.textContent('#current-email')).toBe('ada@elsewhere.test')
    await page.getByRole('button', { name: 'Unlink Demo ada@elsewhere.test' }).waitFor()
  })

  it('can be linked to an account and unlinked, except as the only way to log in', async () => {
    const { url } = await startDemo()
    const page = await graceLoggedIn(url)
    await sees(page, 'You haven’t linked any yet.')
    await link(page, 'grace@example.com')
    await logOut(page)
    await enter(page, url, 'grace@example.com')
    expect(await whoIs(page, url)).toBe('grace')

    await page.getByRole('button', { name: 'Unlink Demo grace@example.com' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Unlink Demo grace@example.com' }).click()
    const dialog = page.getByRole('dialog', { name: 'Unlink Demo (grace@example.com)?' })
    await dialog.getByRole('button', { name: 'Unlink it' }).click()
    await sees(page, 'Demo is no longer linked.')
    await sees(page, 'You haven’t linked any yet.')

    await link(page, 'other@elsewhere.test')
    await page.getByRole('button', { name: 'Remove password' }).click()
    await submit(page, { 'Your password': password }, 'Confirm')
    await sees(page, 'Your password has been removed.')
    await page.getByRole('button', { name: 'Unlink Demo other@elsewhere.test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink it' }).click()
    await sees(page, 'This is the only way to log in to your account.')
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click()
    await logOut(page)
    await enter(page, url, 'other@elsewhere.test')
    expect(await whoIs(page, url)).toBe('grace')
  })

  it("rejects another user's identity", async () => {
    const { url } = await startDemo()
    const ada = await visit()
    await enter(ada, url, 'ada@example.com')
    const page = await graceLoggedIn(url)
    await page.getByRole('button', { name: 'Link Demo' }).click()
    await page.getByRole('heading', { name: 'Log in to Demo' }).waitFor()
    await logInAtDemo(page, 'ada@example.com')
    await sees(page, 'This login already belongs to another account.')
    await page.getByRole('link', { name: 'Continue to Example App' }).click()
    await page.waitForURL('**/account')
    await sees(page, 'You haven’t linked any yet.')
  })

  it("still requires the account's second factor", async () => {
    const { url } = await startDemo()
    const page = await graceLoggedIn(url)
    await confirmAddress(url, 'grace@example.org')
    await link(page, 'grace@example.com')
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = ((await page.textContent('#factor-key')) ?? '').replaceAll(' ', '')
    await submit(page, { 'Code from the app': codeOf(secret, -1) }, 'Turn it on')
    await sees(page, 'Two-step verification is on.')
    await logOut(page)

    await goToDemo(page, url)
    await logInAtDemo(page, 'grace@example.com')
    await sees(page, 'Two-step verification is on for your account.')
    expect((await page.request.get(`${url}/me/`)).status()).toBe(401)
    await submit(page, { 'Code from the app': codeOf(secret) }, 'Continue')
    await page.waitForURL('**/account')
    expect(await whoIs(page, url)).toBe('grace')
  })

  it('lets an account without a password re-authenticate with an emailed code', async () => {
    const { url } = await startDemo()
    const page = await visit()
    await enter(page, url, 'ada@example.com')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('button', { name: 'Email me a code' }).click()
    const { text } = await newestMail(url, 'confirmation-code', 'ada@example.com')
    const [code = ''] = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(text) ?? []
    await submit(page, { 'Code from the email': 'AAAA-AAAA' }, 'Confirm')
    await page.locator('#email_code[aria-invalid]').waitFor()
    await submit(page, { 'Code from the email': code }, 'Confirm')
    await page.waitForURL('**/log-in?deleted')
  })

  it('re-authenticates a user without a password by a new login there', async () => {
    const { url } = await startDemo()
    const page = await visit()
    await enter(page, url, 'ada@example.com')
    const ask = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await page.getByRole('button', { name: 'Delete it' }).click()
    }
    const confirm = async (email: string): Promise<void> => {
      await page.getByRole('button', { name: 'Log in again with Demo' }).click()
      await page.getByRole('heading', { name: 'Log in to Demo' }).waitFor()
      await logInAtDemo(page, email)
    }
    await ask()
    await confirm('somebody@example.com')
    await sees(page, 'You used a different account at Demo.')
    await page.goto(`${url}/account`)
    await ask()
    await confirm('ada@example.com')
    await page.waitForURL('**/account#delete')
    await sees(page, 'You’ve confirmed it’s you. Repeat your last step to finish it.')
    expect(await whoIs(page, url)).toBe('ada')
    // No second confirmation.
    await ask()
    await page.waitForURL('**/log-in?deleted')
  })

  it('does not re-authenticate if it is not linked or a second factor is on', async () => {
    const { url } = await startDemo()
    const page = await graceLoggedIn(url)
    const again = page.getByRole('button', { name: 'Log in again with Demo' })
    const ask = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Remove password' }).click()
      await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor()
    }
    await confirmAddress(url, 'grace@example.org')
    await page.reload()
    await ask()
    expect(await again.count()).toBe(0)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await link(page, 'grace@example.com')
    await ask()
    await page.getByLabel('Your password', { exact: true }).waitFor()
    expect(await again.count()).toBe(1)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = ((await page.textContent('#factor-key')) ?? '').replaceAll(' ', '')
    await submit(page, { 'Code from the app': codeOf(secret, -1) }, 'Turn it on')
    await sees(page, 'Two-step verification is on.')
    await ask()
    await page.getByRole('dialog').getByLabel('Code from the app', { exact: true }).waitFor()
    expect(await again.count()).toBe(0)
  })

  it('has a button if its client is configured', async () => {
    const { url } = await startService({ GOOGLE_CLIENT_ID: 'app', GOOGLE_CLIENT_SECRET: 'a secret' })
    const page = await visit()
    await page.goto(`${url}/log-in`)
    await page.getByRole('button', { name: 'Continue with Google' }).waitFor()
    expect(await page.getByRole('button', { name: /^Continue with / }).count()).toBe(1)
  })

  it.each(['light', 'dark'] as const)('has pages that pass axe in %s mode', async (colorScheme) => {
    const { url } = await startDemo()
    const page = await visit({ colorScheme })
    const audit = async (name: string): Promise<void> => {
      for (const width of sample(`${name}, ${colorScheme}`, [390, 1280])) {
        await page.setViewportSize({ width, height: 800 })
        expect(await findings(page, [...wcag, 'best-practice']), `${name}, ${width}`).toEqual([])
        expect(await overflows(page), `${name} is wider than its window, ${width}`).toBe(false)
      }
    }
    await page.goto(`${url}/sign-up`)
    await audit('sign up')
    await goToDemo(page, url)
    await audit('the provider')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await sees(page, 'The login with Demo was canceled.')
    await audit('canceled')
    await goToDemo(page, url)
    await logInAtDemo(page, 'ada@elsewhere.test')
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    await audit('mailed')
    await enter(page, url, 'ada@example.com')
    await page.getByRole('button', { name: 'Unlink Demo ada@example.com' }).click()
    await audit('unlink')
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('button', { name: 'Log in again with Demo' }).click()
    await logInAtDemo(page, 'ada@example.com')
    await sees(page, 'You’ve confirmed it’s you.')
    await audit('confirmed')
  })
})
