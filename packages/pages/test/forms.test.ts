import { goodPassword, signUp } from '@fastify-accounts/test-support/app'
import { expect, it } from 'vitest'
import { browser, pagesApp } from './pages-app.js'

it('does nothing with the form of somebody else, and shows it to who is logged in now', async () => {
  const world = await pagesApp()
  for (const name of ['ada', 'grace']) await signUp(world, name, { email: `${name}@example.org` })
  const visitor = browser(world.app)
  await visitor.open('/login/?next=/account/email/')
  await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  expect(visitor.page.url).toBe('/account/email/')
  // In another tab.
  const other = browser(world.app)
  await other.open('/login/')
  await other.submit('Log in', { username: 'grace', password: goodPassword })
  for (const [name, value] of other.cookies) visitor.cookies.set(name, value)
  const button = /<button[^>]*data-kind="primary"[^>]*>([^<]*)</.exec(visitor.page.html)?.[1] ?? ''
  const shown = await visitor.submit(button, { email: 'new@example.org' })
  expect(shown).toMatchObject({ status: 200, url: '/account/email/' })
  expect(shown.text).toContain('You’re logged in as grace now.')
  expect(shown.html).toContain('value="new@example.org"')
  expect(world.mails.some(({ to }) => to.address === 'new@example.org')).toBe(false)
  const sent = await visitor.submit(button)
  expect(sent.text).not.toContain('You’re logged in as')
  expect((await world.mail('change-email', 'new@example.org')).to.address).toBe('new@example.org')
})
