import { readFileSync } from 'node:fs'
import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import { createAccountsClient, unwrap } from '@fastify-accounts/client'
import Fastify from 'fastify'
import accounts, { type AccountsOptions, createScryptHasher } from 'fastify-accounts'
import { describe, expect, it, onTestFinished } from 'vitest'

const guide = readFileSync(new URL('../../../docs/guides/single-page-app.md', import.meta.url), 'utf8')
const page = 'https://app.example.org'
const password = 'seven green lanterns'

/** The settings of @fastify/cors as the guide has them. */
function corsOf(text: string): FastifyCorsOptions {
  const [, settings = ''] = /register\(fastifyCors, (\{.*?\n\})\)/s.exec(text) ?? []
  return new Function('origins', `return ${settings}`)([page])
}

async function startService(cors: FastifyCorsOptions, options: Partial<AccountsOptions>): Promise<string> {
  const app = Fastify()
  onTestFinished(() => app.close())
  await app.register(fastifyCors, cors)
  await app.register(accounts, {
    secret: 'a test needs no better secret than this one',
    baseUrl: 'http://localhost:3000',
    users: true,
    passwordHasher: createScryptHasher({ logN: 4, r: 1, p: 1 }),
    mailer: { send: async () => {} },
    ...options,
  })
  return app.listen({ port: 0, host: '127.0.0.1' })
}

/** A browser that shows the page: it asks first, hides what CORS does not allow, and keeps cookies. */
function browserFetch(): typeof fetch {
  let cookie = ''
  return async (input, init = {}) => {
    const { method = 'GET' } = init
    const headers = new Headers(init.headers)
    const allowed = (answer: Response) =>
      answer.headers.get('access-control-allow-origin') === page &&
      answer.headers.get('access-control-allow-credentials') === 'true'
    if (method === 'PATCH' || method === 'DELETE' || headers.has('content-type')) {
      const asked = await fetch(input, {
        method: 'OPTIONS',
        headers: {
          origin: page,
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type',
        },
      })
      const methods = asked.headers.get('access-control-allow-methods')?.split(', ') ?? []
      if (!asked.ok || !allowed(asked) || !['GET', 'HEAD', 'POST', ...methods].includes(method)) {
        throw new TypeError('refused at the preflight')
      }
    }
    headers.set('origin', page)
    headers.set('sec-fetch-site', 'same-site')
    if (cookie !== '') headers.set('cookie', cookie)
    const answer = await fetch(input, { ...init, headers })
    const [set] = answer.headers.getSetCookie()
    if (set !== undefined) cookie = set.split(';')[0] ?? ''
    if (!allowed(answer)) throw new TypeError('hidden by CORS')
    const exposed = answer.headers.get('access-control-expose-headers') ?? ''
    if (!/retry-after/i.test(exposed)) answer.headers.delete('retry-after')
    return answer
  }
}

const clientOf = (baseUrl: string) => createAccountsClient({ baseUrl, fetch: browserFetch() })

describe('docs/guides/single-page-app.md', () => {
  const cors = corsOf(guide)

  it('has an app on another origin log in, change and delete its account', async () => {
    const client = clientOf(await startService(cors, { trustedOrigins: [page] }))
    await client.signUp({ username: 'ada', password, confirm_password: password }).then(unwrap)
    await client.login({ username: 'ada', password }).then(unwrap)
    expect(await client.updateMe({ username: 'augusta' }).then(unwrap)).toMatchObject({ username: 'augusta' })
    expect(await client.deleteMe()).toMatchObject({ ok: true, status: 204 })
    expect(await client.me()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
  })

  it('lets the app see when a new try makes sense', async () => {
    const limits = { login: { max: 1, window: 60_000 } }
    const client = clientOf(await startService(cors, { trustedOrigins: [page], throttle: { limits } }))
    const login = () => client.login({ username: 'ada', password })
    await login()
    const refused = await login()
    expect(refused).toMatchObject({ error: { code: 'ACCOUNTS_THROTTLED' } })
    expect(refused.ok ? 0 : refused.error.retryAfter).toBeGreaterThan(0)
  })

  it('says what goes wrong without each setting', async () => {
    const untrusted = clientOf(await startService(cors, {}))
    expect(await untrusted.login({ username: 'ada', password })).toMatchObject({
      error: { code: 'ACCOUNTS_CROSS_SITE' },
    })
    const { methods: _, ...withoutMethods } = cors
    const client = clientOf(await startService(withoutMethods, { trustedOrigins: [page] }))
    expect(await client.updateMe({})).toMatchObject({ error: { code: 'NETWORK_ERROR' } })
    const { credentials: __, ...withoutCredentials } = cors
    const hidden = clientOf(await startService(withoutCredentials, { trustedOrigins: [page] }))
    expect(await hidden.me()).toMatchObject({ error: { code: 'NETWORK_ERROR' } })
  })
})
