import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import {
  connect,
  driversHere,
  makeDatabase,
  type Place,
  sqliteDrivers,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import type { Kysely } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { steps } from '../src/migrate/migrations.js'
import { rounds, type tasks } from './support/tasks.js'
import { newSession, newUser } from './support/users.js'

const everyRound = Array.from({ length: rounds }, (_, index) => index + 1)

/** The rounds that were won, in order: each appears once if it had exactly one winner. */
function winners(results: number[][]): number[] {
  return results.flat().sort((a, b) => a - b)
}

let processes: Processes<keyof typeof tasks, Place>
beforeAll(async () => {
  processes = await startProcesses(new URL('support/tasks.ts', import.meta.url), 2)
  // Each process loads the sources itself, which takes a while on a busy machine.
})
afterAll(() => processes.stop())

describe.each(await driversHere([...sqliteDrivers, 'pg', 'mysql2']))(
  'two processes on one database: $title',
  ({ name }) => {
    let database: TestDatabase
    let db: Kysely<unknown>

    beforeEach(async () => {
      database = await makeDatabase(name)
      db = await connect(database.place)
    })
    afterEach(async () => {
      await db.destroy()
      await database.drop()
    })

    test('migrations run once', async () => {
      const results = await processes.race<string[]>('migrate', database.place)
      expect(results.flat()).toEqual(steps.map(({ name }) => name))
      expect(await migrate(db)).toEqual([])
    })

    test('of two creations with one name, one wins', async () => {
      await migrate(db)
      expect(winners(await processes.race<number[]>('create', database.place))).toEqual(everyRound)
      const users = await createKyselyUserStore({ db }).list({ limit: 100 })
      expect(users).toHaveLength(rounds)
    })

    test('of two creations with one address, one wins', async () => {
      await migrate(db)
      expect(winners(await processes.race<number[]>('takeAddress', database.place))).toEqual(everyRound)
      const users = await createKyselyUserStore({ db }).list({ limit: 100 })
      expect(users.map(({ emailKey }) => emailKey).sort()).toEqual(
        everyRound.map((round) => `user-${round}@example.com`).sort(),
      )
    })

    test('of two deletions of one user, one succeeds', async () => {
      await migrate(db)
      const store = createKyselyUserStore({ db })
      for (const round of everyRound) await store.create(newUser(`user-${round}`))
      expect(winners(await processes.race<number[]>('deleteUsers', database.place))).toEqual(everyRound)
      expect(await store.list({ limit: 10 })).toEqual([])
    })

    test('of two updates from one version, one wins', async () => {
      await migrate(db)
      const store = createKyselyUserStore({ db })
      const { id } = await store.create(newUser('ada'))
      // A late process finds a newer version, so one process may win a round and lose the next.
      expect(winners(await processes.race<number[]>('compareAndSet', database.place))).toEqual(everyRound)
      expect(await store.findById(id)).toMatchObject({ version: rounds + 1, resetEpoch: rounds })
    })

    test('of two changes of a session in one generation, one wins', async () => {
      await migrate(db)
      const store = createKyselySessionStore({ db })
      const session = newSession('s1')
      await store.create(session)
      // A late process finds a later generation, so one process may win a round and lose the next.
      expect(winners(await processes.race<number[]>('changeSession', database.place))).toEqual(everyRound)
      expect(await store.find('s1')).toEqual({ ...session, generation: rounds })
    })

    test("a session ends once, and touch doesn't bring it back", async () => {
      await migrate(db)
      const store = createKyselySessionStore({ db })
      for (const round of everyRound) await store.create(newSession(`session-${round}`))
      expect(winners(await processes.race<number[]>('endSession', database.place))).toEqual(everyRound)
      expect(await store.listByUser('ada')).toEqual([])
    })
  },
)
