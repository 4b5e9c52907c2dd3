import { complaintsIn, launchChromium } from '@fastify-accounts/test-support/chromium'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

export const password = 'seven-green-lanterns'

/** Shared by the tests of a process. */
let shared: Promise<Browser> | undefined

/** A page in a browser context of its own, like another device. Errors in its console fail the test. */
export async function visit(options: BrowserContextOptions = {}): Promise<Page> {
  shared ??= launchChromium()
  const context = await (await shared).newContext({ locale: 'en-GB', ...options })
  const complaints = complaintsIn(context, /ERR_CONNECTION_REFUSED/)
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  return page
}

/** Waits until this text is visible. */
export async function sees(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).filter({ visible: true }).first().waitFor()
}

/** Fills fields by their labels, and clicks a button. */
export async function submit(page: Page, fields: Record<string, string>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).filter({ visible: true }).fill(value)
  }
  await page.getByRole('button', { name: button, exact: true }).filter({ visible: true }).click()
}

export async function logIn(
  page: Page,
  url: string,
  username: string,
  secret: string = password,
): Promise<void> {
  await page.goto(`${url}/login/`)
  await submit(page, { 'Username or email address': username, Password: secret }, 'Log in')
  await page.waitForURL('**/account/')
}
