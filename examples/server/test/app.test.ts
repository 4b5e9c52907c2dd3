import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { createClient, newestMail } from '@fastify-accounts/test-support/example-server/client'
import Database from 'libsql'
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
  beside.setDefaultTimeout(20_000)
  await beside.waitForLoadState()
  return beside
}

async function signUp(url: string, username: string): Promise<void> {
  const user = { username, email: `${username}@example.org`, password, confirm_password: password }
  expect((await createClient(url).post('/signup/', user)).ok).toBe(true)
}

describe.skipIf(!here)('the app in a browser', () => {
  it('covers the life of an account', { timeout: 240_000 }, async () => {
    const service = await startService({ REST_AUTH_SIGNUP_REQUIRE_EMAIL_CONFIRMATION: 'true' })
    const { url } = service
    const page = await visit({ userAgent: chrome })
    const mailbox = await page.context().newPage()

    // A logged-out user is redirected to the login page, and finds the signup page from there.
    await page.goto(url)
    await page.waitForURL('**/log-in?next=account')
    await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click()
    await submit(page, { Username: 'ada', 'Email address': 'ada@example.org', Password: password }, 'Sign up')
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Check your inbox')

    // Login fails until the address is confirmed.
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
    await sees(page, 'Open the link in the email that we sent you first.')
    await submit(page, { 'Username or email address': 'ada@example.org', Password: password }, 'Log in')
    await sees(page, 'If you’ve just signed up, confirm your address first.')
    await page.getByRole('button', { name: 'Send confirmation email' }).click()
    await sees(page, 'If this address is waiting to be confirmed, we’ve emailed it a new link.')
    const verify = await followMail(mailbox, url, /Confirm your email address/, 'ada@example.org')
    await verify.getByRole('button').click()
    await verify.getByRole('link', { name: 'Continue to Example App' }).click()
    await verify.waitForURL('**/log-in?next=account')
    await verify.close()

    // After login, set a display name.
    await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
    await page.waitForURL('**/account')
    await submit(page, { 'Display name (optional)': 'Ada L.' }, 'Save')
    await sees(page, 'Saved.')
    await page.reload()
    expect(await page.inputValue('#display_name')).toBe('Ada L.')

    // Another device is listed and logged out.
    const other = await visit({ userAgent: firefox })
    await logIn(other, url, 'ada')
    await page.reload()
    await page.getByRole('listitem').filter({ hasText: 'Chrome on Linux' }).getByText('This device').waitFor()
    // The network as in emails, without a prefix length.
    expect(await page.locator('.device').first().textContent()).toMatch(/ · network 127\.0\.0\.x/)
    await page.getByRole('button', { name: 'Log out Firefox on Windows' }).click()
    await sees(page, 'Firefox on Windows is logged out.')
    expect(await page.locator('.device').count()).toBe(1)
    await other.getByRole('button', { name: 'Save' }).click()
    await other.waitForURL('**/log-in?next=account')

    // After logout, the back button doesn't show the account.
    await page.getByRole('button', { name: 'Log out', exact: true }).click()
    await sees(page, 'You’ve been logged out.')
    await page.goBack()
    await page.waitForURL('**/log-in?next=account')

    // Reset the password with an emailed link.
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await submit(page, { 'Email address': 'ada@example.org' }, 'Email me a link')
    await page.locator('[role=status]:not(:empty)').waitFor()
    const reset = await followMail(mailbox, url, /Reset your password/, 'ada@example.org')
    const chosen = 'eight-blue-lanterns'
    await submit(reset, { 'New password': chosen, 'Confirm new password': chosen }, 'Set password')
    await reset.getByRole('heading', { name: 'Your password has been changed' }).waitFor()
    await reset.close()
    await page.goto(`${url}/log-in`)
    await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
    await page.locator('[role=alert]:not(:empty)').waitFor()
    await logIn(page, url, 'ada', chosen)

    // Change the email address with a link sent to the new one.
    await submit(page, { 'New email address': 'ada@example.net' }, 'Change email address')
    await sees(page, 'Until then your address stays the same.')
    const change = await followMail(mailbox, url, /./, 'ada@example.net')
    await change.getByRole('button').click()
    await sees(change, 'ada@example.net')
    await change.close()
    await page.reload()
    expect(await page.textContent('#current-email')).toBe('ada@example.net')

    // Staff find the user by address, disable and enable the account.
    await signUp(url, 'grace')
    const welcome = await followMail(mailbox, url, /Confirm your email address/, 'grace@example.org')
    // Grace didn't sign up in this browser.
    await submit(welcome, { Password: password }, 'Confirm')
    await welcome.getByRole('heading', { name: 'Your email address is confirmed' }).waitFor()
    service.makeStaff('grace')
    const staff = await visit()
    await logIn(staff, url, 'grace')
    await staff.getByRole('link', { name: 'Users' }).click()
    await submit(staff, { 'Username or email address starts with': 'ada@' }, 'Search')
    await staff.waitForURL('**/users?search=ada%40')
    const row = staff.locator('.user')
    await row.getByText('ada@example.net').waitFor()
    expect(await row.count()).toBe(1)
    await row.locator('summary').click()
    await staff.getByRole('button', { name: 'Disable ada' }).click()
    await sees(staff, 'ada is disabled and logged out.')
    await page.reload()
    await page.waitForURL('**/log-in?next=account')
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
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await submit(page, { 'Your password': chosen }, 'Confirm')
    await sees(page, 'Your account has been deleted.')
    await submit(page, { 'Username or email address': 'ada', Password: chosen }, 'Log in')
    await page.locator('[role=alert]:not(:empty)').waitFor()
    await staff.reload()
    await sees(staff, 'No username or address starts with “ada@”.')
  })

  it('asks for the password if the login is too old, then continues the action', async () => {
    const { url, folder } = await startService()
    await signUp(url, 'ada')
    const page = await visit()
    await logIn(page, url, 'ada')
    // Twenty minutes pass.
    const database = new Database(`${folder}/data/accounts.db`)
    database.exec('UPDATE accounts_sessions SET confirmed_at = confirmed_at - 1200000')
    database.close()

    await submit(page, { 'New email address': 'ada@example.net' }, 'Change email address')
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await dialog.waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('password')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Change email address')
    // The form is notified in a later task, and can't be submitted before.
    await expect.poll(() => page.locator('form[aria-busy]').count()).toBe(0)

    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.type('not the password')
    await page.keyboard.press('Enter')
    await dialog.locator('.fault:not(:empty)').waitFor()
    expect(await page.getAttribute('#password', 'aria-invalid')).toBe('true')
    await dialog.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await sees(page, 'Until then your address stays the same.')
    expect(await dialog.isVisible()).toBe(false)
  })

  it('changes the password, which logs out the other devices', async () => {
    const { url } = await startService()
    await signUp(url, 'ada')
    const other = await visit({ userAgent: firefox })
    await logIn(other, url, 'ada')
    const page = await visit({ userAgent: chrome })
    await logIn(page, url, 'ada')
    await sees(page, 'Firefox on Windows')
    await submit(page, { 'Current password': 'not the password', 'New password': 'short' }, 'Change password')
    await page.locator('#old_password-fault:not(:empty), #new_password-fault:not(:empty)').first().waitFor()
    const next = 'eight-blue-lanterns'
    await submit(page, { 'Current password': password, 'New password': next }, 'Change password')
    await sees(page, 'Your password has been changed.')
    await expect.poll(() => page.locator('.device').count()).toBe(1)
    await other.reload()
    await other.waitForURL('**/log-in?next=account')
    await logIn(other, url, 'ada', next)
  })

  it('lets staff add a user, who chooses a password with an emailed link', async () => {
    const service = await startService()
    const { url } = service
    await signUp(url, 'grace')
    service.makeStaff('grace')
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
    await submit(reset, { 'New password': password, 'Confirm new password': password }, 'Set password')
    await reset.getByRole('heading', { name: 'Your password has been changed' }).waitFor()
    await logIn(newcomer, url, 'ada')
    // The page is for staff only.
    await newcomer.goto(`${url}/users`)
    await newcomer.waitForURL('**/account')
  })

  it('sends emails in the language of the browser used at signup', async () => {
    const { url } = await startService()
    const page = await visit({ locale: 'de-AT' })
    await page.goto(`${url}/sign-up`)
    await submit(page, { Username: 'ada', 'Email address': 'ada@example.org', Password: password }, 'Sign up')
    await page.waitForURL('**/account')
    expect(await page.inputValue('#locale')).toBe('de')
    const forgotten = await visit()
    await forgotten.goto(`${url}/forgotten-password`)
    await submit(forgotten, { 'Email address': 'ada@example.org' }, 'Email me a link')
    expect((await newestMail(url, 'reset-password', 'ada@example.org')).text).toContain(
      'Sie erhalten diese E-Mail',
    )
    await page.selectOption('#locale', 'fr')
    await submit(page, {}, 'Save')
    await sees(page, 'Saved.')
    await page.reload()
    expect(await page.inputValue('#locale')).toBe('fr')
  })

  it('lists users page by page, and supports the back button', async () => {
    const service = await startService({ THROTTLE: 'off' })
    const { url } = service
    const names = Array.from({ length: 25 }, (_, index) => `user${String(index).padStart(2, '0')}`)
    for (const name of ['grace', ...names]) await signUp(url, name)
    service.makeStaff('grace')
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
