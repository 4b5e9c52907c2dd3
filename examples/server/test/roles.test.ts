import { findings, overflows, wcag } from '@fastify-accounts/test-support/axe'
import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { createClient } from '@fastify-accounts/test-support/example-server/client'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { logIn, password, sees, submit, visit } from './support/browser.js'
import { startService } from './support/service.js'

async function signUp(url: string, username: string): Promise<void> {
  const user = { username, email: `${username}@example.org`, password, confirm_password: password }
  expect((await createClient(url).post('/signup/', user)).ok).toBe(true)
}

/** Lists the buttons that the page of users has for this one. */
async function buttonsFor(page: Page, username: string): Promise<string[]> {
  await page.locator('summary', { hasText: username }).click()
  const buttons = page.locator('details[open] .user-actions button')
  await buttons.first().waitFor()
  return buttons.allTextContents()
}

describe.skipIf(!isChromiumHere())('roles', () => {
  it('are given by staff, shown to their owner, and open what they permit', async () => {
    const service = await startService()
    const { url } = service
    for (const username of ['ada', 'grace', 'lin']) await signUp(url, username)
    await service.makeStaff('ada')

    const [staff, support] = [await visit(), await visit()]
    await logIn(support, url, 'grace')
    await support.goto(`${url}/users`)
    await support.waitForURL(`${url}/`)
    expect(await support.locator('#own-roles').count()).toBe(0)
    const status = () => support.request.get(`${url}/api/status`)
    expect((await status()).status()).toBe(403)

    await logIn(staff, url, 'ada')
    await staff.goto(`${url}/users`)
    const all = ['Disable', 'Make staff', 'Roles', 'Log out everywhere', 'Delete']
    expect(await buttonsFor(staff, 'grace')).toEqual(all.map((label) => `${label} grace`))
    await staff.getByRole('button', { name: 'Roles grace' }).click()
    const dialog = staff.getByRole('dialog', { name: 'Roles of grace' })
    await dialog.getByLabel('support').check()
    for (const width of [1280, 360]) {
      await staff.setViewportSize({ width, height: 900 })
      expect(await findings(staff, wcag)).toEqual([])
      expect(await overflows(staff)).toBe(false)
    }
    await submit(staff, {}, 'Save')
    await sees(staff, 'Roles of grace: support.')

    // At once, without a new login.
    await support.reload()
    await sees(support, 'Your roles: support')
    await support.getByRole('link', { name: 'Users' }).first().click()
    expect(await buttonsFor(support, 'lin')).toEqual(['Disable lin', 'Log out everywhere lin'])
    await support.getByRole('button', { name: 'Disable lin' }).click()
    await sees(support, 'lin is disabled and logged out.')
    expect((await createClient(url).post('/login/', { username: 'lin', password })).status).not.toBe(200)
    expect((await status()).status()).toBe(403)

    await staff.getByRole('button', { name: 'Roles grace' }).click()
    expect(await dialog.getByLabel('support').isChecked()).toBe(true)
    await dialog.getByLabel('support').uncheck()
    await dialog.getByLabel('operator').check()
    await submit(staff, {}, 'Save')
    await sees(staff, 'Roles of grace: operator.')
    expect(await (await status()).json()).toMatchObject({ ok: true, users: { state: 'ok' } })
    await support.goto(`${url}/users`)
    await support.waitForURL(`${url}/`)
    await sees(support, 'Your roles: operator')

    await staff.getByRole('button', { name: 'Roles grace' }).click()
    await dialog.getByLabel('operator').uncheck()
    await submit(staff, {}, 'Save')
    await sees(staff, 'Roles of grace: none.')
    expect((await status()).status()).toBe(403)
  })

  it('of support reach nobody with more rights', async () => {
    const service = await startService()
    const { url } = service
    for (const username of ['ada', 'grace']) await signUp(url, username)
    await service.makeStaff('ada')
    await service.giveRoles('grace', ['support'])
    const page = await visit()
    await logIn(page, url, 'grace')
    await page.goto(`${url}/users`)
    await buttonsFor(page, 'ada')
    await page.getByRole('button', { name: 'Disable ada' }).click()
    await page.locator('#failed:not(:empty)').waitFor()
    expect((await createClient(url).post('/login/', { username: 'ada', password })).status).toBe(200)
  })
})
