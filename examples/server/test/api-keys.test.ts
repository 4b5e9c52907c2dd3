import { findings, overflows, wcag } from '@fastify-accounts/test-support/axe'
import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { createClient } from '@fastify-accounts/test-support/example-server/client'
import { describe, expect, it } from 'vitest'
import { logIn, password, sees, submit, visit } from './support/browser.js'
import { startService } from './support/service.js'

const ada = { username: 'ada', password, confirm_password: password }

describe.skipIf(!isChromiumHere())('API keys', () => {
  it('are created, shown once, used by a program and removed', { timeout: 120_000 }, async () => {
    const { url } = await startService()
    expect((await createClient(url).post('/signup/', ada)).status).toBe(201)
    const page = await visit()
    await logIn(page, url, 'ada')
    const section = page.locator('#api-keys')
    await sees(page, 'You haven’t created any yet.')

    await submit(page, { 'Name of the new key': 'CI' }, 'Create a key')
    await sees(page, 'Choose what the key may do.')
    await section.getByLabel('Read your username and display name').check()
    await section.getByLabel('How long it works').selectOption('A year')
    await submit(page, { 'Name of the new key': 'CI' }, 'Create a key')
    await sees(page, 'Copy it now. You won’t see it again.')
    const key = (await page.textContent('#api-key-text')) ?? ''
    expect(key).toMatch(/^fa_\w+$/)
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await findings(page, wcag)).toEqual([])
      expect(await overflows(page)).toBe(false)
    }

    const ask = async (path: string) => {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
      return { status: response.status, body: await response.json() }
    }
    expect(await ask('/api/profile')).toEqual({
      status: 200,
      body: { username: 'ada', display_name: null },
    })
    expect(await ask('/api/email')).toMatchObject({ status: 403 })
    expect(await ask('/me/')).toMatchObject({ status: 401 })

    await page.reload()
    await sees(page, 'profile:read')
    await sees(page, / · last used on /)
    expect(await page.content()).not.toContain(key)
    await section.getByRole('button', { name: 'Remove CI' }).click()
    await page.getByRole('button', { name: 'Remove it' }).filter({ visible: true }).click()
    await sees(page, 'CI has been removed. Programs that have it are locked out.')
    expect(await ask('/api/profile')).toMatchObject({ status: 401 })
  })
})
