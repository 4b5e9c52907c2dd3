import { AsyncLocalStorage } from 'node:async_hooks'
import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword, type TestApp, testAppOn } from '@fastify-accounts/test-support/app'
import { connectWatched, makeDatabase } from '@fastify-accounts/test-support/databases'
import { giveCode, newCode } from '@fastify-accounts/test-support/email-code'
import type { SoftPasskey } from '@fastify-accounts/test-support/passkeys/authenticator'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import type { SessionStore, Subscriber } from 'fastify-accounts'
import { expect, onTestFinished, test } from 'vitest'

type Response = Awaited<ReturnType<TestApp['send']>>

interface Service {
  app: Omit<TestApp<SessionStore>, 'hasher'>
  /** The statements that only this work makes, with those that begin and end transactions. */
  statementsOf(work: () => Promise<Response>): Promise<string[]>
}

/** An app with a user who has a passkey. */
async function start(on: Record<string, Subscriber>): Promise<Service & { passkey: SoftPasskey }> {
  const { place, drop } = await makeDatabase('libsql')
  const own = new AsyncLocalStorage<string[]>()
  const db = await connectWatched(place, (statement) => void own.getStore()?.push(statement))
  await migrate(db)
  const users = createKyselyUserStore({ db })
  const app = await testAppOn(
    { users, sessions: createKyselySessionStore({ db, userStore: users }) },
    { features: [passkeys()], login: { emailCode: true }, session: { newDeviceMail: false }, on },
  )
  onTestFinished(async () => {
    await app.app.close()
    await db.destroy()
    await drop()
  })
  await app.app.accounts.createUser({
    ...{ username: 'alice', email: 'alice@example.org', password: goodPassword, isVerified: true },
  })
  const alice = visitor(app)
  await alice.logIn()
  const { passkey } = await alice.add()
  return {
    app,
    passkey,
    async statementsOf(work) {
      const statements: string[] = []
      const { statusCode, body } = await own.run(statements, async () => await work())
      expect([200, 204], body).toContain(statusCode)
      return [...statements]
    },
  }
}

const requests: Record<
  string,
  (service: Awaited<ReturnType<typeof start>>) => Promise<() => Promise<Response>>
> = {
  'a login by password': async ({ app }) => {
    return () => app.send('POST', '/login/', { username: 'alice', password: goodPassword })
  },
  async 'a login by code'({ app }) {
    const code = await newCode(app)
    return () => giveCode(app, code)
  },
  'a login by passkey': async ({ app, passkey }) => {
    const browser = visitor(app)
    return () => browser.use(passkey)
  },
  async 'who am I'({ app }) {
    const browser = visitor(app)
    await browser.logIn()
    return () => browser.send('GET', '/me/')
  },
  async 'a logout'({ app }) {
    const browser = visitor(app)
    await browser.logIn()
    return () => browser.send('POST', '/logout/')
  },
}

test.each(Object.entries(requests))('%s makes the same statements with a subscriber', async (_, prepare) => {
  const told: string[] = []
  const alone = await start({})
  const heard = await start({ crm: { '*': ({ type }) => void told.push(type) } })
  const [first, second] = [await prepare(alone), await prepare(heard)]
  await heard.app.settle()
  const statements = await alone.statementsOf(first)
  expect(statements.length).toBeGreaterThan(0)
  expect(await heard.statementsOf(second)).toEqual(statements)
  // It does hear.
  await expect.poll(() => told).toContain('session.created')
})
