import { goodPassword, linkTarget, otherPassword, type TestApp } from '@fastify-accounts/test-support/app'
import { findings } from '@fastify-accounts/test-support/axe'
import { complaintsIn, isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import { onSomePort } from '@fastify-accounts/test-support/some-port'
import { invitations } from 'fastify-accounts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { pagesApp } from './pages-app.js'

let shared: Promise<Browser> | undefined
afterAll(async () => (await shared)?.close())

async function open(javaScriptEnabled: boolean): Promise<Page> {
  shared ??= launchChromium()
  const context = await (await shared).newContext({ locale: 'en', javaScriptEnabled })
  const complaints = complaintsIn(context)
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  return page
}

/** An app where an address has to be confirmed, and its origin. */
const service = (): Promise<TestApp & { origin: string }> =>
  onSomePort(async (port) => {
    const origin = `http://localhost:${port}`
    const options = { baseUrl: origin, requireEmailConfirmation: true, features: [invitations()] }
    const world = await pagesApp({}, options)
    await world.app.listen({ port, host: 'localhost' })
    return { ...world, origin }
  })

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor()
const isIn = async (page: Page) => {
  await page.waitForURL('**/secret/**')
  expect(await page.textContent('body')).toBe('in')
}

const ada = { email: 'ada@example.org', username: 'ada' }

describe.skipIf(!isChromiumHere()).each([
  ['with', true],
  ['without', false],
])('a browser %s JavaScript', (_, javaScriptEnabled) => {
  it('signs up from a guarded route, keeps what was typed, and is back', async () => {
    const { origin, mail } = await service()
    const page = await open(javaScriptEnabled)
    await page.goto(`${origin}/secret/`)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.fill('[name=email]', ada.email)
    await page.fill('[name=username]', 'a b')
    await page.fill('[name=password]', goodPassword)
    await press(page, 'Create account')
    await page.locator('#username-fault').waitFor()
    expect(await page.inputValue('[name=email]')).toBe(ada.email)
    expect(await page.title()).toMatch(/^Error: Create your account/)
    if (javaScriptEnabled) expect(await findings(page)).toEqual([])
    await page.fill('[name=username]', ada.username)
    await page.fill('[name=password]', goodPassword)
    // As Enter does.
    await page.press('[name=password]', 'Enter')
    await heading(page, 'Check your inbox')
    await page.reload()
    await heading(page, 'Check your inbox')
    if (javaScriptEnabled) expect(await findings(page)).toEqual([])
    await page.goto(origin + linkTarget(await mail('verify-email')))
    await press(page, 'Confirm')
    await heading(page, 'Your email address is confirmed')
    await page.reload()
    await page.getByRole('link', { name: /^Continue to/ }).click()
    await isIn(page)
  })

  it('gets in again after a forgotten password', async () => {
    const { app, origin, mail } = await service()
    await app.accounts.createUser({ ...ada, password: goodPassword, isVerified: true })
    const page = await open(javaScriptEnabled)
    await page.goto(`${origin}/secret/`)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.fill('[name=email]', ada.email)
    await press(page, 'Send email')
    await heading(page, 'Check your inbox')
    await page.goto(origin + linkTarget(await mail('reset-password')))
    await page.fill('[name=new_password]', otherPassword)
    await press(page, 'Set password')
    await heading(page, 'Your password has been changed')
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.fill('[name=username]', ada.username)
    await page.fill('[name=password]', otherPassword)
    await press(page, 'Log in')
    await isIn(page)
  })

  it('gets in by an invitation', async () => {
    const { app, origin, mail } = await service()
    await app.accounts.invite({ email: ada.email })
    const page = await open(javaScriptEnabled)
    await page.goto(origin + linkTarget(await mail('invitation')))
    await heading(page, 'Join localhost')
    await page.fill('[name=username]', ada.username)
    await page.fill('[name=new_password]', goodPassword)
    if (javaScriptEnabled) expect(await findings(page)).toEqual([])
    await press(page, 'Create account')
    await heading(page, 'Your account is ready')
    await page.getByRole('link', { name: /^Continue to/ }).click()
    await page.waitForURL('**/account/')
  })
})
