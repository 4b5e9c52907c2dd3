import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import {
  createMemorySessionStore,
  createMemoryThrottleStore,
  createMemoryUserStore,
  type SessionStore,
  type ThrottleStore,
  type UserStore,
} from 'fastify-accounts'
import {
  connect as connectDatabase,
  enginesHere,
  makeDatabase,
  type Place,
} from '../../packages/kysely/test/support/databases.js'
import {
  connect as connectRedis,
  isRedisHere,
  newPrefix,
  sweep,
} from '../../packages/redis/test/support/redis.js'

/** What a service stands on. */
export interface Stores {
  users: UserStore
  sessions: SessionStore
  throttle: ThrottleStore
}

export interface OpenGround extends Stores {
  close(): Promise<void>
}

/** A combination of stores. */
export interface Ground {
  name: string
  /** With empty stores. */
  open(): Promise<OpenGround>
}

export const memory: Ground = {
  name: 'memory',
  open: async () => ({
    users: createMemoryUserStore(),
    sessions: createMemorySessionStore(),
    throttle: createMemoryThrottleStore(),
    close: async () => {},
  }),
}

export const engines = await enginesHere()
export const hasRedis = await isRedisHere()

/** Those whose services answer here. */
export const databases: readonly Ground[] = [
  ...engines.map((engine) => ({ name: nameOf(engine), open: () => openDatabase(engine) })),
  ...(engines.includes('postgres') && hasRedis
    ? [{ name: 'PostgreSQL + Redis', open: openDatabaseAndRedis }]
    : []),
]

export function nameOf(engine: Place['engine']): string {
  return { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MariaDB' }[engine]
}

async function openDatabase(engine: Place['engine']): Promise<OpenGround> {
  const { place, drop } = await makeDatabase(engine)
  const db = connectDatabase(place)
  await migrate(db)
  return {
    users: createKyselyUserStore({ db }),
    sessions: createKyselySessionStore({ db }),
    throttle: createMemoryThrottleStore(),
    async close() {
      await db.destroy()
      await drop()
    },
  }
}

async function openDatabaseAndRedis(): Promise<OpenGround> {
  const database = await openDatabase('postgres')
  const redis = await connectRedis()
  const prefix = newPrefix()
  return {
    users: database.users,
    sessions: createRedisSessionStore({ redis, prefix }),
    throttle: createRedisThrottleStore({ redis, prefix }),
    async close() {
      await sweep(redis, prefix)
      redis.disconnect()
      await database.close()
    },
  }
}
