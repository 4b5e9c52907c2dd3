import { once } from 'node:events'
import {
  countedSessions,
  goodPassword,
  lastingOutbox,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  testAppOn,
  usersWithOutbox,
} from '@fastify-accounts/test-support/app'
import { expect, test } from 'vitest'
import { InvalidArgumentError, type Mailer, type SessionStore, UnavailableError } from '../../src/index.js'

const email = 'alice@example.org'
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

async function withAlice(options: Parameters<typeof testApp>[0] = {}, start = testApp) {
  const service = await start(options)
  const { id } = await signUp(service, 'alice', { email })
  await service.app.accounts.updateUser(id, { isVerified: true })
  return service
}

const from = ({ send }: TestApp, headers: Record<string, string>, remoteAddress = '192.0.2.7') =>
  send('POST', '/login/', { username: 'alice', password: goodPassword }, { headers, remoteAddress })

async function count(service: TestApp): Promise<number> {
  await service.settle()
  return service.mails.filter(({ kind }) => kind === 'new-device').length
}

test('the first login sends no email; one from an unknown device does, with a description', async () => {
  const service = await withAlice()
  const first = await from(service, {})
  expect(await count(service)).toBe(0)
  const device = first.cookies.find(({ name }) => name.endsWith('-device'))
  await from(service, { cookie: `${device?.name}=${device?.value}` })
  expect(await count(service)).toBe(0)
  await from(service, { 'user-agent': agent })
  const { text, to } = await service.mail('new-device')
  expect(to.address).toBe(email)
  expect(text).toContain('Device: Firefox, Linux\nPlace: network 192.0.2.x\n')
  expect(text).toContain('/not-me/')
})

test('a wrong password, no address, or an unverified one sends no email', async () => {
  const service = await withAlice()
  await logIn(service)
  await service.send('POST', '/login/', { username: 'alice', password: otherPassword })
  await signUp(service, 'bob')
  await signUp(service, 'carol', { email: 'victim@example.org' })
  for (const name of ['bob', 'bob', 'carol', 'carol']) await logIn(service, name)
  expect(await count(service)).toBe(0)
})

test('similar devices cause one email', async () => {
  const service = await withAlice({ throttle: {} })
  await logIn(service)
  for (let round = 0; round < 3; round += 1) await from(service, { 'user-agent': agent })
  expect(await count(service)).toBe(1)
  await from(service, { 'user-agent': agent }, '198.51.100.7')
  expect(await count(service)).toBe(2)
})

test('a login with a new password causes an email, even on a device already reported', async () => {
  const service = await withAlice({ throttle: {} })
  await logIn(service)
  await from(service, { 'user-agent': agent })
  expect(await count(service)).toBe(1)
  const alice = await service.users.findByUsername('alice')
  await service.app.accounts.setPassword(alice?.id ?? '', goodPassword)
  await from(service, { 'user-agent': agent })
  expect(await count(service)).toBe(2)
})

test('similar devices cause one row in the outbox', async () => {
  const { service, kept } = await withOutbox()
  for (let round = 0; round < 3; round += 1) {
    expect((await from(service, { 'user-agent': agent })).statusCode).toBe(200)
  }
  expect(kept).toEqual(['new-device'])
})

test.each(['apart from users', 'together with users'])(
  "if the email can't be stored, the login fails, and the next one is reported: sessions %s",
  async (where) => {
    const { service, kept, fail } = await withOutbox(where === 'together with users')
    const before = service.sessions.rows.size
    fail(true)
    const refused = await from(service, { 'user-agent': agent })
    expect([refused.statusCode, refused.json().code]).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
    expect(refused.headers['set-cookie']).toBeUndefined()
    await service.settle()
    expect(service.sessions.rows.size).toBe(before)
    fail(false)
    expect((await from(service, { 'user-agent': agent })).statusCode).toBe(200)
    expect(kept).toEqual(['new-device'])
  },
)

test('an email that is given up makes room for the next one, whatever was skipped meanwhile', async () => {
  const told: string[] = []
  let refuse = (): void => {}
  const refusal = new Promise<void>((resolve) => {
    refuse = resolve
  })
  const mailer: Mailer = {
    async send({ kind }) {
      if (kind !== 'new-device') return
      told.push(kind)
      await refusal
      throw new InvalidArgumentError('there is no such mailbox')
    },
  }
  const service = await withAlice({ mailer, throttle: {} })
  const givenUp = once(service.app.accounts.events, 'mail-failed')
  await logIn(service)
  for (let round = 0; round < 3; round += 1) await from(service, { 'user-agent': agent })
  await expect.poll(() => told).toHaveLength(1)
  refuse()
  await givenUp
  await from(service, { 'user-agent': agent })
  await expect.poll(() => told).toHaveLength(2)
})

/** A store with a persistent outbox, and a user who has logged in once. */
async function withOutbox(together = false) {
  const kept: string[] = []
  let isDown = false
  const outbox = lastingOutbox()
  const { add } = outbox
  outbox.add = async (mails) => {
    if (isDown) throw new UnavailableError('the table is locked')
    kept.push(...mails.map(({ kind }) => kind))
    await add(mails)
  }
  const users = usersWithOutbox(outbox)
  const sessions = countedSessions()
  const withUsers: SessionStore['withUsers'] = {
    users,
    async find(id) {
      const session = await sessions.find(id)
      return session && { session, user: await users.findById(session.userId) }
    },
    async update(id, changes, expectedVersion, mails, { create }) {
      const user = await users.update(id, changes, expectedVersion, mails)
      const count = user && create && (await sessions.create(create))
      return user && { user, isChanged: false, count: count ?? undefined }
    },
  }
  const service = await withAlice({ throttle: {} }, (given) =>
    testAppOn({ users, sessions: together ? Object.assign(sessions, { withUsers }) : sessions }, given),
  )
  await logIn(service)
  kept.splice(0)
  const fail = (value: boolean) => {
    isDown = value
  }
  return { service, kept, fail }
}

test('can be turned off', async () => {
  const service = await withAlice({ session: { newDeviceMail: false } })
  for (let round = 0; round < 3; round += 1) await logIn(service)
  expect(await count(service)).toBe(0)
})

test('an invalid address from an overly trusted proxy is never shown', async () => {
  const service = await testApp({}, { server: { trustProxy: () => true } })
  const { id } = await signUp(service, 'alice', { email })
  await service.app.accounts.updateUser(id, { isVerified: true })
  await logIn(service)
  await from(service, { 'user-agent': agent, 'x-forwarded-for': 'call +1 900 555' })
  const { text } = await service.mail('new-device')
  expect(text).toContain('Firefox, Linux')
  expect(text).not.toContain('900')
})
