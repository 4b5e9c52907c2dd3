import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@fastify-accounts/kysely'
import {
  connect,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { startProcesses } from '@fastify-accounts/test-support/race-processes'
import { newUser } from '@fastify-accounts/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changes } from './changes.js'
import type { Trial, tasks } from './process.js'
import { openStores, readLedger, type Service, startService, writesLedger } from './service.js'

const hour = 3_600_000

describe.each(await driversHere(['libsql', 'pg', 'mysql2']))('$title', ({ name }) => {
  let database: TestDatabase
  let folder: string
  let ledger: string
  let stores: Awaited<ReturnType<typeof openStores>>
  const services: Service[] = []

  beforeEach(async () => {
    database = await makeDatabase(name)
    const db = await connect(database.place)
    await migrate(db)
    await db.destroy()
    folder = await mkdtemp(join(tmpdir(), 'accounts-ledger-'))
    ledger = join(folder, 'ledger')
    await writeFile(ledger, '')
    // Ahead, so the claims of a killed process have expired.
    stores = await openStores(database.place, hour)
  })
  afterEach(async () => {
    for (const { app } of services.splice(0)) await app.close()
    await stores.close()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  async function start(
    ...args: Parameters<typeof startService> extends [unknown, ...infer Rest] ? Rest : never
  ) {
    const service = await startService(stores, ...args)
    services.push(service)
    return service
  }
  const told = (userId: string) =>
    readLedger(ledger)
      .filter((line) => line.userId === userId)
      .map(({ subscriber, type }) => `${subscriber} ${type}`)
      .toSorted()
  const waiting = async (realm: string) => (await stores.users.outbox?.count(realm))?.waiting
  const idOf = async (username: string) => (await stores.users.create(newUser({ username }))).id

  test('an old process that knows one subscriber passes the events of a new one on to both', async () => {
    const userId = await idOf('ada')
    const trial: Trial = {
      ...{ place: database.place, ledger, mount: 'accounts', change: 'update', step: 'before the claim' },
      ...{ userId, username: 'blue' },
    }
    const fresh = await startProcesses<keyof typeof tasks, { trials: Trial[] }>(
      new URL('process.ts', import.meta.url),
      1,
    )
    // It knows `ledger` and `other`.
    await fresh.race('halt', { trials: [trial] })
    await fresh.stop('SIGKILL')
    expect(await waiting('accounts:events')).toBe(1)

    const old = await start('accounts', { ledger: writesLedger(ledger, 'ledger') })
    await expect.poll(() => told(userId)).toEqual(['ledger user.updated'])
    await expect.poll(() => waiting('accounts:events')).toBe(0)
    expect(await waiting('accounts:to:other')).toBe(1)
    // Of its own changes, a subscriber that it doesn't know learns nothing.
    const ownId = await idOf('bob')
    await changes.update.make(old, ownId, 'red')
    await expect.poll(() => told(ownId)).toEqual(['ledger user.updated'])

    await start('accounts', { ledger: writesLedger(ledger, 'ledger'), other: writesLedger(ledger, 'other') })
    await expect.poll(() => told(userId)).toEqual(['ledger user.updated', 'other user.updated'])
    await expect.poll(() => stores.users.outbox?.count()).toEqual({ waiting: 0, dead: 0 })
    expect(told(ownId)).toEqual(['ledger user.updated'])
  })

  test('a process without subscribers leaves its events to those that have them', async () => {
    const userId = await idOf('ada')
    const writer = await start('accounts', {}, { events: true })
    await changes.update.make(writer, userId, 'blue')
    expect(await waiting('accounts:events')).toBe(1)
    await start('accounts', { ledger: writesLedger(ledger, 'ledger'), other: writesLedger(ledger, 'other') })
    await expect.poll(() => told(userId)).toEqual(['ledger user.updated', 'other user.updated'])
    await expect.poll(() => stores.users.outbox?.count()).toEqual({ waiting: 0, dead: 0 })
  })
})
