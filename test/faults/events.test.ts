import { goodPassword } from '@fastify-accounts/test-support/app'
import { isTried } from '@fastify-accounts/test-support/depth'
import { type OnCall, watch } from '@fastify-accounts/test-support/faults/probe'
import { setScene } from '@fastify-accounts/test-support/faults/scene'
import { createPost, type Service, startService } from '@fastify-accounts/test-support/faults/service'
import type { AccountEvent, PendingEvents } from 'fastify-accounts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Branch, branches } from './branches.js'
import { type FaultName, faults, faultsOf, recorder, type Site, saboteur } from './faults.js'
import { storesWithOutbox } from './notices.js'
import { beside, labelOf } from './trial.js'

// A change is stored with its events or not at all, and no failure of the outbox or of a subscriber loses one.

const everyFault = Object.keys(faults) as FaultName[]

describe('a change and its events', () => {
  const stores = storesWithOutbox()
  const post = createPost()
  const services = new Map<string, Promise<Service>>()
  function serviceFor({ confirms = false }: Branch, hangs = false): Promise<Service> {
    const key = `${confirms} ${hangs}`
    const options = { requireEmailConfirmation: confirms, events: true, ...(hangs && { adapterTimeout: 25 }) }
    const service = services.get(key) ?? startService(stores, options, post)
    services.set(key, service)
    return service
  }

  /** Takes out what waits: no process here delivers it. */
  async function taken(): Promise<AccountEvent[]> {
    const { outbox } = stores.users
    const [now, until] = [new Date(), new Date(Date.now() + 1)]
    const entries = (await outbox?.claim({ realms: ['accounts:events'], now, until, limit: 1000 })) ?? []
    for (const entry of entries) await outbox?.remove(entry)
    return entries.flatMap(({ message }) => {
      const { events, userId } = message as unknown as PendingEvents
      // Of somebody who was just being created, only the message has the id.
      return events.map((event) => ({
        ...event,
        user: event.user && { ...event.user, id: event.user.id || `${userId}` },
      }))
    })
  }
  /** Best effort, or posted apart from a change. */
  const isStoredWithChange = ({ type, user }: AccountEvent): boolean =>
    user?.version != null || type === 'user.deleted'

  async function prepared(branch: Branch) {
    const scene = await setScene(await serviceFor(branch))
    Object.assign(scene, await branch.prepare?.(scene))
    await taken()
    return scene
  }

  test('FLT-39 are stored together or not at all, whatever happens to a write', async () => {
    const wrong: string[] = []
    let trials = 0
    for (const branch of branches.filter(({ name }) => isTried(name))) {
      const whole = await prepared(branch)
      const { onCall, sites } = recorder()
      const response = await watch(beside(branch, whole, onCall), () => whole.send(branch.request(whole)))
      expect([branch.name, response.statusCode]).toEqual([branch.name, branch.status])
      const types = (await taken()).filter(isStoredWithChange).map(({ type }) => type)
      if (types.length === 0) continue
      const writes = sites.filter(({ method }) =>
        /^(users\.(create|update|delete)|outbox\.add)$/.test(method),
      )
      for (const site of writes) {
        for (const fault of everyFault) {
          trials += 1
          const where = `${branch.name}, ${labelOf(site)} ${fault}`
          await tryFault(branch, site, fault, types).then(
            (told) => told && wrong.push(`${where}: ${told}`),
            (error) => wrong.push(`${where}: ${error}`),
          )
        }
      }
    }
    console.info(`events: ${trials} faults of writes`)
    expect(trials).toBeGreaterThan(50)
    expect(wrong).toEqual([])
    for (const service of services.values()) await (await service).app.close()
  })

  /** What is wrong, if anything. */
  async function tryFault(
    branch: Branch,
    site: Site,
    fault: FaultName,
    types: readonly string[],
  ): Promise<string | undefined> {
    const scene = await prepared(branch)
    const service = await serviceFor(branch, faults[fault].hangs)
    const trouble = saboteur(site, fault)
    try {
      await watch(beside(branch, scene, trouble.onCall), () =>
        service.send({ ...branch.request(scene), remoteAddress: scene.remoteAddress }),
      )
    } finally {
      await trouble.end()
    }
    const told = (await taken()).filter(isStoredWithChange)
    for (const { type, user } of told) {
      const stored = await service.stores.users.findById(user?.id ?? '')
      if ((stored === null) !== (type === 'user.deleted'))
        return `told ${type}, the user is ${stored && 'there'}`
      if (stored !== null && stored.version < (user?.version ?? 0))
        return `told ${type} of a version that is not`
    }
    const missing = types.filter((type) => !told.some((event) => event.type === type))
    if ((await branch.action.isDone(scene)) && missing.length > 0) return `it is done, without ${missing}`
    return undefined
  }
})

describe('a courier', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** What a courier does with a message, each at least once in `deliver`. */
  const methods = ['claim', 'split', 'renew', 'postpone', 'remove']
  const sites = methods.flatMap((method) => [1, 2].map((nth) => ({ method: `outbox.${method}`, nth })))
  const cells = sites.flatMap((site) =>
    faultsOf(`${site.method}#${site.nth} of events`).map((fault) => ({ site, fault })),
  )

  /** Lets so many seconds pass, and in each what is under way go on. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await vi.advanceTimersByTimeAsync(1000)
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
    }
  }

  /** Who got which event, and how often; one subscriber takes long, and the other fails first each time. */
  async function deliver(onCall: OnCall, end: () => Promise<void>) {
    const told = new Map<string, number>()
    const tell = (name: string, { id, type }: AccountEvent) =>
      void told.set(`${name} ${type} ${id}`, (told.get(`${name} ${type} ${id}`) ?? 0) + 1)
    const failed = new Set<string>()
    const on = {
      slow: {
        async '*'(event: AccountEvent) {
          await new Promise((resolve) => setTimeout(resolve, 25_000))
          tell('slow', event)
        },
      },
      failing: {
        async '*'(event: AccountEvent) {
          const isFirst = !failed.has(event.id)
          failed.add(event.id)
          if (isFirst) throw new Error('the CRM is down')
          tell('failing', event)
        },
      },
    }
    const stores = storesWithOutbox()
    return watch(onCall, async () => {
      const { app } = await startService(stores, { on })
      for (const username of ['ada', 'bob'])
        await app.accounts.createUser({ username, password: goodPassword })
      await pass(240)
      await end()
      await pass(240)
      const waiting = await stores.users.outbox?.count()
      await app.close()
      return { waiting, told: [...told.keys()].map((key) => key.replace(/ [^ ]+$/, '')).toSorted() }
    })
  }

  const everything = {
    told: ['failing user.created', 'failing user.created', 'slow user.created', 'slow user.created'],
    waiting: { waiting: 0, dead: 0 },
  }

  test('FLT-40 calls each of these methods twice', async () => {
    const called = new Map<string, number>()
    const count: OnCall = (method, inner) => {
      called.set(method, (called.get(method) ?? 0) + 1)
      return inner()
    }
    expect(await deliver(count, async () => {})).toEqual(everything)
    for (const { method, nth } of sites)
      expect([method, (called.get(method) ?? 0) >= nth]).toEqual([method, true])
  })

  test.each(cells)('FLT-40 whose $site.method #$site.nth $fault loses no event', async ({ site, fault }) => {
    const trouble = saboteur(site, fault)
    expect(await deliver(trouble.onCall, trouble.end)).toEqual(everything)
    expect(trouble.hasStruck()).toBe(true)
  })
})
