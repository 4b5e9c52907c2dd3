import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { providers } from '@fastify-accounts/providers'
import { connectWithCommits } from '@fastify-accounts/test-support/commits'
import { connect, driversHere, makeDatabase, type Place } from '@fastify-accounts/test-support/databases'
import { sample } from '@fastify-accounts/test-support/depth'
import { startService } from '@fastify-accounts/test-support/faults/service'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { openLine } from '@fastify-accounts/test-support/redis/proxy'
import {
  type HostTables,
  makeWorkspaces,
  openWorkspace,
  type Tx,
  workspacesWith,
} from '@fastify-accounts/test-support/workspaces'
import { type AccountUser, type Alongside, createMemoryThrottleStore } from 'fastify-accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { actions } from './alongside-attempts.js'
import { type Fault, faults, refusal } from './alongside-faults.js'

// The app's own rows and the user change in one transaction: whatever fails, both are there or neither.

/** Milliseconds, for functions that hang. */
const deadline = 600

let issuer: TestIssuer

const grounds = await driversHere(['libsql', 'pg', 'mysql2'])

/** An app whose functions of `alongside` and connection can each be made to fail. */
async function open({ driver, url }: Place) {
  const line = driver === 'libsql' ? undefined : await openLine(url)
  const { db, ...commits } = await connectWithCommits<HostTables>({ driver, url: line?.url ?? url }, 3)
  /** What the next call of one function meets. */
  let due: { name: keyof Alongside<Tx>; run(own: () => Promise<void>): Promise<void> } | undefined
  const plain = workspacesWith()
  const meeting =
    (name: keyof Alongside<Tx>, own: (tx: Tx, user: AccountUser) => Promise<void> | undefined) =>
    (tx: Tx, user: AccountUser): Promise<void> => {
      const work = async (): Promise<void> => void (await own(tx, user))
      if (due?.name !== name) return work()
      const { run } = due
      due = undefined
      return run(work)
    }
  const users = createKyselyUserStore({
    db,
    alongside: {
      created: meeting('created', (tx, user) => plain.created?.(tx, user)),
      verified: meeting('verified', async (tx, user) => {
        await plain.deleted?.(tx, user)
        await openWorkspace(tx, user.id, `proven ${user.id}`)
      }),
      deleted: meeting('deleted', (tx, user) => plain.deleted?.(tx, user)),
      handedOver: meeting('handedOver', (tx, user) => plain.deleted?.(tx, user)),
    },
  })
  const stores = {
    // The outbox has faults of its own in packages/accounts/test/postman.test.ts.
    users: { ...users, outbox: undefined },
    sessions: createKyselySessionStore({ db, userStore: users }),
    throttle: createMemoryThrottleStore(),
  }
  const client = { clientId: 'app', clientSecret: 'secret', authoritativeFor: true } as const
  const start = (options: object) => {
    const features = [providers([{ name: 'demo', issuer: issuer.url, ...client }])]
    return startService(stores, { features, ...options })
  }
  return {
    line,
    start,
    stores,
    /** Lets the next call of a function meet a fault. */
    meet(call: NonNullable<typeof due>) {
      due = call
    },
    meetCommit: commits.meetCommit,
    /** Whether the function has been called since. */
    isMet: () => due === undefined && commits.isMet(),
    async close() {
      await line?.mend()
      await db.destroy()
      await line?.close()
    },
  }
}

beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

describe.each(grounds)('alongside on $title', ({ name: driver, title }) => {
  let place: Place
  let drop: () => Promise<void>
  beforeAll(async () => {
    ;({ place, drop } = await makeDatabase(driver))
    const db = await connect(place, 1)
    await migrate(db)
    await db.destroy()
  })
  afterAll(() => drop())

  test.each(Object.entries(actions))(
    '%s changes the user and the rows of the app together or not at all, whatever its function meets',
    async (attempted, { calls, confirms = false, prepare }) => {
      const workspaces = await makeWorkspaces({ place })
      const truth = await connect(place, 2)
      const direct = createKyselyUserStore({ db: truth })
      const { line, start, stores, meet, meetCommit, isMet, close } = await open(place)
      const options = { requireEmailConfirmation: confirms }
      const calm = await start(options)
      const hasty = await start({ ...options, adapterTimeout: deadline })
      onTestFinished(async () => {
        await calm.app.close()
        await hasty.app.close()
        await close()
        // For the next test, whose app has rows of its own.
        for (const { id } of await direct.list({ limit: 1000 })) await direct.delete(id)
        await truth.destroy()
      })

      /** Each person has their row, and who is verified has that of the proof. */
      async function together(): Promise<void> {
        await workspaces.owners()
        const proven = await direct.list({ limit: 1000, where: { isVerified: true } })
        const titles = (await workspaces.titles()).filter((title) => title.startsWith('proven'))
        expect(titles.toSorted()).toEqual(proven.map(({ id }) => `proven ${id}`).sort())
      }

      async function judge(fault: Fault, number: number): Promise<void> {
        const { status, isMade = false, waits, within, atCommit, isSynchronous = false } = fault
        const bench = {
          calm,
          direct,
          issuer,
          name: `user-${number}`,
          remoteAddress: `10.7.0.${number}`,
        }
        const attempt = await prepare(bench)
        let resume = (): void => {}
        const gate = new Promise<void>((resolve) => {
          resume = resolve
        })
        let late: Promise<unknown> = Promise.resolve()
        const run = (own: () => Promise<void>): Promise<void> => {
          if (isSynchronous) throw refusal()
          const work = async (): Promise<void> => {
            await (within ?? ((change) => change()))(own, line)
            if (atCommit) meetCommit(atCommit(line, attempt.isDone))
            if (waits === undefined) return
            await gate
            await own()
          }
          const working = work()
          late = working.catch((error: unknown) => error)
          return working
        }
        meet({ name: calls, run })
        const response = await attempt.send(waits ? hasty : calm)
        expect(isMet()).toBe(true)
        expect([response.statusCode, response.body]).toEqual([status, expect.any(String)])
        if (status === 503) expect(response.json().code).toBe('ACCOUNTS_UNAVAILABLE')
        expect(response.body).not.toMatch(/s3cret|ECONN|10\.0\.0/)
        await line?.mend()
        await vi.waitFor(() => stores.users.findByUsername('nobody'), 60_000)
        if (waits === 'before') {
          resume()
          expect(await late).toBeInstanceOf(Error)
        }
        await together()
        const isDone = await attempt.isDone()
        expect(isDone).toBe(isMade)
        if (status === 402 || waits) expect(await attempt.isUndone?.()).not.toBe(false)

        const again = await attempt.send(calm)
        expect(isDone ? attempt.again : [attempt.status]).toContain(again.statusCode)
        resume()
        if (waits) expect(await late).toBeInstanceOf(Error)
        await together()
        if (!isDone) expect(await attempt.deleteRest?.()).not.toBe(false)
        await together()
        expect(await attempt.isDone()).toBe(true)
      }

      const wrong: string[] = []
      const names = Object.keys(faults).filter((each) => line !== undefined || !faults[each]?.isOfServers)
      for (const name of sample(`alongside ${title} ${attempted}`, names)) {
        await judge(faults[name] as Fault, names.indexOf(name)).catch((error) =>
          wrong.push(`${name}: ${error}`),
        )
      }
      expect(wrong).toEqual([])
    },
  )
})
