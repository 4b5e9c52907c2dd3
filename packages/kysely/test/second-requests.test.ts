import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword, otherPassword, testAppOn } from '@fastify-accounts/test-support/app'
import { type AppBrowser, appBrowser } from '@fastify-accounts/test-support/app-browser'
import { dialectFor, driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import { create, get } from '@fastify-accounts/test-support/passkeys/authenticator'
import { origin } from '@fastify-accounts/test-support/passkeys/service'
import type { AccountsOptions } from 'fastify-accounts'
import { Kysely } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'

type Names = 'required' | 'none'
type Ask = (browser: AppBrowser, path: string, body: object) => ReturnType<AppBrowser['send']>

const password = { password: goodPassword, confirm_password: goodPassword }

/** An app with an account at alice@example.org, and what its requests ask the database. */
async function start(driver: Parameters<typeof dialectFor>[0], names: Names) {
  const asked: string[] = []
  const db = new Kysely<unknown>({
    dialect: await dialectFor(driver),
    log: ({ query }) => void asked.push(query.sql.replace(/^(?:with found\(.*?\) as \()/, '')),
  })
  await migrate(db)
  const users = createKyselyUserStore({ db })
  const { outbox } = users
  if (outbox === undefined) throw new Error('there is an outbox')
  // Emails stay where they are, and nothing runs beside the requests.
  outbox.claim = async () => []
  outbox.count = async () => ({ waiting: 0, dead: 0 })
  users.now = async () => new Date()
  const options: Partial<AccountsOptions> = {
    requireEmailConfirmation: true,
    users: { names },
    features: [passkeys()],
    // What the response doesn't wait for comes with it.
    session: { newDeviceMail: false },
  }
  const sessions = createKyselySessionStore({ db, userStore: users })
  const service = await testAppOn({ users, sessions }, options)
  const owner = { email: 'alice@example.org', ...(names === 'required' && { username: 'alice' }) }
  await service.app.accounts.createUser({ ...owner, password: otherPassword, isVerified: true })
  onTestFinished(async () => {
    await service.app.close()
    await db.destroy()
  })
  return { service, asked }
}

/** Signs up with an address, and asks what could tell whether it had an account. */
async function walk(
  ask: Ask,
  browser: () => AppBrowser,
  email: string,
  names: Names,
  first: string,
): Promise<void> {
  const named = (username: string) => (names === 'required' ? { username } : {})
  await ask(browser(), '/user/', { ...named(`${first}-1`), email, ...password })
  await ask(browser(), '/user/', { ...named(`${first}-2`), email, ...password })
  if (names === 'required') {
    await ask(browser(), '/user/', { username: `${first}-1`, email: `other-${email}`, ...password })
    for (const username of [`${first}-1`, `${first}-2`]) {
      await ask(browser(), '/login/', { username, password: goodPassword })
      await ask(browser(), '/login/', { username, password: otherPassword })
    }
  }
  await ask(browser(), '/login/', { username: email, password: goodPassword })
  await ask(browser(), '/forgot/', { email })
  await ask(browser(), '/user/v/', { email })
}

/** The same with a passkey. */
async function walkWithPasskey(
  ask: Ask,
  browser: () => AppBrowser,
  email: string,
  names: Names,
  first: string,
): Promise<void> {
  const account = { email, ...(names === 'required' && { username: first }) }
  const own = browser()
  const options = await ask(own, '/signup/passkey/options/', account)
  const { passkey, response } = create(options.json(), origin)
  await ask(own, '/signup/passkey/', { ...account, response })
  const login = await ask(own, '/login/passkey/options/', {})
  await ask(own, '/login/passkey/', { response: get(passkey, login.json()) })
}

describe.each(await driversHere())('$title', ({ name: driver }) => {
  test.each<[Names, typeof walk]>([
    ['required', walk],
    ['none', walk],
    ['required', walkWithPasskey],
    ['none', walkWithPasskey],
  ])(
    'a sign-up, and all that follows, makes as many round trips for a taken address as for a free one: names %s, %o',
    async (names, steps) => {
      const database = await makeDatabase(driver)
      onTestFinished(() => database.drop())
      const { service, asked } = await start(database.place, names)
      const trips = async (email: string, first: string) => {
        const counted: [path: string, status: number, statements: string[]][] = []
        const ask: Ask = async (browser, path, body) => {
          asked.length = 0
          const response = await browser.send('POST', path, body)
          counted.push([path, response.statusCode, asked.splice(0)])
          return response
        }
        await steps(ask, () => appBrowser(service), email, names, first)
        return counted
      }
      // Statements are prepared and described once.
      await trips('first@example.org', 'first')
      const taken = await trips('alice@example.org', 'taken')
      const free = await trips('nobody@example.org', 'free')
      const numbers = (counted: typeof free) =>
        counted.map(([path, status, all]) => [path, status, all.length])
      expect(numbers(taken), JSON.stringify([taken, free], null, 1)).toEqual(numbers(free))
      expect(taken[0]?.[1]).toBe(steps === walk ? 202 : 200)
    },
  )
})
