import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { createPasskeysClient } from '@fastify-accounts/client/passkeys'
import { passkeys as passkeysFeature } from '@fastify-accounts/passkeys'
import { goodPassword, linkPath, signUp, type TestApp } from '@fastify-accounts/test-support/app'
import { isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import { type Door, openDoor } from '@fastify-accounts/test-support/door'
import { passkeyApp } from '@fastify-accounts/test-support/passkeys/service'
import { buildSync } from 'esbuild'
import { invitations, secondFactor } from 'fastify-accounts'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const here = isChromiumHere()

declare global {
  var passkeys: ReturnType<typeof createPasskeysClient>
}

/** The client in a page of the app, as a bundler would include it. */
const script = buildSync({
  stdin: {
    contents: `import { createPasskeysClient } from './passkeys.ts'
globalThis.passkeys = createPasskeysClient()`,
    resolveDir: fileURLToPath(new URL('../../client/src', import.meta.url)),
    loader: 'ts',
  },
  bundle: true,
  format: 'esm',
  write: false,
}).outputFiles[0]?.text

let browser: Browser
beforeAll(async () => {
  if (here) browser = await launchChromium()
})
afterAll(() => browser?.close())

/** The capabilities of an authenticator. */
interface Authenticator {
  transport?: 'internal' | 'usb'
  hasResidentKey?: boolean
  hasUserVerification?: boolean
  isUserVerified?: boolean
}

/** A browser with a virtual authenticator, controlled through CDP. */
interface Visit {
  page: Page
  cdp: CDPSession
  authenticatorId: string
}

describe.skipIf(!here)('in Chromium', () => {
  let service: TestApp
  let door: Door
  let url: string
  beforeEach(async () => {
    door = await openDoor()
    url = `http://localhost:${door.port}`
    service = await passkeyApp(
      { baseUrl: url, features: [passkeysFeature(), secondFactor(), invitations()] },
      {},
      {
        before: (app) =>
          app.get('/page', (_request, reply) =>
            reply
              .type('text/html')
              .send(`<input autocomplete="username webauthn"><script type="module">${script}</script>`),
          ),
      },
    )
    await service.app.listen({ port: 0, host: 'localhost' })
    door.leadTo((service.app.server.address() as AddressInfo).port)
    await signUp(service)
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    await service.app.close()
    await door.close()
  })

  async function visit(options: Authenticator = {}): Promise<Visit> {
    const context = await browser.newContext()
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
        ...options,
      },
    })
    await page.goto(`${url}/page`)
    await page.waitForFunction(() => 'passkeys' in globalThis)
    return { page, cdp, authenticatorId }
  }

  /** Alice's browser, with one of her passkeys. */
  async function withPasskey(): Promise<Visit> {
    const alice = await visit()
    await call(alice.page, '/login/', { username: 'alice', password: goodPassword })
    expect(await add(alice.page)).toBe(201)
    return alice
  }

  const call = (page: Page, path: string, body?: object): Promise<number> =>
    page.evaluate(
      async ([to, payload]) => {
        const headers = payload ? { 'content-type': 'application/json' } : {}
        const sent = { method: 'POST', headers, ...(payload && { body: JSON.stringify(payload) }) }
        return (await fetch(to, sent as RequestInit)).status
      },
      [path, body] as const,
    )
  const add = (page: Page): Promise<number | string> =>
    page.evaluate(async () => {
      const result = await passkeys.addPasskey()
      return result.ok ? result.status : result.error.code
    })
  /** Who is logged in afterwards, or the error code. */
  const logIn = (page: Page, options: { autofill?: boolean } = {}): Promise<string | null | undefined> =>
    page.evaluate(async (given) => {
      const result = await passkeys.logInWithPasskey(given)
      return result.ok ? result.data.username : result.error.code
    }, options)

  test('a user registers, logs out, and logs in without a username', async () => {
    const { page } = await withPasskey()
    await call(page, '/logout/')
    expect(await logIn(page)).toBe('alice')
    const [passkey] = await page.evaluate(async () => {
      const result = await passkeys.listPasskeys()
      return result.ok ? result.data.results : []
    })
    expect(passkey).toMatchObject({ name: expect.stringContaining('Linux'), use: 'login' })
    // The authenticator already knows the account.
    expect(await add(page)).toBe('PASSKEY_FAILED')
  })

  test('a user signs up with a passkey alone, and is logged in', async () => {
    const { page } = await visit()
    const status = await page.evaluate(async () => {
      const result = await passkeys.signUpWithPasskey({ username: 'bob' })
      return result.ok ? result.status : result.error.code
    })
    expect(status).toBe(201)
    await call(page, '/logout/')
    expect(await logIn(page)).toBe('bob')
  })

  test('an account with only a passkey confirms its address with it, in a browser that didn’t sign up', async () => {
    const { page } = await visit()
    await page.evaluate(() => passkeys.signUpWithPasskey({ username: 'bob', email: 'bob@example.org' }))
    await page.context().clearCookies()
    await call(page, '/signup/v/', { email: 'bob@example.org' })
    await page.goto(url + linkPath(await service.mail('verify-email')))
    await page.getByRole('button', { name: 'Confirm with passkey' }).click()
    await page.getByRole('heading', { name: 'Your email address is confirmed' }).waitFor()
    expect(await service.app.accounts.findUser({ username: 'bob' })).toMatchObject({ isVerified: true })
    await page.goto(`${url}/page`)
    expect(await logIn(page)).toBe('bob')
  })

  describe('an invitation', () => {
    async function invite(): Promise<string> {
      await service.app.accounts.invite({ email: 'bob@example.org' })
      return linkPath(await service.mail('invitation', 'bob@example.org'))
    }

    test('is accepted with a passkey on its page, which keeps the name after a fault', async () => {
      const { page } = await visit()
      await page.goto(url + (await invite()))
      const button = page.getByRole('button', { name: 'Create a passkey instead' })
      await button.click()
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('username')
      await page.fill('#username', 'alice')
      await button.click()
      await page.getByRole('alert').getByText('This username is taken').waitFor()
      expect(await page.inputValue('#username')).toBe('alice')
      await page.fill('#username', 'bob')
      await button.click()
      await page.getByRole('status').getByText('Your account is ready').waitFor()
      expect(await page.$('form')).toBeNull()
      await page.goto(`${url}/page`)
      expect(await logIn(page)).toBe('bob')
    })

    test('is accepted with a passkey by the client', async () => {
      const { page } = await visit()
      const [uid64 = '', token = ''] = (await invite()).split('/').slice(-3)
      const status = await page.evaluate(
        async (link) => {
          const result = await passkeys.acceptInvitationWithPasskey(link, { username: 'bob' })
          return result.ok ? result.status : result.error.code
        },
        { uid64, token },
      )
      expect(status).toBe(200)
      expect(await logIn(page)).toBe('bob')
    })
  })

  test('a browser offers the login in autofill', async () => {
    const { page } = await withPasskey()
    await call(page, '/logout/')
    expect(await logIn(page, { autofill: true })).toBe('alice')
  })

  test('a user who cancels gets an error, and can try again', async () => {
    const { page, cdp, authenticatorId } = await withPasskey()
    await call(page, '/logout/')
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false })
    await page.evaluate(() => {
      const { credentials } = navigator
      const get = credentials.get.bind(credentials)
      credentials.get = (options) => {
        document.title = 'asking'
        return get(options)
      }
    })
    const waiting = logIn(page)
    await page.waitForFunction(() => document.title === 'asking')
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true })
    // A new ceremony ends the pending one, as the browser's cancel button does.
    const second = logIn(page)
    expect([await waiting, await second]).toEqual(['PASSKEY_FAILED', 'alice'])
    expect(await logIn(page)).toBe('alice')
  })

  test('another person on the same device can’t log in', async () => {
    const { page, cdp, authenticatorId } = await withPasskey()
    await call(page, '/logout/')
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    expect(await logIn(page)).toBe('PASSKEY_FAILED')
    expect(await (await visit()).page.evaluate(async () => (await fetch('/me/')).status)).toBe(401)
  })

  test('a cloned authenticator is detected by its counter', async () => {
    const { page, cdp, authenticatorId } = await withPasskey()
    await call(page, '/logout/')
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    const [credential] = credentials
    if (credential === undefined) throw new Error('the authenticator has no passkey')
    expect(await logIn(page)).toBe('alice')
    const copy = await visit()
    await copy.cdp.send('WebAuthn.addCredential', {
      authenticatorId: copy.authenticatorId,
      credential: { ...credential, signCount: 0 },
    })
    expect(await logIn(copy.page)).toBe('ACCOUNTS_INVALID_CREDENTIALS')
    expect(await logIn(page)).toBe('alice')
  })

  test('two tabs don’t use up each other’s challenge', async () => {
    const { page } = await withPasskey()
    await call(page, '/logout/')
    const [status, second] = await page.evaluate(async () => {
      const other = await fetch('/login/passkey/options/', { method: 'POST' })
      const first = await passkeys.logInWithPasskey()
      return [other.status, first.ok]
    })
    expect([status, second]).toEqual([200, true])
  })

  test('a key without a PIN completes a login with a password, and confirms', async () => {
    const { page } = await visit({ transport: 'usb', hasResidentKey: false, hasUserVerification: false })
    const password = { username: 'alice', password: goodPassword }
    await call(page, '/login/', password)
    const codes = await page.evaluate(async () => {
      const added = await passkeys.addPasskey({ name: 'Key', use: 'factor' })
      if (!added.ok) return added.error.code
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ passkeys: true })
      return (await (await fetch('/second-factor/', { method: 'PATCH', headers, body })).json())
        .recovery_codes
    })
    expect(codes).toHaveLength(10)
    const confirmed = await page.evaluate(async () => {
      const result = await passkeys.confirm()
      return result.ok ? result.status : result.error.code
    })
    expect(confirmed).toBe(204)
    await call(page, '/logout/')
    expect(await call(page, '/login/', password)).toBe(401)
    const complete = () =>
      page.evaluate(async () => {
        const result = await passkeys.logInWithSecondFactor({ remember_device: true })
        return result.ok ? result.data.username : result.error.code
      })
    expect(await complete()).toBe('alice')
    await call(page, '/logout/')
    expect(await call(page, '/login/', password)).toBe(200)
    await call(page, '/logout/')
    expect(await complete()).toBe('ACCOUNTS_LOGIN_EXPIRED')
  })

  test('a login waiting for a passkey doesn’t prevent one with a passkey alone', async () => {
    const { page } = await withPasskey()
    await page.evaluate(async () => {
      await passkeys.confirm()
      const headers = { 'content-type': 'application/json' }
      await fetch('/second-factor/', { method: 'PATCH', headers, body: JSON.stringify({ passkeys: true }) })
    })
    await call(page, '/logout/')
    expect(await call(page, '/login/', { username: 'alice', password: goodPassword })).toBe(401)
    expect(await logIn(page)).toBe('alice')
  })

  test('a removed passkey logs nobody in', async () => {
    const { page } = await withPasskey()
    const removed = await page.evaluate(async () => {
      await passkeys.confirm()
      const list = await passkeys.listPasskeys()
      const [passkey] = list.ok ? list.data.results : []
      return passkey && (await passkeys.removePasskey(passkey)).ok
    })
    expect(removed).toBe(true)
    await call(page, '/logout/')
    expect(await logIn(page)).toMatch(/ACCOUNTS_INVALID_CREDENTIALS|PASSKEY_FAILED/)
  })
})
