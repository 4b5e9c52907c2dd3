import { hash, randomUUID } from 'node:crypto'
import * as client from '@fastify-accounts/client/providers'
import { linkPath } from '@fastify-accounts/test-support/app'
import { blocksOf } from '@fastify-accounts/test-support/blocks'
import { fetchWithCookies } from '@fastify-accounts/test-support/client'
import { type DemoApp, demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { expect, it } from 'vitest'

/** What the code for Expo on docs/guides/providers-apps.md exports, run with these in place of Expo's modules. */
function fromPage<T>(text: string, modules: Record<string, object>): T {
  const block = blocksOf('docs/guides/providers-apps.md').find(
    (each) => each.language === 'tsx' && each.code.includes(text),
  )
  const code = String(block?.code)
    .replaceAll(/^import type .+$/gm, '')
    .replaceAll(/^import (?:\* as )?(.+) from ('.+')$/gm, 'const $1 = require($2)')
    .replaceAll(/: (?:string|typeof accounts\.appLoginUrl|AppLogin \| string \| null)(?=[,)])/g, '')
    .replaceAll(/^export (?=.*function (\w+))/gm, 'exports.$1 = $1\n')
  const exports = {}
  new Function('exports', 'require', code)(exports, (name: string) => modules[name])
  return exports as T
}

const ada = { sub: 'ada-1', email: 'ada@example.org', email_verified: true }

const expoCrypto = {
  CryptoDigestAlgorithm: { SHA256: 'SHA-256' },
  randomUUID,
  digestStringAsync: async (algorithm: string, text: string, { encoding = 'hex' } = {}) =>
    hash(algorithm, text, encoding as 'hex' | 'base64'),
}

it('logs in with Apple’s SDK', async () => {
  const profile = ({ parameters }: { parameters: URLSearchParams }) => ({
    username: JSON.parse(parameters.get('user') ?? '{}').name.firstName,
  })
  const service = await demoApp({
    name: 'apple',
    appAudiences: ['org.example.app'],
    authoritativeFor: true,
    profile,
  })
  const baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { logInWithApple } = fromPage<{ logInWithApple(): Promise<client.AppLogin> }>('signInAsync', {
    'expo-crypto': expoCrypto,
    'expo-apple-authentication': {
      AppleAuthenticationScope: { FULL_NAME: 0, EMAIL: 1 },
      signInAsync: async ({ nonce }: { nonce: string }) => ({
        identityToken: service.issuer.issue('org.example.app', nonce, ada),
        fullName: { givenName: 'Ada', familyName: 'Lovelace' },
      }),
    },
    '@fastify-accounts/client/providers': {
      createProvidersClient: () => client.createProvidersClient({ baseUrl, fetch: fetchWithCookies() }),
    },
  })
  const result = await logInWithApple()
  expect(result).toMatchObject({ status: 200, data: { email: ada.email, username: 'Ada' } })
})

/** The code for the system browser, which brings back what a browser does there. */
function expoBrowser(service: DemoApp, baseUrl: string, claims: object) {
  const browser = visitor(service)
  const given = { suffix: '' }
  const page = fromPage<Record<string, (provider: string) => Promise<client.AppLogin | string | null>>>(
    'openAuthSessionAsync',
    {
      'expo-crypto': { ...expoCrypto, CryptoEncoding: { BASE64: 'base64' } },
      'expo-web-browser': {
        async openAuthSessionAsync(url: string, redirectUri: string) {
          const location = await browser.start({}, url.slice(baseUrl.length))
          const time = { auth_time: Math.floor(Date.now() / 1000) }
          const { headers, body } = await browser.comeBack(
            service.issuer.logIn(location, { ...claims, ...time }),
            { accept: 'text/html' },
          )
          const back = headers.location ?? /href="(org\.example\.app:[^"]+)"/.exec(body)?.[1]
          expect(back?.startsWith(`${redirectUri}?`)).toBe(true)
          return { type: 'success', url: `${back?.replaceAll('&#38;', '&')}${given.suffix}` }
        },
      },
      '@fastify-accounts/client/providers': {
        createProvidersClient: () => client.createProvidersClient({ baseUrl, fetch: fetchWithCookies() }),
      },
    },
  )
  return { page, given, browser }
}

const inApps = { appRedirectUris: ['org.example.app:/login'] }

it('logs in, links and confirms with the system browser', async () => {
  const service = await demoApp({ authoritativeFor: true }, {}, {}, [], inApps)
  const baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { page, given } = expoBrowser(service, baseUrl, ada)
  expect(await page.logInWith?.('demo')).toMatchObject({ status: 200, data: { email: ada.email } })
  expect(await page.linkWith?.('demo')).toMatchObject({ status: 204 })
  expect(await page.confirmWith?.('demo')).toMatchObject({ status: 204 })
  given.suffix = 'x'
  expect(await page.logInWith?.('demo')).toBeNull()
})

/** The code for a 202. */
const textsOf = (baseUrl: string, fetch = fetchWithCookies()) =>
  fromPage<{
    textAfter(result: client.AppLogin | string | null): string
    finishSignUp(path: string): Promise<string>
  }>('textAfter', {
    '@fastify-accounts/client/providers': {
      createProvidersClient: () => client.createProvidersClient({ baseUrl, fetch }),
    },
  })

it('says to check the inbox after the system browser, whose link is opened there', async () => {
  const service = await demoApp({}, {}, {}, [], inApps)
  const baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { page, browser } = expoBrowser(service, baseUrl, ada)
  const { textAfter } = textsOf(baseUrl)
  expect(textAfter((await page.logInWith?.('demo')) ?? null)).toContain('then log in again')
  const link = linkPath(await service.mail('identity-sign-up'))
  expect((await browser.send('POST', link)).statusCode).toBe(202)
  expect(textAfter((await page.logInWith?.('demo')) ?? null)).toBe('Welcome!')
  expect(textAfter(null)).toContain('Try again')
})

it('says to check the inbox after an SDK, whose link is opened in the app', async () => {
  const service = await demoApp({ appAudiences: ['org.example.app'] })
  const baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const fetch = fetchWithCookies()
  const { textAfter, finishSignUp } = textsOf(baseUrl, fetch)
  const nonce = randomUUID()
  const id_token = service.issuer.issue('org.example.app', hash('sha256', nonce, 'hex'), ada)
  const sdk = client.createProvidersClient({ baseUrl, fetch })
  expect(textAfter(await sdk.logInWithToken('demo', { id_token, nonce }))).toContain('on this device')
  const link = linkPath(await service.mail('identity-sign-up'))
  expect(await textsOf(baseUrl).finishSignUp(link)).toContain('where you started')
  expect(await finishSignUp(link)).toBe('Welcome!')
  expect(await sdk.listIdentities()).toMatchObject({ data: { results: [{ provider: 'demo' }] } })
})
