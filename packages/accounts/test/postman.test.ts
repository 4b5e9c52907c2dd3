import { setTimeout as sleep } from 'node:timers/promises'
import { newPendingMail } from 'fastify-accounts/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemoryUserStore, type Mail, type Outbox } from '../src/index.js'
import { countedSessions, lastingOutbox, signUp, type TestApp, testAppOn } from './support/app.js'

const address = 'alice@example.org'
const services: TestApp[] = []

/** A service with somebody whom mails may be about, and what she got. */
async function start(outbox: Outbox, failure: () => Promise<unknown>) {
  const users = { ...createMemoryUserStore(), outbox }
  const mails: Mail[] = []
  let tries = 0
  const mailer = {
    async send(mail: Mail) {
      tries += 1
      await failure()
      mails.push(mail)
    },
  }
  const service = await testAppOn({ users, sessions: countedSessions() }, { mailer })
  services.push(service)
  const { id: userId } = await signUp(service, 'alice', { email: address })
  const failures: string[] = []
  service.app.accounts.events.on('mail-failed', ({ error }) => failures.push(String(error)))
  return {
    app: service.app,
    mails,
    failures,
    tries: () => tries,
    async forgot(email = address) {
      expect((await service.send('POST', '/forgot/', { email })).statusCode).toBe(202)
    },
    /** As another process would. */
    leave: (count = 1) =>
      outbox.add(Array.from({ length: count }, () => newPendingMail({ userId, to: address }))),
  }
}

const nothing = async (): Promise<void> => {}
const refuse = async (): Promise<never> => {
  throw new Error('421 try again later')
}

afterEach(async () => {
  for (const { app } of services.splice(0)) await app.close()
})

describe('by a clock of the test', () => {
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
  const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('a mail that fails, and is due again, while a slow claim is under way is tried again', async () => {
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
    const { forgot, mails, tries } = await start(outbox, () => failure())
    await forgot()
    await pass(0.1)
    slow = 2
    await forgot('nobody@example.org')
    await pass(2.5)
    slow = 0
    await pass(20)
    expect(tries()).toBeGreaterThan(3)
    failure = nothing
    await pass(60)
    expect(mails.map(({ to }) => to.address)).toEqual([address])
    expect(await outbox.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test('a mail that is posted while a slow claim is under way goes out behind it', async () => {
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

  test('an outbox that was full takes mails again once it is not', async () => {
    const outbox = lastingOutbox()
    const { count } = outbox
    let others = 100_000
    outbox.count = async () => ({ ...(await count()), waiting: (await count()).waiting + others })
    const { forgot, leave, mails, failures } = await start(outbox, nothing)
    await leave(5)
    await pass(10)
    expect(mails).toHaveLength(5)
    await forgot()
    expect(failures).toEqual(['Error: more than 100000 mails wait'])
    others = 0
    await pass(15)
    await forgot()
    await pass(1)
    expect(mails.at(-1)?.kind).toBe('reset-password')
    expect(failures).toHaveLength(1)
  })

  test('a mail that was taken as often as any may be, and never put back, is given up without a further try', async () => {
    const outbox = lastingOutbox()
    const { claim } = outbox
    outbox.claim = async (at) => (await claim(at)).map((entry) => ({ ...entry, tries: entry.tries + 40 }))
    const { leave, tries, failures } = await start(outbox, nothing)
    await leave()
    await pass(10)
    expect(tries()).toBe(0)
    expect(failures).toEqual(['Error: it was taken 40 times, and never put back'])
    expect(await outbox.count()).toEqual({ waiting: 0, dead: 0 })
  })

  describe.each(['claim', 'postpone', 'remove'] as const)('%s', (method) => {
    test.each([
      ['fails', () => Promise.reject(new Error('connection lost'))],
      ['hangs', () => new Promise<never>(() => {})],
    ])('%s for two minutes: no mail is lost, and the looks go on', async (_, fault) => {
      const outbox = lastingOutbox()
      const { [method]: sound } = outbox
      // So that each of the three is called.
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

test('the end takes what was just posted, no more than at once, and leaves the rest to others', async () => {
  const outbox = lastingOutbox()
  const { app, leave, mails } = await start(outbox, () => sleep(50))
  // The look of the start is over.
  await sleep(20)
  await leave(12)
  await app.close()
  expect(mails).toHaveLength(5)
  expect(await outbox.count()).toEqual({ waiting: 7, dead: 0 })
})
