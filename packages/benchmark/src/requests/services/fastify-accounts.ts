import { availableParallelism } from 'node:os'
import accounts, {
  type AccountsOptions,
  createMemorySessionStore,
  createMemoryUserStore,
  createScryptHasher,
  defaultLimits,
  type Limits,
  type NewUser,
  type PasswordHasher,
  type SessionStore,
  type UserStore,
} from 'fastify-accounts'
import { newUser } from 'fastify-accounts/testing'
import { idOf } from '../../stores/people.js'
import { columns, userValues } from '../../stores/sql.js'
import { versionOf } from '../../versions.js'
import { fill, openPostgres, openRedis, openSqlite } from '../databases.js'
import { addPublicRoute, createHost } from '../host.js'
import { emailOf, password, publicUrl, usernameOf } from '../names.js'
import type { Place, Service, Setup } from '../service.js'

interface Stores {
  userStore: UserStore
  sessionStore: SessionStore
  seed(count: number, person: (at: number) => NewUser): Promise<void>
}

/** This project on the stores that it is given, all else by default. */
function own(packages: string[], open: (place: Place) => Promise<Stores>): Service {
  return {
    async serve(place, setup) {
      const { seed, ...stores } = await open(place)
      const passwordHasher = setup.hash === 'real' ? createScryptHasher() : noHasher
      if (setup.users > 0) {
        const passwordHash = await passwordHasher.hash(password)
        await seed(setup.users, (at) => person(at, passwordHash))
      }
      const app = createHost()
      await app.register(accounts, { ...options(place, setup), ...stores, passwordHasher })
      addPublicRoute(app)
      return app
    },
    versions: () => ['fastify', ...packages].map((name) => versionOf(name)),
  }
}

/**
 * Limits are on, and count, but are never met: the load comes from one address. But for that of the mails about new
 * devices, whose default sends one for logins that look alike, and counts the others.
 */
function options({ secret }: Place, { list, hash }: Setup): AccountsOptions {
  const { newDeviceMails, ...others } = defaultLimits
  const limits = Object.entries(others).map(([name, { window }]) => [name, { max: 1e9, window }])
  return {
    secret,
    baseUrl: publicUrl,
    users: { variant: list ? 'both' : 'user' },
    mailer: { send: async () => {} },
    // As many hashes at a time as there are cores, like the bare hash beside it.
    ...(hash === 'real' ? { password: { concurrency: availableParallelism() } } : {}),
    throttle: { limits: Object.fromEntries(limits) as Partial<Limits> },
  }
}

const noHasher: PasswordHasher = {
  hash: async (password) => `none:${password}`,
  canVerify: (hash) => hash.startsWith('none:'),
  verify: async (password, hash) => hash === `none:${password}`,
  needsRehash: () => false,
}

function person(at: number, passwordHash: string): NewUser {
  const [username, email] = [usernameOf(at), emailOf(at)]
  return newUser({
    ...{ username, usernameKey: username, email, emailKey: email, passwordHash, isVerified: true },
    createdAt: new Date(Date.UTC(2026, 0, 1) + at * 1000),
  })
}

/** Users in SQL, and sessions too, where they are kept nowhere else. */
async function inSql({ db }: Awaited<ReturnType<typeof openSqlite>>): Promise<Stores> {
  const { createKyselySessionStore, createKyselyUserStore, migrate } = await import(
    '@fastify-accounts/kysely'
  )
  await migrate(db)
  const userStore = createKyselyUserStore({ db })
  return {
    userStore,
    sessionStore: createKyselySessionStore({ db, userStore }),
    // Not through the store, which makes one at a time.
    seed: (count, person) =>
      fill(db, 'accounts_users', count, (at) => {
        const values = userValues(idOf(at), person(at))
        return Object.fromEntries(columns.users.map((name, column) => [name, values[column] ?? null]))
      }),
  }
}

export const accountsMemory = own([], async () => {
  const userStore = createMemoryUserStore()
  return {
    userStore,
    sessionStore: createMemorySessionStore(),
    async seed(count, person) {
      for (let at = 0; at < count; at++) await userStore.create(person(at))
    },
  }
})

export const accountsSqlite = own(['libsql', 'kysely'], async (place) => inSql(await openSqlite(place)))
export const accountsPostgres = own(['pg', 'kysely'], async (place) => inSql(await openPostgres(place)))

export const accountsRedisPostgres = own(['pg', 'kysely', 'ioredis'], async (place) => {
  const { createRedisSessionStore } = await import('@fastify-accounts/redis')
  const redis = await openRedis(place)
  return {
    ...(await inSql(await openPostgres(place))),
    sessionStore: createRedisSessionStore({ redis, prefix: place.redisPrefix }),
  }
})
