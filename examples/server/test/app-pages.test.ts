import { findings, overflows, wcag } from '@fastify-accounts/test-support/axe'
import { isChromiumHere } from '@fastify-accounts/test-support/chromium'
import { sample } from '@fastify-accounts/test-support/depth'
import { createClient, newestMail } from '@fastify-accounts/test-support/example-server/client'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { logIn, password, sees, submit, visit } from './support/browser.js'
import { startService } from './support/service.js'

const here = isChromiumHere()

/** The minimum in WCAG 2.2 (1.4.10), and a desktop window. */
const sizes = { narrow: { width: 320, height: 640 }, wide: { width: 1024, height: 768 } }

async function signUp(url: string, username: string): Promise<void> {
  const user = { username, email: `${username}@example.org`, password, confirm_password: password }
  expect((await createClient(url).post('/signup/', user)).status).toBe(201)
}

/** Brings a browser to each page in turn, logged in as ada, who is staff. */
const journey: Record<string, (page: Page, url: string) => Promise<unknown>> = {
  'log in': (page, url) => page.goto(url),
  async 'log in, refused'(page) {
    await submit(page, { 'Username or email address': 'ada', Password: 'not the password' }, 'Log in')
    await page.locator('[role=alert]:not(:empty)').waitFor()
  },
  'sign up': (page, url) => page.goto(`${url}/sign-up`),
  async 'sign up, with faults'(page) {
    await submit(page, { Username: 'a b', 'Email address': 'nowhere', Password: 'short' }, 'Sign up')
    await page.locator('#username[aria-invalid]').waitFor()
  },
  'forgotten password': (page, url) => page.goto(`${url}/forgotten-password`),
  async 'forgotten password, mailed'(page) {
    await submit(page, { 'Email address': 'ada@example.org' }, 'Email me a link')
    await page.locator('[role=status]:not(:empty)').waitFor()
  },
  'confirm the address': (page, url) => page.goto(`${url}/confirm-address`),
  'nothing there': (page, url) => page.goto(`${url}/nowhere`),
  'the commands': (page, url) => page.goto(`${url}/start`),
  async account(page, url) {
    await logIn(page, url, 'ada')
    await page.locator('.device').nth(1).waitFor()
  },
  async 'account, with what was done'(page) {
    await submit(page, {}, 'Save')
    await sees(page, 'Saved.')
  },
  async 'account, a password shown'(page) {
    await page.getByRole('button', { name: 'Show new password' }).click()
  },
  async 'account, about to be deleted'(page) {
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('dialog').waitFor()
  },
  async users(page, url) {
    await page.goto(`${url}/users`)
    await page.locator('.user-email', { hasText: 'grace@example.org' }).waitFor()
  },
  async 'users, one disabled'(page) {
    await page.locator('summary', { hasText: 'grace' }).click()
    await page.getByRole('button', { name: 'Disable grace' }).click()
    await sees(page, 'grace is disabled and logged out.')
    await sees(page, 'Disabled')
  },
  async 'users, one about to be deleted'(page) {
    await page.getByRole('button', { name: 'Enable grace' }).click()
    await sees(page, 'grace is enabled.')
    await page.getByRole('button', { name: 'Delete grace' }).click()
    await page.getByRole('dialog').waitFor()
  },
  async 'users, one kept after all'(page) {
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Delete grace' }).waitFor()
  },
  async 'users, one about to be added'(page) {
    await page.getByRole('button', { name: 'Add a user' }).click()
    await page.getByRole('dialog').waitFor()
  },
  async mailbox(page, url) {
    await newestMail(url, 'reset-password', 'ada@example.org')
    await page.goto(`${url}/dev/mailbox`)
    await page.locator('.unread').first().waitFor()
  },
  async 'a mail'(page) {
    await page.locator('.list a', { hasText: 'Reset your password' }).first().click()
    await page.frameLocator('iframe').getByRole('link').first().waitFor()
  },
  async 'a mail as text'(page) {
    await page.getByRole('link', { name: 'Text', exact: true }).click()
    await page.locator('pre a').first().waitFor()
  },
}

