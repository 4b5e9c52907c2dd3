import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import accounts, { type AccountsOptions, createHmacSigner } from '../src/index.js'
import { baseUrl, outbox, secret } from './support/app.js'

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
  [{ secret: undefined }, 'secret'],
  [{ secret: 'x'.repeat(31) }, 'secret'],
  [{ secret: [] }, 'secret'],
  [{ secret: ['short'] }, 'secret'],
  [{ secret: [''] }, 'secret'],
  [{ secret: [secret, ''] }, 'secret'],
  [{ secret: 'changeme'.repeat(4) }, 'secret'],
  [{ secret: '0'.repeat(64) }, 'secret'],
  [{ secret: [secret, secret] }, 'secret'],
  [{ baseUrl: undefined }, 'baseUrl'],
  [{ baseUrl: 'example.org' }, 'baseUrl'],
  [{ baseUrl: 'ftp://example.org' }, 'baseUrl'],
  [{ baseUrl: 'https://example.org/?x=1' }, 'baseUrl'],
  [{ baseUrl: 'https://me:pw@example.org' }, 'baseUrl'],
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
  [{ apiRoot: 1 }, 'apiRoot'],
  [{ logSerializers: {} }, 'logSerializers'],
  [{ userStore: {} }, 'userStore'],
  [{ sessionStore: null }, 'sessionStore'],
  [{ mailer: () => {} }, 'mailer'],
  [{ tokenSigner: { sign() {} } }, 'tokenSigner'],
  [{ passwordHasher: { hash() {}, verify() {} } }, 'passwordHasher'],
  [{ authorize: { createUser: true } }, 'authorize.createUser'],
  [{ authorize: { banUser: () => true } }, 'authorize.banUser'],
  [{ emails: { reset: () => {} } }, 'emails.reset'],
  [{ password: { minLength: 7 } }, 'password.minLength'],
  [{ password: { minLength: Number.NaN } }, 'password.minLength'],
  [{ password: { maxLength: 63 } }, 'password.maxLength'],
  [{ session: { idleTimeout: '1h' } }, 'session.idleTimeout'],
  [{ session: { idleTimeout: 0 } }, 'session.idleTimeout'],
  [{ session: { idleTimeout: 3_600_000, absoluteTimeout: 60_000 } }, 'session.absoluteTimeout'],
  [{ session: { cookieName: 'a b' } }, 'session.cookieName'],
  [{ links: { resetLifetime: -1 } }, 'links.resetLifetime'],
  [{ links: { verifyLifetime: 1500 } }, 'links.verifyLifetime'],
  [{ throttle: { limits: { login: { max: 0, window: 60_000 } } } }, 'throttle.limits.login.max'],
  [
    { throttle: { limits: { login: { max: 5, window: Number.POSITIVE_INFINITY } } } },
    'throttle.limits.login.window',
  ],
  [{ throttle: { limits: { logins: { max: 5, window: 60_000 } } } }, 'throttle.limits.logins'],
  [{ throttle: { store: {} } }, 'throttle.store'],
  [{ trustedOrigins: 'https://example.org' }, 'trustedOrigins'],
  [{ trustedOrigins: ['https://example.org/'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['*'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['null'] }, 'trustedOrigins'],
  [{ adapterTimeout: 0 }, 'adapterTimeout'],
  [{ decorateAs: { instance: 'a-b' } }, 'decorateAs.instance'],
  [{ decorateAs: { request: '' } }, 'decorateAs.request'],
  [{ secrets: secret }, 'secrets'],
])('CFG-01 CFG-04 a wrong option stops the start with one line that names it: %j', async (options, name) => {
  const message = await start(options)
  expect(message).toMatch(/^fastify-accounts: the option /)
  expect(message.split(' ')[3]).toBe(name)
  expect(message).not.toContain('\n')
})

test('a signer whose tokens do not fit stops the start, and starts where the host has made room', async () => {
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

test('good options start, and the object of the caller stays as it is', async () => {
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
