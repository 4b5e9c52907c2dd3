import type { FastifyInstance } from 'fastify'
import { type AccountsHook, type AccountsOptions, type ApiKeysOptions, apiKeys } from 'fastify-accounts'
import { goodPassword, type Host, logIn, type TestApp, testApp } from './app.js'

export const scopes = { 'orders:read': 'Read orders', 'orders:write': 'Change orders' }

/** Routes of the app: one for each scope, one for people only, one for anybody. */
export function ordersOf(app: FastifyInstance): void {
  // The decorator comes later.
  const late =
    (hook: (accounts: FastifyInstance['accounts']) => AccountsHook): AccountsHook =>
    (request, reply) =>
      hook(app.accounts)(request, reply)
  const shown = async (request: Parameters<AccountsHook>[0]) => ({
    user: request.getDecorator<{ username: string } | null>('user')?.username ?? null,
    key: app.accounts.keyOf(request),
  })
  const requiring = (scope: string) => ({ onRequest: late((accounts) => accounts.requireScope(scope)) })
  app.get('/orders', requiring('orders:read'), shown)
  app.post('/orders', requiring('orders:write'), shown)
  app.get('/people', { onRequest: late((accounts) => accounts.requireUser) }, shown)
  app.get('/anybody', { onRequest: late((accounts) => accounts.loadUser) }, shown)
}

/** An app with the feature and those routes, the user alice with a verified address, and her session. */
export async function keyApp(
  options: Partial<AccountsOptions> = {},
  given: Partial<ApiKeysOptions> = {},
  host: Host = {},
): Promise<TestApp & { id: string; cookie: string }> {
  const service = await testApp(
    { features: [apiKeys({ scopes, ...given })], ...options },
    {
      ...host,
      before(app) {
        ordersOf(app)
        return host.before?.(app)
      },
    },
  )
  const alice = { username: 'alice', password: goodPassword, email: 'alice@example.org', isVerified: true }
  const { id } = await service.app.accounts.createUser(alice)
  return { ...service, id, cookie: await logIn(service) }
}

/** Headers of a program. */
export const withKey = (key: string, others: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${key}`, ...others },
})

/** A key that its owner creates over HTTP. */
export async function createKey(
  { send, cookie }: Pick<TestApp, 'send'> & { cookie: string },
  body: object = {},
): Promise<{ key: string; id: string }> {
  const asked = { name: 'CI', scopes: ['orders:read'], ...body }
  const response = await send('POST', '/api-keys/', asked, { headers: { cookie } })
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json()
}
