import { baseUrl, outbox, secret } from '@fastify-accounts/test-support/app'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import { expect, expectTypeOf, test } from 'vitest'
import accounts, {
  type Accounts,
  type AccountsOptions,
  createHmacSigner,
  type OwnEmails,
} from '../src/index.js'
import type { optionTable } from '../src/options/table.js'

async function start(options: object): Promise<string> {
  const app = Fastify()
  try {
    await app.register(accounts, { secret, baseUrl, mailer: outbox(), ...options } as AccountsOptions)
    await app.ready()
    return 'started'
  } catch (error) {
    return (error as Error).message
  } finally {
    await app.close()
  }
}

test.each([
  [{ prefix: 'accounts' }, 'prefix'],
  [{ prefix: '/:id' }, 'prefix'],
  [{ auth: true }, 'auth'],
  [{ auth: { prefix: 7 } }, 'auth.prefix'],
  [{ users: 'both' }, 'users'],
  [{ users: { variant: 'A' } }, 'users.variant'],
  [{ requireEmailConfirmation: 'yes' }, 'requireEmailConfirmation'],
  [{ users: { verifyLinks: 'get' } }, 'users.verifyLinks'],
  [{ users: { requireEmailConfirmations: true } }, 'users.requireEmailConfirmations'],
  [{ users: { publicFields: 'email' } }, 'users.publicFields'],
  [{ users: { publicFields: ['passwordHash'] } }, 'users.publicFields'],
  [{ users: { publicFields: ['password'] } }, 'users.publicFields'],
  [{ users: { fields: {} } }, 'users.fields'],
  [{ users: { fields: Type.Object({ is_staff: Type.Boolean() }) } }, 'users.fields'],
  [{ users: { fields: Type.Object({ displayName: Type.String() }) } }, 'users.fields'],
  [{ users: { fields: Type.Object({ site: Type.String({ format: 'no-such-format' }) }) } }, 'users.fields'],
  [{ logSerializers: {} }, 'logSerializers'],
  [{ baseUrl: '' }, 'baseUrl'],
  [{ baseUrl: undefined }, 'baseUrl'],
  [{ baseUrl: `https://${undefined}` }, 'baseUrl'],
  [{ baseUrl: `https://www.${null}/app` }, 'baseUrl'],
  [{ baseUrl: `http://${Number.NaN}:3000` }, 'baseUrl'],
  [{ baseUrl: `http://localhost:${undefined}` }, 'baseUrl'],
  [{ baseUrl: `https://${{}}` }, 'baseUrl'],
  [{ trustedOrigins: [`https://${undefined}`] }, 'trustedOrigins'],
  [{ userStore: {} }, 'userStore'],
  [{ sessionStore: null }, 'sessionStore'],
  [{ mailer: () => {} }, 'mailer'],
  [{ tokenSigner: { sign() {} } }, 'tokenSigner'],
  [{ passwordHasher: { hash() {}, verify() {} } }, 'passwordHasher'],
  [{ authorize: { createUser: true } }, 'authorize.createUser'],
  [{ authorize: { banUser: () => true } }, 'authorize.banUser'],
  [{ emails: { reset: () => {} } }, 'emails.reset'],
  [{ session: { cookieName: 'a b' } }, 'session.cookieName'],
  [{ throttle: { store: {} } }, 'throttle.store'],
  [{ trustedOrigins: 'https://example.org' }, 'trustedOrigins'],
  [{ trustedOrigins: ['https://example.org/'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['*'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['null'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['file://'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['javascript://localhost'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['data://x'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['constructor://localhost'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['capacitor://*'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['capacitor://localhost/'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['capacitor://'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['Capacitor://localhost'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['capacitor://localhost\n'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['chrome-extension://*'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['chrome-extension://short'] }, 'trustedOrigins'],
  [{ decorateAs: { instance: 'a-b' } }, 'decorateAs.instance'],
  [{ decorateAs: { request: '' } }, 'decorateAs.request'],
  [{ roles: ['support'] }, 'roles'],
  [{ roles: {} }, 'roles'],
  [{ roles: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`r${n}`, []])) }, 'roles'],
  [{ roles: { 'a,b': [] } }, 'roles'],
  [{ roles: { ['a'.repeat(65)]: [] } }, 'roles'],
  [{ roles: { support: 'users:read' } }, 'roles.support'],
  [{ roles: { support: [7] } }, 'roles.support'],
  [{ roles: { support: ['read posts'] } }, 'roles.support'],
  [{ roles: { support: ['users:reed'] } }, 'roles.support'],
  [{ roles: { support: ['users:read', 'users:read'] } }, 'roles.support'],
  [{ roles: { support: Array.from({ length: 101 }, (_, n) => `p${n}`) } }, 'roles.support'],
  [{ users: { publicFields: ['roles'] } }, 'users.publicFields'],
  [{ users: { fields: Type.Object({ roles: Type.String() }) } }, 'users.fields'],
  [{ secrets: secret }, 'secrets'],
])('an invalid option stops the start with one line that names it: %j', async (options, name) => {
  const message = await start(options)
  expect(message).toMatch(/^fastify-accounts: the option /)
  expect(message.split(' ')[3]).toBe(name)
  expect(message).not.toContain('\n')
})

test('a host may have a label that a template without a value would leave', async () => {
  for (const each of ['https://nan.go.th', 'https://app.null.example:8443'])
    expect(await start({ baseUrl: each })).toBe('started')
})

test('the line about a URL shows it', async () => {
  expect(await start({ baseUrl: `https://${undefined}` })).toMatch(
    /baseUrl must be .*, got 'https:\/\/undefined'$/,
  )
})

test('a signer whose tokens are too long stops the start, unless the host allows longer parameters', async () => {
  const hmac = createHmacSigner({ secret })
  const long = { ...hmac, sign: async () => 'x'.repeat(150) }
  expect(await start({ tokenSigner: long })).toMatch(
    /the option tokenSigner makes tokens of 150 characters.*maxParamLength/,
  )
  expect(await start({ tokenSigner: { ...hmac, sign: async () => 'a/b' } })).toMatch(/tokenSigner.*URL-safe/)
  const app = Fastify({ routerOptions: { maxParamLength: 200 } })
  await app.register(accounts, { secret, baseUrl, tokenSigner: long })
  await app.close()
})

test("valid options start, and leave the caller's object unchanged", async () => {
  const options = Object.freeze({
    secret: Object.freeze([secret, `${secret}-older`]),
    baseUrl: 'https://example.org/app/',
    prefix: '/accounts/',
    trustedOrigins: Object.freeze(['https://app.example.org', 'http://localhost:5173']),
    users: Object.freeze({
      fields: Type.Object({ locale: Type.String() }),
      publicFields: Object.freeze(['locale', 'created_at']),
    }),
  })
  expect(await start(options)).toBe('started')
})

test('an option that is undefined is one that is not given', async () => {
  const unset = undefined
  const groups = ['login', 'openapi', 'brand', 'languages', 'session', 'links', 'decorateAs', 'auth', 'users']
  const single = [
    'prefix',
    'requireEmailConfirmation',
    'features',
    'userStore',
    'trustedOrigins',
    'adapterTimeout',
  ]
  expect(await start(Object.fromEntries([...groups, ...single].map((name) => [name, unset])))).toBe('started')
  const emails = { 'reset-password': unset }
  const throttle = { store: unset, limits: { login: unset } }
  const brand = { name: unset, color: unset }
  const routes = { paths: { login: unset }, links: { pages: { reset: unset } } }
  expect(await start({ emails, throttle, brand, ...routes, users: { variant: unset } })).toBe('started')
  // These protect: a variable that is not set must not turn them off.
  expect(await start({ authorize: { createUser: unset } })).toContain('authorize.createUser')
  expect(await start({ password: { pepper: unset } })).toContain('password.pepper is undefined')
})

test('an unknown route, link or permission is an error of the types as well', async () => {
  // @ts-expect-error: there is no route of this name
  const paths: AccountsOptions['paths'] = { signin: '/session/' }
  // @ts-expect-error: no email links to this route
  const pages: NonNullable<AccountsOptions['links']>['pages'] = { login: '/app/{uid64}/{token}' }
  expect(await start({ paths })).toContain('paths.signin')
  expect(await start({ links: { pages } })).toContain('links.pages.login')
  const roles = { support: ['users:reed', 'posts:write'] } as const
  // @ts-expect-error: only the plugin's permissions begin with `users:`
  expectTypeOf<Accounts<undefined, string, OwnEmails, typeof roles>>().not.toBeNever()
  expect(await start({ roles })).toContain('users:reed')
})

/** Whether two types are the same, including optional properties. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** The options that only one of two types has, or whose types differ. */
type Differing<A, B> = {
  [Name in keyof A | keyof B]-?: Same<Pick<A, Name & keyof A>, Pick<B, Name & keyof B>> extends true
    ? never
    : Name
}[keyof A | keyof B]

test('the documented option types match the validated ones', () => {
  type Checked = Parameters<typeof optionTable.check>[0]
  // Fastify's `register` has it, too, and takes no `undefined`.
  type Differences = Exclude<Differing<AccountsOptions, Checked>, 'prefix'>
  expectTypeOf<Differences>().toBeNever()
})
