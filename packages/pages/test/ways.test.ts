import { goodPassword, type TestApp } from '@fastify-accounts/test-support/app'
import { appBrowser } from '@fastify-accounts/test-support/app-browser'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import { apiKeys, secondFactor, tokens } from 'fastify-accounts'
import { expect, it } from 'vitest'
import { type Browser, browser, later, pagesApp } from './pages-app.js'

const ada = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }

/** Ada, logged in by the page. */
async function adaOn(page: string, options: Parameters<typeof pagesApp>[1]) {
  const world = await pagesApp({}, options)
  await world.app.accounts.createUser(ada)
  const visitor = browser(world.app)
  await visitor.open(page)
  await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  return { world, visitor }
}

const keyOn = ({ page }: Browser): string =>
  (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.html)?.[1] ?? '').replaceAll(' ', '')
const codesOn = ({ page }: Browser): string[] =>
  [...page.html.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, code = '']) => code)

it('sets up an authenticator app in three pages, each of which may be reloaded', async () => {
  const { world, visitor } = await adaOn('/account/two-step/', { features: [secondFactor()] })
  expect(visitor.page.heading).toBe('Two-step verification')
  const scan = await visitor.submit('Set up an app')
  expect(scan.heading).toBe('Scan the QR code')
  expect(scan.html).toMatch(/<img src="data:image\/svg\+xml;base64,[\w+/=]+" alt="QR code/)
  expect(scan.html).toContain('href="otpauth://totp/')
  expect(String(scan.response.headers['content-security-policy'])).toContain("img-src 'self' data:")
  const secret = keyOn(visitor)
  await visitor.submit('Continue')
  expect(visitor.page.heading).toBe('Enter the code')
  const wrong = await visitor.submit('Turn on', { code: '000000' })
  expect(wrong).toMatchObject({ status: 400, heading: 'Enter the code' })
  const shown = await visitor.submit('Turn on', { code: codeOf(secret, -1) })
  expect(shown).toMatchObject({ status: 200, url: '/account/recovery-codes/' })
  expect(shown.text).toContain('Save these codes. Each one gets you in once if you lose your phone.')
  const codes = codesOn(visitor)
  expect(codes).toHaveLength(10)
  expect(shown.html).toMatch(/href="data:text\/plain[^"]*ada[^"]*" download="recovery-codes-localhost.txt"/)
  await visitor.reload()
  expect(codesOn(visitor)).toEqual(codes)
  const done = await visitor.submit('I’ve saved them')
  expect(done.url).toBe('/account/two-step/')
  expect(done.text).toContain('10 codes left')
  const again = await visitor.open('/account/recovery-codes/')
  expect(again.text).not.toContain(codes[0])

  const elsewhere = appBrowser(world)
  const login = await elsewhere.send('POST', '/login/', { username: 'ada', password: goodPassword })
  expect(login.json().factors).toEqual(['totp', 'recovery-code'])

  await visitor.open('/account/two-step/')
  await visitor.follow('Rename')
  await visitor.submit('Save', { name: 'My phone' })
  expect(visitor.page.text).toContain('My phone')
  await visitor.follow('Remove')
  expect(visitor.page.text).toContain('your password alone is enough to log in')
  await visitor.submit('Remove app')
  expect(visitor.page).toMatchObject({ status: 200, url: '/account/two-step/' })
  expect(visitor.page.text).toContain('No app is set up.')
})

it('leads to the beginning of the set-up from a code for nothing', async () => {
  const { visitor } = await adaOn('/account/two-step/app/', { features: [secondFactor()] })
  await visitor.submit('Continue')
  await visitor.submit('Continue')
  visitor.page.html = visitor.page.html.replace(/<input type="hidden" name="setup"[^>]*>/, '')
  const begun = await visitor.submit('Turn on', { code: '123456' })
  expect(begun).toMatchObject({ url: '/account/two-step/app/', heading: 'Set up an authenticator app' })
  // Neither a set-up nor a code.
  await visitor.submit('Continue')
  await visitor.submit('Continue')
  visitor.page.html = visitor.page.html.replace(/<input [^>]*name="(?:setup|code)"[^>]*>/g, '')
  expect((await visitor.submit('Turn on')).url).toBe('/account/two-step/app/')
  expect((await visitor.open('/account/two-step/app/code/')).url).toBe('/account/two-step/app/')
})

it('starts the set-up again once it took too long, with next', async () => {
  const { visitor } = await adaOn('/account/two-step/app/?next=%2Fsecret%2F', { features: [secondFactor()] })
  await visitor.submit('Continue')
  await visitor.submit('Continue')
  const late = visitor.page.html.replace(/name="setup" value="[^"]*"/, '')
  expect(late).not.toBe(visitor.page.html)
  const refused = await visitor.submit('Turn on', { code: '123456', setup: 'x' })
  expect(refused.text).toContain('Setting up took too long.')
  await visitor.submit('Start again')
  const secret = keyOn(visitor)
  await visitor.submit('Continue')
  await visitor.submit('Turn on', { code: codeOf(secret, -1) })
  const on = await visitor.submit('I’ve saved them')
  expect(on).toMatchObject({ url: '/secret/', html: 'in' })
})

it('lists devices, and logs one or all others out', async () => {
  const { world, visitor } = await adaOn('/account/devices/', {})
  expect(visitor.page.text).toContain('You aren’t logged in anywhere else.')
  const others = await Promise.all([1, 2, 3].map(() => loggedIn(world)))
  await visitor.reload()
  expect(visitor.page.html.match(/>Log out</g)).toHaveLength(4)
  await visitor.submit('Log out: Unknown device')
  expect(visitor.page.text).toContain('Device logged out.')
  await visitor.submit('Log out all other devices')
  expect(visitor.page.text).toContain('You aren’t logged in anywhere else.')
  expect(await Promise.all(others.map((each) => each.who()))).toEqual([null, null, null])
  expect((await visitor.reload()).status).toBe(200)
})

async function loggedIn(world: TestApp) {
  const other = appBrowser(world)
  await other.logIn('ada')
  return other
}

it('names a device by its app, browser or system, and its network if that is stored', async () => {
  const features = [tokens()]
  const { world, visitor } = await adaOn('/account/devices/', { features })
  const logInFrom = async (agent: string, delivery?: string) => {
    const headers = { 'user-agent': agent, ...(delivery && { 'accounts-delivery': delivery }) }
    const body = { username: 'ada', password: goodPassword }
    const { statusCode } = await world.send('POST', '/login/', body, { headers })
    expect(statusCode).toBe(200)
  }
  await logInFrom('Example/1.0', 'tokens; name="Adas phone"')
  await logInFrom('Mozilla/5.0 (X11; Linux x86_64)')
  await logInFrom('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
  const names = namesOn(await visitor.reload())
  expect(names.toSorted()).toEqual(['Adas phone', 'Firefox on Linux', 'Linux', 'Unknown device'])
  expect(visitor.page.text).toMatch(/Adas phone Last active \S+ \d+, \d{4} · 127\.0\.0\.0\/24 /)
  // Logged out meanwhile, on the device itself.
  const [session] = [...world.sessions.rows.values()].filter(({ name }) => name === 'Adas phone')
  await world.sessions.delete(session?.id ?? '')
  expect((await visitor.submit('Log out: Adas phone')).text).toContain('Device logged out.')
  expect(namesOn(visitor.page)).toHaveLength(3)

  const { visitor: other } = await adaOn('/account/devices/', { session: { ip: 'off' } })
  expect(other.page.text).toMatch(/Unknown device Last active \S+ \d+, \d{4} You aren’t/)
})

/** What the rows of a list are about. */
const namesOn = ({ html }: { html: string }): string[] =>
  [...html.matchAll(/<bdi data-part="name">([^<]*)<\/bdi>/g)].map(([, name = '']) => name)

it('creates an API key that is shown once, and removes it', async () => {
  const { world, visitor } = await adaOn('/account/api-keys/', {
    features: [apiKeys({ scopes: { 'orders:read': 'Read orders', 'orders:write': 'Change orders' } })],
  })
  await visitor.follow('Create an API key')
  expect(visitor.page.html).toMatch(/<option value="90" selected>90 days/)
  const none = await visitor.submit('Create key', { name: 'Reports' })
  expect(none).toMatchObject({ status: 400 })
  expect(none.html).toContain('value="Reports"')
  await visitor.submit('Create key', { 'scope.orders:read': 'on', expires_in: '7' })
  expect(visitor.page.heading).toBe('Your new API key')
  const key = /Bearer ([\w.-]+)/.exec(visitor.page.text)?.[1]
  const listed = await world.app.accounts.listApiKeys((await userOf(world)).id)
  expect(listed).toMatchObject([{ name: 'Reports', scopes: ['orders:read'] }])
  expect((await visitor.reload()).text).toContain(key)
  const list = await visitor.submit('I’ve copied it')
  expect(list.text).not.toContain(key)
  expect((await visitor.open('/account/api-keys/created/')).url).toBe('/account/api-keys/')
  const removed = await visitor.submit('Remove')
  expect(removed.text).toContain('API key removed. It no longer works.')
})

it('shows what a key is for, when it was used, and that it no longer works', async () => {
  const { world, visitor } = await adaOn('/account/api-keys/', {
    features: [apiKeys({ scopes: ['read', 'write', 'list'], lifetime: 45 * 24 * 3600_000 })],
  })
  const { id } = await userOf(world)
  const { createApiKey } = world.app.accounts
  await createApiKey(id, { name: 'Shop', scopes: ['read', 'write', 'list'], resource: 'project <1>' })
  await createApiKey(id, { name: 'Short', scopes: ['list'], lifetime: 60_000 })
  await createApiKey(id, { name: 'Used', scopes: ['list'] })
  const { version = 0, credentials = [] } = (await world.users.findById(id)) ?? {}
  const used = credentials.map((each) =>
    each.name === 'Used' ? { ...each, lastUsedOn: '2026-01-02' } : each,
  )
  await world.users.update(id, { credentials: used }, version)
  later(5)
  const { text } = await visitor.reload()
  const until = 'Works until \\S+ \\d+, \\d{4}'
  expect(text).toMatch(
    new RegExp(`Shop read, write, and list \\( project <1> \\) ${until} · Not used yet Remove`),
  )
  expect(text).toMatch(new RegExp(`Short list ${until} · Not used yet Expired Remove`))
  expect(text).toMatch(new RegExp(`Used list ${until} · Last used January 2, 2026 Remove`))
  // The app’s own lifetime is one to choose.
  await visitor.follow('Create an API key')
  expect(visitor.page.html).toMatch(/value="30">30 days[\s\S]*value="45" selected>45 days/)
  // What a form without the choice takes.
  const cookie = [...visitor.cookies].map((each) => each.join('=')).join('; ')
  const { statusCode } = await world.app.inject({
    ...{ method: 'POST', url: '/account/api-keys/new/', payload: 'name=Plain&scope.read=on' },
    headers: {
      ...{ cookie, accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' },
      'content-type': 'application/x-www-form-urlencoded',
    },
  })
  expect(statusCode).toBe(303)
  const plain = (await world.app.accounts.listApiKeys(id))?.find(({ name }) => name === 'Plain')
  const days = (Number(plain?.expiresAt) - Number(plain?.createdAt)) / (24 * 3600_000)
  expect(days).toBe(45)
  // Removed meanwhile, by the app.
  await visitor.open('/account/api-keys/')
  const [shop] = (await world.app.accounts.listApiKeys(id)) ?? []
  await world.app.accounts.removeApiKey(id, shop?.id ?? '')
  expect((await visitor.submit('Remove: Shop')).text).toContain('API key removed.')
})

const userOf = async ({ app }: TestApp) => {
  const user = await app.accounts.findUser({ username: 'ada' })
  if (user === null) throw new Error('no ada')
  return user
}

it('has no page for what is off', async () => {
  const { visitor } = await adaOn('/account/', {})
  for (const page of ['two-step', 'passkeys', 'logins', 'api-keys', 'recovery-codes'])
    expect((await visitor.open(`/account/${page}/`)).status, page).toBe(404)
})
