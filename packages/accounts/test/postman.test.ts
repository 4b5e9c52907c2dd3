import {
  cookieOf,
  countedSessions,
  goodPassword,
  lastingOutbox,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  testAppOn,
} from '@fastify-accounts/test-support/app'
import { newPendingMail } from '@fastify-accounts/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type AccountsOptions,
  createMemoryUserStore,
  InvalidArgumentError,
  type Mail,
  type Outbox,
  RefusedError,
} from '../src/index.js'
import { wakeDelay } from '../src/outbox/poll-times.js'

const address = 'alice@example.org'
const services: TestApp[] = []

/** A service with a user to send emails to, and the emails she got. */
async function start(
  outbox: Outbox,
  failure: (mail: Mail) => Promise<unknown>,
  logger: NonNullable<Parameters<typeof testAppOn>[2]>['server'] = {},
  now?: () => Promise<Date>,
) {
  const users = { ...createMemoryUserStore(), outbox, ...(now && { now }) }
  const mails: Mail[] = []
  let attempts = 0
  const mailer = {
    async send(mail: Mail) {
      attempts += 1
      await failure(mail)
      mails.push(mail)
    },
  }
  const service = await testAppOn({ users, sessions: countedSessions() }, { mailer }, { server: logger })
  services.push(service)
  const { id: userId } = await signUp(service, 'alice', { email: address })
  const failures: string[] = []
  service.app.accounts.events.on('mail-failed', ({ error }) => failures.push(String(error)))
  return {
    app: service.app,
    mails,
    failures,
    attempts: () => attempts,
    async forgot(email = address) {
      expect((await service.send('POST', '/forgot/', { email })).statusCode).toBe(202)
    },
    /** As if queued by another process. */
    leave: (count = 1, to = (_: number) => address) =>
      outbox.add(Array.from({ length: count }, (_, n) => newPendingMail({ userId, to: to(n) }))),
  }
}

const nothing = async (): Promise<void> => {}
const refuse = async (): Promise<never> => {
  throw new Error('421 try again later')
}

afterEach(async () => {
  for (const { app } of services.splice(0)) await app.close()
})

