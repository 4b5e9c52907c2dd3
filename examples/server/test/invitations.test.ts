import { findings, overflows, wcag } from '@fastify-accounts/test-support/axe'
import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { createClient } from '@fastify-accounts/test-support/example-server/client'
import { describe, expect, it } from 'vitest'
import { logIn, password, sees, submit, visit } from './support/browser.js'
import { startService } from './support/service.js'

/** The link in the only email of this kind to an address, once it has arrived. */
async function linkFor(url: string, to: string, count = 1): Promise<string> {
  const mails = async () => {
    const all = (await (await fetch(`${url}/dev/mailbox.json`)).json()) as Record<string, string>[]
    return all.filter((mail) => mail.kind === 'invitation' && mail.to === to)
  }
  await expect.poll(async () => (await mails()).length).toBe(count)
  const [link = ''] = /http\S+\/invitation\/\S+/.exec((await mails()).at(-1)?.text ?? '') ?? []
  return link
}

const statusOf = async (link: string) =>
  (await fetch(link, { headers: { accept: 'application/json' } })).status

describe.skipIf(!isChromiumHere())('invitations', () => {
  it('are sent, sent again and withdrawn by staff, and accepted on a page', async () => {
    const service = await startService()
    const { url } = service
    for (const username of ['ada', 'eve']) {
      const user = { username, email: `${username}@example.org`, password, confirm_password: password }
      expect((await createClient(url).post('/signup/', user)).ok).toBe(true)
    }
    await service.makeStaff('ada')

    const stranger = await visit()
    await logIn(stranger, url, 'eve')
    await stranger.goto(`${url}/invite`)
    await stranger.waitForURL(`${url}/`)

    const staff = await visit()
    await logIn(staff, url, 'ada')
    await staff.goto(`${url}/users`)
    await staff.getByRole('link', { name: 'Invite' }).click()
    await sees(staff, 'No open invitations.')
    await submit(staff, { 'Email address': 'grace' }, 'Invite')
    await sees(staff, 'Enter a valid email address')
    await staff.getByLabel('support').check()
    await submit(staff, { 'Email address': 'grace@example.org' }, 'Invite')
    await sees(staff, 'Roles: support')
    await submit(staff, { 'Email address': 'lin@example.org' }, 'Invite')
    await sees(staff, 'We’ve emailed lin@example.org an invitation')
    for (const width of [1280, 360]) {
      await staff.setViewportSize({ width, height: 900 })
      expect(await findings(staff, wcag)).toEqual([])
      expect(await overflows(staff)).toBe(false)
    }

    const invited = await visit()
    await invited.goto(await linkFor(url, 'grace@example.org'))
    await submit(invited, { Username: 'grace', 'New password': password }, 'Create account')
    await invited.getByRole('heading', { name: 'Your account is ready' }).waitFor()
    // Accepting it has logged in.
    await invited.goto(`${url}/account/`)
    await sees(invited, 'Confirmed')
    await invited.goto(url)
    await sees(invited, 'Your roles: support')

    const first = await linkFor(url, 'lin@example.org')
    expect(await statusOf(first)).toBe(200)
    await staff.goto(`${url}/users`)
    const summary = staff.locator('summary', { hasText: 'lin@example.org' })
    expect(await summary.textContent()).toContain('Invited')
    await summary.click()
    await sees(staff, 'Invited by')
    expect(await staff.locator('details[open] dl').textContent()).toContain('ada')
    expect(await staff.locator('details[open] button').allTextContents()).toEqual([
      'Send again lin@example.org',
      'Withdraw lin@example.org',
    ])
    expect(await findings(staff, wcag)).toEqual([])

    await staff.goto(`${url}/invite`)
    const buttons = staff.locator('#invitation-list button')
    await buttons.first().waitFor()
    expect(await buttons.allTextContents()).toEqual([
      'Send again lin@example.org',
      'Withdraw lin@example.org',
    ])
    await staff.getByRole('button', { name: 'Send again lin@example.org' }).click()
    await sees(staff, 'We’ve emailed lin@example.org a new link.')
    const second = await linkFor(url, 'lin@example.org', 2)
    expect([await statusOf(first), await statusOf(second)]).toEqual([400, 200])
    await staff.getByRole('button', { name: 'Withdraw lin@example.org' }).click()
    await sees(staff, 'The invitation for lin@example.org is withdrawn.')
    await sees(staff, 'No open invitations.')
    expect(await statusOf(second)).toBe(400)
  })
})
