import { readFileSync } from 'node:fs'
import { findings, overflows, wcag } from '@fastify-accounts/test-support/axe'
import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { createClient } from '@fastify-accounts/test-support/example-server/client'
import { describe, expect, it } from 'vitest'
import { logIn, password, sees, submit, visit } from './support/browser.js'
import { startService } from './support/service.js'

describe.skipIf(!isChromiumHere())('recent activity', () => {
  it('shows people what happened on their account, and gives them their data', {
    timeout: 120_000,
  }, async () => {
    const { url } = await startService()
    for (const username of ['ada', 'ben']) {
      const user = { username, password, confirm_password: password }
      expect((await createClient(url).post('/signup/', user)).status).toBe(201)
    }
    const page = await visit()
    await logIn(page, url, 'ada')
    const list = page.locator('#activity-list')
    const shows = (text: string): Promise<void> =>
      expect
        .poll(async () => {
          await page.reload()
          await page.locator('#activity-list:not([aria-busy])').waitFor()
          return list.textContent()
        })
        .toContain(text)
    await shows('Your account was created')
    await shows('Logged in')

    await submit(
      page,
      { 'Current password': password, 'New password': 'nine-red-balloons' },
      'Change password',
    )
    await sees(page, 'Your password has been changed.')
    await shows('Your password was changed')
    expect(await list.locator('li').count()).toBe(3)
    expect(await list.locator('li').first().textContent()).toContain(' · Linux')
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await findings(page, wcag)).toEqual([])
      expect(await overflows(page)).toBe(false)
    }

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download your data' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('my-data.json')
    const document = JSON.parse(readFileSync(await file.path(), 'utf8'))
    expect(document.account).toMatchObject({ username: 'ada' })
    expect(document.features.activity).toHaveLength(3)
    expect(JSON.stringify(document)).not.toContain('ben')
  })
})
