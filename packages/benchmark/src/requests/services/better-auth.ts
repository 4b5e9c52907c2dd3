import { randomBytes } from 'node:crypto'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { fromNodeHeaders } from 'better-auth/node'
import type { FastifyInstance } from 'fastify'
import { idOf } from '../../stores/people.js'
import { versionOf } from '../../versions.js'
import { fill, openPostgres, openSqlite, sqliteDriver } from '../databases.js'
import { addPublicRoute, createHost } from '../host.js'
import { emailOf, password, publicUrl, usernameOf } from '../names.js'
import type { Service, Setup } from '../service.js'
import { codeOf } from '../totp.js'
import { addSecretRoute, createBrowser } from './second-factor.js'

/**
 * better-auth, mounted as its guide for Fastify says, with the settings that cost least and give up nothing:
 * joins on, rate limits off, no session created at sign-up. Its dialect on SQLite keeps statements prepared.
 */
function withBetterAuth(engine: 'sqlite' | 'postgres', cookieCache: boolean): Service {
  return {
    async serve(place, setup) {
      const { db, dialect } = await (engine === 'sqlite' ? openSqlite(place) : openPostgres(place))
      const auth = betterAuth({ ...(await options(setup, cookieCache)), database: { dialect, type: engine } })
      const { runMigrations } = await getMigrations(auth.options)
      await runMigrations()
      if (setup.users > 0) {
        const hash = await (await auth.$context).password.hash(password)
        await seed(db, engine, setup, hash)
      }
      const app = createHost()
      mount(app, auth.handler)
      addPublicRoute(app)
      if (setup.secondFactor) {
        const secret = addSecretRoute(app)
        secret.set(await enroll(app))
        await enrollOthers(db, setup.users)
      }
      return app
    },
    versions: () => [
      versionOf('fastify'),
      versionOf('better-auth'),
      versionOf(engine === 'sqlite' ? sqliteDriver() : 'pg'),
    ],
  }
}

async function options({ hash, list, secondFactor }: Setup, cookieCache: boolean) {
  return {
    secret: randomBytes(32).toString('base64url'),
    baseURL: publicUrl,
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      sendResetPassword: async () => {},
      ...(hash === 'real' ? {} : { password: noHasher }),
    },
    session: { cookieCache: { enabled: cookieCache } },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: { database: { joins: true } },
    plugins: [
      ...(list ? [(await import('better-auth/plugins')).admin()] : []),
      ...(secondFactor ? [(await import('better-auth/plugins')).twoFactor()] : []),
    ],
  } satisfies BetterAuthOptions
}

/** Sets up an authenticator app for the first user; returns its secret. */
async function enroll(app: FastifyInstance): Promise<string> {
  const post = createBrowser(app)
  await post('/api/auth/sign-in/email', { email: emailOf(0), password })
  const { totpURI } = await post<{ totpURI: string }>('/api/auth/two-factor/enable', { password })
  const secret = new URL(totpURI).searchParams.get('secret') ?? ''
  await post('/api/auth/two-factor/verify-totp', { code: codeOf(secret) })
  return secret
}

/** Gives every other user what the first one has. */
async function enrollOthers(db: Parameters<typeof fill>[0], users: number): Promise<void> {
  const factor = await db.selectFrom('twoFactor').selectAll().executeTakeFirstOrThrow()
  const flag = db.selectFrom('user').select('twoFactorEnabled').where('id', '=', idOf(0))
  await db
    .updateTable('user')
    .set(await flag.executeTakeFirstOrThrow())
    .execute()
  await fill(db, 'twoFactor', users - 1, (at) => ({ ...factor, id: idOf(at + 1), userId: idOf(at + 1) }))
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

async function seed(
  db: Parameters<typeof fill>[0],
  engine: 'sqlite' | 'postgres',
  { users, list }: Setup,
  hash: string,
): Promise<void> {
  // SQLite has neither booleans nor dates.
  const flag = (value: boolean) => (engine === 'sqlite' ? Number(value) : value)
  const time = (at: number) => {
    const date = new Date(Date.UTC(2026, 0, 1) + at * 1000)
    return engine === 'sqlite' ? date.toISOString() : date
  }
  await fill(db, 'user', users, (at) => ({
    id: idOf(at),
    name: usernameOf(at),
    email: emailOf(at),
    emailVerified: flag(true),
    createdAt: time(at),
    updatedAt: time(at),
    ...(list ? { role: at < 100 ? 'admin' : 'user', banned: flag(false) } : {}),
  }))
  await fill(db, 'account', users, (at) => ({
    id: idOf(at),
    accountId: idOf(at),
    userId: idOf(at),
    providerId: 'credential',
    password: hash,
    createdAt: time(at),
    updatedAt: time(at),
  }))
}

export const betterAuthSqlite = withBetterAuth('sqlite', false)
export const betterAuthSqliteCached = withBetterAuth('sqlite', true)
export const betterAuthPostgres = withBetterAuth('postgres', false)
export const betterAuthPostgresCached = withBetterAuth('postgres', true)
