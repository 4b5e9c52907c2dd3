import { hash, randomUUID } from 'node:crypto'
import * as client from '@fastify-accounts/client/providers'
import { blocksOf } from '@fastify-accounts/test-support/blocks'
import { fetchWithCookies } from '@fastify-accounts/test-support/client'
import { demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { expect, it } from 'vitest'

/** What the code for Expo on docs/providers.md exports, run with these in place of Expo's modules. */
function fromPage<T>(text: string, modules: Record<string, object>): T {
  const block = blocksOf('docs/providers.md').find(
    (each) => each.language === 'tsx' && each.code.includes(text),
  )
  const code = String(block?.code)
    .replaceAll(/^import (?:\* as )?(.+) from ('.+')$/gm, 'const $1 = require($2)')
    .replaceAll(/: string(?=\))/g, '')
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

it('logs in with the system browser', async () => {
  const inApps = { appRedirectUris: ['org.example.app:/login'] }
  const service = await demoApp({ authoritativeFor: true }, {}, {}, [], inApps)
  const baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const browser = visitor(service)
  let state = ''
  const { logInWith } = fromPage<{ logInWith(provider: string): Promise<client.AppLogin | null> }>(
    'openAuthSessionAsync',
    {
      'expo-crypto': { ...expoCrypto, CryptoEncoding: { BASE64: 'base64' } },
      'expo-web-browser': {
        async openAuthSessionAsync(url: string, redirectUri: string) {
          const location = await browser.start({}, url.slice(baseUrl.length))
          const { headers } = await browser.comeBack(service.issuer.logIn(location, ada))
          expect(headers.location?.startsWith(`${redirectUri}?`)).toBe(true)
          return { type: 'success', url: `${headers.location}${state}` }
        },
      },
      '@fastify-accounts/client/providers': {
        createProvidersClient: () => client.createProvidersClient({ baseUrl, fetch: fetchWithCookies() }),
      },
    },
  )
  expect(await logInWith('demo')).toMatchObject({ status: 200, data: { email: ada.email } })
  state = 'x'
  expect(await logInWith('demo')).toBeNull()
})
