/**
 * `npm run pictures`: takes the screenshots in docs/images from the example server, in Chromium. An optional argument
 * is the output folder.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const images = resolve(process.argv[2] ?? join(root, 'docs/images'))
const dist = join(root, 'examples/server/dist')
const password = 'seven-green-lanterns'
/** The maximum size in bytes. */
const heaviest = 120_000

const chromiumPath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((place) => place !== undefined && existsSync(place))
if (chromiumPath === undefined) throw new Error('No Chromium found: install chromium, or set CHROMIUM')

const agents = {
  chrome:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  firefox: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
const port = await freePort()
const url = `http://localhost:${port}`
const environment = {
  PATH: process.env.PATH ?? '',
  PORT: `${port}`,
  HOST: 'localhost',
  DATABASE_URL: `file:${folder}/accounts.db`,
  LOG_LEVEL: 'error',
  REST_AUTH_SIGNUP_REQUIRE_EMAIL_CONFIRMATION: 'true',
}
const server = spawn(process.execPath, [join(dist, 'main.js')], {
  cwd: folder,
  env: environment,
  stdio: 'inherit',
})
let browser
try {
  await untilListening()
  await people()
  browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  for (const scheme of ['light', 'dark']) await pictures(scheme)
  if (process.argv[2] === undefined) await socialPreview()
} finally {
  await browser?.close()
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}

/** The preview of links to the site, made from the screenshot of the account page. */
async function socialPreview() {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  const account = readFileSync(join(images, 'app-account-light.png')).toString('base64')
  await page.setContent(`<style>
    body { margin: 0; padding: 64px; font: 40px system-ui, sans-serif; background: #f4f6fb; color: #1f2937 }
    h1 { margin: 0 0 16px; font-size: 84px; color: #1d4ed8 }
    p { margin: 0 0 40px }
    img { width: 1072px; border: 1px solid #d1d5db; border-radius: 16px }
  </style><h1>fastify-accounts</h1><p>User accounts for Fastify</p><img src="data:image/png;base64,${account}">`)
  const path = join(root, 'site/public/social.png')
  await page.screenshot({ path })
  const { size } = statSync(path)
  console.log(`${path}: ${Math.round(size / 1000)} kB`)
  if (size > heaviest) throw new Error(`${path} is too heavy`)
}

/** Creates the users in the screenshots, and the devices of ada. */
async function people() {
  for (const username of ['ada', 'grace', 'lin', 'noor', 'omar', 'zoe']) {
    await post('/signup/', {
      username,
      email: `${username}@example.org`,
      password,
      confirm_password: password,
      ...(username === 'ada' && { display_name: 'Ada' }),
    })
    if (username !== 'zoe') await post(new URL(linkIn(await mailTo(`${username}@example.org`))).pathname)
  }
  const { status, stderr } = spawnSync(process.execPath, [join(dist, 'staff.js'), 'ada'], {
    env: environment,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  for (const agent of [agents.safari, agents.firefox])
    await post('/login/', { username: 'ada', password }, agent)
  await post('/forgot/', { email: 'grace@example.org' })
}

async function pictures(scheme) {
  const context = await browser.newContext({
    colorScheme: scheme,
    userAgent: agents.chrome,
    locale: 'en-GB',
    viewport: { width: 960, height: 720 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const take = async (name, options = {}) => {
    const path = join(images, `${name}-${scheme}.png`)
    await page.screenshot({ path, ...options })
    const { size } = statSync(path)
    console.log(`${path}: ${Math.round(size / 1000)} kB`)
    if (size > heaviest) throw new Error(`${path} is too heavy`)
  }
  const sized = (width, height) => page.setViewportSize({ width, height })

  await page.goto(`${url}/login/`)
  await sized(640, 760)
  await page.getByLabel('Username or email address').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Keep me logged in').check()
  await take('app-log-in')
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL('**/account/')

  await sized(960, 980)
  // The second color scheme shows that of the first.
  if (scheme === 'light') await addPasskey(page)
  await page.goto(`${url}/account/`)
  await take('app-account')

  await page.goto(`${url}/users`)
  await sized(960, 640)
  // Each user's details load after the list.
  await page.locator('.user-email bdi:not(:empty)').nth(5).waitFor()
  await page.click('summary:has-text("lin")')
  await page.click('.user:has-text("lin") button:has-text("Disable")')
  await page.waitForSelector('.user:has-text("lin") button:has-text("Enable")')
  await page.waitForSelector('.badge.bad')
  await page.evaluate('document.activeElement.blur()')
  await take('app-users')
  await page.click('.user:has-text("lin") button:has-text("Enable")')
  await page.waitForSelector('.user:has-text("lin") button:has-text("Disable")')

  await page.goto(`${url}/dev/mailbox`)
  await sized(1040, 640)
  await page.click('.list a:has-text("grace@example.org")')
  const link = linkIn(await mailTo('grace@example.org'))
  await page.frameLocator('iframe').getByRole('link').first().waitFor()
  await take('app-mailbox')
  await page.goto(await page.locator('iframe').evaluate(({ src }) => src))
  await sized(640, 660)
  await take('mail-reset')

  // In the browser of somebody who isn't logged in.
  await page.request.post(`${url}/logout/`, { headers: { origin: url } })
  await page.goto(link)
  await sized(640, 620)
  await take('page-reset')
  await context.close()
}

/** Adds a passkey to the displayed account, using a virtual authenticator. */
async function addPasskey(page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${url}/account/passkeys/`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Passkey added.').waitFor()
  await page.goto(`${url}/account/`)
  const dismiss = page.getByRole('button', { name: 'Not now' })
  if (await dismiss.isVisible()) await dismiss.click()
}

/** The newest email to an address; emails arrive after the response that triggers them. */
async function mailTo(address) {
  await settled()
  const mails = await (await fetch(`${url}/dev/mailbox.json`)).json()
  return mails.findLast(({ to }) => to === address)
}

function linkIn({ text }) {
  return /https?:\S+/.exec(text)[0]
}

/** Waits until no more emails arrive; they're sent up to two seconds after the request. */
async function settled() {
  let last = -1
  for (;;) {
    const { number } = await (await fetch(`${url}/dev/mailbox/newest`)).json()
    if (number === last) return
    last = number
    await new Promise((next) => setTimeout(next, 2500))
  }
}

async function post(path, body = {}, agent = 'node') {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': agent, 'accept-language': 'en' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
}

async function untilListening() {
  for (const end = Date.now() + 20_000; Date.now() < end; await new Promise((next) => setTimeout(next, 50))) {
    if (
      await fetch(`${url}/api-root/`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
  }
  throw new Error('the server did not start')
}

function freePort() {
  return new Promise((found) => {
    const probe = createServer().listen(0, 'localhost', () => {
      const { port: free } = probe.address()
      probe.close(() => found(free))
    })
  })
}
