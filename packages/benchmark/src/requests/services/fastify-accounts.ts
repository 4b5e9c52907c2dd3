import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import accounts, {
  type Accounts,
  type AccountsFeature,
  type AccountsOptions,
  apiKeys,
  createMemorySessionStore,
  createMemoryUserStore,
  createScryptHasher,
  defaultLimits,
  type Limits,
  type PasswordHasher,
  type SessionStore,
  secondFactor,
  tokens,
  type UserStore,
} from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { fill, openPool, openRedis, sqliteDriver, type Tables } from '../../databases.js'
import { emailOf, joinedAt, password, publicUrl, usernameOf, userRow } from '../../people.js'
import {
  addPublicRoute,
  createHost,
  ownUserSchema,
  type Place,
  type Service,
  type Setup,
} from '../service.js'

interface Stores {
  userStore: UserStore
  sessionStore: SessionStore
  seed(count: number, passwordHash: string): Promise<void>
}

/** What a service has beside the defaults. */
interface Extras {
  features(): Promise<AccountsFeature[]>
  /** Of the features. */
  limits: Partial<Limits>
  addRoutes(app: FastifyInstance): void
}

/** This project on the given stores, with defaults otherwise. */
function own(
  packages: string[],
  open: (place: Place) => Promise<Stores>,
  { features = async () => [], limits = {}, addRoutes = () => {} }: Partial<Extras> = {},
): Service {
  return {
    async serve(place, setup) {
      const { seed, ...stores } = await open(place)
      const passwordHasher = setup.hash === 'real' ? createScryptHasher() : noHasher
      if (setup.users > 0) await seed(setup.users, await passwordHasher.hash(password))
      const app = createHost(setup)
      await app.register(accounts, {
        ...options(place, setup, { ...defaultLimits, ...limits }),
        ...stores,
        passwordHasher,
        features: await features(),
      })
      addPublicRoute(app)
      addRoutes(app)
      return app
    },
    packages,
  }
}

/**
 * Limits are on, and count, but are never reached, unless in production: the load comes from one address. The exception
 * is the limit on mails about new devices, whose default sends one for similar logins and counts the others.
 */
function options(
  { secret }: Place,
  { list, hash, production }: Setup,
  { newDeviceMails, ...others }: Partial<Limits>,
): AccountsOptions {
  const limits = Object.entries(others).map(([name, { window }]) => [name, { max: 1e9, window }])
  return {
    secret,
    baseUrl: publicUrl,
    users: { variant: list ? 'both' : 'user' },
    mailer: { send: async () => {} },
    ...(production ? {} : { throttle: { limits: Object.fromEntries(limits) as Partial<Limits> } }),
    // As many concurrent hashes as there are cores, like the bare hash beside it.
    ...(hash === 'real' && !production ? { password: { concurrency: availableParallelism() } } : {}),
  }
}

const noHasher: PasswordHasher = {
  hash: async (password) => `none:${password}`,
  canVerify: (hash) => hash.startsWith('none:'),
  verify: async (password, hash) => hash === `none:${password}`,
  needsRehash: () => false,
}

async function inMemory(): Promise<Stores> {
  const userStore = createMemoryUserStore()
  return {
    userStore,
    sessionStore: createMemorySessionStore(),
    async seed(count, passwordHash) {
      // Only here: no app loads the suites when it starts.
      const { newUser } = await import('@fastify-accounts/testing')
      for (let at = 0; at < count; at++) {
        const [username, email, createdAt] = [usernameOf(at), emailOf(at), new Date(joinedAt(at))]
        const keys = { usernameKey: username, emailKey: email }
        await userStore.create(
          newUser({ username, email, ...keys, passwordHash, isVerified: true, createdAt }),
        )
      }
    },
  }
}

/** Users in SQL, and sessions as well, unless they are stored elsewhere. */
async function inSql(open: (kysely: typeof import('@fastify-accounts/kysely')) => Kysely<Tables>) {
  const kysely = await import('@fastify-accounts/kysely')
  const db = open(kysely)
  await kysely.migrate(db)
  const userStore = kysely.createKyselyUserStore({ db })
  return {
    userStore,
    sessionStore: kysely.createKyselySessionStore({ db, userStore }),
    // Not through the store, which creates one at a time.
    seed: (count: number, hash: string) => fill(db, 'accounts_users', count, (at) => userRow(at, hash)),
  }
}

function inSqlite({ folder }: Place): Promise<Stores> {
  return inSql(({ openSqlite }) => openSqlite(join(folder, 'accounts.db')))
}

async function inPostgres({ postgresUrl }: Place): Promise<Stores> {
  const pool = await openPool(postgresUrl)
  return inSql(({ openPostgres }) => openPostgres(pool, { prepare: true }))
}

async function inRedisAndPostgres(place: Place): Promise<Stores> {
  const { createRedisSessionStore } = await import('@fastify-accounts/redis')
  const sessionStore = createRedisSessionStore({ redis: await openRedis(), prefix: place.redisPrefix })
  return { ...(await inPostgres(place)), sessionStore }
}

/** Features that nobody uses: what they cost those who don't use them. */
async function unusedFeatures(): Promise<AccountsFeature[]> {
  // A name that the compiler does not follow: the package adds its names to the types of any importer.
  const name: string = '@fastify-accounts/passkeys'
  const { passkeys } = (await import(name)) as { passkeys(options: object): AccountsFeature }
  return [
    secondFactor(),
    passkeys({ rpId: 'accounts.example', origins: ['https://accounts.example'] }),
    tokens(),
    keys(),
  ]
}

/** Clients send access tokens, and refresh them far more often than people do. */
const withTokens: Partial<Extras> = {
  features: async () => [tokens()],
  limits: { refreshTokens: { max: 60, window: 60_000 } },
}

const keys = () => apiKeys({ scopes: ['me:read'] })

/** Programs call a route of the host's own, which says the same as GET /me/. */
const withKeys: Partial<Extras> = {
  features: async () => [keys()],
  addRoutes(app) {
    const { requireScope, userOf } = (app as FastifyInstance & { accounts: Accounts }).accounts
    const schema = { response: { 200: ownUserSchema } }
    app.get('/by-key/', { schema, onRequest: requireScope('me:read') }, async (request) => {
      const user = userOf(request)
      return {
        id: user.id,
        username: user.username,
        email: user.email,
        is_verified: user.isVerified,
        is_staff: user.isStaff,
        is_active: user.isActive,
        created_at: user.createdAt.toISOString(),
        last_login_at: user.lastLoginAt?.toISOString() ?? null,
      }
    })
  },
}

export const services = {
  'accounts-memory': own([], inMemory),
  'accounts-sqlite': own([sqliteDriver()], inSqlite),
  'accounts-sqlite-features': own([sqliteDriver()], inSqlite, { features: unusedFeatures }),
  'accounts-sqlite-tokens': own([sqliteDriver()], inSqlite, withTokens),
  'accounts-sqlite-keys': own([sqliteDriver()], inSqlite, withKeys),
  'accounts-postgres': own(['pg'], inPostgres),
  'accounts-postgres-tokens': own(['pg'], inPostgres, withTokens),
  'accounts-redis-postgres': own(['pg', 'ioredis'], inRedisAndPostgres),
  'accounts-redis-postgres-tokens': own(['pg', 'ioredis'], inRedisAndPostgres, withTokens),
}
