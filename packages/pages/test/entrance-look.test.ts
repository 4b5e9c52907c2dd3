import { passkeys } from '@fastify-accounts/passkeys'
import { providers } from '@fastify-accounts/providers'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { findings, overflows } from '@fastify-accounts/test-support/axe'
import { complaintsIn, isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import { codeIn } from '@fastify-accounts/test-support/email-code'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import { onSomePort } from '@fastify-accounts/test-support/some-port'
import { secondFactor } from 'fastify-accounts'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { pagesApp } from './pages-app.js'

const demo = { name: 'demo', label: 'Demo', issuer: 'http://localhost:1', clientId: 'app' }
const alice = { username: 'alice', password: goodPassword, email: 'alice@example.org', isVerified: true }

/** The app with every way to log in, and a browser in 320 pixels whose complaints fail the test. */
async function opened(locale: string) {
  const features = [passkeys(), providers([demo]), secondFactor()]
  const world = await onSomePort(async (port) => {
    const origin = `http://localhost:${port}`
    const app = await pagesApp({}, { baseUrl: origin, features, login: { emailCode: true } })
    await app.app.listen({ port, host: 'localhost' })
    return { ...app, origin }
  })
  const { id } = await world.app.accounts.createUser(alice)
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ locale, viewport: { width: 320, height: 700 } })
  page.setDefaultTimeout(60_000)
  const complaints = complaintsIn(page.context())
  onTestFinished(() => expect(complaints).toEqual([]))
  return { ...world, id, page }
}

/** Nothing is wrong with how a page looks. */
async function isFine(page: Page): Promise<void> {
  const { pathname } = new URL(page.url())
  expect([pathname, ...(await findings(page))]).toEqual([pathname])
  expect([pathname, await overflows(page)]).toEqual([pathname, false])
  expect(await page.locator('main [data-kind=primary]:visible').count(), pathname).toBeLessThanOrEqual(1)
}

const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()
const at = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)
const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor()

it.skipIf(!isChromiumHere())('is fine to look at on every way in, and leads back', async () => {
  const { page, origin, mail, app, id, ...world } = await opened('en-GB')
  await page.goto(`${origin}/secret/?a=1`)
  await isFine(page)
  // The keyboard alone: a wrong password, which its owner looks at.
  await page.getByLabel('Username or email address').fill('alice')
  await page.getByLabel('Password', { exact: true }).fill('not-this-one')
  await page.getByRole('button', { name: /^Show/ }).click()
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Wrong username, email address or password.').waitFor()
  expect(await page.title()).toMatch(/^Error: /)
  await isFine(page)

  await press(page, 'Email me a code')
  await heading(page, 'Email me a code')
  await isFine(page)
  await page.getByLabel('Email address').fill('alice@example.org')
  await page.keyboard.press('Enter')
  await heading(page, 'Check your inbox')
  await isFine(page)
  expect(await page.getByRole('button', { name: /^Send it again \(\d+\)/ }).isDisabled()).toBe(true)
  await page.getByLabel('Code').fill(codeIn(await mail('login-code')))
  await page.keyboard.press('Enter')
  await at(page, '/secret/')
  expect(page.url()).toBe(`${origin}/secret/?a=1`)

  await page.goto(`${origin}/login/`)
  await heading(page, 'You’re already logged in')
  await isFine(page)
  const { secret } = await enroll({ send: world.send })
  await app.accounts.endUserSessions(id)
  await page.goto(`${origin}/secret/`)
  await page.getByText('Last used').waitFor()
  await isFine(page)
  await page.getByLabel('Username or email address').fill('alice')
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.keyboard.press('Enter')
  await heading(page, 'Two-step verification')
  await page.getByText('Try another way').click()
  await isFine(page)
  await page.getByLabel('Code from your authenticator app').fill(codeOf(secret))
  await page.keyboard.press('Enter')
  await at(page, '/secret/')
  await page.goto(`${origin}/logout/`)
  await isFine(page)
  await press(page, 'Log out')
  await heading(page, 'You’re logged out')
  await isFine(page)
  await page.goBack()
  await page.goto(`${origin}/account/`)
  await heading(page, 'Log in to localhost')
})

it.skipIf(!isChromiumHere())('has room for German, and confirms', async () => {
  const { page, origin, sessions } = await opened('de')
  await page.goto(`${origin}/login/?next=/account/email/`)
  await isFine(page)
  await page.getByLabel('Benutzername oder E-Mail-Adresse').fill('alice')
  await page.getByLabel('Passwort', { exact: true }).fill(goodPassword)
  await page.keyboard.press('Enter')
  await at(page, '/account/email/')
  for (const { id, ...row } of [...sessions.rows.values()])
    await sessions.change(id, row as never, { confirmedAt: new Date(0) })
  await page.reload()
  await heading(page, 'Bestätigen Sie, dass Sie es sind')
  await isFine(page)
  await page.getByLabel('Passwort', { exact: true }).fill(goodPassword)
  await page.keyboard.press('Enter')
  await at(page, '/account/email/')
})
