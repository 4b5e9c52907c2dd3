import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { createClient, newestMail } from '@fastify-accounts/test-support/example-server/client'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { logIn, password, sees, submit, visit } from './support/browser.js'
import { startService } from './support/service.js'

const here = isChromiumHere()

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

/** Opens an email in the mailbox like a user, follows its link, which opens a new tab, and returns that page. */
async function followMail(page: Page, url: string, subject: RegExp, address: string): Promise<Page> {
  await page.goto(`${url}/dev/mailbox`)
  // Emails arrive after the response: the list reloads itself.
  await page.locator('.list a').filter({ hasText: subject }).filter({ hasText: address }).first().click()
  const opened = page.context().waitForEvent('page')
  await page.frameLocator('iframe').getByRole('link').first().click()
  const beside = await opened
  beside.setDefaultTimeout(60_000)
  await beside.waitForLoadState()
  return beside
}

async function signUp(url: string, username: string): Promise<void> {
  const user = { username, email: `${username}@example.org`, password, confirm_password: password }
  expect((await createClient(url).post('/signup/', user)).ok).toBe(true)
}

describe.skipIf(!here)('the app in a browser', () => {
  it('covers the life of an account', async () => {
    const service = await startService({ REST_AUTH_SIGNUP_REQUIRE_EMAIL_CONFIRMATION: 'true' })
    const { url } = service
    const page = await visit({ userAgent: chrome })
    const mailbox = await page.context().newPage()

    // A stranger is led to log in, and finds the page to sign up from there.
    await page.goto(`${url}/account/`)
    await page.waitForURL('**/login/?next=**')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await submit(
      page,
      {
        Username: 'ada',
        'Email address': 'ada@example.org',
        'Display name (optional)': 'Ada',
        Password: password,
      },
      'Create account',
    )
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()

    // Login fails until the address is confirmed, and confirming in the same browser ends logged in.
    await page.goto(`${url}/login/`)
    await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
    await sees(page, 'Confirm your email address first.')
    const verify = await followMail(mailbox, url, /Confirm your email address/, 'ada@example.org')
    await verify.getByRole('button', { name: 'Confirm' }).click()
    await verify.getByRole('heading', { name: 'Your email address is confirmed' }).waitFor()
    await verify.close()
    await page.goto(`${url}/account/`)
    await sees(page, 'Confirmed')

    // Another device is listed and logged out.
    const other = await visit({ userAgent: firefox })
    await logIn(other, url, 'ada')
    await page.goto(`${url}/account/devices/`)
    await sees(page, 'Chrome on Linux')
    await page.getByRole('button', { name: 'Log out: Firefox on Windows' }).click()
    await sees(page, 'Device logged out.')
    await other.reload()
    await other.waitForURL('**/login/?next=**')

    // After logout, the back button doesn't show the account.
    await page.goto(`${url}/account/`)
    await page.getByRole('button', { name: 'Log out', exact: true }).click()
    await page.getByRole('heading', { name: 'You’re logged out' }).waitFor()
    await page.goBack()
    await page.waitForURL('**/login/?next=**')

    // Reset the password with an emailed link.
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await submit(page, { 'Email address': 'ada@example.org' }, 'Send email')
    await sees(page, 'If ada@example.org has an account')
    const reset = await followMail(mailbox, url, /Reset your password/, 'ada@example.org')
    const chosen = 'eight-blue-lanterns'
    await submit(reset, { 'New password': chosen }, 'Set password')
    await reset.getByRole('heading', { name: 'Your password has been changed' }).waitFor()
    await reset.close()
    await page.goto(`${url}/login/`)
    await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
    await sees(page, 'Wrong username, email address or password.')
    await logIn(page, url, 'ada', chosen)

    // Change the email address with a link sent to the new one.
    await page.goto(`${url}/account/email/`)
    await submit(page, { 'New email address': 'ada@example.net' }, 'Change email')
    await sees(page, 'We emailed a link to ada@example.net')
    const change = await followMail(mailbox, url, /./, 'ada@example.net')
    await change.getByRole('button', { name: 'Use this address' }).click()
    await sees(change, 'ada@example.net')
    await change.close()
    await page.goto(`${url}/account/`)
    await sees(page, 'ada@example.net')

    // Staff find the user by address, disable and enable the account.
    await signUp(url, 'grace')
    const welcome = await followMail(mailbox, url, /Confirm your email address/, 'grace@example.org')
    // Grace didn't sign up in this browser.
    await submit(welcome, { Password: password }, 'Confirm')
    await welcome.getByRole('heading', { name: 'Your email address is confirmed' }).waitFor()
    await service.makeStaff('grace')
    const staff = await visit()
    await logIn(staff, url, 'grace')
    await staff.goto(`${url}/users`)
    await submit(staff, { 'Username or email address starts with': 'ada@' }, 'Search')
    await staff.waitForURL('**/users?search=ada%40')
    const row = staff.locator('.user')
    await row.getByText('ada@example.net').waitFor()
    expect(await row.count()).toBe(1)
    await row.locator('summary').click()
    await staff.getByRole('button', { name: 'Disable ada' }).click()
    await sees(staff, 'ada is disabled and logged out.')
    await page.reload()
    await page.waitForURL('**/login/?next=**')
    await submit(page, { 'Username or email address': 'ADA@example.net', Password: chosen }, 'Log in')
    await sees(page, /disabled/)
    await staff.getByRole('button', { name: 'Enable ada' }).click()
    await sees(staff, 'ada is enabled.')

    // Adding a user with a taken address creates no account, and doesn't reveal that it is taken.
    await staff.getByRole('button', { name: 'Add a user' }).click()
    await submit(staff, { Username: 'twin', 'Email address': 'ada@example.net' }, 'Add')
    await sees(staff, 'If the address is free, twin has been added.')
    const kept = async () => (await createClient(url).get('/dev/mailbox.json')).text()
    await expect.poll(kept).toContain('account-exists')

    // The owner deletes the account.
    await logIn(page, url, 'ada', chosen)
    await page.goto(`${url}/account/delete/`)
    await page.locator('main input:not([type=hidden])').first().fill('ada')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await sees(page, 'Your account has been deleted.')
    await page.goto(`${url}/login/`)
    await submit(page, { 'Username or email address': 'ada', Password: chosen }, 'Log in')
    await sees(page, 'Wrong username, email address or password.')
    await staff.reload()
    await sees(staff, 'No username or address starts with “ada@”.')
  })

  it('has staff confirm that it’s them if the login is too old, and leads back', async () => {
    const service = await startService()
    const { url } = service
    await signUp(url, 'ada')
    await service.makeStaff('ada')
    const page = await visit()
    await logIn(page, url, 'ada')
    await signUp(url, 'grace')
    await page.goto(`${url}/users?search=grace`)
    await page.locator('summary').waitFor()
    // Twenty minutes pass.
    await service.change(sql`UPDATE accounts_sessions SET confirmed_at = confirmed_at - 1200000`)
    const makeStaff = async (status: number) => {
      await page.locator('summary', { hasText: 'grace' }).click()
      const response = page.waitForResponse((each) => each.request().method() === 'PATCH')
      await page.getByRole('button', { name: 'Make staff grace' }).click()
      expect((await response).status()).toBe(status)
    }
    await makeStaff(403)
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
    await submit(page, { Password: password }, 'Confirm')
    await page.waitForURL(`${url}/users?search=grace`)
    await makeStaff(200)
    await sees(page, 'grace is staff.')
  })

  it('lets staff add a user, who chooses a password with an emailed link', async () => {
    const service = await startService()
    const { url } = service
    await signUp(url, 'grace')
    await service.makeStaff('grace')
    const page = await visit()
    await logIn(page, url, 'grace')
    await page.goto(`${url}/users`)
    await page.getByRole('button', { name: 'Add a user' }).click()
    await submit(page, { Username: 'grace', 'Email address': 'ada@example.org' }, 'Add')
    await page.locator('#username[aria-invalid]').waitFor()
    await submit(page, { Username: 'ada' }, 'Add')
    await sees(page, 'ada has been added. We’ve emailed them a link to choose a password.')
    await page.getByText('ada@example.org').waitFor()

    const newcomer = await visit()
    const reset = await followMail(newcomer, url, /Reset your password/, 'ada@example.org')
    await submit(reset, { 'New password': password }, 'Set password')
    await reset.getByRole('heading', { name: 'Your password has been changed' }).waitFor()
    await logIn(newcomer, url, 'ada')
    // The page is for staff only.
    await newcomer.goto(`${url}/users`)
    await newcomer.waitForURL(`${url}/`)
  })

  it('sends emails in the language of the browser used at signup', async () => {
    const { url } = await startService()
    const page = await visit({ locale: 'de-AT' })
    await page.goto(`${url}/signup/`)
    await page.getByRole('heading', { name: 'Konto' }).waitFor()
    await page.locator('[name=username]').fill('ada')
    await page.locator('[name=email]').fill('ada@example.org')
    await page.locator('[name=password]').fill(password)
    await page.getByRole('button', { name: 'Konto anlegen' }).click()
    await page.waitForURL('**/account/')
    await createClient(url).post('/forgot/', { email: 'ada@example.org' })
    expect((await newestMail(url, 'reset-password', 'ada@example.org')).text).toContain(
      'Sie erhalten diese E-Mail',
    )
  })

  it('lists users page by page, and supports the back button', async () => {
    const service = await startService({ THROTTLE: 'off' })
    const { url } = service
    const names = Array.from({ length: 25 }, (_, index) => `user${String(index).padStart(2, '0')}`)
    for (const name of ['grace', ...names]) await signUp(url, name)
    await service.makeStaff('grace')
    const page = await visit()
    await logIn(page, url, 'grace')
    await page.goto(`${url}/users?search=user`)
    const shown = (): Promise<string[]> => page.locator('.user summary strong').allTextContents()
    await expect.poll(shown).toEqual(names.slice(0, 20))
    await page.getByRole('link', { name: 'Next page' }).click()
    await expect.poll(shown).toEqual(names.slice(20))
    expect(await page.getByRole('link', { name: 'Next page' }).isVisible()).toBe(false)
    expect(await page.inputValue('#search')).toBe('user')
    await page.goBack()
    await expect.poll(shown).toEqual(names.slice(0, 20))
    await page.goForward()
    await expect.poll(shown).toEqual(names.slice(20))
    await page.getByRole('link', { name: 'First page' }).click()
    await expect.poll(shown).toEqual(names.slice(0, 20))
  })
})
