import { findings, overflows, wcag } from '@fastify-accounts/test-support/axe'
import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { sample } from '@fastify-accounts/test-support/depth'
import {
  createClient,
  linkIn,
  mailsOf,
  newestMail,
} from '@fastify-accounts/test-support/example-server/client'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { logIn, password, sees, submit, visit } from './support/browser.js'
import { startService } from './support/service.js'

const here = isChromiumHere()

const ada = { username: 'ada', email: 'ada@example.org' }

/** Ada's account, with a confirmed address, and a logged-out browser. */
async function adaLoggedOut(options: BrowserContextOptions = {}): Promise<{ page: Page; url: string }> {
  const { url } = await startService()
  const client = createClient(url)
  expect((await client.post('/signup/', { ...ada, password, confirm_password: password })).status).toBe(201)
  await client.post('/signup/v/', { email: ada.email })
  const link = linkIn(await newestMail(url, 'verify-email', ada.email))
  expect((await client.get(link, { accept: 'application/json' })).status).toBe(200)
  return { page: await visit(options), url }
}

async function askForCode(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/log-in`)
  await page.getByLabel('Username or email address').fill(ada.email)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  expect(await page.getByLabel('Email address', { exact: true }).inputValue()).toBe(ada.email)
  await submit(page, {}, 'Email me a code')
  await sees(page, `If ${ada.email} belongs to an account`)
}

const codeIn = ({ text }: { text: string }): string =>
  /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(text)?.[0] ?? `no code in: ${text}`

describe.skipIf(!here)('a login code by email', () => {
  it('logs in a user who has signed up without a password', async () => {
    const { url } = await startService()
    const page = await visit()
    await page.goto(`${url}/sign-up`)
    await submit(page, { Username: 'ada', 'Email address': ada.email }, 'Sign up')
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    await page.goto(new URL(linkIn(await newestMail(url, 'verify-email', ada.email)), url).href)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await sees(page, 'log in with a code')
    await askForCode(page, url)
    const code = codeIn(await newestMail(url, 'login-code', ada.email))
    await submit(page, { 'Code from the email': code }, 'Log in')
    await page.waitForURL('**/account')
    expect(await page.inputValue('#username')).toBe('ada')
  })

  it('logs in a user who reads it in the mailbox and types it', async () => {
    const { page, url } = await adaLoggedOut()
    await askForCode(page, url)
    await newestMail(url, 'login-code', ada.email)
    const mailbox = await visit()
    await mailbox.goto(`${url}/dev/mailbox`)
    await mailbox.locator('.list .unread').first().click()
    await mailbox.getByRole('link', { name: 'Text', exact: true }).click()
    const text = (await mailbox.locator('.mail pre').textContent()) ?? ''
    const code = codeIn({ text })
    await submit(page, { 'Code from the email': 'AAAA-AAAA' }, 'Log in')
    await page.locator('#emailed-code[aria-invalid]').waitFor()
    // In lowercase with a space, as people may type it.
    await submit(page, { 'Code from the email': code.toLowerCase().replace('-', ' ') }, 'Log in')
    await page.waitForURL('**/account')
    expect(await page.inputValue('#username')).toBe('ada')
    // It works only once.
    await page.context().clearCookies()
    const used = await page.request.post(`${url}/login/code/confirm/`, { data: { code } })
    expect(used.status()).toBe(401)
  })

  it('can be sent again, after which the first still logs in, and reveals no accounts', async () => {
    const { page, url } = await adaLoggedOut()
    await askForCode(page, url)
    const first = codeIn(await newestMail(url, 'login-code', ada.email))
    await page.getByRole('button', { name: 'Send a new code' }).click()
    await sees(page, 'We’ve sent a new code.')
    const codes = async () => (await mailsOf(url)).filter(({ kind }) => kind === 'login-code').map(codeIn)
    await expect.poll(async () => (await codes()).length).toBe(2)
    await submit(page, { 'Code from the email': first }, 'Log in')
    await page.waitForURL('**/account')
    await page.context().clearCookies()
    await page.goto(`${url}/log-in`)
    await page.getByRole('button', { name: 'Email me a code' }).click()
    await submit(page, { 'Email address': 'nobody@example.org' }, 'Email me a code')
    // The same as for an existing account.
    await sees(page, 'If nobody@example.org belongs to an account')
  })

  it('still requires the second factor', async () => {
    const { page, url } = await adaLoggedOut()
    await logIn(page, url, 'ada')
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = ((await page.textContent('#factor-key')) ?? '').replaceAll(' ', '')
    await submit(page, { 'Code from the app': codeOf(secret, -1) }, 'Turn it on')
    await sees(page, 'Two-step verification is on.')
    // A page that is still loading would notice the logout and navigate to the login page itself.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await askForCode(page, url)
    const code = codeIn(await newestMail(url, 'login-code', ada.email))
    await submit(page, { 'Code from the email': code }, 'Log in')
    await sees(page, 'Two-step verification is on for your account.')
    expect((await page.request.get(`${url}/me/`)).status()).toBe(401)
    await submit(page, { 'Code from the app': codeOf(secret) }, 'Continue')
    await page.waitForURL('**/account')
  })

  it('sets a forgotten password in the browser that requested it', async () => {
    const { page, url } = await adaLoggedOut()
    await page.goto(`${url}/forgotten-password`)
    await submit(page, { 'Email address': ada.email }, 'Email me a link')
    const code = codeIn(await newestMail(url, 'reset-password', ada.email))
    const changed = 'a password that ada chose later'
    await submit(page, { 'Code from the email': 'AAAA-AAAA', 'New password': changed }, 'Change password')
    await page.locator('#emailed-code[aria-invalid]').waitFor()
    await submit(page, { 'Code from the email': code, 'New password': 'short' }, 'Change password')
    await page.locator('#new_password[aria-invalid]').waitFor()
    await submit(page, { 'New password': changed }, 'Change password')
    await sees(page, 'Your password has been changed.')
    await logIn(page, url, 'ada', changed)
    await page.waitForURL('**/account')
  })

  it.each(['light', 'dark'] as const)('has pages that pass axe in %s mode', async (colorScheme) => {
    const { page, url } = await adaLoggedOut({ colorScheme })
    const audit = async (name: string): Promise<void> => {
      for (const width of sample(`${name}, ${colorScheme}`, [390, 1280])) {
        await page.setViewportSize({ width, height: 800 })
        expect(await findings(page, [...wcag, 'best-practice']), `${name}, ${width}`).toEqual([])
        expect(await overflows(page), `${name} is wider than its window, ${width}`).toBe(false)
      }
    }
    await page.goto(`${url}/log-in`)
    await page.getByRole('button', { name: 'Email me a code' }).click()
    await audit('ask')
    await submit(page, { 'Email address': ada.email }, 'Email me a code')
    await sees(page, `If ${ada.email} belongs to an account`)
    await audit('type')
  })
})
