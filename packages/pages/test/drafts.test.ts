import { goodPassword } from '@fastify-accounts/test-support/app'
import type { AccountsOptions } from 'fastify-accounts'
import { expect, it } from 'vitest'
import { type Browser, browser, pagesApp } from './pages-app.js'

const path = '/account/profile/'
const users = {
  fields: {
    type: 'object',
    properties: { about: { type: 'string', title: 'About you', maxLength: 5000 } },
  },
} as const
const addresses = { alice: 'alice@example.org', ben: 'ben@example.org' }

/** An app with alice and ben, and alice's browser at the form of her profile. */
async function atTheForm(options: Partial<AccountsOptions> = {}) {
  const world = await pagesApp({}, { users, ...options })
  const accounts = Object.entries(addresses).map(([username, email]) =>
    world.app.accounts.createUser({
      ...(options.users ? {} : { username }),
      ...{ email, password: goodPassword, isVerified: true },
    }),
  )
  const [alice] = await Promise.all(accounts)
  const visitor = browser(world.app)
  await visitor.open(path)
  await logIn(visitor, 'alice')
  expect(visitor.page.url).toBe(path)

  /** Ben logs in in another tab of the same browser. */
  async function leaveToBen(): Promise<void> {
    const tab = browser(world.app)
    await tab.open(path)
    await logIn(tab, 'ben')
    for (const [name, value] of tab.cookies) visitor.cookies.set(name, value)
  }
  const endSession = () => world.app.accounts.endUserSessions(alice?.id ?? '')
  const aboutOf = async (username: keyof typeof addresses) =>
    (await world.users.findByEmail(addresses[username]))?.fields.about
  return { visitor, leaveToBen, endSession, aboutOf }
}

const logIn = (visitor: Browser, username: keyof typeof addresses) =>
  visitor.submit('Log in', { username: addresses[username], password: goodPassword })

it('shows what somebody typed to nobody else who logs in after them', async () => {
  const { visitor, endSession, aboutOf } = await atTheForm()
  await endSession()
  const login = await visitor.submit('Save', { about: 'of Alice alone' })
  expect(login.heading).toMatch(/^Log in to/)
  const bens = await logIn(visitor, 'ben')
  expect(bens).toMatchObject({ status: 200, url: path })
  expect(bens.html).toContain('value="ben"')
  expect(bens.html).not.toContain('of Alice alone')
  await visitor.submit('Save')
  expect(await aboutOf('ben')).toBeUndefined()
})

it('keeps a form for its page, whatever is opened before', async () => {
  const { visitor, endSession } = await atTheForm()
  await endSession()
  await visitor.submit('Save', { about: 'of Alice' })
  await visitor.follow('Forgot password?')
  await visitor.submit('Send email', { email: 'nonsense' })
  await visitor.follow('Log in')
  expect((await logIn(visitor, 'alice')).html).toContain('of Alice</textarea>')
  // Once: a reload shows what is stored.
  expect((await visitor.reload()).html).not.toContain('of Alice')
})

it.each([
  ['what was typed', 'x'.repeat(100), true],
  ['the reason alone, where that is too long', 'x'.repeat(4000), false],
])('changes nothing for somebody who has logged in meanwhile, and shows %s', async (_, about, isKept) => {
  const { visitor, leaveToBen, aboutOf } = await atTheForm()
  await leaveToBen()
  const form = await visitor.submit('Save', { about })
  expect(form).toMatchObject({ status: 200, url: path })
  expect(form.text).toContain('You’re logged in as ben now. Nothing has changed.')
  expect(form.html.includes(about)).toBe(isKept)
  expect([await aboutOf('alice'), await aboutOf('ben')]).toEqual([undefined, undefined])
})

it('names who has logged in meanwhile by the address where there are no usernames', async () => {
  const { visitor, leaveToBen } = await atTheForm({ users: { ...users, names: 'none' } })
  await leaveToBen()
  const form = await visitor.submit('Save', { about: 'x' })
  expect(form.text).toContain('You’re logged in as ben@example.org now.')
})

it('leads back to a form whose content is too long to keep', async () => {
  const { visitor, endSession, aboutOf } = await atTheForm()
  await endSession()
  await visitor.submit('Save', { about: 'x'.repeat(4000) })
  const form = await logIn(visitor, 'alice')
  expect(form).toMatchObject({ status: 200, url: path, heading: 'Profile' })
  await visitor.submit('Save', { about: 'y'.repeat(4000) })
  expect(await aboutOf('alice')).toHaveLength(4000)
})
