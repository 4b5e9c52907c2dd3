import { availableParallelism } from 'node:os'
import type { Database } from '@fastify-accounts/kysely'
import type { FastifyInstance } from 'fastify'
import accounts, {
  type AccountsFeature,
  type AccountsOptions,
  createMemorySessionStore,
  createMemoryUserStore,
  createScryptHasher,
  defaultLimits,
  type Limits,
  type NewUser,
  type PasswordHasher,
  type SessionStore,
  secondFactor,
  type UserStore,
} from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { idOf } from '../../stores/people.js'
import { columns, userValues } from '../../stores/sql.js'
import { versionOf } from '../../versions.js'
import {
  fill,
  openPool,
  openRedis,
  sqliteDriver,
  sqliteFileOf,
  synchronousOf,
  type Tables,
} from '../databases.js'
import { addPublicRoute, createHost } from '../host.js'
import { emailOf, passkeyOrigin, passkeySite, password, publicUrl, usernameOf } from '../names.js'
import type { Place, Service, Setup } from '../service.js'
import { codeOf } from '../totp.js'
import { addSecretRoute, createBrowser } from './second-factor.js'

interface Stores {
  userStore: UserStore
  sessionStore: SessionStore
  seed(count: number, person: (at: number) => NewUser): Promise<void>
  /** Copies these columns of the first user to all others. Absent if no operation needs it. */
  copyToAll?(columns: string[]): Promise<void>
}

/** This project on the given stores, with defaults otherwise. */
function own(
  packages: () => string[],
  open: (place: Place) => Promise<Stores>,
  featuresFor: (setup: Setup) => Promise<AccountsFeature[]> = usedFeatures,
): Service {
  return {
    async serve(place, setup) {
      const { seed, copyToAll, ...stores } = await open(place)
      const passwordHasher = setup.hash === 'real' ? createScryptHasher() : noHasher
      if (setup.users > 0) {
        // Only here: no app loads the suites when it starts.
        const { newUser } = await import('fastify-accounts/testing')
        const passwordHash = await passwordHasher.hash(password)
        await seed(setup.users, (at) => newUser(person(at, passwordHash)))
      }
      const app = createHost()
      await app.register(accounts, {
        ...options(place, setup),
        ...stores,
        passwordHasher,
        features: await featuresFor(setup),
      })
      addPublicRoute(app)
      if (setup.secondFactor) {
        const secret = addSecretRoute(app)
        secret.set(await enroll(app))
        await copyToAll?.(['factors', 'credentials'])
      }
      return app
    },
    versions: () => ['fastify', ...packages()].map((name) => versionOf(name)),
  }
}

/** The features that the measured operations need. */
async function usedFeatures(setup: Setup): Promise<AccountsFeature[]> {
  return [...(setup.secondFactor ? [secondFactor()] : []), ...(setup.passkeys ? [await ownPasskeys()] : [])]
}

async function ownPasskeys(): Promise<AccountsFeature> {
  // A name that the compiler does not follow: the package adds its names to the types of any importer.
  const name: string = '@fastify-accounts/passkeys'
  const { passkeys } = (await import(name)) as { passkeys(options: object): AccountsFeature }
  return passkeys({ rpId: passkeySite, origins: [passkeyOrigin] })
}

/** By client IP; those of a feature are not among the defaults. */
const passkeyLimits = { passkeyOptions: { window: 60_000 }, loginPasskey: { window: 60_000 } }

/**
 * Limits are on, and count, but are never reached: the load comes from one address. The exception is the limit on mails
 * about new devices, whose default sends one for similar logins and counts the others.
 */
function options({ secret }: Place, { list, hash, passkeys }: Setup): AccountsOptions {
  const { newDeviceMails, ...others } = defaultLimits
  const ofPasskeys = passkeys ? passkeyLimits : {}
  const limits = Object.entries({ ...others, ...ofPasskeys }).map(([name, { window }]) => [
    name,
    { max: 1e9, window },
  ])
  return {
    secret,
    baseUrl: publicUrl,
    users: { variant: list || passkeys ? 'both' : 'user' },
    mailer: { send: async () => {} },
    // As many concurrent hashes as there are cores, like the bare hash beside it.
    ...(hash === 'real' ? { password: { concurrency: availableParallelism() } } : {}),
    throttle: { limits: Object.fromEntries(limits) as Partial<Limits> },
  }
}