describe.skipIf(!here)('the pages of the app', () => {
  it.each(['light', 'dark'] as const)(
    'pass the axe checks in %s mode',
    { timeout: 240_000 },
    async (colorScheme) => {
      const service = await startService()
      const { url } = service
      for (const username of ['ada', 'grace']) await signUp(url, username)
      service.makeStaff('ada')
      await createClient(url).post('/login/', { username: 'ada', password })
      const page = await visit({ colorScheme, viewport: sizes.narrow })
      for (const [name, reach] of Object.entries(journey)) {
        await reach(page, url)
        // Its elements may be there before its styles.
        await page.waitForLoadState()
        for (const [size, viewport] of sample(`${name}, ${colorScheme}`, Object.entries(sizes))) {
          await page.setViewportSize(viewport)
          expect(await findings(page, [...wcag, 'best-practice']), `${name}, ${size}`).toEqual([])
          expect(await overflows(page), `${name} is wider than its window, ${size}`).toBe(false)
        }
        await page.setViewportSize(sizes.narrow)
        const ids: string[] = await page.evaluate(
          '[...document.querySelectorAll("[id]")].map(({ id }) => id)',
        )
        expect(ids, name).toEqual([...new Set(ids)])
      }
    },
  )

  it('let staff delete a user, and fit the header links into one row of a narrow window', async () => {
    const service = await startService()
    const { url } = service
    for (const username of ['ada', 'grace']) await signUp(url, username)
    service.makeStaff('ada')
    const page = await visit({ viewport: sizes.narrow })
    await logIn(page, url, 'ada')
    await page.goto(`${url}/users`)
    const places = await page
      .locator('header li a')
      .evaluateAll((links) => links.map((link) => link.offsetTop))
    expect([places.length, new Set(places).size]).toEqual([4, 1])
    await page.locator('summary', { hasText: 'grace' }).click()
    await page.getByRole('button', { name: 'Delete grace' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click()
    // Required each time, even right after a login.
    await sees(page, 'Confirm it’s you')
    expect((await createClient(url).post('/login/', { username: 'grace', password })).status).toBe(200)
    await submit(page, { 'Your password': password }, 'Confirm')
    await sees(page, 'grace is deleted.')
    expect(await page.locator('summary', { hasText: 'grace' }).count()).toBe(0)
    const login = await createClient(url).post('/login/', { username: 'grace', password })
    expect(login.status).toBe(401)
  })

  it('delete no account when Enter is pressed twice, and none without the password', async () => {
    const { url } = await startService()
    await signUp(url, 'ada')
    const page = await visit()
    await logIn(page, url, 'ada')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'DELETE') sent.push(request.url())
    })
    const opener = page.getByRole('button', { name: 'Delete my account' })
    const dialog = page.getByRole('dialog', { name: 'Delete the account ada?' })
    const focused = () => page.evaluate('document.activeElement.textContent.trim()')
    await opener.focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    expect(await focused()).toBe('Keep it')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect(await focused()).toBe('Delete my account')

    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Delete it' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await confirm.waitFor()
    await page.keyboard.press('Enter')
    await confirm.locator('.fault:not(:empty)').waitFor()
    await confirm.getByRole('button', { name: 'Cancel' }).click()
    expect([sent, await dialog.isVisible()]).toEqual([[], true])

    await dialog.getByRole('button', { name: 'Delete it' }).click()
    await submit(page, { 'Your password': password }, 'Confirm')
    await page.waitForURL('**/log-in?deleted')
    expect(sent).toEqual([`${url}/me/`])
    expect((await createClient(url).post('/login/', { username: 'ada', password })).status).toBe(401)
  })

  it("tell staff why they can't delete themselves", async () => {
    const service = await startService()
    await signUp(service.url, 'ada')
    service.makeStaff('ada')
    const page = await visit()
    await logIn(page, service.url, 'ada')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await submit(page, { 'Your password': password }, 'Confirm')
    await sees(page, 'You can give others rights: ask another member of staff to remove yours')
  })

  it('load /docs without browser errors', async () => {
    const { url } = await startService()
    const page = await visit()
    await page.goto(`${url}/docs`)
    await page.getByText('The example server of fastify-accounts').waitFor()
  })

  it('support login with the keyboard alone, and show the focus', async () => {
    const { url } = await startService()
    await signUp(url, 'ada')
    const page = await visit({ colorScheme: 'light' })
    await page.goto(`${url}/log-in`)
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).waitFor()
    const focus = (): Promise<unknown> =>
      page.evaluate(
        '[document.activeElement.id || document.activeElement.textContent.trim(), getComputedStyle(document.activeElement).outline]',
      )
    const outline = 'rgb(26, 26, 26) solid 3px'

    await page.keyboard.press('Tab')
    expect(await focus()).toEqual(['Skip to the content', outline])
    await page.keyboard.press('Enter')
    const order = ['username', 'password', 'Show password', 'remember', 'Log in']
    for (const expected of order) {
      await page.keyboard.press('Tab')
      expect(await focus()).toEqual([expected, outline])
      if (expected === 'username') await page.keyboard.type('ada')
      if (expected === 'password') await page.keyboard.type('not the password')
      if (expected === 'Show password') await page.keyboard.press('Space')
      if (expected === 'remember') await page.keyboard.press('Space')
    }
    expect(await page.inputValue('input[type=text]#password')).toBe('not the password')
    await page.keyboard.press('Enter')
    await page.locator('[role=alert]:not(:empty)').waitFor()
    // Password managers expect the submitted field to be of type password.
    expect(await page.getAttribute('#password', 'type')).toBe('password')
    for (const _ of ['remember', 'Show password', 'password']) await page.keyboard.press('Shift+Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    // The fragment comes from the skip link.
    await page.waitForURL('**/account#main')
    // Persists after the browser closes.
    const session = (await page.context().cookies()).find(({ name }) => name === 'session')
    expect(session?.expires).toBeGreaterThan(Date.now() / 1000 + 86_400)
  })

  it('end the login when the browser closes, unless asked to keep it', async () => {
    const { url } = await startService()
    await signUp(url, 'ada')
    const page = await visit()
    await logIn(page, url, 'ada')
    const session = (await page.context().cookies()).find(({ name }) => name === 'session')
    expect(session?.expires).toBe(-1)
  })

  it('mark up each field for password managers', async () => {
    const { url } = await startService({ PASSWORD_MIN_LENGTH: '12' })
    await signUp(url, 'ada')
    const page = await visit()
    const attributes = async (selector: string): Promise<(string | null)[]> => {
      const names = ['autocomplete', 'minlength', 'passwordrules', 'maxlength']
      return Promise.all(names.map((name) => page.getAttribute(selector, name)))
    }
    const fresh = ['new-password', '12', 'minlength: 12; allowed: ascii-printable;', null]
    const current = ['current-password', null, null, null]
    await page.goto(`${url}/sign-up`)
    expect(await attributes('#username')).toEqual(['username', null, null, '150'])
    expect(await attributes('#email')).toEqual(['email', null, null, '254'])
    expect(await attributes('#password')).toEqual(fresh)
    await page.goto(`${url}/log-in`)
    expect(await attributes('#username')).toEqual(['username webauthn', null, null, '254'])
    // What is pasted may be longer than the code, and must not be cut off.
    expect(await attributes('#emailed-code')).toEqual(['one-time-code', null, null, null])
    expect(await attributes('#password')).toEqual(current)
    await logIn(page, url, 'ada')
    expect(await page.inputValue('#password-form [autocomplete=username]')).toBe('ada')
    expect(await attributes('#old_password')).toEqual(current)
    expect(await attributes('#new_password')).toEqual(fresh)
    expect(await attributes('#confirm-dialog #password')).toEqual(current)

    // Password managers send users with a leaked password here, logged in or not.
    await page.goto(`${url}/.well-known/change-password`)
    await page.waitForURL(`${url}/account#change-password`)
    // A page that is still loading would notice the logout and navigate to the login page itself.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.goto(`${url}/.well-known/change-password`)
    await page.waitForURL(`${url}/log-in?next=account#change-password`)
    await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
    await page.waitForURL('**/account#change-password')
  })

  it('show errors at their fields', async () => {
    const { url } = await startService()
    await signUp(url, 'ada')
    const page = await visit()
    await page.goto(`${url}/sign-up`)
    await submit(page, { Username: 'Ada', 'Email address': 'ada@example.net', Password: password }, 'Sign up')
    await page.locator('#username[aria-invalid]').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('username')
    const described = `#${(await page.getAttribute('#username', 'aria-describedby'))?.split(' ').at(-1)}`
    expect(await page.textContent(described)).toMatch(/./)

    await submit(page, { Username: 'grace', 'Email address': 'nowhere', Password: 'short' }, 'Sign up')
    await page.locator('#email[aria-invalid]').waitFor()
    expect(await page.getAttribute('#username', 'aria-invalid')).toBe(null)
    expect(await page.evaluate('document.activeElement.id')).toBe('email')

    await submit(page, { 'Email address': 'grace@example.org' }, 'Sign up')
    await page.locator('#email:not([aria-invalid])').waitFor()
    await page.locator('#password[aria-invalid]').waitFor()
    expect(await page.textContent('#password-fault')).toMatch(/./)
    await submit(page, { Password: password }, 'Sign up')
    // Signup also logs in.
    await page.waitForURL('**/account')
    expect(await page.inputValue('#username')).toBe('grace')
    // Logged-in users are redirected from these pages.
    for (const path of ['log-in', 'sign-up', '']) {
      await page.goto(`${url}/${path}`)
      expect(page.url()).toBe(`${url}/account`)
    }
  })

  it('say how long to wait, and that the server is unreachable', async () => {
    const { url, stop } = await startService()
    await signUp(url, 'ada')
    const page = await visit()
    await page.goto(`${url}/log-in`)
    const alert = page.locator('form#log-in [role=alert]')
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await page.fill('#password', `guess ${attempt}`)
      const responded = page.waitForResponse('**/login/')
      await submit(page, { 'Username or email address': 'ada' }, 'Log in')
      expect((await responded).status()).toBe(401)
      await page.locator('form#log-in:not([aria-busy])').waitFor()
    }
    await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
    await sees(page, /^Too many attempts\. Try again in \d+ minutes\.$/)
    await stop()
    await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
    await sees(page, 'We can’t reach the server. Check your connection and try again.')
    expect(await alert.count()).toBe(1)
  })

  it('redirect only within the app after a login', async () => {
    const { url } = await startService()
    await signUp(url, 'ada')
    const page = await visit()
    for (const next of ['https://example.net/', '//example.net', 'javascript:alert(1)']) {
      await page.goto('about:blank')
      await page.context().clearCookies()
      await page.goto(`${url}/log-in?next=${encodeURIComponent(next)}`)
      await submit(page, { 'Username or email address': 'ada', Password: password }, 'Log in')
      await page.waitForURL(`${url}/account`)
    }
  })

  it('work below a path, behind a proxy that strips it', async () => {
    const { createServer, request } = await import('node:http')
    const proxy = createServer((incoming, outgoing) => {
      const { method, headers } = incoming
      const path = (incoming.url ?? '').replace(/^\/accounts(?=\/)/, '')
      const onward = request(new URL(path, service.url), { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      })
      // The service closes idle connections.
      onward.on('error', () => outgoing.destroy())
      incoming.pipe(onward)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const address = proxy.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const base = `http://127.0.0.1:${address.port}/accounts`
    const service = await startService({ BASE_URL: base })
    try {
      const page = await visit()
      await page.goto(`${base}/`)
      await page.waitForURL(`${base}/log-in?next=account`)
      await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click()
      await submit(
        page,
        { Username: 'ada', 'Email address': 'ada@example.org', Password: password },
        'Sign up',
      )
      await page.waitForURL(`${base}/account`)
      await page.getByRole('link', { name: 'Mailbox' }).click()
      await page.waitForURL(`${base}/dev/mailbox`)
      await page.getByRole('link', { name: 'The app' }).click()
      await page.waitForURL(`${base}/account`)
      await page.goto(`${base}/nowhere`)
      await page.getByRole('link', { name: 'Back to the app' }).click()
      await page.waitForURL(`${base}/account`)
      // Wait for the scripts' requests before closing the connections below.
      await page.waitForLoadState('networkidle')
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  })
})

describe.skipIf(!here)('the mailbox', () => {
  it('shows new emails, and which ones were read', async () => {
    const { url } = await startService()
    await signUp(url, 'ada')
    const page = await visit()
    await page.goto(`${url}/dev/mailbox`)
    await sees(page, 'No emails yet.')
    await createClient(url).post('/forgot/', { email: 'ada@example.org' })
    // Without reloading the page.
    await page.locator('.unread', { hasText: 'ada@example.org' }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^Mailbox \(1\)/)
    expect(await page.textContent('[role=status]')).toMatch(
      /^New email: Unread: Reset your password|^New email: /,
    )
    await page.locator('.unread').click()
    await page.frameLocator('iframe').getByRole('link').first().waitFor()
    expect(await page.locator('.unread').count()).toBe(0)
    expect(await page.locator('.list [aria-current]').count()).toBe(1)
    await page.getByRole('link', { name: 'Text', exact: true }).click()
    const opened = page.context().waitForEvent('page')
    await page.locator('pre a').first().click()
    await (await opened).getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await page.goBack()
    await page.goBack()
    await page.waitForURL(`${url}/dev/mailbox`)
  })

  it('is absent with SMTP_URL', async () => {
    const { url } = await startService({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'accounts@example.org' })
    const page = await visit()
    await page.goto(`${url}/log-in`)
    expect(await page.getByRole('link', { name: 'Mailbox' }).count()).toBe(0)
    for (const path of ['mailbox', 'mailbox.json', 'mailbox/newest', 'mailbox/1']) {
      expect((await fetch(`${url}/dev/${path}`)).status).toBe(404)
    }
  })
})
