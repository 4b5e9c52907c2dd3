import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createAccountsClient, unwrap } from '@fastify-accounts/client'
import { createMigratingHasher, djangoPbkdf2 } from '@fastify-accounts/hashes'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  openSqlite,
} from '@fastify-accounts/kysely'
import { createNodemailerMailer } from '@fastify-accounts/nodemailer'
import { passkeys } from '@fastify-accounts/passkeys'
import { github, providers } from '@fastify-accounts/providers'
import { userStoreCases } from '@fastify-accounts/testing'
import Fastify from 'fastify'
import accounts, { createScryptHasher, secondFactor } from 'fastify-accounts'
import { cheap, story } from './story.mjs'

assert.equal(typeof createNodemailerMailer, 'function')
assert.ok(userStoreCases !== undefined)
const db = openSqlite(':memory:')
await migrate(db)
const app = Fastify()
await app.register(accounts, {
  secret: randomBytes(32).toString('base64url'),
  baseUrl: 'http://localhost:3000',
  users: true,
  features: [secondFactor(), passkeys(), providers([github({ clientId: 'id', clientSecret: 'secret' })])],
  userStore: createKyselyUserStore({ db }),
  sessionStore: createKyselySessionStore({ db }),
  passwordHasher: createMigratingHasher(createScryptHasher(cheap), [djangoPbkdf2()]),
})
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
assert.ok('login' in unwrap(await createAccountsClient({ baseUrl }).listRoutes()))
await story(app)
await db.destroy()
