import { baseUrl, secret } from '@fastify-accounts/test-support/app'
import Fastify, { type FastifyReply, type FastifyRequest, type FastifyTypeProvider } from 'fastify'
import { expect, expectTypeOf, test } from 'vitest'
import accounts, {
  type Accounts,
  limitPipelining,
  lingeringClose,
  type OwnEmails,
  type PermissionOf,
  type RoleOf,
  type SignUpGrant,
  type UserPermission,
} from '../src/index.js'

test('the hooks and functions for your own routes take requests over HTTP/2 without casts', async () => {
  const app = Fastify({ http2: true })
  app.addHook('onRequest', limitPipelining)
  app.addHook('onRequest', lingeringClose)
  await app.register(accounts, { secret, baseUrl, prefix: '/accounts' })
  app.get('/name', { onRequest: app.accounts.requireUser }, (request) => app.accounts.userOf(request))
  app.get('/', { preHandler: app.accounts.loadUser }, async (request, reply) => {
    await app.accounts.requireRecentLogin(request, reply)
  })
  app.post('/saml', (request, reply) => app.accounts.logIn(request, reply, 'nobody'))
  const responses = await Promise.all([
    app.inject('/name'),
    app.inject('/'),
    app.inject({ method: 'POST', url: '/saml' }),
  ])
  expect(responses.map((response) => response.json().code)).toEqual([
    'ACCOUNTS_LOGIN_REQUIRED',
    'ACCOUNTS_LOGIN_REQUIRED',
    'ACCOUNTS_NOT_FOUND',
  ])
  await app.close()
})

/** Takes the type of a schema from its `marker`. */
interface MarkerProvider extends FastifyTypeProvider {
  validator: this['schema'] extends { marker: infer Marked } ? Marked : unknown
  serializer: unknown
}

test('a hook leaves a route the types of its schema', async () => {
  const app = Fastify().withTypeProvider<MarkerProvider>()
  await app.register(accounts, { secret, baseUrl })
  const schema = { params: { marker: 5 as number } }
  app.get('/a/:id', { schema, onRequest: app.accounts.requireUser }, (request) => {
    expectTypeOf(request.params).toEqualTypeOf<number>()
    expectTypeOf(request.query).toEqualTypeOf<unknown>()
  })
  app.get<{ Params: { id: string } }>('/b/:id', { onRequest: app.accounts.requireUser }, (request) => {
    expectTypeOf(request.params).toEqualTypeOf<{ id: string }>()
  })
  expect(app.hasRoute({ method: 'GET', url: '/b/:id' })).toBe(true)
  await app.close()
})

test('an app names its roles once, and no call takes another role or permission', () => {
  const roles = { support: ['users:read'], editor: ['posts:write', 'posts:read'] } as const
  type Own = Accounts<undefined, string, OwnEmails, typeof roles>
  type Permission = UserPermission | 'posts:write' | 'posts:read'
  expectTypeOf<PermissionOf<typeof roles>>().toEqualTypeOf<Permission>()
  expectTypeOf<Parameters<Own['requirePermission']>>().toEqualTypeOf<[permission: Permission]>()
  expectTypeOf<Parameters<Own['can']>[1]>().toEqualTypeOf<Permission>()
  type Role = 'support' | 'editor'
  expectTypeOf<RoleOf<typeof roles>>().toEqualTypeOf<Role>()
  type RolesIn<Input extends { roles?: unknown }> = NonNullable<Input['roles']>
  expectTypeOf<RolesIn<Parameters<Own['updateUser']>[1]>>().toEqualTypeOf<readonly Role[]>()
  expectTypeOf<RolesIn<Parameters<Own['createUser']>[0]>>().toEqualTypeOf<readonly Role[]>()
  expectTypeOf<RolesIn<Parameters<Own['invite']>[0]>>().toEqualTypeOf<readonly Role[]>()
  expectTypeOf<RolesIn<SignUpGrant<undefined, RoleOf<typeof roles>>>>().toEqualTypeOf<readonly Role[]>()
  // Under a name of the app's.
  type Declared = typeof roles
  interface Named extends Declared {}
  expectTypeOf<Parameters<Accounts<undefined, string, OwnEmails, Named>['updateUser']>>().toEqualTypeOf<
    Parameters<Own['updateUser']>
  >()
  // Code that takes any accounts takes these.
  expectTypeOf<Own>().toExtend<Accounts>()
  // Roles that aren't literals, as from a file, are checked at the start.
  expectTypeOf<RolesIn<Parameters<Accounts['updateUser']>[1]>>().toEqualTypeOf<readonly string[]>()
  expectTypeOf<Parameters<Accounts['can']>[1]>().toEqualTypeOf<string>()
})

test('perform takes the input of the operation that it names, and returns its success', () => {
  const fields = { type: 'object', properties: { plan: { type: 'string' } } } as const
  type Perform = Accounts<typeof fields>['perform']
  function inAnApp(perform: Perform, request: FastifyRequest, reply: FastifyReply) {
    const body = { username: 'alice', password: 'x' }
    const login = perform(request, reply, 'logIn', { body })
    expectTypeOf<Awaited<typeof login>['status']>().toEqualTypeOf<200>()
    expectTypeOf<Awaited<typeof login>['body']['plan']>().toEqualTypeOf<string | undefined>()
    const signUp = perform(request, reply, 'signUp', { body: { ...body, plan: 'free' } })
    expectTypeOf<Awaited<typeof signUp>['status']>().toEqualTypeOf<201 | 202>()
    expectTypeOf<Awaited<ReturnType<typeof perform<'logOut'>>>>().toEqualTypeOf<{
      status: 204
      body: undefined
    }>()
    perform(request, reply, 'endSession', { params: { id: 'x' } })
    perform(request, reply, 'listUsers')
    // @ts-expect-error there is no such operation
    perform(request, reply, 'logInn', { body })
    // @ts-expect-error a login needs a password
    perform(request, reply, 'logIn', { body: { username: 'alice' } })
    // @ts-expect-error and a body
    perform(request, reply, 'logIn')
    // @ts-expect-error the id of a session is in the params
    perform(request, reply, 'endSession', { body: { id: 'x' } })
    // @ts-expect-error a plan is a text
    perform(request, reply, 'updateMe', { body: { plan: 5 } })
  }
  expect(inAnApp).toBeTypeOf('function')
})
