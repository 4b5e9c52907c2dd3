import {
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
} from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
import { createMemoryOrganizationStore, type OrganizationStore } from '@fastify-accounts/organizations/store'
import { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import {
  createMemoryInvitationStore,
  createMemoryThrottleStore,
  createMemoryUserStore,
  type InvitationStore,
  type ListingUserStore,
  type SessionStore,
  type ThrottleStore,
} from 'fastify-accounts'
import { countedSessions } from './app.js'
import {
  connect as connectDatabase,
  countSessions,
  type DriverName,
  driversHere,
  empty,
  makeDatabase,
  type Place,
} from './databases.js'
import { connect as connectRedis, isRedisHere, keysOf, newPrefix, sweep } from './redis/redis.js'

export type GroundName = 'memory' | 'SQLite' | 'PostgreSQL' | 'PostgreSQL + Redis' | 'MariaDB'

/** The stores of one test: empty, and the test may corrupt them. */
export interface Stores {
  users: ListingUserStore
  sessions: SessionStore
  invitations: InvitationStore
  organizations: OrganizationStore
  throttle: ThrottleStore
  /** The number of session rows. */
  sessionRows(): Promise<number>
  /** Lets time pass in Redis as well, after the test has advanced its fake clock by so many milliseconds. */
  age(milliseconds: number): Promise<void>
  /** Where another process finds the users, and the sessions unless `prefix` is there as well; absent in memory. */
  place?: Place
  /** Where another process finds sessions and counters in Redis. */
  prefix?: string
}

export interface OpenGround {
  /** Clears the last test's data, and creates new stores. */
  stores(): Promise<Stores>
  close(): Promise<void>
}

/** A combination of stores on which every case runs. */
export interface Ground {
  name: GroundName
  /** Whether the services it needs respond. */
  isHere: boolean
  open(): Promise<OpenGround>
}

/** `memory` where nothing else shall be asked, as for mutation testing. */
const isMemoryOnly = process.env.CATALOGUE_GROUNDS === 'memory'
const drivers = isMemoryOnly ? [] : (await driversHere(['libsql', 'pg', 'mysql2'])).map(({ name }) => name)
const hasRedis = !isMemoryOnly && (await isRedisHere())

const allGrounds: readonly Ground[] = [
  { name: 'memory', isHere: true, open: openMemory },
  { name: 'SQLite', isHere: true, open: () => openDatabase('libsql') },
  { name: 'PostgreSQL', isHere: drivers.includes('pg'), open: () => openDatabase('pg') },
  {
    name: 'PostgreSQL + Redis',
    isHere: drivers.includes('pg') && hasRedis,
    open: openDatabaseAndRedis,
  },
  { name: 'MariaDB', isHere: drivers.includes('mysql2'), open: () => openDatabase('mysql2') },
]
export const grounds = isMemoryOnly ? allGrounds.filter(({ name }) => name === 'memory') : allGrounds

async function openMemory(): Promise<OpenGround> {
  return {
    async stores() {
      const sessions = countedSessions()
      return {
        users: createMemoryUserStore(),
        sessions,
        invitations: createMemoryInvitationStore(),
        organizations: createMemoryOrganizationStore(),
        throttle: createMemoryThrottleStore(),
        sessionRows: async () => sessions.rows.size,
        age: async () => {},
      }
    },
    close: async () => {},
  }
}

async function openDatabase(driver: DriverName): Promise<OpenGround> {
  const { place, drop } = await makeDatabase(driver)
  const db = await connectDatabase(place)
  await migrate(db)
  return {
    async stores() {
      await empty(db)
      const users = createKyselyUserStore({ db })
      return {
        users,
        sessions: createKyselySessionStore({ db, userStore: users }),
        invitations: createKyselyInvitationStore({ db, userStore: users }),
        organizations: createKyselyOrganizationStore({ db, userStore: users }),
        throttle: createMemoryThrottleStore(),
        sessionRows: () => countSessions(db),
        age: async () => {},
        place,
      }
    },
    async close() {
      await db.destroy()
      await drop()
    },
  }
}

async function openDatabaseAndRedis(): Promise<OpenGround> {
  const database = await openDatabase('pg')
  const redis = await connectRedis()
  const start = newPrefix()
  let tests = 0
  return {
    async stores() {
      tests += 1
      const prefix = `${start}${tests}:`
      return {
        ...(await database.stores()),
        sessions: createRedisSessionStore({ redis, prefix }),
        throttle: createRedisThrottleStore({ redis, prefix }),
        sessionRows: async () => (await keysOf(redis, `${prefix}session:`)).length,
        async age(milliseconds) {
          for (const key of await keysOf(redis, `${prefix}throttle:`)) {
            await redis.pexpire(key, (await redis.pttl(key)) - milliseconds)
          }
          // Sessions end at a time of the plugin's clock, so that is what tells how long they have left.
          for (const key of await keysOf(redis, `${prefix}session:`)) {
            await redis.pexpire(key, Number(await redis.hget(key, 'expiresAt')) - Date.now())
          }
        },
        prefix,
      }
    },
    async close() {
      await sweep(redis, start)
      redis.disconnect()
      await database.close()
    },
  }
}
