import { findings, overflows, wcag } from '@fastify-accounts/test-support/axe'
import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { createClient, linkIn, newestMail } from '@fastify-accounts/test-support/example-server/client'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { logIn, password, sees, submit, visit } from './support/browser.js'
import { startService } from './support/service.js'

/** Signs up, and verifies the address with the emailed link and the password. */
async function joins(url: string, username: string): Promise<void> {
  const email = `${username}@example.org`
  const client = createClient(url)
  const user = { username, email, password, confirm_password: password }
  expect((await client.post('/signup/', user)).status).toBe(201)
  expect((await client.post('/signup/v/', { email })).ok).toBe(true)
  const mail = await newestMail(url, 'verify-email', email)
  expect((await client.post(linkIn(mail), {})).ok).toBe(true)
}

const row = (page: Page, list: string, name: string) => page.locator(`#${list} li`, { hasText: name })

describe.skipIf(!isChromiumHere())('organizations', () => {
  it('are created, and people invited, who accept or decline, get other roles, leave or are removed', {
    timeout: 120_000,
  }, async () => {
    const { url } = await startService()
    for (const name of ['ada', 'grace', 'lin']) await joins(url, name)
    const [ada, grace, lin] = [await visit(), await visit(), await visit()]
    await logIn(ada, url, 'ada')
    await ada.getByRole('link', { name: 'Your organizations' }).click()
    await sees(ada, 'You don’t belong to an organization.')
    await submit(ada, { Name: 'Acme', 'Short name': 'Acme Ltd' }, 'Create')
    await ada.locator('#slug[aria-invalid]').waitFor()
    await submit(ada, { Name: 'Acme', 'Short name': 'acme' }, 'Create')
    await sees(ada, 'Acme is created.')
    await ada.getByRole('link', { name: 'Acme', exact: true }).click()
    await sees(ada, 'No open invitations.')
    for (const name of ['grace', 'lin']) {
      await submit(ada, { 'Email address': `${name}@example.org` }, 'Invite')
      await sees(ada, `We’ve emailed ${name}@example.org an invitation.`)
    }

    await logIn(grace, url, 'grace')
    const projects = () => grace.request.get(`${url}/api/organizations/acme/projects`)
    expect((await projects()).status()).toBe(404)
    await grace.goto(`${url}/organization?name=acme`)
    await grace.waitForURL('**/my-organizations')
    await row(grace, 'own-invitation-list', 'Acme').getByRole('button', { name: 'Accept' }).click()
    await sees(grace, 'You’re a member of Acme.')
    expect(await (await projects()).json()).toEqual({ organization: 'acme', may_write: false, projects: [] })

    await logIn(lin, url, 'lin')
    await lin.goto(`${url}/my-organizations`)
    await row(lin, 'own-invitation-list', 'Acme').getByRole('button', { name: 'Decline' }).click()
    await sees(lin, 'You declined.')
    await sees(lin, 'You don’t belong to an organization.')

    await ada.reload()
    await sees(ada, 'No open invitations.')
    await row(ada, 'member-list', 'grace').getByRole('button', { name: 'Roles' }).click()
    const dialog = ada.getByRole('dialog', { name: 'Roles of grace' })
    await dialog.getByLabel('member').uncheck()
    await dialog.getByLabel('admin').check()
    for (const page of [ada, grace]) {
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await findings(page, wcag)).toEqual([])
        expect(await overflows(page)).toBe(false)
      }
    }
    await submit(ada, {}, 'Save')
    await sees(ada, 'Roles of grace: admin.')
    expect(await (await projects()).json()).toMatchObject({ may_write: true })

    // An admin invites, and has no buttons for more than that role may.
    await grace.goto(`${url}/organization?name=acme`)
    await sees(grace, 'Invite someone')
    expect(await grace.locator('#delete-organization').isVisible()).toBe(false)
    await submit(grace, { 'Email address': 'eve@example.org' }, 'Invite')
    await grace.getByRole('button', { name: 'Withdraw eve@example.org' }).click()
    await sees(grace, 'The invitation for eve@example.org is withdrawn.')
    expect(await findings(grace, wcag)).toEqual([])

    await ada.getByRole('button', { name: 'Leave the organization' }).click()
    await sees(ada, 'Make somebody else an owner first')
    await ada.getByRole('button', { name: 'Remove grace' }).click()
    await sees(ada, 'grace is no longer a member.')
    expect((await projects()).status()).toBe(404)
    await ada.getByRole('button', { name: 'Delete the organization' }).click()
    await submit(ada, { 'Your password': password }, 'Confirm')
    await ada.waitForURL('**/my-organizations')
    await sees(ada, 'You don’t belong to an organization.')
  })
})
