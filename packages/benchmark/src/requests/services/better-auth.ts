import { join } from 'node:path'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { fromNodeHeaders } from 'better-auth/node'
import type { FastifyInstance } from 'fastify'
import { Kysely } from 'kysely'
import { fill, openPool, openSqliteFile, sqliteDriver, type Tables } from '../../databases.js'
import { emailOf, idOf, joinedAt, password, publicUrl, usernameOf } from '../../people.js'
import { addPublicRoute, createHost, type Place, type Service, type Setup } from '../service.js'

type Engine = 'sqlite' | 'postgres'
type Extra = 'cookie cache' | 'bearer plugin'

/**
 * better-auth, mounted as its guide for Fastify says, with the settings that cost least and give up nothing: joins on,
 * no session created at sign-up, and our Kysely dialects, which keep statements prepared.
 */
function withBetterAuth(engine: Engine, extra?: Extra): Service {
  return {
    async serve(place, setup) {
      const dialect = await openDialect(engine, place)
      const database = { dialect, type: engine }
      const auth = betterAuth({ ...(await optionsFor(place, setup, extra)), database })
      const { runMigrations } = await getMigrations(auth.options)
      await runMigrations()
      if (setup.users > 0) {
        const hash = await (await auth.$context).password.hash(password)
        await seed(new Kysely<Tables>({ dialect }), engine, setup, hash)
      }
      const app = createHost(setup)
      mount(app, auth.handler)
      addPublicRoute(app)
      return app
    },
    packages: ['better-auth', engine === 'sqlite' ? sqliteDriver() : 'pg'],
  }
}

async function openDialect(engine: Engine, { folder, postgresUrl }: Place) {
  const { postgresDialect, sqliteDialect } = await import('@fastify-accounts/kysely')
  return engine === 'sqlite'
    ? sqliteDialect(await openSqliteFile(join(folder, 'accounts.db')))
    : postgresDialect(await openPool(postgresUrl), { prepare: true })
}

async function optionsFor({ secret }: Place, setup: Setup, extra: Extra | undefined) {
  const { hash, list, production, renews } = setup
  const plugins = list || extra === 'bearer plugin' ? await import('better-auth/plugins') : null
  return {
    secret,
    baseURL: publicUrl,
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      ...(hash === 'real' ? {} : { password: noHasher }),
    },
    session: { cookieCache: { enabled: extra === 'cookie cache' }, ...(renews && { updateAge: 0 }) },
    ...(production ? {} : { rateLimit: { enabled: false } }),
    telemetry: { enabled: false },
    advanced: { database: { joins: true } },
    plugins: [
      ...(plugins && list ? [plugins.admin()] : []),
      ...(plugins && extra === 'bearer plugin' ? [plugins.bearer()] : []),
    ],
  } satisfies BetterAuthOptions
}

const noHasher = {
  hash: async (password: string) => `none:${password}`,
  verify: async ({ hash, password }: { hash: string; password: string }) => hash === `none:${password}`,
}

function mount(app: FastifyInstance, handler: (request: Request) => Promise<Response>): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    async handler(request, reply) {
      const body = request.body ? { body: JSON.stringify(request.body) } : {}
      const response = await handler(
        new Request(new URL(request.url, publicUrl), {
          method: request.method,
          headers: fromNodeHeaders(request.headers),
          ...body,
        }),
      )
      reply.status(response.status)
      for (const [name, value] of response.headers) reply.header(name, value)
      return reply.send(response.body ? await response.text() : null)
    },
  })
}

async function seed(db: Kysely<Tables>, engine: Engine, { users, list }: Setup, hash: string): Promise<void> {
  // SQLite has neither booleans nor dates.
  const flag = (value: boolean) => (engine === 'sqlite' ? Number(value) : value)
  const times = (at: number) => {
    const date = new Date(joinedAt(at))
    const time = engine === 'sqlite' ? date.toISOString() : date
    return { createdAt: time, updatedAt: time }
  }
  await fill(db, 'user', users, (at) => ({
    id: idOf(at),
    name: usernameOf(at),
    email: emailOf(at),
    emailVerified: flag(true),
    ...times(at),
    ...(list ? { role: at < 100 ? 'admin' : 'user', banned: flag(false) } : {}),
  }))
  await fill(db, 'account', users, (at) => ({
    id: idOf(at),
    accountId: idOf(at),
    userId: idOf(at),
    providerId: 'credential',
    password: hash,
    ...times(at),
  }))
}

export const services = {
  'better-auth-sqlite': withBetterAuth('sqlite'),
  'better-auth-sqlite-cached': withBetterAuth('sqlite', 'cookie cache'),
  'better-auth-sqlite-bearer': withBetterAuth('sqlite', 'bearer plugin'),
  'better-auth-postgres': withBetterAuth('postgres'),
  'better-auth-postgres-cached': withBetterAuth('postgres', 'cookie cache'),
  'better-auth-postgres-bearer': withBetterAuth('postgres', 'bearer plugin'),
}
