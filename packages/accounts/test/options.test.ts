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
  [{ session: { cookieName: 'a b' } }, 'session.cookieName'],
  [{ throttle: { store: {} } }, 'throttle.store'],
  [{ trustedOrigins: 'https://example.org' }, 'trustedOrigins'],
  [{ trustedOrigins: ['https://example.org/'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['*'] }, 'trustedOrigins'],
  [{ trustedOrigins: ['null'] }, 'trustedOrigins'],
  [{ decorateAs: { instance: 'a-b' } }, 'decorateAs.instance'],
  [{ decorateAs: { request: '' } }, 'decorateAs.request'],
  [{ secrets: secret }, 'secrets'],
])('a wrong option stops the start with one line that names it: %j', async (options, name) => {
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
