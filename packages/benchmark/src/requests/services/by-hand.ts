import { randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import session, { type SessionStore } from '@fastify/session'
import type { FastifyInstance } from 'fastify'
import { idOf } from '../../stores/people.js'
import { versionOf } from '../../versions.js'
import { openPool, openRedis, openSqliteDatabase, sqliteDriver, synchronousOf } from '../databases.js'
import { addPublicRoute, createHost } from '../host.js'
import { emailOf, password, usernameOf } from '../names.js'
import type { Place, Service } from '../service.js'
import { noHasher, scryptHasher } from './by-hand/hasher.js'
import { createMemoryUsers } from './by-hand/memory-users.js'
import { createPostgresUsers } from './by-hand/postgres-users.js'
import { createRedisSessions } from './by-hand/redis-sessions.js'
import { addRoutes } from './by-hand/routes.js'
import { createSqliteSessions, createSqliteUsers } from './by-hand/sqlite.js'
import type { User, Users } from './by-hand/users.js'

const lifetime = 7 * 86_400_000

interface Stores {
  users: Users
  /** Absent: the in-memory ones of @fastify/session. */
  sessions?: SessionStore
  seed(count: number, person: (at: number) => User): Promise<void>
}

/** Handwritten code on @fastify/session, with its cheapest settings: a session is saved when it changes. */
function byHand(packages: () => string[], open: (place: Place) => Promise<Stores>): Service {
  return {
    async serve(place, setup) {
      const { users, sessions, seed } = await open(place)
      const hasher = setup.hash === 'real' ? scryptHasher : noHasher
      if (setup.users > 0) {
        const passwordHash = await hasher.hash(password)
        await seed(setup.users, (at) => person(at, passwordHash))
      }
      const app = createHost()
      await addSessions(app, sessions)
      addRoutes(app, users, hasher, async () => {})
      addPublicRoute(app)
      return app
    },
    versions: () =>
      ['fastify', '@fastify/session', '@fastify/cookie', ...packages()].map((name) => versionOf(name)),
  }
}

async function addSessions(app: FastifyInstance, store: SessionStore | undefined): Promise<void> {
  await app.register(cookie)
  await app.register(session, {
    secret: randomBytes(32).toString('base64url'),
    cookie: { httpOnly: true, sameSite: 'lax', path: '/', secure: false, maxAge: lifetime },
    saveUninitialized: false,
    rolling: false,
    ...(store ? { store } : {}),
  })
}

function person(at: number, hash: string): User {
  return {
    id: idOf(at),
    username: usernameOf(at),
    email: emailOf(at),
    password_hash: hash,
    is_verified: 1,
    is_staff: 0,
    is_active: 1,
    created_at: Date.UTC(2026, 0, 1) + at * 1000,
    last_login_at: null,
  }
}

export const byHandMemory = byHand(
  () => [],
  async () => {
    const users = createMemoryUsers()
    return {
      users,
      async seed(count, person) {
        for (let at = 0; at < count; at++) await users.insert(person(at))
      },
    }
  },
)

export const byHandSqlite = byHand(
  () => [sqliteDriver()],
  async (place) => {
    const database = await openSqliteDatabase(place)
    database.exec('PRAGMA journal_mode = WAL')
    database.exec(`PRAGMA synchronous = ${synchronousOf(place)}`)
    const users = createSqliteUsers(database)
    return {
      users,
      sessions: createSqliteSessions(database, lifetime),
      async seed(count, person) {
        database.exec('BEGIN')
        for (let at = 0; at < count; at++) await users.insert(person(at))
        database.exec('COMMIT')
      },
    }
  },
)

export const byHandRedisPostgres = byHand(
  () => ['pg', 'ioredis'],
  async (place) => {
    const users = await createPostgresUsers(await openPool(place))
    const redis = await openRedis(place)
    return {
      users,
      sessions: createRedisSessions(redis, place.redisPrefix, lifetime),
      async seed(count, person) {
        for (let from = 0; from < count; from += 100) {
          const portion = Array.from({ length: Math.min(100, count - from) }, (_, at) => person(from + at))
          await Promise.all(portion.map((user) => users.insert(user)))
        }
      },
    }
  },
)