describe('on a fake clock', () => {
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
  const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('an email that fails and is due again during a slow claim is retried', async () => {
    const outbox = lastingOutbox()
    const { claim } = outbox
    let slow = 0
    outbox.claim = async (at) => {
      if (slow > 0) await wait(slow)
      return claim(at)
    }
    let failure = async (): Promise<unknown> => {
      await wait(0.3)
      return refuse()
    }
    const { forgot, mails, attempts } = await start(outbox, () => failure())
    await forgot()
    await pass(0.1)
    slow = 2
    await forgot('nobody@example.org')
    await pass(2.5)
    slow = 0
    await pass(20)
    expect(attempts()).toBeGreaterThan(3)
    failure = nothing
    await pass(60)
    expect(mails.map(({ to }) => to.address)).toEqual([address])
    expect(await outbox.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test('an email queued during a slow claim is sent afterwards', async () => {
    const outbox = lastingOutbox()
    const { claim } = outbox
    let slow = 2
    outbox.claim = async (at) => {
      const entries = await claim(at)
      if (slow > 0) await wait(slow)
      return entries
    }
    const { forgot, mails } = await start(outbox, nothing)
    await pass(2.1)
    await forgot()
    await pass(1)
    await forgot()
    await pass(3.1)
    slow = 0
    expect(mails).toHaveLength(2)
  })

  test('a full outbox accepts emails again once it has room', async () => {
    const outbox = lastingOutbox()
    const { count } = outbox
    let others = 100_000
    outbox.count = async () => ({ ...(await count()), waiting: (await count()).waiting + others })
    const { forgot, leave, mails, failures } = await start(outbox, nothing)
    await leave(5)
    await pass(10)
    expect(mails).toHaveLength(5)
    await forgot()
    expect(failures).toEqual(['Error: more than 100000 emails are waiting'])
    others = 0
    await pass(15)
    await forgot()
    await pass(1)
    expect(mails.at(-1)?.kind).toBe('reset-password')
    expect(failures).toHaveLength(1)
  })

  test('a full queue in memory accepts emails again as soon as it has room', async () => {
    let goOn = (): void => {}
    const down = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const service = await testApp({ mailer: { send: () => down } })
    services.push(service)
    await signUp(service, 'alice', { email: address })
    const failures: string[] = []
    service.app.accounts.events.on('mail-failed', ({ error }) => failures.push(String(error)))
    const forgot = () => service.send('POST', '/forgot/', { email: address })
    for (let n = 0; n < 1002; n += 1) await forgot()
    expect(failures).toEqual(Array(2).fill('Error: more than 1000 emails are waiting'))
    goOn()
    await pass(1)
    await forgot()
    expect(failures).toHaveLength(2)
  })

  test('an email claimed as often as allowed, without an outcome, is given up without another attempt', async () => {
    const outbox = lastingOutbox()
    const { claim } = outbox
    outbox.claim = async (at) =>
      (await claim(at)).map((entry) => ({ ...entry, attempts: entry.attempts + 40 }))
    const { leave, attempts, failures } = await start(outbox, nothing)
    await leave()
    await pass(10)
    expect(attempts()).toBe(0)
    expect(failures).toEqual(['Error: it was taken 40 times and never returned'])
    expect(await outbox.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test('a queued email is sent half a second to two seconds later, however many are queued', async () => {
    const { min, max } = wakeDelay
    Object.assign(wakeDelay, { min: 500, max: 2000 })
    try {
      const outbox = lastingOutbox()
      const { claim } = outbox
      let claims = 0
      outbox.claim = (at) => {
        claims += 1
        return claim(at)
      }
      const { forgot, mails } = await start(outbox, nothing)
      // The check at start is over, and the next one isn't due.
      await pass(0.1)
      claims = 0
      for (let n = 0; n < 40; n += 1) {
        await forgot(`nobody${n}@example.org`)
        await pass(0.01)
      }
      await forgot()
      expect([claims, mails]).toEqual([0, []])
      await pass(2)
      expect(mails.map(({ kind }) => kind)).toEqual(['reset-password'])
    } finally {
      Object.assign(wakeDelay, { min, max })
    }
  })

  test('an email that takes long is not claimed by others meanwhile; claims last thirty seconds', async () => {
    const outbox = lastingOutbox()
    const { claim } = outbox
    const leases: number[] = []
    outbox.claim = (at) => {
      leases.push(at.until.getTime() - at.now.getTime())
      return claim(at)
    }
    const { leave, mails } = await start(outbox, () => wait(55))
    await leave()
    await pass(10)
    for (let seconds = 0; seconds < 44; seconds += 4) {
      const now = new Date()
      expect(await claim({ realms: ['accounts'], now, until: now, limit: 5 })).toEqual([])
      await pass(4)
    }
    await pass(20)
    expect(mails).toHaveLength(1)
    expect(await outbox.count()).toEqual({ waiting: 0, dead: 0 })
    expect(new Set(leases)).toEqual(new Set([30_000]))
  })

  test("FLT-29 an email whose row can't be deleted is sent once, and becomes a dead letter that says so", async () => {
    const outbox = lastingOutbox()
    const { postpone } = outbox
    const ends: Parameters<typeof postpone>[1][] = []
    outbox.postpone = (entry, then) => {
      ends.push(then)
      return postpone(entry, then)
    }
    outbox.remove = async () => {
      throw new Error('permission denied')
    }
    const { leave, mails, failures } = await start(outbox, nothing)
    await leave()
    await pass(60)
    expect(ends).toEqual([
      {
        dueAt: null,
        attempts: 1,
        error: expect.stringMatching(/^it was handled, but can't be deleted: .*permission denied$/),
      },
    ])
    await pass(5 * 3600)
    expect(mails).toHaveLength(1)
    // It arrived.
    expect(failures).toEqual([])
  })

  test('FLT-29 a row that nothing could be done with goes later, without another email', async () => {
    const outbox = lastingOutbox()
    const { remove, postpone } = outbox
    outbox.remove = outbox.postpone = async () => {
      throw new Error('the database is gone')
    }
    const { leave, mails } = await start(outbox, nothing)
    await leave()
    await pass(60)
    Object.assign(outbox, { remove, postpone })
    await pass(310)
    expect(mails).toHaveLength(1)
    expect(await outbox.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test.each([90, -90])(
    "FLT-30 a process whose clock is %s seconds ahead of the database's leaves an email to the one that has claimed it",
    async (seconds) => {
      const outbox = lastingOutbox(seconds * 1000)
      const time = () => Date.now() - seconds * 1000
      const { leave, mails } = await start(outbox, nothing, {}, async () => new Date(time()))
      // By another process, whose clock is right.
      await leave()
      const claim = {
        realms: ['accounts'],
        now: new Date(time()),
        until: new Date(time() + 30_000),
        limit: 5,
      }
      expect(await outbox.claim(claim)).toHaveLength(1)
      await pass(25)
      expect(mails).toEqual([])
      // It has died.
      await pass(15)
      expect(mails).toHaveLength(1)
    },
  )

  test("says once that its clock is wrong, and once that it agrees with the database's again", async () => {
    const lines: { level: number; msg: string; aheadMs?: number }[] = []
    const logger = { stream: { write: (line: string) => void lines.push(JSON.parse(line)) } }
    let ahead = -45_000
    await start(lastingOutbox(), nothing, { logger }, async () => new Date(Date.now() - ahead))
    const said = () => lines.filter(({ msg }) => msg.includes('the clock of this process'))
    await pass(60)
    expect(said()).toMatchObject([
      {
        level: 40,
        msg: expect.stringContaining("is 45 s behind the database's: codes of authenticator apps"),
      },
    ])
    expect(Math.abs((said()[0]?.aheadMs ?? 0) - ahead)).toBeLessThan(100)
    ahead = 0
    await pass(60)
    expect(said().slice(1)).toMatchObject([{ level: 30, msg: expect.stringContaining('agrees') }])
    ahead = 6_000
    await pass(10)
    expect(said().slice(2)).toMatchObject([{ level: 40, msg: expect.stringContaining('is 6 s ahead of') }])
  })

  test('FLT-30 its own claims last as long by the clock of the database', async () => {
    const outbox = lastingOutbox()
    const { claim, renew } = outbox
    const leases: number[] = []
    const time = () => Date.now() + 90_000
    outbox.claim = (at) => {
      leases.push(at.until.getTime() - time())
      return claim(at)
    }
    outbox.renew = (entry, until) => {
      leases.push(until.getTime() - time())
      return renew(entry, until)
    }
    const { leave } = await start(
      outbox,
      () => wait(55),
      {},
      async () => new Date(time()),
    )
    await leave()
    await pass(70)
    expect(leases.length).toBeGreaterThan(5)
    for (const lease of leases) expect(Math.abs(lease - 30_000)).toBeLessThan(50)
  })

  test('a mail server that rejects every recipient loses no email: all wait, and are sent once it accepts them', async () => {
    const outbox = lastingOutbox()
    const lines: string[] = []
    const logger = { stream: { write: (line: string) => void lines.push(JSON.parse(line).msg) } }
    let failure = async (): Promise<unknown> => {
      throw new InvalidArgumentError('to.address is refused by the mail server for good (550)')
    }
    const { leave, mails, failures, attempts } = await start(outbox, () => failure(), { logger })
    await leave(97, (n) => `user${n}@example.org`)
    await pass(4 * 3600)
    expect(failures).toEqual([])
    expect(await outbox.count()).toEqual({ waiting: 97, dead: 0 })
    expect(attempts()).toBeLessThan(97 * 20)
    const refusing = 'accounts: the mail server rejects every recipient; emails wait and will be retried'
    const accepting = 'accounts: the mail server accepts recipients again'
    expect(lines.filter((line) => line === refusing)).toHaveLength(1)
    expect(lines).not.toContain(accepting)
    failure = nothing
    await pass(3600 + 60)
    expect(new Set(mails.map(({ to }) => to.address)).size).toBe(97)
    expect(lines.filter((line) => line === accepting)).toHaveLength(1)
    expect(await outbox.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test('a mailbox that is full for a day is one outage of the mailer in the log, not one for each attempt', async () => {
    const outbox = lastingOutbox()
    const loud: string[] = []
    const logger = {
      level: 'warn',
      stream: { write: (line: string) => void loud.push(JSON.parse(line).msg) },
    }
    const { leave, failures } = await start(
      outbox,
      async ({ to }) => {
        if (to.address === 'user0@example.org') throw new Error('452 mailbox full')
      },
      { logger },
    )
    loud.length = 0
    await leave(1, () => 'user0@example.org')
    for (let hour = 0; hour < 40; hour += 1) {
      await leave(1, () => 'user1@example.org')
      await pass(3600)
    }
    expect(failures).toHaveLength(1)
    expect(loud).toEqual([
      'accounts: the mailer is unavailable: 452 mailbox full',
      expect.stringMatching(/^accounts: the mailer is available again after/),
      'accounts: gave up on an email',
    ])
  })

  test('an address that the mail server accepts nothing for at the moment is no outage, and is attempted for a day', async () => {
    const loud: string[] = []
    const logger = {
      level: 'error',
      stream: { write: (line: string) => void loud.push(JSON.parse(line).msg) },
    }
    const full = async () => {
      throw new RefusedError('greylisted')
    }
    const { leave, attempts, failures } = await start(lastingOutbox(), full, { logger })
    await leave(1, () => 'user0@example.org')
    for (let hour = 0; hour < 40; hour += 1) await pass(3600)
    expect([attempts(), failures]).toEqual([40, ['RefusedError: greylisted']])
    expect(loud).toEqual(['accounts: gave up on an email'])
  })

  test('an address that is rejected while others are accepted is attempted twice', async () => {
    const outbox = lastingOutbox()
    const refusing = async ({ to }: Mail): Promise<void> => {
      if (to.address === 'user3@example.org') throw new InvalidArgumentError('refused')
    }
    const { leave, mails, failures, attempts } = await start(outbox, refusing)
    await leave(10, (n) => `user${n}@example.org`)
    await pass(20)
    expect([mails.length, failures]).toEqual([9, []])
    await pass(60)
    expect([attempts(), failures]).toEqual([11, ['InvalidArgumentError: refused']])
    expect(await outbox.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test('an address for which the mail server would need SMTPUTF8 is attempted once, and says nothing about others', async () => {
    const outbox = lastingOutbox()
    const refusing = async ({ to }: Mail): Promise<void> => {
      if (to.address.startsWith('пётр')) throw new InvalidArgumentError('refused')
    }
    const { leave, mails, failures, attempts } = await start(outbox, refusing)
    await leave(5, (n) => `пётр${n}@example.org`)
    await pass(20)
    expect([attempts(), failures]).toEqual([5, Array(5).fill('InvalidArgumentError: refused')])
    await leave(1, () => 'user0@example.org')
    await pass(20)
    expect(mails.map(({ to }) => to.address)).toEqual(['user0@example.org'])
  })

  test('notices held back in memory are sent as one when their window ends, or on close', async () => {
    const limited: Partial<AccountsOptions> = { throttle: {} }
    const service = await testApp(limited)
    services.push(service)
    const alice = { username: 'alice', password: goodPassword, email: address, isVerified: true }
    await service.app.accounts.createUser(alice)
    let cookie = await logIn(service)
    let isChanged = false
    const changePassword = async (): Promise<void> => {
      const [old, next] = isChanged ? [otherPassword, goodPassword] : [goodPassword, otherPassword]
      const body = { old_password: old, new_password: next, confirm_password: next }
      const response = await service.send('POST', '/change-password/', body, { headers: { cookie } })
      expect(response.statusCode).toBe(204)
      cookie = cookieOf(response)
      isChanged = !isChanged
      await pass(15)
    }
    const heldBack = () => service.mails.map(({ text }) => text.includes('held the later emails back'))
    for (let n = 0; n < 9; n += 1) await changePassword()
    expect(heldBack()).toEqual(Array(5).fill(false))
    await pass(3600)
    expect(heldBack().slice(5)).toEqual([true])
    for (let n = 0; n < 9; n += 1) await changePassword()
    expect(heldBack().slice(6)).toEqual(Array(5).fill(false))
    await service.app.close()
    expect(heldBack().slice(11)).toEqual([true])
  })

  describe.each(['claim', 'postpone', 'remove'] as const)('the outbox method %s', (method) => {
    test.each([
      ['fails', () => Promise.reject(new Error('connection lost'))],
      ['hangs', () => new Promise<never>(() => {})],
    ])('%s for two minutes: no email is lost, and checks continue', async (_, fault) => {
      const outbox = lastingOutbox()
      const { [method]: sound } = outbox
      // So each of the three is called.
      let failure: () => Promise<void> = refuse
      const { forgot, leave, mails, failures } = await start(outbox, () => failure())
      outbox[method] = fault
      await forgot()
      await pass(1)
      failure = nothing
      await pass(120)
      Object.assign(outbox, { [method]: sound })
      await pass(600)
      expect(mails.map(({ kind }) => kind)).toContain('reset-password')
      expect(await outbox.count()).toEqual({ waiting: 0, dead: 0 })
      await leave()
      await pass(10)
      expect(mails.at(-1)?.kind).toBe('password-changed')
      expect(failures).toEqual([])
    })
  })
})

test('close sends what was just queued, up to the concurrency limit, and leaves the rest to others', async () => {
  const outbox = lastingOutbox()
  const { claim } = outbox
  const checked = new Promise<void>((resolve) => {
    outbox.claim = async (...args) => {
      const claimed = await claim(...args)
      resolve()
      return claimed
    }
  })
  let deliver = (): void => {}
  const delivery = new Promise<void>((resolve) => {
    deliver = resolve
  })
  const { app, leave, mails } = await start(outbox, () => delivery)
  // The check at start is over.
  await checked
  await leave(12)
  const closing = app.close()
  deliver()
  await closing
  expect(mails).toHaveLength(5)
  expect(await outbox.count()).toEqual({ waiting: 7, dead: 0 })
})
