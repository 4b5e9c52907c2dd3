import { goodPassword, type TestApp, testAppOn } from '@fastify-accounts/test-support/app'
import { createStoreWithOutbox } from '@fastify-accounts/test-support/store-with-outbox'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Feature, FeatureCore } from '../src/features/index.js'
import {
  type AccountEvent,
  type AccountsOptions,
  createMemorySessionStore,
  createMemoryUserStore,
  type ListingUserStore,
  type PendingEvents,
  type PendingMessage,
  type Subscriber,
} from '../src/index.js'

const services: Pick<TestApp, 'app'>[] = []

interface Line {
  level: number
  msg: string
  subscriber?: string
  [fact: string]: unknown
}

/** A process of a service, and what it has logged about events. */
async function startOn(users: ListingUserStore, options: Partial<AccountsOptions> = {}) {
  const lines: Line[] = []
  const logger = { stream: { write: (line: string) => void lines.push(JSON.parse(line)) } }
  const parts = { users, sessions: createMemorySessionStore() }
  const service = await testAppOn(parts, options, { server: { logger } })
  services.push(service)
  return {
    ...service,
    logged: (text: string) => lines.filter(({ msg }) => msg.includes(text)),
    create: async (username: string) =>
      (await service.app.accounts.createUser({ username, password: goodPassword, email: null })).id,
  }
}

/** A process with these subscribers, on a database that others may share. */
const start = (on: Record<string, Subscriber>, users: ListingUserStore = createStoreWithOutbox()) =>
  startOn(users, { on })

/** A subscriber that remembers what it got. */
function listener(handle: (event: AccountEvent, signal: AbortSignal) => unknown = () => {}) {
  const got: AccountEvent[] = []
  const signals: AbortSignal[] = []
  const subscriber: Subscriber = {
    '*': (event, { signal }) => {
      got.push(event)
      signals.push(signal)
      return handle(event, signal)
    },
  }
  return { got, signals, subscriber, ids: () => got.map(({ id }) => id) }
}

/** Events as another process writes them, in one message. */
const written = (ids: readonly string[], to: readonly string[] | null = null): PendingEvents => ({
  realm: 'accounts:events',
  userId: 'u1',
  events: ids.map((id) => ({
    id,
    type: 'user.secured',
    at: new Date().toISOString(),
    realm: 'accounts',
    user: { id: 'u1', version: 1 },
    actor: { kind: 'command' },
    data: {},
  })),
  to,
})

/** The same, once split. */
const to = (ids: readonly string[]): PendingEvents => ({ ...written(ids, ['crm']), realm: 'accounts:to:crm' })

/** Each in a message of its own. */
const writtenEach = (count: number): PendingEvents[] =>
  Array.from({ length: count }, (_, n) => written([`e${n}`]))

const hang = () => new Promise<never>(() => {})
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
})
afterEach(async () => {
  const closed = Promise.all(services.splice(0).map(({ app }) => app.close()))
  await pass(60)
  await closed
  vi.useRealTimers()
})

