import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import accounts from 'fastify-accounts'
import { db, sessionStore, userStore } from './elsewhere/stores.mjs'

const warnings = []
const logger = { level: 'warn', stream: { write: (line) => warnings.push(JSON.parse(line)) } }
for (const requireEmailConfirmation of [false, true]) {
  const app = Fastify({ logger })
  await app.register(accounts, {
    ...{ secret: randomBytes(32).toString('base64url'), baseUrl: 'http://localhost:3000', users: true },
    ...{ userStore, sessionStore, requireEmailConfirmation, mailer: { send: async () => {} } },
  })
  const signUp = (username, email) => {
    const passwords = { password: 'seven green lanterns', confirm_password: 'seven green lanterns' }
    return app.inject({ method: 'POST', url: '/signup/', payload: { username, email, ...passwords } })
  }
  const responses = [await signUp('ada', 'ada@example.org'), await signUp('ada', 'ben@example.org')]
  responses.push(await signUp('eve', 'ada@example.org'))
  const codes = responses.map(({ statusCode }) => statusCode)
  // The second time ada is in the database.
  assert.deepEqual(codes, requireEmailConfirmation ? [409, 409, 202] : [201, 409, 409])
  await app.close()
}
const told = warnings.filter(({ code }) => code === 'ACCOUNTS_WARN_COPIES')
assert.equal(told.length, 2)
for (const folder of ['/npm/node_modules/fastify-accounts', '/elsewhere/node_modules/fastify-accounts'])
  assert.ok(told[0].msg.replaceAll('\\', '/').includes(folder), told[0].msg)
await db.destroy()
