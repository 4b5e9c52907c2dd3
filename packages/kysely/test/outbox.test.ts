import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import {
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  type TestApp,
  testAppOn,
} from '@fastify-accounts/test-support/app'
import {
  connect,
  dialectFor,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { askCode, codeIn, giveCode } from '@fastify-accounts/test-support/email-code'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import { newPendingMail } from '@fastify-accounts/testing'
import {
  type AccountsOptions,
  InvalidArgumentError,
  type ListingUserStore,
  type Mail,
  type Mailer,
  type Outbox,
} from 'fastify-accounts'
import { Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { tasks } from './support/outbox-tasks.js'

const tasksFile = new URL('support/outbox-tasks.ts', import.meta.url)
const email = 'alice@example.org'
const alice = { username: 'alice', password: goodPassword, confirm_password: goodPassword, email }
const oldPassword = {
  old_password: goodPassword,
  new_password: otherPassword,
  confirm_password: otherPassword,
}

/** A mail server that is down until `failure` is cleared. */
function shakyMailer(): Mailer & { mails: Mail[]; attempts: number; failure: Error | null } {
  const mailer = {
    mails: [] as Mail[],
    attempts: 0,
    failure: new Error('421 try again later') as Error | null,
    async send(mail: Mail) {
      mailer.attempts += 1
      if (mailer.failure !== null) throw mailer.failure
      mailer.mails.push(mail)
    },
  }
  return mailer
}

let processes: Processes<keyof typeof tasks, { place: TestDatabase['place']; count: number }>
beforeAll(async () => {
  processes = await startProcesses(tasksFile, 2)
})
afterAll(() => processes.stop())

/** The last moment that a `Date` has. */
const endOfTime = 8.64e15

describe.each(await driversHere(['libsql', 'pg', 'mysql2']))('$title', ({ name, engine }) => {
  let database: TestDatabase
  let db: Kysely<unknown>
  let users: ListingUserStore
  let box: Outbox
  const services: Pick<TestApp, 'app'>[] = []

  beforeEach(async () => {
    database = await makeDatabase(name)
    db = await connect(database.place)
    await migrate(db)
    users = createKyselyUserStore({ db })
    if (users.outbox === undefined) throw new Error('the store has no outbox')
    box = users.outbox
  })
  afterEach(async () => {
    for (const { app } of services.splice(0)) await app.close()
    await db.destroy()
    await database.drop()
  })

  async function start(options: Partial<AccountsOptions> = {}) {
    const sessions = createKyselySessionStore({ db, userStore: users })
    const service = await testAppOn({ users, sessions }, options)
    services.push(service)
    return service
  }

  const waiting = async (): Promise<number> => (await box.count()).waiting
  /** Ends every lease and every pause. */
  const letTimePass = () => sql`update accounts_outbox set due_at = 1 where due_at is not null`.execute(db)
  const rows = async (): Promise<string> =>
    JSON.stringify((await sql`select * from accounts_outbox`.execute(db)).rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString() : value,
    )

  test('an email survives the process that was killed while sending it: another one delivers it', async () => {
    const victim = await startProcesses<keyof typeof tasks, { place: TestDatabase['place'] }>(tasksFile, 1)
    const [port] = await victim.race<number>('hang', { place: database.place })
    const response = await fetch(`http://127.0.0.1:${port}/signup/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alice),
    })
    expect(response.status).toBe(202)
    await victim.stop('SIGKILL')
    expect(await waiting()).toBe(1)
    const { rows: claimed } = await sql<{ due_at: number }>`select due_at from accounts_outbox`.execute(db)
    // Thirty seconds at most, since nothing renews the claim.
    expect(Number(claimed[0]?.due_at)).toBeLessThanOrEqual(Date.now() + 30_000)

    const service = await start({ requireEmailConfirmation: true })
    await letTimePass()
    await service.send('POST', '/forgot/', { email: 'nobody@example.org' }) // makes it check the outbox
    const mail = await service.mail('verify-email', email)
    expect((await service.send('POST', linkPath(mail))).statusCode).toBe(200)
    await logIn(service)
    await expect.poll(waiting).toBe(0)
  })

  test('no row contains a login code, and a resent email contains the same code', async () => {
    const sent: string[] = []
    const mailer = shakyMailer()
    const send = mailer.send
    mailer.send = async (mail) => {
      sent.push(codeIn(mail))
      await send(mail)
    }
    const service = await start({ login: { emailCode: true }, mailer })
    await service.app.accounts.createUser({
      username: 'alice',
      password: goodPassword,
      email,
      isVerified: true,
    })
    const cookie = await askCode(service, email)
    await expect.poll(() => sent.length).toBeGreaterThan(1)

    const mails = await rows()
    expect(mails).toContain('login-code')
    const kept = `${mails} ${JSON.stringify(await users.list({ limit: 10 }))}`
    for (const text of [sent[0] ?? '', sent[0]?.replace('-', '') ?? '']) {
      expect(text).toMatch(/^[A-Z2-9-]{8,9}$/)
      expect(kept.toUpperCase()).not.toContain(text)
    }
    mailer.failure = null
    await expect.poll(() => mailer.mails.length).toBe(1)
    expect(new Set(sent).size).toBe(1)
    expect((await giveCode(service, { cookie, code: sent[0] ?? '' })).statusCode).toBe(200)
  })

  test('two processes on one database deliver 200 emails, each exactly once', async () => {
    const delivered = await processes.race<string[]>('signUp', { place: database.place, count: 100 })
    const all = delivered.flat()
    expect([all.length, new Set(all).size]).toEqual([200, 200])
    expect(await box.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test("if the email can't be stored, nothing changes, and a forgotten password returns 503 for any address", async () => {
    const service = await start()
    await service.app.accounts.createUser({
      username: 'bob',
      password: goodPassword,
      email: 'bob@example.org',
    })
    const cookie = await logIn(service, 'bob')
    const confirming = await start({ requireEmailConfirmation: true })
    await sql`alter table accounts_outbox rename to elsewhere`.execute(db)

    expect((await confirming.send('POST', '/signup/', alice)).statusCode).toBe(503)
    expect(await users.findByUsername('alice')).toBeNull()
    const taken = { ...alice, email: 'bob@example.org' }
    expect((await confirming.send('POST', '/signup/', taken)).statusCode).toBe(503)
    const change = await service.send('POST', '/change-password/', oldPassword, { headers: { cookie } })
    expect(change.json().code).toBe('ACCOUNTS_UNAVAILABLE')
    expect(await logIn(service, 'bob')).toBeTypeOf('string')
    for (const [url, address] of [
      ['/forgot/', 'bob@example.org'],
      ['/forgot/', 'nobody@example.org'],
      ['/user/v/', 'bob@example.org'],
      ['/user/v/', 'nobody@example.org'],
    ]) {
      const { statusCode, headers } = await service.send('POST', `${url}`, { email: address })
      expect([statusCode, headers['retry-after']]).toEqual([503, '5'])
    }

    await sql`alter table elsewhere rename to accounts_outbox`.execute(db)
    expect(await waiting()).toBe(0)
    // Otherwise either service could deliver it.
    await service.app.close()
    expect((await confirming.send('POST', '/signup/', alice)).statusCode).toBe(202)
    expect((await confirming.mail('verify-email', email)).to.address).toBe(email)
  })

  test('while a mail server is down, sending is retried, and the table never contains a link', async () => {
    const mailer = shakyMailer()
    const service = await start({ requireEmailConfirmation: true, mailer })
    expect((await service.send('POST', '/signup/', alice)).statusCode).toBe(202)
    await expect.poll(() => mailer.attempts).toBeGreaterThan(1)
    const kept = await rows()
    expect(kept).toContain('421 try again later')
    expect(kept).not.toContain('is unreachable')
    mailer.failure = null
    await expect.poll(() => mailer.mails.length).toBe(1)
    const [mail] = mailer.mails
    if (mail === undefined) throw new Error('no email arrived')
    const [, , , uid64, token = ''] = linkPath(mail).split('/')
    expect(kept).not.toContain(token)
    expect(kept).not.toContain(`/${uid64}/`)
    expect(kept).not.toContain((await users.findByUsername('alice'))?.passwordHash)
    await expect.poll(waiting).toBe(0)
    expect(mailer.mails).toHaveLength(1)
  })

  test('a rejected email becomes a dead letter, is refunded in its rate limit, and can be sent again', async () => {
    const mailer = shakyMailer()
    mailer.failure = new InvalidArgumentError('550 no such mailbox')
    const limits = { verifyMails: { max: 1, window: 3_600_000 } }
    const service = await start({ requireEmailConfirmation: true, mailer, throttle: { limits } })
    const failed: unknown[] = []
    service.app.accounts.events.on('mail-failed', ({ kind, userId }) => failed.push([kind, userId]))
    await service.send('POST', '/signup/', alice)
    await expect.poll(async () => (await rows()).includes('550 no such mailbox')).toBe(true)
    expect([mailer.attempts, failed]).toEqual([1, []])
    await letTimePass()
    await service.send('POST', '/forgot/', { email: 'nobody@example.org' }) // makes it check the outbox
    await expect.poll(() => failed.length).toBe(1)
    const user = await users.findByUsername('alice')
    expect(failed).toEqual([['verify-email', user?.id]])
    expect(mailer.attempts).toBe(2)
    const [letter, ...others] = await box.listDead({ limit: 10 })
    expect(others).toEqual([])
    expect(letter).toMatchObject({ attempts: 2, error: '550 no such mailbox', message: { to: email } })

    mailer.failure = null
    expect(await box.retry(letter?.id ?? '', new Date())).toBe(true)
    await expect.poll(() => mailer.mails.length).toBe(1)
    const [mail] = mailer.mails
    if (mail) expect((await service.send('POST', linkPath(mail))).statusCode).toBe(200)
    await expect.poll(() => box.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test("an email whose link is no longer valid isn't sent; a notice goes to the address at the time", async () => {
    const mailer = shakyMailer()
    const service = await start({ mailer })
    const user = { username: 'alice', email, password: goodPassword, isVerified: true }
    const { id } = await service.app.accounts.createUser(user)
    const cookie = await logIn(service)
    await service.send('POST', '/change-email/', { email: 'new@example.org' }, { headers: { cookie } })
    await service.send('POST', '/change-password/', oldPassword, { headers: { cookie } })
    await expect.poll(() => mailer.attempts).toBeGreaterThan(0)
    await service.app.close()
    const kept = await users.findById(id)
    const thief = { email: 'thief@example.org', emailKey: 'thief@example.org' }
    await users.update(id, thief, kept?.version ?? 0)
    mailer.failure = null
    await letTimePass()
    await start({ mailer })
    await expect.poll(waiting).toBe(0)
    expect(mailer.mails.map(({ kind, to }) => [kind, to.address])).toEqual([['password-changed', email]])
    // Its address is no longer the account's.
    expect(mailer.mails[0]?.text).not.toContain('/not-me/')
  })

  test('close delivers pending emails; those that fail are left to other processes', async () => {
    const mailer = shakyMailer()
    mailer.failure = null
    const service = await start({ requireEmailConfirmation: true, mailer })
    await service.send('POST', '/signup/', alice)
    await service.app.close()
    expect(mailer.mails.map(({ kind }) => kind)).toEqual(['verify-email'])

    mailer.failure = new Error('421 try again later')
    const second = await start({ requireEmailConfirmation: true, mailer })
    await second.send('POST', '/signup/', { ...alice, username: 'bob', email: 'bob@example.org' })
    await second.app.close()
    expect(await waiting()).toBe(1)
    mailer.failure = null
    await letTimePass()
    await start({ requireEmailConfirmation: true, mailer })
    await expect.poll(() => mailer.mails.map(({ to }) => to.address)).toEqual([email, 'bob@example.org'])
  })

  test("a row without a valid message becomes a dead letter, and doesn't block others", async () => {
    const [to, ...texts] = [email, '{', 'null', '"mail"', '{"to":"x"}', '{"realm":1}']
    for (const text of texts) {
      await box.add([newPendingMail({ to: text })])
      await sql`update accounts_outbox set mail = ${text} where mail like ${'%ada%'}`.execute(db)
    }
    await box.add([newPendingMail({ to })])
    const now = new Date()
    const entries = await box.claim({ realms: ['accounts'], now, until: now, limit: 10 })
    expect(entries.map(({ message }) => message)).toEqual([newPendingMail({ to })])
    expect(await box.count()).toEqual({ waiting: 1, dead: texts.length })
    const letters = await box.listDead({ limit: 10 })
    const letter = { message: null, attempts: 1, error: 'the column mail holds no message' }
    expect(letters).toEqual(texts.map(() => expect.objectContaining(letter)))
    expect(await box.discard(letters[0]?.id ?? '')).toBe(true)
  })

  test('a message is due by the clock of the database, even if that of its process is a day ahead', async () => {
    const [before, ahead] = [await users.now?.(), Date.now() + 86_400_000]
    vi.spyOn(Date, 'now').mockReturnValue(ahead)
    await box.add([newPendingMail()])
    vi.restoreAllMocks()
    const now = (await users.now?.()) ?? expect.fail('the store has a clock')
    const since = await box.oldestDue?.('accounts')
    expect(since?.getTime()).toBeGreaterThanOrEqual(Number(before))
    expect(since?.getTime()).toBeLessThanOrEqual(Number(now))
    expect(await box.claim({ realms: ['accounts'], now, until: new Date(ahead), limit: 5 })).toHaveLength(1)
  })

  test('a claim of one realm makes as few round trips as it can, and one of several a read for each', async () => {
    const trips: string[] = []
    const watched = new Kysely<unknown>({
      dialect: await dialectFor(database.place),
      log: ({ query }) => void (/^(begin|commit)/.test(query.sql) || trips.push(query.sql)),
    })
    const outbox = createKyselyUserStore({ db: watched }).outbox ?? expect.fail('there is an outbox')
    const claim = async (...realms: string[]) => {
      trips.length = 0
      const taken = await outbox.claim({
        realms,
        now: new Date(endOfTime),
        until: new Date(endOfTime),
        limit: 3,
      })
      return [taken.map(({ message }) => message.realm).join(), trips.length]
    }
    await outbox.claim({ realms: ['a'], now: new Date(0), until: new Date(1), limit: 3 })
    expect([await claim('a'), await claim('a', 'b', 'c')]).toEqual([
      ['', 1],
      ['', 3],
    ])
    await outbox.add(['a', 'a', 'a', 'b', 'b', 'c'].map((realm) => newPendingMail({ realm })))
    const most = { sqlite: [2, 4], postgres: [1, 4], mysql: [3, 5] }[engine]
    expect(await claim('a')).toEqual(['a,a,a', most[0]])
    expect(await claim('a', 'b', 'c')).toEqual([
      expect.stringMatching(/^(?=.*a)(?=.*b)(?=.*c).{5}$/),
      most[1],
    ])
    await watched.destroy()
  })

  test('a database without the table stops the start with one line', async () => {
    await sql`drop table accounts_outbox`.execute(db)
    await expect(start()).rejects.toThrow(
      'the table accounts_outbox does not exist: run migrate before the service starts',
    )
  })
})

test('two mounts on one store each send their own emails, with their own links', async () => {
  const database = await makeDatabase('libsql')
  const db = await connect(database.place)
  await migrate(db)
  const users = createKyselyUserStore({ db })
  const own = shakyMailer()
  const staff = shakyMailer()
  own.failure = staff.failure = null
  const { default: accounts } = await import('fastify-accounts')
  const service = await testAppOn(
    { users, sessions: createKyselySessionStore({ db }) },
    { mailer: own },
    {
      before: (app) =>
        app.register(accounts, {
          secret: 'dGhpcy1pcy1hLXRlc3Qtc2VjcmV0LW9mLWVub3VnaC1ieXRlcw',
          baseUrl: 'http://localhost:3000',
          prefix: '/staff',
          decorateAs: { instance: 'staff', request: 'staffUser' },
          session: { cookieName: 'staff' },
          userStore: users,
          mailer: staff,
          throttle: false,
        }),
    },
  )
  await service.app.accounts.createUser({ username: 'alice', email, password: goodPassword })
  for (const url of ['/forgot/', '/staff/forgot/', '/forgot/', '/staff/forgot/']) {
    expect((await service.send('POST', url, { email })).statusCode).toBe(202)
  }
  await expect.poll(() => [own.mails.length, staff.mails.length]).toEqual([2, 2])
  for (const mail of own.mails) expect(linkPath(mail)).toMatch(/^\/reset\//)
  for (const mail of staff.mails) expect(linkPath(mail)).toMatch(/^\/staff\/reset\//)
  await service.app.close()
  await db.destroy()
  await database.drop()
})