describe('subscribers', () => {
  test('get what they have a handler for, each event once, with the id of the user', async () => {
    const crm = listener()
    const created: AccountEvent[] = []
    const deleted: AccountEvent[] = []
    const { create, app } = await start({
      crm: crm.subscriber,
      files: {
        'user.created': (event) => created.push(event),
        'user.deleted': (event) => deleted.push(event),
      },
    })
    const id = await create('alice')
    await app.accounts.deleteUser(id)
    await pass(5)
    expect(crm.got.map(({ type }) => type).sort()).toEqual(['user.created', 'user.deleted'])
    expect([created, deleted]).toMatchObject([[{ user: { id } }], [{ user: { id } }]])
    expect(new Set(crm.ids())).toEqual(new Set([...created, ...deleted].map((event) => event.id)))
  })

  test('an app without any never asks for events', async () => {
    const users = createStoreWithOutbox()
    const claim = vi.spyOn(users.outbox, 'claim')
    const { create } = await startOn(users)
    await create('alice')
    await pass(60)
    expect(claim).toHaveBeenCalled()
    expect(claim.mock.calls.flatMap(([{ realms }]) => realms)).not.toContain('accounts:events')
    expect(await users.outbox.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test('a mount’s own and those of a feature share their names', async () => {
    const feature = {
      name: 'sync',
      subscribers: () => ({ crm: listener().subscriber }),
    } as Feature
    const twice = startOn(createMemoryUserStore(), {
      features: [feature],
      on: { crm: listener().subscriber },
    })
    await expect(twice).rejects.toThrow(
      'fastify-accounts: the option on has the subscriber crm, and so does another',
    )
  })

  test('a handler of a type that doesn’t exist stops the start; a feature may bring it', async () => {
    const on = { crm: { 'order.paid': () => {} } as Subscriber }
    await expect(startOn(createMemoryUserStore(), { on })).rejects.toThrow(
      'fastify-accounts: the option on has the subscriber crm, with a handler for the unknown event order.paid',
    )
    const feature = { name: 'orders', events: ['order.paid'] } as Feature
    await startOn(createMemoryUserStore(), { on, features: [feature] })
  })
})

describe('a handler that', () => {
  test('throws gets the event again, until it doesn’t', async () => {
    let failures = 3
    const crm = listener(() => {
      failures -= 1
      if (failures >= 0) throw new Error('the CRM is down')
    })
    const { create, users, logged } = await start({ crm: crm.subscriber })
    await create('alice')
    await pass(60)
    expect(new Set(crm.ids()).size).toBe(1)
    expect(crm.got).toHaveLength(4)
    expect(logged('could not be delivered')).toMatchObject([{ level: 40, subscriber: 'crm' }])
    expect(await (users as ReturnType<typeof createStoreWithOutbox>).outbox.count()).toEqual({
      waiting: 0,
      dead: 0,
    })
  })

  test('always throws has a dead letter after forty attempts in about a day', async () => {
    const crm = listener(() => Promise.reject(new Error('the CRM is down')))
    const users = createStoreWithOutbox()
    const { create, logged } = await start({ crm: crm.subscriber }, users)
    const userId = await create('alice')
    await pass(12 * 3600)
    expect(await users.outbox.count()).toEqual({ waiting: 1, dead: 0 })
    await pass(20 * 3600)
    expect(crm.got).toHaveLength(40)
    const [letter] = await users.outbox.listDead({ limit: 2 })
    expect(letter).toMatchObject({ attempts: 40, error: 'the CRM is down', message: { to: ['crm'] } })
    expect(logged('gave up on an event')).toMatchObject([
      { level: 50, subscriber: 'crm', types: ['user.created'], userId, err: { message: 'the CRM is down' } },
    ])
    expect(logged('could not be delivered')).toHaveLength(1)
  })

  test('hangs is told after thirty seconds, and its slot is free', async () => {
    const crm = listener(hang)
    const users = createStoreWithOutbox()
    await users.outbox.add(writtenEach(6))
    await start({ crm: crm.subscriber }, users)
    await pass(29)
    expect(crm.got).toHaveLength(5)
    expect(crm.signals.some(({ aborted }) => aborted)).toBe(false)
    await pass(2)
    expect(crm.signals.slice(0, 5).every(({ aborted }) => aborted)).toBe(true)
    expect(crm.ids()).toContain('e5')
  })

  test('takes ten minutes whatever its signal says gets the event again, and is no success when it ends', async () => {
    const crm = listener(() => new Promise((resolve) => setTimeout(resolve, 600_000)))
    const users = createStoreWithOutbox()
    await users.outbox.add([written(['a'])])
    const { logged } = await start({ crm: crm.subscriber }, users)
    await pass(29)
    expect(crm.ids()).toEqual(['a'])
    await pass(601)
    expect(crm.ids().length).toBeGreaterThan(5)
    expect(await users.outbox.count()).toEqual({ waiting: 1, dead: 0 })
    expect(logged('could not be delivered')).toMatchObject([
      { err: { message: 'it took longer than 30 seconds' } },
    ])
  })

  test('never ends leaves a hundred calls running at most; once one ends, the subscriber goes on', async () => {
    const ends: (() => void)[] = []
    const crm = listener(
      () =>
        new Promise<void>((resolve) => {
          ends.push(resolve)
        }),
    )
    const other = listener()
    const users = createStoreWithOutbox()
    await users.outbox.add(writtenEach(300))
    const { logged } = await start({ crm: crm.subscriber, other: other.subscriber }, users)
    await pass(3600)
    expect(crm.got).toHaveLength(100)
    expect(other.got).toHaveLength(300)
    expect(logged('gets no events until')).toMatchObject([{ level: 50, subscriber: 'crm', running: 100 }])
    for (const end of ends.slice(0, 3)) end()
    await pass(1)
    expect(crm.got.length).toBeGreaterThan(100)
  })

  test('is slow delays no other subscriber, and no email', async () => {
    const slow = listener(hang)
    const quick = listener()
    const users = createStoreWithOutbox()
    const { create, send, mails } = await start({ slow: slow.subscriber, quick: quick.subscriber }, users)
    for (let n = 0; n < 8; n += 1) await create(`user${n}`)
    const email = 'ada@example.org'
    await users.update((await create('ada')) as never, { email, emailKey: email, isVerified: true }, 1)
    await send('POST', '/forgot/', { email })
    await pass(2)
    expect(slow.got).toHaveLength(5)
    expect(quick.got).toHaveLength(9)
    expect(mails).toHaveLength(1)
  })

  test('fails for one of several events of a change gets the others once', async () => {
    const crm = listener(({ id }) => {
      if (id === 'b') throw new Error('not this one')
    })
    const users = createStoreWithOutbox()
    await users.outbox.add([written(['a', 'b', 'c', 'd'])])
    await start({ crm: crm.subscriber }, users)
    await pass(30)
    expect(crm.ids().filter((id) => id !== 'b')).toEqual(['a', 'c', 'd'])
    expect(crm.ids().filter((id) => id === 'b').length).toBeGreaterThan(2)
    expect(await users.outbox.count('accounts:to:crm')).toEqual({ waiting: 1, dead: 0 })
  })

  test('ends the process at one of several events has only that one given up', async () => {
    const users = createStoreWithOutbox()
    await users.outbox.add([to(['a', 'b'])])
    const now = new Date()
    // A process that died.
    await users.outbox.claim({ realms: ['accounts:to:crm'], now, until: now, limit: 1 })
    const crm = listener(({ id }) => (id === 'a' ? hang() : undefined))
    await start({ crm: crm.subscriber }, users)
    await pass(5)
    expect(crm.ids().sort()).toEqual(['a', 'b'])
  })
})

describe('while events wait', () => {
  test('a subscriber that no longer has a handler for their type has nothing to do', async () => {
    const users = createStoreWithOutbox()
    await users.outbox.add([written(['a'], ['crm']), to(['b'])])
    const crm = vi.fn()
    await start({ crm: { 'user.deleted': crm } }, users)
    await pass(10)
    expect(crm).not.toHaveBeenCalled()
    expect(await users.outbox.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test('an event of a newer version goes to *', async () => {
    const users = createStoreWithOutbox()
    const newer = written(['a'])
    await users.outbox.add([
      {
        ...newer,
        events: newer.events.map((event) => ({ ...event, type: 'user.promoted' })),
      } as PendingMessage,
    ])
    const crm = listener()
    await start({ crm: crm.subscriber }, users)
    await pass(5)
    expect(crm.got).toMatchObject([{ type: 'user.promoted' }])
  })

  test('a subscriber that is removed leaves them, and gets them when it is back', async () => {
    const users = createStoreWithOutbox()
    const down = listener(() => Promise.reject(new Error('down')))
    const first = await start({ crm: down.subscriber }, users)
    await first.create('alice')
    await pass(5)
    const closed = services.pop()?.app.close()
    await pass(10)
    await closed
    const other = listener()
    await start({ other: other.subscriber }, users)
    await pass(7200)
    expect(other.got).toEqual([])
    expect(await users.outbox.count('accounts:to:crm')).toEqual({ waiting: 1, dead: 0 })
    const back = listener()
    await start({ crm: back.subscriber }, users)
    await pass(10)
    expect(back.ids()).toEqual([down.ids()[0]])
  })

  test('a process of the former version passes on what is for subscribers that it doesn’t know', async () => {
    const users = createStoreWithOutbox()
    const [oldCrm, newCrm, search] = [listener(), listener(), listener()]
    await start({ crm: oldCrm.subscriber }, users)
    await users.outbox.add([written(['a'], ['crm', 'search'])])
    await pass(10)
    expect(oldCrm.ids()).toEqual(['a'])
    await start({ crm: newCrm.subscriber, search: search.subscriber }, users)
    // By the old one, which doesn't know who else there is.
    await users.outbox.add([written(['b'], ['crm'])])
    await pass(10)
    expect(search.ids()).toEqual(['a'])
    expect([...oldCrm.ids(), ...newCrm.ids()]).toEqual(['a', 'b'])
  })

  test('those of a process without subscribers go to all of the process that delivers them', async () => {
    const users = createStoreWithOutbox()
    const script = await startOn(users, { events: true })
    await script.create('alice')
    await pass(60)
    expect(await users.outbox.count()).toEqual({ waiting: 1, dead: 0 })
    const [crm, search] = [listener(), listener()]
    await start({ crm: crm.subscriber, search: search.subscriber }, users)
    await pass(5)
    expect(crm.ids()).toHaveLength(1)
    expect(search.ids()).toEqual(crm.ids())
  })

  test('those that nobody may hear of are dropped', async () => {
    const users = createStoreWithOutbox()
    const crm = listener()
    await start({ crm: crm.subscriber }, users)
    await users.outbox.add([written(['a'], [])])
    await pass(10)
    expect(crm.got).toEqual([])
    expect(await users.outbox.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test('an outbox that fails for two minutes loses none', async () => {
    const users = createStoreWithOutbox()
    const crm = listener()
    await start({ crm: crm.subscriber }, users)
    await users.outbox.add(writtenEach(20))
    const { split, claim, remove } = users.outbox
    const fail = async () => {
      throw new Error('the database is gone')
    }
    let splits = 0
    users.outbox.split = async (...args) => {
      splits += 1
      return splits > 3 ? fail() : split(...args)
    }
    await pass(6)
    Object.assign(users.outbox, { claim: fail, remove: fail })
    await pass(120)
    Object.assign(users.outbox, { split, claim, remove })
    await pass(120)
    expect(new Set(crm.ids()).size).toBe(20)
    expect(await users.outbox.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test('one whose row can’t be deleted is delivered once, and becomes a dead letter that says so', async () => {
    const users = createStoreWithOutbox()
    const crm = listener()
    await start({ crm: crm.subscriber }, users)
    await users.outbox.add([to(['a'])])
    users.outbox.remove = async () => {
      throw new Error('permission denied')
    }
    await pass(600)
    expect(crm.ids()).toEqual(['a'])
    expect(await users.outbox.listDead({ limit: 2 })).toMatchObject([
      { error: expect.stringMatching(/^it was handled, but can't be deleted/) },
    ])
  })
})

test('check() counts what waits, what is given up, and what waits for subscribers that are not here', async () => {
  const users = createStoreWithOutbox()
  const crm = listener(({ id }) => (id === 'a' ? hang() : Promise.reject(new Error('down'))))
  const { app } = await start({ crm: crm.subscriber }, users)
  await users.outbox.add([to(['a']), to(['b']), { ...to(['c']), realm: 'accounts:to:old' }])
  await users.outbox.add([{ ...to(['d']), realm: 'staff:to:older' }])
  await pass(20)
  const { ok, events, outbox } = await app.accounts.check()
  expect(events).toEqual({
    waiting: 2,
    dead: 0,
    overdueMs: expect.any(Number),
    underWay: expect.any(Number),
    oldestMs: expect.any(Number),
    unclaimed: { old: 1 },
  })
  expect(events?.oldestMs).toBeGreaterThan(10_000)
  // None of it is an email.
  expect([ok, outbox]).toMatchObject([true, { state: 'ok', waiting: 0, dead: 0 }])
  await pass(2)
  const { count } = users.outbox
  users.outbox.count = async (realm) => (realm === 'accounts' ? count(realm) : hang())
  const hanging = app.accounts.check()
  await pass(2)
  expect(await hanging).toMatchObject({
    ok: true,
    events: { waiting: null, dead: null, overdueMs: null, unclaimed: null },
  })
})

test('a process whose user store has no outbox warns that events wait in memory', async () => {
  const text = 'ACCOUNTS_WARN_MEMORY_EVENTS'
  const on = { crm: listener().subscriber }
  expect((await startOn(createMemoryUserStore(), { on })).logged(text)).toHaveLength(1)
  expect((await startOn(createMemoryUserStore())).logged(text)).toEqual([])
  expect((await start(on)).logged(text)).toEqual([])
})

describe('closing', () => {
  test('waits for running handlers', async () => {
    let end = (): void => {}
    const crm = listener(
      () =>
        new Promise<void>((resolve) => {
          end = resolve
        }),
    )
    const users = createStoreWithOutbox()
    const { create } = await start({ crm: crm.subscriber }, users)
    await create('alice')
    await pass(3)
    const closed = services.pop()?.app.close()
    await pass(5)
    end()
    await pass(0.1)
    await closed
    expect(crm.signals.map(({ aborted }) => aborted)).toEqual([false])
    expect(await users.outbox.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test('aborts those that take too long: another process delivers the event at once, as if it were the first attempt', async () => {
    const users = createStoreWithOutbox()
    const slow = listener(
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    )
    const { create, logged } = await start({ crm: slow.subscriber }, users)
    await create('alice')
    await pass(3)
    const closed = services.pop()?.app.close()
    await pass(9)
    await closed
    expect(slow.signals.map(({ reason }) => String(reason))).toEqual(['Error: the app is closing'])
    const now = new Date()
    const [entry] = await users.outbox.claim({ realms: ['accounts:to:crm'], now, until: now, limit: 1 })
    expect(entry).toMatchObject({ attempts: 1, message: { events: [{ id: slow.ids()[0] }] } })
    expect(logged('could not be delivered')).toEqual([])
  })

  test('takes no more than its time, whatever a handler does', async () => {
    const { create, app } = await start({ crm: listener(hang).subscriber })
    await create('alice')
    await pass(3)
    services.pop()
    let isClosed = false
    const closed = app.close().then(() => {
      isClosed = true
    })
    await pass(9)
    expect(isClosed).toBe(true)
    await closed
  })
})

describe('in memory', () => {
  /** What a feature posts with. */
  function posting() {
    let core = {} as Pick<FeatureCore, 'events'>
    const feature = {
      name: 'posting',
      subscribers(own) {
        core = own
        return {}
      },
    } as Feature
    return {
      feature,
      post: (id: string) => core.events.post(core.events.about('user.secured', { id }, {})),
    }
  }

  test('events are delivered after the change, and those that wait when the app closes as well', async () => {
    const crm = listener()
    const { create } = await startOn(createMemoryUserStore(), { on: { crm: crm.subscriber } })
    await create('alice')
    await pass(5)
    expect(crm.got).toHaveLength(1)
    await create('ben')
    const closed = services.pop()?.app.close()
    await pass(0.5)
    await closed
    expect(crm.got).toHaveLength(2)
    expect(crm.got.map(({ user }) => user?.id)).not.toContain('')
  })

  test('ten thousand wait for a subscriber that hangs; further ones are dropped, and the log says so', async () => {
    const [stuck, quick] = [listener(hang), listener()]
    const { feature, post } = posting()
    const { logged } = await startOn(createMemoryUserStore(), {
      features: [feature],
      on: { stuck: stuck.subscriber, quick: quick.subscriber },
    })
    for (let n = 0; n < 10_010; n += 1) {
      await post(`u${n}`)
      if (n % 1000 === 999) await pass(0.01)
    }
    await pass(20)
    expect(quick.got).toHaveLength(10_010)
    expect(logged('events were dropped')).toMatchObject([
      { level: 50, subscriber: 'stuck', reason: 'more than 10000 events are waiting' },
    ])
  })

  test('an app that closes says how many are lost', async () => {
    const { create, logged } = await startOn(createMemoryUserStore(), {
      on: { crm: listener(hang).subscriber },
    })
    await create('alice')
    await create('ben')
    await pass(3)
    const closed = services.pop()?.app.close()
    await pass(10)
    await closed
    expect(logged('events were dropped')).toMatchObject([{ dropped: 2, reason: 'the app closed' }])
  })
})
