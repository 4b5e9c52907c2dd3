import { once } from 'node:events'
import {
  browser,
  cookieOf,
  countedSessions,
  goodPassword,
  lastingOutbox,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  testAppOn,
  usersWithOutbox,
  whoIs,
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
      return user && { user, isChanged: false, isCreated: create !== undefined, count: count ?? undefined }
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

test('the link logs everyone out, disables the password, and emails a link to choose a new one', async () => {
  const service = await withAlice()
  const mine = await logIn(service)
  const thief = cookieOf(await from(service, { 'user-agent': agent }))
  const link = linkPath(await service.mail('new-device'))
  const page = await service.send('GET', link, undefined, { headers: browser })
  expect([page.statusCode, page.body.includes('<form method="post">')]).toEqual([200, true])
  expect((await service.send('GET', link)).json()).toEqual({ valid: true })
  expect(await whoIs(service, thief)).toBe('alice')
  const done = await service.send('POST', link, undefined, { headers: browser })
  expect(done.statusCode).toBe(200)
  for (const cookie of [mine, thief]) expect(await whoIs(service, cookie)).toBeNull()
  const login = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(login.json().code).toBe('ACCOUNTS_INVALID_CREDENTIALS')
  expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
  const form = { new_password: otherPassword, confirm_password: otherPassword }
  const mail = await service.mail('choose-password')
  expect(mail.text).toContain('No earlier password works anymore')
  expect(service.mails.map(({ kind }) => kind)).not.toContain('reset-password')
  expect((await service.send('POST', linkPath(mail), form)).statusCode).toBe(204)
  expect(await whoIs(service, await logIn(service, 'alice', otherPassword))).toBe('alice')
  // The new password doesn't make it valid again.
  expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
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

test('the link survives a password change by a thief, but no change of address', async () => {
  const service = await withAlice()
  await logIn(service)
  const thief = cookieOf(await from(service, { 'user-agent': agent }))
  const link = linkPath(await service.mail('new-device'))
  const change = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }
  const headers = { cookie: thief }
  const changed = await service.send('POST', '/change-password/', change, { headers })
  expect(changed.statusCode).toBe(204)
  const user = await service.users.findByUsername('alice')
  const moved = { email: 'mallory@example.com', emailKey: 'mallory@example.com' }
  await service.users.update(user?.id ?? '', moved, user?.version ?? 0)
  // Otherwise the reset link would go to the thief; the notice to the old address has the undo link.
  expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
  const back = { email, emailKey: email }
  await service.users.update(user?.id ?? '', back, (user?.version ?? 0) + 1)
  expect((await service.send('POST', link)).statusCode).toBe(200)
  expect(await whoIs(service, cookieOf(changed))).toBeNull()
})

test('of twenty simultaneous uses, one wins', async () => {
  const service = await withAlice()
  await logIn(service)
  await from(service, { 'user-agent': agent })
  const link = linkPath(await service.mail('new-device'))
  const responses = await Promise.all(Array.from({ length: 20 }, () => service.send('POST', link)))
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
})
