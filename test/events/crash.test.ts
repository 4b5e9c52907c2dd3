import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@fastify-accounts/kysely'
import {
  connect,
  type Driver,
  driversHere,
  makeDatabase,
  type Place,
} from '@fastify-accounts/test-support/databases'
import { cover, times } from '@fastify-accounts/test-support/depth'
import { startProcesses } from '@fastify-accounts/test-support/race-processes'
import { newUser } from '@fastify-accounts/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Change, changes } from './changes.js'
import { steps } from './halting.js'
import { expectComplete, twice } from './ledger.js'
import type { Trial, tasks, Work } from './process.js'
import { openStores, readLedger, startService, writesLedger } from './service.js'

interface Ground {
  name: string
  place: Place
  ledger: string
  stores: Awaited<ReturnType<typeof openStores>>
  close(): Promise<void>
}

const hour = 3_600_000
const processFile = new URL('process.ts', import.meta.url)

let grounds: Ground[]
beforeEach(async () => {
  grounds = await Promise.all((await driversHere(['libsql', 'pg', 'mysql2'])).map(open))
})
afterEach(async () => {
  for (const ground of grounds) await ground.close()
})

async function open({ name }: Driver): Promise<Ground> {
  const { place, drop } = await makeDatabase(name)
  const db = await connect(place)
  await migrate(db)
  await db.destroy()
  const folder = await mkdtemp(join(tmpdir(), 'accounts-ledger-'))
  const ledger = join(folder, 'ledger')
  await writeFile(ledger, '')
  const stores = await openStores(place)
  return {
    ...{ name, place, ledger, stores },
    async close() {
      await stores.close()
      await drop()
      await rm(folder, { recursive: true })
    },
  }
}

/** Delivers what the killed processes left, once their claims have expired. */
async function drain(
  { place, ledger, stores }: Ground,
  mounts: readonly string[],
  aheadMs: number,
): Promise<void> {
  const { close, ...later } = await openStores(place, aheadMs)
  const on = { ledger: writesLedger(ledger, 'ledger'), other: writesLedger(ledger, 'other') }
  const services = await Promise.all(mounts.map((mount) => startService(later, mount, on)))
  await expect.poll(() => stores.users.outbox?.count()).toEqual({ waiting: 0, dead: 0 })
  for (const { app } of services) await app.close()
  await close()
}

test('FLT-41 kill -9 at each step: a change has its events, and each subscriber gets them', async () => {
  const all = grounds.flatMap((ground) =>
    (Object.keys(changes) as Change[]).flatMap((change) => steps.map((step) => ({ ground, change, step }))),
  )
  const chosen = cover(all, ({ ground, change, step }) => [
    `${ground.name} ${step}`,
    `${ground.name} ${change}`,
  ])
  const trials = await Promise.all(
    chosen.map(async ({ ground, change, step }, at) => {
      const username = `u${at}-${randomUUID().slice(0, 8)}`
      // Straight to the store, so this has no event.
      const { id } = await ground.stores.users.create(newUser({ username: `of-${username}` }))
      return {
        ground,
        job: {
          place: ground.place,
          ledger: ground.ledger,
          mount: `m${at}`,
          change,
          step,
          userId: id,
          username,
        },
      }
    }),
  )
  const victim = await startProcesses<keyof typeof tasks, { trials: Trial[] }>(processFile, 1)
  const [acknowledged = []] = await victim.race<boolean[]>('halt', { trials: trials.map(({ job }) => job) })

  // What the stopped process holds delays nobody else.
  for (const { ground, job } of cover(trials, (each) => [each.job.step])) await expectOthersGoOn(ground, job)
  await victim.stop('SIGKILL')
  for (const ground of grounds) {
    const mounts = trials.filter((each) => each.ground === ground).map(({ job }) => job.mount)
    await drain(ground, mounts, hour)
  }

  const wrong: string[] = []
  let repeated = 0
  for (const ground of grounds) {
    const lines = readLedger(ground.ledger)
    repeated += twice(lines)
    for (const [at, { ground: of, job }] of trials.entries()) {
      if (of !== ground) continue
      const { mount, change, step, userId, username } = job
      const { isDone, type } = changes[change]
      const done = await isDone(ground.stores.users, userId, username)
      const where = `${ground.name}, ${change}, killed ${step}`
      if (done !== (step !== 'before the write')) wrong.push(`${where}: done is ${done}`)
      if (acknowledged[at] && !done) wrong.push(`${where}: was acknowledged`)
      const own = lines.filter(
        (line) =>
          line.mount === mount && line.type === type && (change === 'sign up' || line.userId === userId),
      )
      for (const subscriber of ['ledger', 'other']) {
        const ids = new Set(own.filter((line) => line.subscriber === subscriber).map(({ id }) => id))
        if (ids.size !== (done ? 1 : 0)) wrong.push(`${where}: ${subscriber} got ${ids.size} ${type}`)
      }
      if (new Set(own.map(({ id }) => id)).size > 1) wrong.push(`${where}: several ids`)
    }
  }
  console.info(
    `killed at ${trials.length} points on ${grounds.length} databases; ${repeated} events came again`,
  )
  expect(wrong).toEqual([])
  // Those whose handler had done its work before the kill.
  expect(repeated).toBeGreaterThan(0)
})

test('FLT-41 kill -9 of two processes at any moment: every version of every user has its event', async () => {
  const rounds = times({ quick: 4, full: 60 })
  const seed = Number(process.env.EVENTS_SEED ?? 1)
  for (let round = 0; round < rounds; round += 1) {
    const both = await startProcesses<keyof typeof tasks, Work>(processFile, 2)
    const work: Work = {
      places: grounds.map(({ place, ledger }) => ({ place, ledger })),
      mount: 'accounts',
      // The claims of those killed before have expired.
      aheadMs: round * hour,
      dieAt: 40 + (((seed + round) * 97) % 400),
      seed: seed * 1000 + round,
    }
    // The first to reach its step kills itself, and the other is then killed wherever it is.
    await expect(both.race('work', work)).rejects.toThrow('the process exited')
    await both.stop('SIGKILL')
  }
  for (const ground of grounds) await drain(ground, ['accounts'], (rounds + 24) * hour)

  for (const ground of grounds) {
    const lines = readLedger(ground.ledger)
    const { changed, deleted } = await expectComplete(ground.stores.users, lines)
    console.info(
      `${ground.name}: ${rounds} rounds, ${changed} versions and ${deleted} deletions; ${lines.length} deliveries, ${twice(lines)} of them again`,
    )
  }
})

/** Another process of this mount changes a user of its own, and delivers that. */
async function expectOthersGoOn({ ledger, stores }: Ground, { mount, username }: Trial): Promise<void> {
  const on = { ledger: writesLedger(ledger, 'ledger'), other: writesLedger(ledger, 'other') }
  const service = await startService(stores, mount, on)
  const { id } = await stores.users.create(newUser({ username: `by-${username}` }))
  await changes.update.make(service, id, 'by another')
  const subscribersTold = () => {
    const own = readLedger(ledger).filter((line) => line.mount === mount && line.userId === id)
    return new Set(own.map(({ subscriber }) => subscriber)).size
  }
  await expect.poll(subscribersTold).toBe(2)
  await service.app.close()
}
