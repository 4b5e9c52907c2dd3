import { providers } from '@fastify-accounts/providers'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { startIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { noPassword } from 'fastify-accounts/features'
import { expect, it } from 'vitest'
import { browser, pagesApp } from './pages-app.js'

it('links a login with a provider, and removes it', async () => {
  const issuer = await startIssuer()
  const demo = { name: 'demo', label: 'Demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
  const { app } = await pagesApp({}, { features: [providers([demo])] })
  const account = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }
  await app.accounts.createUser(account)
  const visitor = browser(app)
  await visitor.open('/account/logins/')
  await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  expect(visitor.page.text).toContain('No other account is linked.')

  const going = await visitor.submit('Link Demo')
  expect(going.heading).toBe('Going to Demo')
  const [, location = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(going.html) ?? []
  const url = location.replaceAll('&#38;', '&').replaceAll('&amp;', '&')
  expect(url.startsWith(issuer.url)).toBe(true)
  const back = issuer.logIn(url, { sub: 'ada-1', email: 'ada@example.com', email_verified: true })
  const linked = await visitor.open(`/login/with/demo/callback/?${back}`)
  expect(linked).toMatchObject({ status: 200, url: '/account/logins/?linked=demo' })
  expect(linked.text).toContain('Demo: ada@example.com is linked. You can log in with it now.')
  // Nobody can have it said of another.
  expect((await visitor.open('/account/logins/?linked=other')).text).not.toContain('is linked')

  await visitor.open('/account/logins/')
  await visitor.follow('Remove')
  expect(visitor.page.heading).toBe('Remove Demo: ada@example.com?')
  const removed = await visitor.submit('Remove login')
  expect(removed.text).toContain('Login removed.')
  expect(removed.text).toContain('No other account is linked.')
  expect((await visitor.reload()).status).toBe(200)
})

it('names logins of a provider that is gone, and of one that was never stored, and removes them', async () => {
  const demo = { name: 'demo', label: 'Demo', issuer: 'https://demo.example', clientId: 'app' }
  const gone = { ...demo, name: 'gone', label: 'Gone', issuer: 'https://gone.example' }
  const { users, app: before } = await pagesApp({}, { features: [providers([demo, gone])] })
  const account = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }
  const { id } = await before.accounts.createUser(account)
  for (const { name, issuer } of [demo, gone])
    await before.accounts.addIdentity(id, { provider: name, issuer, subject: 'ada-1' })
  const stored = await users.findById(id)
  const identityKeys = [...(stored?.identityKeys ?? []), 'oidc:https://imported.example|ada-1']
  const credentials = (stored?.credentials ?? []).map((each, at) =>
    at === 0 ? { ...each, lastUsedAt: '2026-01-02T00:00:00.000Z' } : each,
  )
  await users.update(id, { identityKeys, credentials }, stored?.version ?? 0)

  const { app } = await pagesApp({}, { userStore: users, features: [providers([demo])] })
  const visitor = browser(app)
  await visitor.open('/account/')
  await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  expect(visitor.page.text).toContain('Linked logins Demo , Another provider and 1 more Manage')
  const list = await visitor.open('/account/logins/')
  expect(list.text).toMatch(/Demo Added \S+ \d+, \d{4} · Last used January 2, 2026 Remove/)
  expect(list.text).toMatch(/Another provider Added \S+ \d+, \d{4} · Not used yet Remove/)
  expect(list.text).toContain('Another provider Not used yet Remove')
  const removals = [...list.html.matchAll(/href="(\/account\/logins\/[^"]+\/remove\/)"/g)].map(
    ([, to = '']) => to,
  )
  const headings: string[] = []
  for (const to of removals) {
    headings.push((await visitor.open(to)).heading)
    // In another tab, at the same time.
    const other = browser(app)
    for (const [name, value] of visitor.cookies) other.cookies.set(name, value)
    await other.open(to)
    for (const each of [visitor, other])
      expect((await each.submit('Remove login')).text).toContain('Login removed.')
    expect((await visitor.open(to)).url).toBe('/account/logins/')
  }
  expect(headings).toEqual(['Remove Demo?', 'Remove Another provider?', 'Remove Another provider?'])
  expect((await users.findById(id))?.identityKeys).toEqual([])
})

it('refuses to remove the only login of an account, and says why', async () => {
  const demo = { name: 'demo', label: 'Demo', issuer: 'https://demo.example', clientId: 'app' }
  const { app, users } = await pagesApp({}, { features: [providers([demo])] })
  const { id } = await app.accounts.createUser({ username: 'ada', password: goodPassword })
  await app.accounts.addIdentity(id, { provider: 'demo', issuer: demo.issuer, subject: 'ada-1' })
  const visitor = browser(app)
  await visitor.open('/account/logins/')
  await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  await visitor.follow('Remove')
  const { version = 0 } = (await users.findById(id)) ?? {}
  await users.update(id, { passwordHash: noPassword }, version)
  const refused = await visitor.submit('Remove login')
  expect(refused).toMatchObject({ status: 409, heading: 'Remove Demo?' })
  expect(refused.text).toContain('This is the only way to log in')
  expect((await visitor.follow('Keep it')).text).toContain('Demo')
})

it('leads on from the page that says that an email shows whose login it is', async () => {
  const issuer = await startIssuer()
  const demo = { name: 'demo', label: 'Demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
  const { app } = await pagesApp({}, { features: [providers([demo])] })
  const email = 'ada@example.org'
  await app.accounts.createUser({ username: 'ada', password: goodPassword, email, isVerified: true })
  const visitor = browser(app)
  await visitor.open('/login/')
  const going = await visitor.submit('Continue with Demo')
  const [, location = ''] = /url=(.*)/.exec(String(going.response.headers.refresh)) ?? []
  const back = issuer.logIn(location, { sub: 'x', email, email_verified: false })
  const mailed = await visitor.open(`/login/with/demo/callback/?${back}`)
  expect(mailed).toMatchObject({ status: 202, heading: 'Check your inbox' })
  await visitor.follow('Continue to localhost:3000')
  expect(visitor.page.heading).toBe('Log in to localhost:3000')
})
