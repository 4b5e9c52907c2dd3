/**
 * The second half of `npm run pictures`: takes the screenshots in docs/images/pages, one of each page of
 * `@fastify-accounts/pages` in each color scheme, in Chromium. An optional argument is the output folder.
 */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { chromium } from 'playwright-core'
import accounts, {
  apiKeys,
  createMemoryActivityStore,
  invitations,
  secondFactor,
} from '../packages/accounts/dist/index.js'
import { organizations } from '../packages/organizations/dist/index.js'
import { pages } from '../packages/pages/dist/index.js'
import { passkeys } from '../packages/passkeys/dist/index.js'
import { github, google, providers } from '../packages/providers/dist/index.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const images = resolve(process.argv[2] ?? join(root, 'docs/images/pages'))
const password = 'seven-green-lanterns'
/** The maximum size in bytes. */
const heaviest = 120_000

const executablePath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((place) => place !== undefined && existsSync(place))
if (executablePath === undefined) throw new Error('No Chromium found: install chromium, or set CHROMIUM')
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

mkdirSync(images, { recursive: true })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  for (const scheme of ['light', 'dark']) await pictures(scheme)
  await anotherProduct()
} finally {
  await browser.close()
}

/** An app with everything that has pages. */
async function service(brand = {}, routes = () => {}) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const app = Fastify()
  await app.register(accounts, {
    secret: 'pictures need no better secret than this one, but a long one',
    baseUrl: url,
    brand: { name: 'Acme', url: '/', links: { privacy: '/privacy', terms: '/terms' }, ...brand },
    mailer: { send: async () => {} },
    activity: createMemoryActivityStore(),
    users: true,
    requireEmailConfirmation: true,
    login: { emailCode: true },
    features: [
      ...[secondFactor(), passkeys(), apiKeys({ scopes: ['orders:read', 'orders:write'] }), invitations()],
      providers([google({ clientId: 'a', clientSecret: 'b' }), github({ clientId: 'a', clientSecret: 'b' })]),
      ...[organizations(), pages()],
    ],
  })
  routes(app)
  await app.listen({ port, host: 'localhost' })
  for (const username of ['ada', 'grace', 'lin'])
    await app.accounts.createUser({
      ...{ username, password, isVerified: true },
      email: `${username}@example.org`,
    })
  return { app, url }
}

async function pictures(scheme) {
  const { app, url } = await service()
  const context = await browser.newContext({
    ...{ colorScheme: scheme, userAgent, locale: 'en-GB', reducedMotion: 'reduce' },
    viewport: { width: 760, height: 480 },
  })
  const page = await context.newPage()

  async function take(name) {
    await page.evaluate('document.activeElement?.blur(); scrollTo(0, 0)')
    const path = join(images, `${name}-${scheme}.png`)
    await page.screenshot({ path, fullPage: true })
    const { size } = statSync(path)
    console.log(`${path}: ${Math.round(size / 1000)} kB`)
    if (size > heaviest) throw new Error(`${path} is too heavy`)
  }
  async function open(path, name) {
    await page.goto(url + path)
    const { pathname } = new URL(page.url())
    if (pathname !== path.replace(/\?.*/, '')) throw new Error(`${path} leads to ${pathname}`)
    if (name !== undefined) await take(name)
  }
  const press = (name) => page.getByRole('button', { name, exact: true }).first().click()
  await open('/login/', 'login')
  await open('/signup/', 'signup')
  await open('/forgot/', 'forgot')
  await open('/logged-out/', 'logged-out')
  await open('/login/code/')
  await page.fill('[name=email]', 'ada@example.org')
  await page.locator('main [data-kind=primary]').click()
  await page.waitForSelector('[name=code]')
  await take('login-code')
  await open('/reset/of-nobody/', 'link')

  await open('/login/?next=/account/')
  await page.fill('[name=username]', 'ada')
  await page.fill('[name=password]', password)
  await press('Log in')
  await page.waitForURL('**/account/')
  const ada = await app.accounts.findUser({ username: 'ada' })
  const grace = await app.accounts.findUser({ username: 'grace' })
  const acme = await app.accounts.organizations.create({ name: 'Acme', slug: 'acme', ownerId: ada.id })
  await app.accounts.organizations.addMember(acme.id, grace.id, ['member'])
  const names = [
    'profile',
    'email',
    'password',
    'devices',
    'logins',
    'activity',
    'delete',
    'two-step',
    'api-keys',
  ]
  for (const name of names) await open(`/account/${name}/`, `account-${name}`)
  await open('/account/two-step/app/', 'account-two-step-app')
  await open('/account/organizations/', 'organizations')
  await open(`/account/organizations/${acme.id}/`, 'organization')
  await open(`/account/organizations/${acme.id}/members/`, 'organization-members')
  await addPasskey(page, url)
  await open('/account/passkeys/', 'account-passkeys')
  await open('/account/', 'account')
  // With a passkey, changing the address takes more than the password did.
  await page.goto(`${url}/account/email/`)
  await page.waitForURL('**/confirm/**')
  await take('confirm')
  await context.close()
  await app.close()
}

/** The pages with a style sheet of twenty lines: another product. */
async function anotherProduct() {
  const css = readFileSync(join(root, 'docs/guides/pages.md'), 'utf8').match(/```css\n([\s\S]*?)```/)?.[1]
  const { app, url } = await service({ name: 'Plume', stylesheet: '/look.css' }, (host) => {
    host.get('/look.css', (_, reply) => reply.type('text/css').send(css))
  })
  const page = await browser.newPage({ viewport: { width: 760, height: 480 }, locale: 'en-GB' })
  await page.goto(`${url}/login/`)
  await page.screenshot({ path: join(images, 'another-product.png'), fullPage: true })
  await app.close()
}

/** Adds a passkey to the account, by a virtual authenticator. */
async function addPasskey(page, url) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = {
    ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
    ...{ isUserVerified: true, automaticPresenceSimulation: true },
  }
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  await page.goto(`${url}/account/passkeys/`)
  await page.locator('[data-passkey] button').first().click()
  // The script leads on once it is added.
  await page.waitForSelector('main [data-part=row]')
  await page.waitForLoadState('networkidle')
}

function freePort() {
  return new Promise((found) => {
    const probe = createServer().listen(0, 'localhost', () => {
      const { port } = probe.address()
      probe.close(() => found(port))
    })
  })
}
