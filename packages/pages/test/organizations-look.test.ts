import { organizations } from '@fastify-accounts/organizations'
import { goodPassword, signUp } from '@fastify-accounts/test-support/app'
import { findings, overflows } from '@fastify-accounts/test-support/axe'
import { isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import { invitations } from 'fastify-accounts'
import { expect, it, onTestFinished } from 'vitest'
import { pagesApp } from './pages-app.js'

const longName = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten'.slice(0, 60)

it.skipIf(!isChromiumHere())(
  'shows organizations to everybody, in 320 pixels and with long names',
  async () => {
    const world = await pagesApp({}, { features: [invitations(), organizations()] })
    const { app, users } = world
    await app.listen({ port: 0, host: 'localhost' })
    const origin = app.listeningOrigin.replace('127.0.0.1', 'localhost')
    const { id, version } = await signUp(world, 'ada', { email: `ada@${'long-label.'.repeat(4)}example.org` })
    await users.update(id, { isVerified: true }, version)
    const { id: graceId } = await signUp(world, 'grace'.repeat(6), { email: 'grace@example.org' })
    const calls = app.accounts.organizations
    const acme = await calls.create({ name: longName, slug: 'acme', ownerId: id })
    await users.update(graceId, { isVerified: true }, (await users.findById(graceId))?.version ?? 0)
    await calls.addMember(acme.id, graceId, ['member'])
    await calls.invite(acme.id, { email: `${'x'.repeat(50)}@example.org`, roles: ['admin', 'member'] })
    const other = await calls.create({ name: longName, slug: 'other', ownerId: graceId })
    await calls.invite(other.id, { email: `ada@${'long-label.'.repeat(4)}example.org`, roles: ['member'] })

    const browser = await launchChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ viewport: { width: 320, height: 700 }, locale: 'de' })
    await page.goto(`${origin}/login/?next=/account/organizations/`)
    await page.locator('[name=username]').fill('ada')
    await page.locator('[name=password]').fill(goodPassword)
    await Promise.all([
      page.waitForURL(/organizations/),
      page.locator('main button[data-kind=primary]').click(),
    ])
    const top = '/account/organizations/'
    const paths = [
      ...[top, `${top}new/`, `${top}nowhere/`],
      ...[
        '',
        'members/',
        `members/${graceId}/`,
        `members/${graceId}/remove/`,
        'invitations/',
        'invitations/new/',
      ].map((below) => `${top}${acme.id}/${below}`),
      ...['settings/', 'settings/delete/', 'leave/'].map((below) => `${top}${acme.id}/${below}`),
    ]
    for (const path of paths) {
      await page.goto(origin + path)
      expect(new URL(page.url()).pathname, path).toBe(path)
      expect([path, ...(await findings(page))]).toEqual([path])
      expect([path, await overflows(page)]).toEqual([path, false])
      expect(await page.locator('main [data-kind=primary]').count(), path).toBeLessThanOrEqual(1)
    }
  },
)
