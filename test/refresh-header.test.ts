import { passkeys } from '@fastify-accounts/passkeys'
import { providers } from '@fastify-accounts/providers'
import Fastify from 'fastify'
import accounts, { apiKeys, invitations, secondFactor, tokens } from 'fastify-accounts'
import { expect, test } from 'vitest'
import type { SwaggerTransform } from '../packages/accounts/src/http/route.js'
import { defaultApiKeyPaths } from '../packages/client/src/api-keys.js'
import { defaultPaths } from '../packages/client/src/client.js'
import { defaultInvitationPaths } from '../packages/client/src/invitations.js'
import { defaultPasskeyPaths } from '../packages/client/src/passkeys.js'
import { defaultProviderPaths } from '../packages/client/src/providers.js'
import { requestsTo } from '../packages/client/src/request.js'
import { defaultUserPaths } from '../packages/client/src/users.js'

const paths: Readonly<Record<string, string>> = {
  ...{ ...defaultPaths, ...defaultUserPaths, ...defaultApiKeyPaths, ...defaultInvitationPaths },
  ...{ ...defaultPasskeyPaths, ...defaultProviderPaths },
}

/** The service's routes that the client calls, by name, and whether a response of theirs may bring tokens. */
async function routes(): Promise<{ name: string; method: 'GET' | 'POST'; delivers: boolean }[]> {
  const found: Awaited<ReturnType<typeof routes>> = []
  const names = new Map(Object.entries(paths).map(([name, path]) => [path, name]))
  const app = Fastify()
  app.addHook('onRoute', ({ method, url, config }) => {
    const { swaggerTransform } = (config ?? {}) as { swaggerTransform?: SwaggerTransform }
    const name = names.get(url.replaceAll(/:(\w+)/g, '{$1}'))
    if (swaggerTransform === undefined || name === undefined || method === 'HEAD') return
    const { schema } = swaggerTransform({ url, openapiObject: {} })
    const { response = {} } = schema as { response?: object }
    const delivers = JSON.stringify(response).includes('Set-Cookie')
    found.push({ name, method: method as 'GET', delivers })
  })
  const demo = { name: 'demo', issuer: 'https://id.example', clientId: 'app', clientSecret: 'secret' }
  await app.register(accounts, {
    secret: 'a test needs no better secret than this one',
    baseUrl: 'https://example.org',
    users: true,
    login: { emailCode: true },
    features: [
      ...[secondFactor(), tokens(), apiKeys({ scopes: ['orders:read'] }), invitations(), passkeys()],
      providers([{ ...demo, appAudiences: ['ios'] }], { appRedirectUris: ['org.example.app:/login'] }),
    ],
  })
  await app.ready()
  await app.close()
  return found
}

test('the client sends the header Accounts-Refresh to the routes that set sessions, and to no other', async () => {
  const all = await routes()
  const expected = all.filter(({ delivers }) => delivers).map(({ name, method }) => `${method} ${name}`)
  const sent: string[] = []
  for (const { name, method } of all) {
    const request = requestsTo(
      {
        baseUrl: 'https://example.org',
        tokens: {
          load: () => ({ access: 'fat_1', refresh: 'far_1', until: Date.now() + 60_000 }),
          save() {},
        },
        async fetch(_input, { headers } = {}) {
          const given = new Headers(headers).get('accounts-refresh')
          if (given !== null) sent.push(`${method} ${name}`)
          expect(given ?? 'far_1').toBe('far_1')
          return Response.json({})
        },
      },
      paths,
    )
    const params = { uid64: 'x', token: 'x', id: 'x', pk: 'x', provider: 'x' }
    await request(method, name, {}, method === 'GET' ? undefined : {}, params)
  }
  expect(expected).toContain('POST change-password')
  expect(sent.toSorted()).toEqual(expected.toSorted())
})