/** Sets up an authenticator app for the first user; returns its secret. */
async function enroll(app: FastifyInstance): Promise<string> {
  const post = createBrowser(app)
  await post('/login/', { username: usernameOf(0), password })
  const { secret, token } = await post<{ secret: string; token: string }>('/second-factor/totp/')
  // Of the previous step, so the current one is still valid.
  await post('/second-factor/totp/confirm/', { code: codeOf(secret, -1), token })
  return secret
}

const noHasher: PasswordHasher = {
  hash: async (password) => `none:${password}`,
  canVerify: (hash) => hash.startsWith('none:'),
  verify: async (password, hash) => hash === `none:${password}`,
  needsRehash: () => false,
}

function person(at: number, passwordHash: string): Partial<NewUser> {
  const [username, email] = [usernameOf(at), emailOf(at)]
  return {
    username,
    usernameKey: username,
    email,
    emailKey: email,
    passwordHash,
    isVerified: true,
    createdAt: new Date(Date.UTC(2026, 0, 1) + at * 1000),
  }
}

/** Users in SQL, and sessions too, unless they are stored elsewhere. */
async function inSql(
  open: (kysely: typeof import('@fastify-accounts/kysely')) => Promise<Database>,
): Promise<Stores> {
  const kysely = await import('@fastify-accounts/kysely')
  const { createKyselySessionStore, createKyselyUserStore, migrate } = kysely
  const db = await open(kysely)
  await migrate(db)
  // It is a Kysely, though its type doesn't say so: the tables are filled with it.
  const tables = db as unknown as Kysely<Tables>
  const userStore = createKyselyUserStore({ db })
  return {
    userStore,
    sessionStore: createKyselySessionStore({ db, userStore }),
    async copyToAll(columns) {
      const users = tables.selectFrom('accounts_users').select(columns).where('id', '=', idOf(0))
      await tables
        .updateTable('accounts_users')
        .set(await users.executeTakeFirstOrThrow())
        .execute()
    },
    // Not through the store, which creates one at a time.
    seed: (count, person) =>
      fill(tables, 'accounts_users', count, (at) => {
        const values = userValues(idOf(at), person(at))
        return Object.fromEntries(columns.users.map((name, column) => [name, values[column] ?? null]))
      }),
  }
}

export const accountsMemory = own(
  () => [],
  async () => {
    const userStore = createMemoryUserStore()
    return {
      userStore,
      sessionStore: createMemorySessionStore(),
      async seed(count, person) {
        for (let at = 0; at < count; at++) await userStore.create(person(at))
      },
    }
  },
)

function inSqlite(place: Place): Promise<Stores> {
  return inSql(async ({ openSqlite }) =>
    openSqlite(sqliteFileOf(place), { synchronous: synchronousOf(place) }),
  )
}

function inPostgres(place: Place): Promise<Stores> {
  return inSql(async ({ openPostgres }) => openPostgres(await openPool(place), { prepare: true }))
}

export const accountsSqlite = own(() => [sqliteDriver()], inSqlite)
/** With features that nobody uses: what they cost those who don't use them. */
export const accountsSqliteFeatures = own(
  () => [sqliteDriver()],
  inSqlite,
  async () => [secondFactor(), await ownPasskeys()],
)
export const accountsPostgres = own(() => ['pg'], inPostgres)

export const accountsRedisPostgres = own(
  () => ['pg', 'ioredis'],
  async (place) => {
    const { createRedisSessionStore } = await import('@fastify-accounts/redis')
    const redis = await openRedis(place)
    return {
      ...(await inPostgres(place)),
      sessionStore: createRedisSessionStore({ redis, prefix: place.redisPrefix }),
    }
  },
)
